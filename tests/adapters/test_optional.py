"""Who does not need the adapters does not load them, and who does is told what to install."""

import subprocess
import sys

import pytest


def _python(code: str) -> str:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout


def test_benben_alone_loads_no_adapter() -> None:
    code = """
import sys, benben, benben.lab.batch
print([m for m in ("pyspiel", "open_spiel", "pettingzoo", "gymnasium") if m in sys.modules])
"""
    assert _python(code) == "[]\n"


@pytest.mark.parametrize(
    ("adapter", "package"), [("open_spiel", "pyspiel"), ("pettingzoo", "pettingzoo")]
)
def test_without_the_package_it_says_what_to_install(adapter: str, package: str) -> None:
    code = f"""
import sys
sys.modules[{package!r}] = None  # as if it were not there
try:
    import benben.adapters.{adapter}
except ImportError as error:
    print(error)
"""
    extra = adapter.replace("_", "")
    assert _python(code) == f"{package} is not installed: pip install 'benben[{extra}]'\n"
