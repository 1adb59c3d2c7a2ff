"""CSS selectors by test id, for `until` and for scripts that run in a page.

Tests find things by role or by label first, and by `get_by_test_id` where there is none. They never
use classes or the order of elements, which belong to the layout (`test_selectors.py` checks it).
"""


def part(name: str) -> str:
    """The part of a page that has this test id."""
    return f'[data-testid="{name}"]'


BOARD = part("board")
MY_BOARD = f'{BOARD}[data-your-turn="true"]'  # a move is asked for
OTHERS_BOARD = f'{BOARD}[data-your-turn="false"]'
THING = f"{BOARD} [data-thing]"  # whatever is tapped to choose a move
MY_THING = f"{MY_BOARD} [data-thing]"
MOVE_LOG = part("move-log")
MOVE = part("move")  # a line of the log
RESULT = part("result")
CURTAIN = part("curtain")
STATUS = part("status")
HINT = f'{STATUS}[data-hint="true"]'
CURRENT_MOVE = f'{MOVE}[aria-current="step"]'  # the moment that is looked at
CURRENT_NODE = f'{part("tree-move")}[aria-current="step"]'
TO_MOVE = f'{part("seat")}[data-to-move="true"]'
