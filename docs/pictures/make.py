"""Draw the README's picture: `python docs/pictures/make.py`."""

import io
import random
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI

import benben
from benben.terminal.beside import legend
from benben.terminal.board import draw_board

# Rich's own frame asks another host for a font; ours takes what the reader has.
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: Menlo, Consolas, DejaVu Sans Mono, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}</defs>
<rect fill="#292929" width="{width}" height="{height}" rx="8"/>
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""


def main() -> None:
    position, rng = benben.game("pyramidis", first=1).deal(), random.Random(12)
    for _ in range(30):
        position = position.play(rng.choice(position.moves()))
    console = Console(
        record=True, width=84, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    for line in draw_board(position, 80):
        console.print(line)
    console.print(legend(position.game), style="dim", highlight=False)
    picture = Path(__file__).with_name("pyramidis.svg")
    console.save_svg(str(picture), title="", theme=MONOKAI, code_format=FRAME, unique_id="benben")


if __name__ == "__main__":
    main()
