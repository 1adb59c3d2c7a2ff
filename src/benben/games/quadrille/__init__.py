"""Quadrille: leave your opponent no square to step on."""

from benben.core.info import Credit, Info, Option, Origin, Span

INFO = Info(
    name="quadrille",
    titles={"fr": "Quadrille", "en": "Quadrille"},
    working_title=True,
    kind={"en": "blocking, no chance, nothing hidden", "fr": "blocage, sans hasard ni secret"},
    components={
        "en": "a board of 6 × 8 squares, 48 tokens (12 in each of four colours) and 4 wooden pawns "
        "(2 white, 2 black)",
        "fr": "un plateau de 6 × 8 cases, 48 jetons (12 de chacune des quatre couleurs) et 4 pions "
        "de bois (2 blancs, 2 noirs)",
    },
    authors=("Alain Couchot", "Bernard Klein"),
    year=1997,
    honours={
        "en": "Pion d’Or at the game creators’ competition of Boulogne-Billancourt, 1997",
        "fr": "Pion d’Or au concours de créateurs de jeux de Boulogne-Billancourt, 1997",
    },
    # Half of 16 games between levels 3 and 4 took 53 to 91 decisions (a pawn, a step or a token
    # each), at twenty seconds each: 18 to 30 minutes. At that pace pyramidis takes the 20 to 30
    # minutes that its sheet gives.
    minutes=Span(20, 30),
    players=(2,),
    default_players=2,
    first="1",
    first_is_fixed=True,
    option=Option(
        "layout",
        ("regular", "random"),
        {
            "en": "the tokens in a pattern, or shuffled",
            "fr": "jetons en motif régulier, ou mélangés",
        },
        players=(2,),
    ),
    credits={
        "titles": Credit(
            Origin.OURS,
            {"en": "the sheet has lost its title", "fr": "la feuille a perdu son titre"},
        ),
        "kind": Credit(Origin.OURS),
        "authors": Credit(Origin.SHEET),
        "year": Credit(Origin.SHEET, {"en": "the year of its prize", "fr": "l’année de son prix"}),
        "honours": Credit(Origin.SHEET),
        "minutes": Credit(
            Origin.OURS,
            {
                "en": "games between bots, at twenty seconds a decision",
                "fr": "parties entre robots, à vingt secondes par décision",
            },
        ),
        "players": Credit(Origin.SHEET),
        "components": Credit(Origin.SHEET),
        "first": Credit(
            Origin.OURS,
            {
                "en": "White begins; the sheet does not say who",
                "fr": "les blancs commencent\u202f; la feuille ne dit pas qui",
            },
        ),
        "colours": Credit(
            Origin.SHEET,
            {
                "en": "blue, red, orange and yellow tokens, white and black pawns",
                "fr": "jetons bleus, rouges, orange et jaunes, pions blancs et noirs",
            },
        ),
    },
)
