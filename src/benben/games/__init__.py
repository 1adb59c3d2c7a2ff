"""The four games of the house, one folder each."""

from benben.core.registry import register

register("objectif", "benben.games.objectif")
register("pyramidis", "benben.games.pyramidis")
register("batisseurs", "benben.games.batisseurs")
register("quadrille", "benben.games.quadrille")
