"""lintpickle: finds the line that will break when Python code crosses a process boundary."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> "Any":
    """`from lintpickle import probe` imports what it needs when it is asked for (typed: `lintpickle.testing.probe`)."""
    if name != "probe":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module("lintpickle.testing").probe
