"""Games at the keyboard, by pipe and in a real terminal."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import benben
from benben.cli import app
from benben.core.record import GameRecord
from benben.learn.rulebook import rulebook_of
from benben.terminal.saves import AUTO
from tests.terminal.keyboard import CURTAIN, ERASED, FINISH, HIDE, PROMPT, Person

in_a_terminal = [
    pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal"),
    # Only in the child, which calls exec at once.
    pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def play(data: Path, arguments: str, *typed: str, before: str = "", **variables: str) -> Result:
    """A game with these lines typed; then the keyboard is gone."""
    environment = {"BENBEN_DATA_DIR": str(data), "COLUMNS": "80", "NO_COLOR": "1", **variables}
    return CliRunner(env=environment).invoke(
        app, f"{before} play {arguments}", input="".join(f"{line}\n" for line in typed)
    )


def kept(data: Path) -> GameRecord:
    return GameRecord.parse((data / "autosave.txt").read_text("utf-8"))


# ---- Playing


@pytest.mark.parametrize("name", benben.names())
def test_random_players_play_to_the_end(data: Path, name: str) -> None:
    seats = "--seat random " * benben.info(name).default_players
    done = play(data, f"{name} --seed 3 {seats}")
    assert done.exit_code == 0
    assert " wins: " in done.stdout or "A draw: " in done.stdout
    assert play(data, f"{name} --seed 3 {seats}").stdout == done.stdout
    assert not data.exists()


def test_moves_by_text_and_by_number(data: Path) -> None:
    done = play(data, "pyramidis --seed 3 --option first=1", "d1*3", "1")
    assert done.exit_code == 0
    assert "You (brown) d1*3: sow 3 from d1, drop b on d2, d3, d4." in done.stdout
    assert "You (brown) d1*1: sow 1 from d1" in done.stdout
    moves = kept(data).moves
    assert moves[0] == "d1*3"
    assert moves[4] == "d1*1"


def test_bad_input_is_answered_and_asked_again(data: Path) -> None:
    typed = ["d1", "D1*2", "99", "", "hlep", "e5", "nonsense", "d1*2"]
    out = play(data, "pyramidis --hotseat --option first=1", *typed).stdout
    assert "d1 is illegal (count-needed)" in out
    assert "Did you mean d1*2?" in out
    assert "no move number 99; they go from 1 to 5" in out
    assert "there is no 'hlep'; did you mean help?" in out
    assert "e5 is illegal (empty-square): there is no pyramid on e5" in out
    book = rulebook_of("pyramidis", "en")
    assert f"under “{book.title_of(book.paragraphs['empty-square'])}”" in out
    assert "cannot read 'nonsense': a move is a column" in out
    assert kept(data).moves == ("d1*2",)


def test_many_moves_are_listed_on_asking(data: Path) -> None:
    out = play(data, "quadrille", "?").stdout
    assert "48, such as @a1 or @h6; ? lists them" in out
    assert "43 @h1   44 @h2   45 @h3" in out


def test_hints_get_stronger_and_are_counted(data: Path) -> None:
    out = play(data, "pyramidis --players 2 --option first=1", *["hint"] * 3, "resign", "y").stdout
    told = ["Look here: d1.", "It sets 1 fresh pyramid on its way.", "Suggestion: d1*1 (sow 1"]
    assert all(each in out for each in told)
    assert sorted(told, key=out.index) == told
    assert "1 hint was given." in out
    together = play(data, "pyramidis --hotseat --option first=1", "hint").stdout
    assert "hints are only for one person against bots" in together


def test_help_text_rules_and_goal(data: Path) -> None:
    out = play(data, "quadrille", "help", "text", "rules", "goal").stdout
    assert "take back the last move a person made" in out
    assert str(benben.game("quadrille").deal()) in out.replace("\n", "")
    assert rulebook_of("quadrille", "en").title_of("aim") in out
    assert "{#" not in out
    assert "pawns-first" in out  # the refusals, at the end of the rulebook
    assert "nothing is hidden in this game" in out


def test_a_bust_is_told(data: Path) -> None:
    out = play(data, "batisseurs --seed 4 --players 4").stdout
    assert "You: roll b c d d e f, nothing fits." in out
    assert "dice     " in out


def test_your_goal_is_yours_alone(data: Path) -> None:
    position = benben.game("objectif").deal("x")
    own, other = tuple(str(position).split()[-1])
    out = play(data, "objectif --seed x", "text").stdout
    assert f"  goal     {own} " in out
    assert f" {own}?\n" in out
    assert f" {own}{other}\n" not in out


# ---- Taking back, giving up


def test_undo(data: Path) -> None:
    out = play(data, "pyramidis --seed 3 --option first=1", "d1*3", "undo", "undo").stdout
    assert "Taken back: d1*3 " in out
    assert "there is nothing to take back yet" in out
    assert not data.exists()  # nothing has happened, so nothing is kept


def test_dice_are_not_taken_back(data: Path) -> None:
    record = GameRecord.parse(
        "benben: 1\ngame: batisseurs\nplayers: 2\nfirst: 1\nplacing: free\nrules: 1\n"
        f"start: {benben.game('batisseurs').deal()}\nseats: human,human\n\n=aabcdf\n"
    )
    file = data.parent / "game.txt"
    file.write_text(str(record), "utf-8")
    out = play(data, f"--resume {file}", "a1", "undo", "a2", "stop", "undo").stdout
    assert "Taken back: a1." in out
    assert "no roll is ever taken back" in out
    assert kept(data).moves[:3] == ("=aabcdf", "a2", "stop")


def test_resigning_is_asked_twice(data: Path) -> None:
    done = play(data, "quadrille", "resign", "perhaps", "n", "resign", "y")
    assert "y for yes, n or Enter for no" in done.stdout
    assert "Rami (black) wins: you resign." in done.stdout
    assert done.exit_code == 0


# ---- Saving, leaving, going on


def test_save_and_resume(data: Path) -> None:
    file = data.parent / "my game.txt"
    done = play(data, "quadrille --hotseat", "@a1", f"save {file}", "quit", "n")
    assert f"Saved: benben play --resume '{file}' goes on." in done.stdout
    assert done.exit_code == 0
    assert not data.exists()
    assert GameRecord.parse(file.read_text("utf-8")).moves == ("@a1",)
    again = play(data, f"--resume '{file}'", "@b2", f"save {file}", "n", f"save {file}", "y")
    assert "Write over it?" in again.stdout
    assert GameRecord.parse(file.read_text("utf-8")).moves == ("@a1", "@b2")


def test_a_save_that_fails_does_not_end_the_game(data: Path) -> None:
    nowhere = data.parent / "nowhere" / "game.txt"
    done = play(
        data, "quadrille --hotseat", "save", f"save {nowhere}", f"save {data.parent}", "@a1"
    )
    assert "save needs the name of a file" in done.stdout
    assert "No such file or directory" in " ".join(done.stdout.split())
    assert "Is a directory" in " ".join(done.stdout.split())
    assert kept(data).moves == ("@a1",)


def test_a_game_left_is_kept_and_forgotten_once_it_is_over(data: Path) -> None:
    left = play(data, "quadrille --hotseat", "@a1")
    assert left.exit_code == 0
    assert "benben play --resume auto goes on" in left.stdout
    done = play(data, f"--resume {AUTO}", "resign", "y")
    assert "Seat 1 (white) wins: seat 2 (black) resigns." in done.stdout
    assert not (data / "autosave.txt").exists()


def test_seats_can_change_when_a_game_goes_on(data: Path) -> None:
    play(data, "quadrille --hotseat", "@a1")
    out = play(data, "--resume auto --seat human").stdout
    assert "seat 2 (black): Rami, Apprentice (level 2)" in out
    again = play(data, "--resume auto --level 3").stdout
    assert "seat 2 (black): Nebi, Stonecutter (level 3)" in again


def test_the_record_can_be_kept_at_the_end(data: Path) -> None:
    file = data.parent / "end.txt"
    out = play(data, "quadrille", "resign", "y", str(file)).stdout
    assert "benben replay" in out
    assert GameRecord.parse(file.read_text("utf-8")).resigned == 0


def test_the_menu_offers_sensible_answers(data: Path) -> None:
    done = play(data, "", "9", "2", "5", "2", "tc", "all")
    assert "one of 1, 2, 3, 4" in done.stdout
    assert "How many players? 2/4 [4]" in done.stdout
    assert "seat 1 (turquoise): human; seat 2 (cream): human" in done.stdout
    assert done.exit_code == 0
    accepted = play(data, "", "", "", "", "", "")
    assert accepted.stdout.count("Objectif") >= 2
    assert (
        "1 Pebble, 2 Apprentice, 3 Stonecutter, 4 Mason, 5 Architect, 6 Pharaoh" in accepted.stdout
    )
    assert "seat 1: you; seat 2: Wadi, Apprentice (level 2)" in accepted.stdout
    weaker = play(data, "", "quadrille", "", "", "1")
    assert "seat 2 (black): Bak, Pebble (level 1)" in weaker.stdout
    told = play(data, "--level 4", "quadrille", "", "")
    assert "seat 2 (black): Nebi, Mason (level 4)" in told.stdout
    assert "How strong" not in told.stdout


def test_bots_of_every_kind_play_to_the_end(data: Path) -> None:
    out = play(data, "pyramidis --seat 1 --seat 2 --seat greedy --seat random --seed 3").stdout
    assert "seat 1 (brown): Zaya, Pebble (level 1)" in out
    assert "(mustard): Rami, greedy" in out
    assert "wins" in out


def test_the_menu_offers_the_game_that_was_left(data: Path) -> None:
    play(data, "quadrille --hotseat", "@c3")
    out = play(data, "", "").stdout
    assert "c go on with the Quadrille you left" in out
    assert "Seat 1 (white) @c3: puts a pawn on c3." in out


# ---- In French


def test_a_game_from_the_menu_to_its_end_in_french(data: Path) -> None:
    locale = {"BENBEN_LANGUAGE": "", "LC_ALL": "", "LC_MESSAGES": "", "LANG": "fr_FR.UTF-8"}
    file = data.parent / "fin.txt"
    typed = [
        "4",
        "",
        "seul",
        "2",
        "@a1",
        "help",
        "e5",
        "undo",
        "@b2",
        "goal",
        "resign",
        "peut-être",
    ]
    done = play(data, "--seed 1", *typed, "n", "resign", "oui", str(file), **locale)
    assert done.exit_code == 0
    out = done.stdout.replace("\u202f", " ")
    for words in (
        "4 Quadrille   blocage, sans hasard ni secret ; 2 joueurs",
        "Vous seul contre des robots, ou tous à ce clavier ? seul/tous [seul]",
        "1 Caillou, 2 Apprenti, 3 Tailleur de pierre",
        "joueur 1 (blancs) : vous ; joueur 2 (noirs) : Rami, Apprenti (niveau 2)",
        "coups    48, par exemple @a1 ou @h6 ; ? les donne tous",
        "Vous (blancs) @a1 : posez un pion en a1.",
        "Rami (noirs) @",
        "undo       annule le dernier coup",
        "Annulé : @a1 @",
        "rien n’est caché dans ce jeu",
        "Abandonner ? La partie s’arrête pour tous. o/N",
        "o pour oui, n ou Entrée pour non",
        "Rami (noirs) gagne : vous abandonnez.",
        "C’est enregistré : benben replay",
    ):
        assert words in out
    assert GameRecord.parse(file.read_text("utf-8")).resigned == 0


def test_a_language_can_be_asked_for(data: Path) -> None:
    french = play(data, "objectif --seed x", before="--language fr").stdout
    assert "\n  objectif " in french
    assert "\n  visible  " in french
    english = play(data, "objectif --seed x", before="--language en", BENBEN_LANGUAGE="fr").stdout
    assert "\n  goal     " in english
    assert play(data, "objectif", before="--language de").exit_code == 2


# ---- In a terminal

TURNS = 10  # of a game of 24, played at the keyboard


def _first_moves(position: benben.Position, n: int) -> tuple[str, ...]:
    """The first legal move, n times."""
    moves: list[str] = []
    for _ in range(n):
        moves.append(position.moves()[0])
        position = position.play(moves[-1])
    return tuple(moves)


class TestTerminal:
    pytestmark = in_a_terminal

    @pytest.mark.parametrize("key", ["c", "d"])
    def test_leaving_by_a_key_keeps_the_game(self, data: Path, key: str) -> None:
        person = Person(data, "quadrille", "--hotseat")
        person.sees(PROMPT)
        person.types("@a1")
        person.presses(key)
        assert person.hangs_up() == 0
        assert "The game is kept" in person.seen
        assert kept(data).moves == ("@a1",)

    def test_pages_are_turned(self, data: Path) -> None:
        person = Person(data, "quadrille")
        person.sees(PROMPT)
        more = r"Enter for more, q to stop: $"
        person.types("rules", "", then=more)
        person.types("q", "quit", then=r"(> |drops it: )$")
        person.types("n", then="")
        assert person.hangs_up() == 0

    @pytest.mark.slow
    def test_nobody_sees_the_goal_of_another(self, data: Path) -> None:
        """Two games that differ in seat 2's goal alone look the same until the end."""
        game = benben.game("objectif", first=1)
        start = str(game.deal(seed=11))
        colours = [letter for letter in "ogbpyv" if f"{letter}/" in start.split()[0]]
        own, other = tuple(start.split()[-1])
        third = next(letter for letter in colours if letter not in (own, other))
        file = data.parent / "game.txt"
        seen = []
        for goals in (own + other, own + third):
            position = game.parse(f"{start.rpartition(' ')[0]} {goals}")
            moves = _first_moves(position, 24 - TURNS)
            file.write_text(str(GameRecord(position, moves, ("human", "human"))), "utf-8")
            seen.append(self._hot_seat(data, file))
        before = [text.partition("Goals: ")[0] for text in seen]
        assert before[0] == before[1]
        assert seen[0] != seen[1]
        assert f"Goals: seat 1 {own} " in seen[0]
        assert f", seat 2 {third} " in seen[1]

        # Seat 1 looked, and that was gone before seat 2 sat down.
        assert before[0].count(f"Your goal: {own} ") == 1
        shown, _, rest = before[0].partition("Your goal: ")
        assert rest.index(ERASED) < rest.index("Pass the keyboard to seat 2.")
        assert f" {own}?" not in shown
        assert before[0].count("Pass the keyboard to ") == TURNS

    def _hot_seat(self, data: Path, file: Path) -> str:
        """Seat 1 looks at everything it may; then both play the first move every time."""
        person = Person(data, "--resume", str(file))
        person.sees(CURTAIN)
        person.types("")
        for secret in ("goal", "text"):
            person.types(secret, then=HIDE)
            person.types("")
        for _ in range(TURNS - 1):
            person.types("1", then=CURTAIN)
            person.types("")
        person.types("1", then=FINISH)
        person.types("", then="")
        assert person.hangs_up() == 0
        return person.seen
