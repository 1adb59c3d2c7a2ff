"""Objectif: make the colour only you know the most frequent one."""

from benben.core.info import Credit, Info, Option, Origin, Span

INFO = Info(
    name="objectif",
    titles={"fr": "Objectif", "en": "Objectif"},
    working_title=True,
    kind={
        "en": "hidden colour, open stocks, fixed length",
        "fr": "couleur secrète, stocks visibles, durée fixe",
    },
    components={
        "en": "66 plastic pyramids (6 goals, 24 bases, 36 pieces) and a cloth bag",
        "fr": "66 pyramides en uréa (6 objectifs, 24 cases, 36 pièces) et un sac en tissu",
    },
    players=(2, 3, 4),
    default_players=2,
    first="random",
    first_is_fixed=False,
    option=Option(
        "mode",
        ("random", "fair"),
        {
            "en": "stocks drawn from the bag, or the same for everybody",
            "fr": "stocks tirés du sac, ou le même pour tous",
        },
        players=(2, 3, 4),
        limits={"fair": (2, 3)},
    ),
    ages=Span(8),
    minutes=Span(15, 15),
    credits={
        "titles": Credit(
            Origin.OURS,
            {"en": "the sheet has lost its title", "fr": "la feuille a perdu son titre"},
        ),
        "kind": Credit(Origin.OURS),
        "ages": Credit(Origin.SHEET),
        "minutes": Credit(Origin.SHEET),
        "players": Credit(Origin.SHEET),
        "components": Credit(Origin.SHEET),
        "first": Credit(
            Origin.SHEET,
            {"en": "the first player is drawn by lot", "fr": "le premier joueur est tiré au sort"},
        ),
        "colours": Credit(
            Origin.SHEET,
            {
                "en": "orange, green, blue and pink; yellow and violet are ours",
                "fr": "orange, vert, bleu et rose\u202f; jaune et violet sont de nous",
            },
        ),
    },
)
