"""Where things are kept on a user's computer."""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path


def data_root() -> Path:
    """Where everything is kept that would be missed: $BENBEN_DATA_DIR, or the user's data."""
    root = os.environ.get("BENBEN_DATA_DIR")
    return Path(root) if root else user_data_path("benben")


def cache_root() -> Path:
    """Where everything is kept that can be made again: $BENBEN_CACHE_DIR, or the user's cache."""
    root = os.environ.get("BENBEN_CACHE_DIR")
    return Path(root) if root else user_cache_path("benben")
