"""Quadrille: leave your opponent no square to step on."""

from benben.core.info import Info, Option

INFO = Info(
    name="quadrille",
    titles={"fr": "Quadrille", "en": "Quadrille"},
    working_title=True,
    about="blocking, no chance, nothing hidden",
    authors=("Alain Couchot", "Bernard Klein"),
    honours="Pion d'Or, Boulogne-Billancourt 1997",
    ages="",
    minutes="",
    players=(2,),
    default_players=2,
    first="1",
    first_is_fixed=True,
    option=Option(
        "layout", ("regular", "random"), "the tokens in a pattern, or shuffled", players=(2,)
    ),
)
