"""A copy of the package, for tests that change it."""

from pathlib import Path

import benben

PACKAGE = Path(benben.__file__).parent


def copy_package(target: Path) -> Path:
    """The package's sources, somewhere they can be changed."""
    for source in PACKAGE.rglob("*.py"):
        copy = target / "benben" / source.relative_to(PACKAGE)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(source.read_bytes())
    return target / "benben"
