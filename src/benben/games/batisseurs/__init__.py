"""Bâtisseurs: roll, build, and know when to stop."""

from benben.core.info import Credit, Info, Option, Origin, Span

INFO = Info(
    name="batisseurs",
    titles={"fr": "Bâtisseurs", "en": "Bâtisseurs"},
    working_title=True,
    kind={"en": "dice, push your luck", "fr": "des dés et du cran"},
    components={
        "en": "4 boards, 84 blocks and 6 dice",
        "fr": "4 planches, 84 blocs et 6 dés",
    },
    authors=("Hartmut Kommerell",),
    ages=Span(5, 10),
    # Half of 47 games between levels 3 and 4 took 55 to 92 decisions for two, 79 to 118 for three
    # and 106 to 155 for four (a block, a roll or a stop each), at ten seconds each: 9 to 26
    # minutes, and most of them from ten to twenty.
    minutes=Span(10, 20),
    players=(2, 3, 4),
    default_players=2,
    first="1",
    first_is_fixed=False,
    option=Option(
        "placing",
        ("all", "free"),
        {
            "en": "place while any die can, or stop placing when you like",
            "fr": "poser tant qu’un dé le permet, ou s’arrêter quand on veut",
        },
        players=(2, 3, 4),
    ),
    credits={
        "titles": Credit(
            Origin.OURS,
            {"en": "the sheet has lost its title", "fr": "la feuille a perdu son titre"},
        ),
        "kind": Credit(Origin.OURS),
        "authors": Credit(Origin.SHEET),
        "ages": Credit(Origin.SHEET),
        "minutes": Credit(
            Origin.OURS,
            {
                "en": "games between bots, at ten seconds a decision",
                "fr": "parties entre robots, à dix secondes par décision",
            },
        ),
        "players": Credit(Origin.SHEET),
        "components": Credit(Origin.SHEET),
        "first": Credit(
            Origin.SHEET,
            {
                "en": "the youngest begins; here that is seat 1, unless somebody chooses",
                "fr": "le plus jeune commence\u202f; ici, c’est la place 1 si personne ne choisit",
            },
        ),
        "colours": Credit(
            Origin.OURS,
            {
                "en": "the sheet names green alone, and not its row",
                "fr": "la feuille ne nomme que le vert, sans dire sa rangée",
            },
        ),
    },
)
