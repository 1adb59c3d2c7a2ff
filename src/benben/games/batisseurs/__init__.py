"""Bâtisseurs: roll, build, and know when to stop."""

from benben.core.info import Info, Option

INFO = Info(
    name="batisseurs",
    titles={"fr": "Bâtisseurs", "en": "Bâtisseurs"},
    working_title=True,
    about="dice, push your luck",
    authors=("Hartmut Kommerell",),
    honours="",
    ages="5–10",
    minutes="",
    players=(2, 3, 4),
    default_players=2,
    first="1",
    first_is_fixed=False,
    option=Option(
        "placing",
        ("all", "free"),
        "place while any die can, or stop placing when you like",
        players=(2, 3, 4),
    ),
)
