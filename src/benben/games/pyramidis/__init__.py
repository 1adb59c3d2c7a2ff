"""Pyramidis: a sowing race round a cross."""

from benben.core.info import Credit, Info, Option, Origin, Publisher, Span

INFO = Info(
    name="pyramidis",
    titles={"fr": "Pyramidis", "en": "Pyramidis"},
    working_title=False,
    kind={
        "en": "sowing race, no chance, nothing hidden",
        "fr": "course de semailles, sans hasard ni secret",
    },
    components={
        "en": "a board and 32 pyramids (8 in each of four colours)",
        "fr": "un plateau et 32 pyramides (8 de chacune des quatre couleurs)",
    },
    authors=("Roland Siegers",),
    artists=("Raives Warns",),
    publishers=(Publisher("Flying Turtle", 1988), Publisher("Ravensburger", 1991)),
    year=1988,
    ages=Span(12),
    minutes=Span(20, 30),
    players=(2, 4),
    default_players=4,
    first="random",
    first_is_fixed=False,
    option=Option(
        "pair",
        ("bm", "tc"),
        {"en": "which two facing colours sit down", "fr": "quelles couleurs s’affrontent"},
        players=(2,),
    ),
    credits={
        "titles": Credit(Origin.SHEET),
        "kind": Credit(Origin.OURS),
        "authors": Credit(Origin.DESCRIPTIONS),
        "artists": Credit(Origin.DESCRIPTIONS),
        "publishers": Credit(
            Origin.DESCRIPTIONS, {"en": "no longer sold", "fr": "n’est plus en vente"}
        ),
        "year": Credit(Origin.DESCRIPTIONS),
        "ages": Credit(Origin.DESCRIPTIONS),
        "minutes": Credit(Origin.SHEET),
        "players": Credit(Origin.SHEET),
        "components": Credit(Origin.SHEET),
        "first": Credit(
            Origin.SHEET,
            {
                "en": "colours and first player are agreed; here the first player is drawn unless "
                "somebody chooses",
                "fr": "on convient des couleurs et du premier joueur\u202f; ici, il est tiré au "
                "sort si personne ne choisit",
            },
        ),
        "colours": Credit(
            Origin.SHEET,
            {
                "en": "brown, turquoise, mustard and cream",
                "fr": "marron, turquoise, moutarde et crème",
            },
        ),
    },
)
