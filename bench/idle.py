"""Only how much a server takes while nobody moves at its tables: a minute, `make bench-idle`."""

import sys

from bench.server import IDLE, TABLES, WANTED_IDLE, idle


def main() -> None:
    tables = max(TABLES)
    used = idle(tables, IDLE)
    sys.stdout.write(
        f"{used:.2f} % of a core at {tables} tables with two streams each; "
        f"{WANTED_IDLE} % or less are wanted\n"
    )
    sys.exit(used > WANTED_IDLE)


if __name__ == "__main__":
    main()
