"""Valid names of players, and names that look the same."""

import re
import unicodedata

LONGEST_NAME = 24
# Invisible letters and symbols that Unicode calls printable.
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\uffa0]")
# They choose how the sign before them is drawn, as in many emoji.
_VARIATION_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_OVERWIDE = re.compile("[\ua9c5\ufdfd\U00012219\U0001242b]")  # one sign as wide as a word
_MARKS_IN_A_ROW = 2  # most scripts need at most two combining marks on a letter
# Cyrillic and Greek letters that look like Latin ones, after case folding.
_LOOK_LATIN = str.maketrans("авекмнорстухіјѕһԁԛԝαβεικνορτυχ", "abekmhopctyxijshdqwabeiknoptux")


def is_name(name: str) -> bool:
    """Whether a name is short, printable, visible and does not spill over its line."""
    return (
        name == name.strip()
        and name.isprintable()
        and folded(name) != ""
        and len(unicodedata.normalize("NFKC", name)) <= LONGEST_NAME
        and not _BLANK.search(name)
        and not _OVERWIDE.search(name)
        and not _is_stacked(name)
    )


def look_alike(one: str, other: str) -> bool:
    """Whether people could confuse two names."""
    return folded(one) == folded(other)


def folded(name: str) -> str:
    """The same text for names that differ in case, width, spacing, or lookalike letters."""
    visible = _VARIATION_SELECTORS.sub("", name)
    text = unicodedata.normalize("NFKC", visible).casefold().translate(_LOOK_LATIN)
    return " ".join(text.split())


def _is_stacked(name: str) -> bool:
    marks = 0
    for character in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > _MARKS_IN_A_ROW:
            return True
    return False
