"""What pictures of diagrams and kits to print were made from: a test sees when they are old.

`make diagrams` and `make kits` note a digest of what each was made from in `made.json`: the data of
the diagram or the words of the kit, the palette, and of the board's components what is drawn — not
their scripts, which change more often than what is seen. Where such a change is not to be seen,
`python -m tests.made` notes the present state as it is.
"""

import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from benben.core.registry import names
from benben.learn.diagrams import diagrams_of

NOTES = Path(__file__).parent / "made.json"
_ROOT = Path(__file__).parents[1]
_PAGES = _ROOT / "frontend/src"
_GAMES = _PAGES / "games"
_PIECES = _PAGES / "engine/pieces"
_SCRIPT = re.compile(r"<script.*?</script>|<!--.*?-->", re.DOTALL)
_ASKED = re.compile(r'\bt\(\s*"([\w.-]+)"')
LANGUAGES = ("en", "fr")


def diagrams(game: str) -> dict[str, str]:
    """The digest of each diagram of a game, by its name."""
    board = _board(game)
    return {
        f"{game}/{name}": _digest([repr(diagram), *board])
        for name, diagram in diagrams_of(game).items()
    }


def kits(game: str) -> dict[str, str]:
    """The digest of a game's kits, which are made together."""
    own = [_GAMES / game / "Kit.svelte", *sorted((_GAMES / game / "kit").glob("*.json"))]
    sheets = sorted((_PAGES / "engine/kit").glob("*.svelte"))
    common = [_words_of_kits(language) for language in LANGUAGES]
    return {game: _digest([*map(_text, (*own, *sheets)), *common, *_board(game)])}


def note(kind: str, made: dict[str, str]) -> None:
    """They have just been made."""
    notes = noted()
    known = {name for game in names() for name in (diagrams if kind == "diagrams" else kits)(game)}
    kept = {name: digest for name, digest in notes.get(kind, {}).items() if name in known}
    notes[kind] = dict(sorted((kept | made).items()))
    NOTES.write_text(json.dumps(notes, indent=2) + "\n", "utf-8")


def noted() -> dict[str, dict[str, str]]:
    return dict(json.loads(_text(NOTES))) if NOTES.exists() else {}


def _board(game: str) -> Iterable[str]:
    """What is drawn of a board, the words in it, and its colours."""
    components = [*sorted(_PIECES.glob("*.svelte")), *sorted((_GAMES / game).glob("*.svelte"))]
    drawn = [_SCRIPT.sub("", _text(path)) for path in components if path.name != "Kit.svelte"]
    asked = sorted(set(_ASKED.findall("".join(drawn))))
    for language in LANGUAGES:
        words = json.loads(_text(_GAMES / game / f"words/{language}.json"))
        yield repr([words.get(key) for key in asked])
    yield repr(json.loads(_text(_GAMES / game / "palette.json")))
    yield from drawn


def _words_of_kits(language: str) -> str:
    catalogue = _PAGES / "core/i18n/catalogue"
    words = json.loads(_text(catalogue / f"{language}.json"))
    words |= json.loads(_text(catalogue / f"parts/kit/{language}.json"))
    return repr([words["kit.rules"], words["kit.scale"], words["kit.title"]])


def _text(path: Path) -> str:
    return path.read_text("utf-8")


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def main() -> None:
    for game in names():
        note("diagrams", diagrams(game))
        note("kits", kits(game))


if __name__ == "__main__":
    main()
