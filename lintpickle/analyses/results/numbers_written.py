"""Numbers that are written as texts, and what makes them of these."""

from __future__ import annotations

NUMBERS = {"int": int, "float": float}


def is_written_number(name: str, text: str) -> bool:
    """Whether `int` or `float`, by its name, makes a number of a text."""
    try:
        NUMBERS[name](text)
    except ValueError:
        return False
    return True
