"""Make the fonts of the pages: what they use of Alegreya Sans and Spline Sans Mono.

Run it in `frontend/` after `npm ci`, with `fonttools` and `brotli` installed:
`python src/app/fonts/subset.py`. It also writes what `fonts.css` needs to know of the fallback.
"""

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

HERE = Path(__file__).parent
SOURCES = HERE.parents[2] / "node_modules/@fontsource"
ASCII = "".join(map(chr, range(0x20, 0x7F)))
MARKS = "\u00a0\u202f«»‹›“”‘’–—…·°×±½′″−↑↓"  # in the texts of both languages
FRENCH = "ÀÂÆÇÈÉÊËÎÏÔŒÙÛÜŸàâæçèéêëîïôœùûüÿ"
LATIN = "".join(map(chr, range(0xC0, 0x100))) + "ŒœŸ¡¿ßªº€"  # in names of people
FEATURES = ["kern", "liga", "lnum", "tnum", "locl", "ccmp"]
FONTS = [
    ("alegreya-sans", "400-normal", ASCII + MARKS + LATIN),
    ("alegreya-sans", "700-normal", ASCII + MARKS + LATIN),
    ("alegreya-sans", "400-italic", ASCII + MARKS + FRENCH),  # in rulebooks only
    ("spline-sans-mono", "500-normal", ASCII + MARKS + FRENCH),  # figures, moves, code
]
# Widths of Arial and Arial Bold, in thousandths of their size, of the most frequent characters.
CHARACTERS = "abcdefghijklmnopqrstuvwxyz ,."
ARIAL = {
    "400": """556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556
              500 722 500 500 500 278 278 278""",
    "700": """556 611 556 611 556 333 611 611 278 278 556 278 889 611 611 611 611 389 556 333 611
              556 778 556 556 500 278 278 278""",
}
FREQUENCIES = [
    int(each)
    for each in """64 12 22 32 95 17 15 46 56 1 6 29 19 54 60 15 1 50 58 70 23
    8 14 2 15 1 150 9 9""".split()
]


def subset(family: str, style: str, characters: str) -> Path:
    options = Options(layout_features=FEATURES, hinting=False, flavor="woff2")
    with TTFont(SOURCES / family / f"files/{family}-latin-{style}.woff2") as font:
        subsetter = Subsetter(options)
        subsetter.populate(text=characters)
        subsetter.subset(font)
        font.flavor = "woff2"
        path = HERE / f"{family}-{style}.woff2"
        font.save(path)
    return path


def mean(widths: list[float]) -> float:
    """The mean width of a character in a text."""
    pairs = zip(FREQUENCIES, widths, strict=True)
    return sum(count * width for count, width in pairs) / sum(FREQUENCIES)


def widths(path: Path) -> list[float]:
    """In thousandths of the font size."""
    with TTFont(path) as font:
        advances, glyphs, unit = font["hmtx"], font.getBestCmap(), font["head"].unitsPerEm
        return [1000 * advances[glyphs[ord(each)]][0] / unit for each in CHARACTERS]


def main() -> None:
    for family, style, characters in FONTS:
        path = subset(family, style, characters)
        sys.stdout.write(f"{path.name}: {path.stat().st_size} bytes\n")
        if arial := ARIAL.get(style[:3]):
            ratio = mean(widths(path)) / mean([float(each) for each in arial.split()])
            sys.stdout.write(f"  size-adjust: {ratio:.1%}\n")


if __name__ == "__main__":
    main()
