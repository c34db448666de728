"""Regular expressions that are matched in linear time, for catalogs, which may come from anyone.

All possible matches advance through the text in parallel, as in Thompson's and Pike's machines, without backtracking.
Expressions that need more (back-references, lookaround) are refused.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from lintpickle.input_limits import WORDED_TEXT, WORDING_STEPS

if sys.version_info >= (3, 11):
    import re._parser as sre_parse  # type: ignore[import-not-found]
else:
    import sre_parse

_REFERENCE = re.compile(r"\\(?:([1-9][0-9]?)|g<([0-9]{1,2})>|(\\)|(.?))", re.DOTALL)
_CATEGORIES: dict[str, re.Pattern[str]] = {
    "CATEGORY_DIGIT": re.compile(r"\d"),
    "CATEGORY_NOT_DIGIT": re.compile(r"\D"),
    "CATEGORY_SPACE": re.compile(r"\s"),
    "CATEGORY_NOT_SPACE": re.compile(r"\S"),
    "CATEGORY_WORD": re.compile(r"\w"),
    "CATEGORY_NOT_WORD": re.compile(r"\W"),
}
_PLACES = {"AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING", "AT_BOUNDARY", "AT_NON_BOUNDARY"}

Fits: TypeAlias = Callable[[str], bool]
MachineStep: TypeAlias = tuple[Any, ...]
"""("take", fits), ("split", first, second), ("jump", to), ("save", slot), ("at", place), ("match",)"""


class Refused(Exception):
    """The expression is invalid, or cannot be matched in linear time. The message says why."""


class Linear:
    """A regular expression and the replacement of its matches, as for `re.sub`. Raises `Refused`."""

    def __init__(self, pattern: str, replacement: str) -> None:
        try:
            tree: Any = sre_parse.parse(pattern)
        except (re.error, OverflowError, RecursionError) as error:
            raise Refused(str(error)) from None
        if tree.state.flags & ~re.UNICODE.value:
            raise Refused("flags are not allowed in it")
        self._groups: int = tree.state.groups
        self._steps: list[MachineStep] = []
        try:
            self._compile(tree)
        except RecursionError:
            raise Refused("it is nested too deeply") from None
        self._add("match")
        self._pieces = list(self._template(replacement))

    def sub(self, text: str) -> str:
        """The text with all matches replaced; a very long text is returned unchanged."""
        if len(text) > WORDED_TEXT.most:
            return text
        pieces: list[str] = []
        done = at = 0
        while at <= len(text) and (found := self._search(text, at)) is not None:
            start, end = found[0], found[1]
            pieces.append(text[done:start])
            pieces += (each if isinstance(each, str) else _group(text, found, each) for each in self._pieces)
            done, at = end, end if end > start else end + 1
        return "".join([*pieces, text[done:]])

    def _template(self, text: str) -> Iterator[str | int]:
        done = 0
        for found in _REFERENCE.finditer(text):
            yield text[done : found.start()]
            done = found.end()
            if found[4] is not None:
                raise Refused(f"{found[0]!r} means nothing in its text")
            number = found[1] or found[2]
            if number and int(number) >= self._groups:
                raise Refused(f"there is no group {number}")
            yield int(number) if number else "\\"
        yield text[done:]

    def _add(self, *step: Any) -> int:
        if len(self._steps) >= WORDING_STEPS.most:
            raise Refused("it is too long")
        self._steps.append(step)
        return len(self._steps) - 1

    def _compile(self, tree: Any) -> None:
        for operation, value in tree:
            match str(operation):
                case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN" as kind:
                    self._add("take", _fitting(kind, value))
                case "MAX_REPEAT" | "MIN_REPEAT" as kind:
                    self._repeat(*value, is_greedy=kind == "MAX_REPEAT")
                case "SUBPATTERN":
                    number, on, off, inner = value
                    if on or off:
                        raise Refused("flags are not allowed in it")
                    if number is not None:
                        self._add("save", 2 * number)
                    self._compile(inner)
                    if number is not None:
                        self._add("save", 2 * number + 1)
                case "BRANCH":
                    self._branch(value[1])
                case "AT" if str(value) in _PLACES:
                    self._add("at", str(value))
                case other:
                    raise Refused(f"it uses what takes more than linear time ({other.lower()})")

    def _repeat(self, least: int, most: int, inner: Any, *, is_greedy: bool) -> None:
        for _ in range(least):
            before = len(self._steps)
            self._compile(inner)
            if len(self._steps) == before:
                return  # it takes nothing, however often
        is_endless = str(most) == "MAXREPEAT"
        for _ in range(1 if is_endless else most - least):
            split = self._add("split", 0, 0)
            self._compile(inner)
            if is_endless:
                self._add("jump", split)
            ways = (split + 1, len(self._steps))
            self._steps[split] = ("split", *(ways if is_greedy else ways[::-1]))

    def _branch(self, branches: list[Any]) -> None:
        ends = []
        for branch in branches[:-1]:
            split = self._add("split", 0, 0)
            self._compile(branch)
            ends.append(self._add("jump", 0))
            self._steps[split] = ("split", split + 1, len(self._steps))
        self._compile(branches[-1])
        for end in ends:
            self._steps[end] = ("jump", len(self._steps))

    def _search(self, text: str, start: int) -> tuple[int, ...] | None:
        """The slots of the first match from an offset on: where each group starts and ends (-1: it took no part)."""
        best: tuple[int, ...] | None = None
        threads: list[tuple[int, tuple[int, ...]]] = []
        none = (-1,) * (2 * self._groups)
        for at in range(start, len(text) + 1):
            if best is None:
                threads.append((0, (at, *none[1:])))
            taking: list[tuple[Fits, int, tuple[int, ...]]] = []
            seen: set[int] = set()
            for step, slots in threads:
                matched = self._follow(step, slots, text, at, seen, taking)
                if matched is not None:
                    best = matched
                    break
            if not taking and best is not None:
                break
            char = text[at : at + 1]
            threads = [(step + 1, slots) for fits, step, slots in taking if char and fits(char)]
        return best

    def _follow(
        self,
        step: int,
        slots: tuple[int, ...],
        text: str,
        at: int,
        seen: set[int],
        taking: list[tuple[Fits, int, tuple[int, ...]]],
    ) -> tuple[int, ...] | None:
        """Go on to what takes a character, in order of preference; to a match, that ends the search for others."""
        stack = [(step, slots)]
        while stack:
            step, slots = stack.pop()
            if step in seen:
                continue
            seen.add(step)
            match self._steps[step]:
                case ("take", fits):
                    taking.append((fits, step, slots))
                case ("split", first, second):
                    stack += [(second, slots), (first, slots)]
                case ("jump", to):
                    stack.append((to, slots))
                case ("save", slot):
                    stack.append((step + 1, (*slots[:slot], at, *slots[slot + 1 :])))
                case ("at", place):
                    if _is_at(place, text, at):
                        stack.append((step + 1, slots))
                case _:
                    return (slots[0], at, *slots[2:])
        return None


def _group(text: str, slots: tuple[int, ...], number: int) -> str:
    start, end = slots[2 * number], slots[2 * number + 1]
    return text[start:end] if start >= 0 and end >= 0 else ""


def _fitting(kind: str, value: Any) -> Fits:
    if kind == "LITERAL":
        return chr(value).__eq__
    if kind == "NOT_LITERAL":
        return chr(value).__ne__
    if kind == "ANY":
        return "\n".__ne__
    members = [(str(operation), each) for operation, each in value]
    negated = members[0][0] == "NEGATE"
    tests = [_member(operation, each) for operation, each in members[negated:]]
    return lambda char: any(test(char) for test in tests) != negated


def _member(kind: str, value: Any) -> Fits:
    if kind == "RANGE":
        return lambda char: value[0] <= ord(char) <= value[1]
    if kind == "CATEGORY":
        fits = _CATEGORIES[str(value)]
        return lambda char: fits.match(char) is not None
    return chr(value).__eq__


def _is_at(place: str, text: str, at: int) -> bool:
    if place.startswith("AT_BEGINNING"):
        return at == 0
    if place == "AT_END":
        return text[at:] in ("", "\n")
    if place == "AT_END_STRING":
        return at == len(text)
    before, after = (bool(re.match(r"\w", each)) for each in (text[max(0, at - 1) : at], text[at : at + 1]))
    return (before != after) == (place == "AT_BOUNDARY")
