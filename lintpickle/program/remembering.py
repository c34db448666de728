"""Answers that are computed once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

Answer = TypeVar("Answer")


class Remembering:
    """Remembers answers to questions that depend on it alone, not on who asks."""

    def __init__(self) -> None:
        self._answers: dict[Hashable, Any] = {}

    def remembered(self, question: Hashable, find: Callable[[], Answer]) -> Answer:
        """The answer to a question. It is computed once."""
        if question not in self._answers:
            self._answers[question] = find()
        found: Answer = self._answers[question]
        return found
