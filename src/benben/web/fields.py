"""How fields of bodies are described in the OpenAPI document."""

from typing import Any

from msgspec import Meta


def doc(description: str, *examples: Any, **limits: Any) -> Meta:
    """The description of a field, with examples and the limits that msgspec checks."""
    return Meta(description=description, examples=list(examples) or None, **limits)
