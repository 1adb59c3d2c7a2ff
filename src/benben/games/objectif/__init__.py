"""Objectif: make the colour only you know the most frequent one."""

from benben.core.info import Info, Option

INFO = Info(
    name="objectif",
    titles={"fr": "Objectif", "en": "Objectif"},
    working_title=True,
    about="hidden colour, open stocks, fixed length",
    authors=(),
    honours="",
    ages="8+",
    minutes="15",
    players=(2, 3, 4),
    default_players=2,
    first="random",
    first_is_fixed=False,
    option=Option(
        "mode",
        ("random", "fair"),
        "stocks drawn from the bag, or the same for everybody",
        players=(2, 3, 4),
        limits={"fair": (2, 3)},
    ),
)
