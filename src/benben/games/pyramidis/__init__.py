"""Pyramidis: a sowing race round a cross."""

from benben.core.info import Info, Option

INFO = Info(
    name="pyramidis",
    titles={"fr": "Pyramidis", "en": "Pyramidis"},
    working_title=False,
    about="sowing race, no chance, nothing hidden",
    authors=("Roland Siegers",),
    honours="Flying Turtle 1988, Ravensburger 1991",
    ages="",
    minutes="20–30",
    players=(2, 4),
    default_players=4,
    first="random",
    first_is_fixed=False,
    option=Option("pair", ("bm", "tc"), "which two facing colours sit down", players=(2,)),
)
