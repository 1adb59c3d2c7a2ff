"""The four games of the house, one folder each."""

from benben.core.registry import register

# Of all sheets together: it is not known which three they are.
THANKS = {
    "en": "Three of the four sheets were put online by the collectors of Escale à jeux: thank you.",
    "fr": "Trois des quatre feuilles de règles ont été mises en ligne par les "
    "collectionneurs d’Escale à jeux\u202f: merci à eux.",
}

register("objectif", "benben.games.objectif")
register("pyramidis", "benben.games.pyramidis")
register("batisseurs", "benben.games.batisseurs")
register("quadrille", "benben.games.quadrille")
