"""Entries of the catalog's tables: what they say of a call's result, its arguments, class names and messages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import get_args

from msgspec import Struct

from lintpickle.catalog.linear import Linear
from lintpickle.catalog.records import ArgumentUse, KnownArguments, Product
from lintpickle.pythons import Version

_USES: Mapping[str | None, ArgumentUse] = {use: use for use in get_args(ArgumentUse)}


RESULT = "=>"
"""What stands among the arguments of a call for the use that code makes of its result, where that is known."""
USED_BY_NAMES = "names"
"""Such a use: code reads what the result holds under names (`data["labels"]`, `data.files`)."""


class Case(Struct, frozen=True):
    """The result of a call with certain arguments; None for something harmless."""

    product: Product | None
    when: Mapping[str, str]
    parameters: tuple[str, ...]

    def holds(self, arguments: KnownArguments | None) -> bool:
        """Whether the call matches this case, as far as its arguments are known."""
        if not self.when:
            return True
        if not arguments:
            return False
        named = {self._name(key): value for key, value in arguments.items()}
        return all(name in named and _matches(named[name], pattern) for name, pattern in self.when.items())

    def _name(self, key: int | str) -> str:
        if isinstance(key, int):
            return self.parameters[key] if key < len(self.parameters) else str(key)
        return key


class CallEffect(Struct, frozen=True):
    """The effect of a function or method on its arguments, and the kind of its result."""

    result: str | None
    returns: str | None
    drops: tuple[str, ...] = ()

    @property
    def argument_use(self) -> ArgumentUse | None:
        """The effect on the arguments, if `result` says one."""
        return _USES.get(self.result)


class Callback(Struct, frozen=True):
    """The argument that a function calls, and with what."""

    function: tuple[str, ...]
    """Its place, from 0, and its keyword, as far as it can be given in that way."""
    given: str | None
    """"elements": with one element of each of the other positional arguments; "rows": with the parts of one; None: with
    what is not known."""


class LengthAsked(Struct, frozen=True):
    """How something asks what it is given for its length: as it is made, or only when it is asked for its own."""

    when_made: bool
    unless: tuple[str, ...]
    """The keyword arguments with which it does not."""


class Base(Struct, frozen=True):
    """Names that imply the kind of a class."""

    exact: frozenset[str]
    ends: tuple[str, ...]
    excepted: tuple[str, ...]
    kind: str


class Wording(Struct, frozen=True):
    """A change of messages from one Python version on."""

    since: Version
    pattern: str
    text: str
    linear: Linear | None = None
    """Of a wording that does not ship with lintpickle."""

    def of(self, error: str) -> str:
        """An error in this wording."""
        return re.sub(self.pattern, self.text, error) if self.linear is None else self.linear.sub(error)


def _matches(value: object, pattern: str) -> bool:
    """Whether an argument fits: "*" is any that switches something on, else alternatives of globs."""
    if pattern == "*":
        return value is ... or bool(value)
    return value is not ... and any(fnmatchcase(str(value), glob) for glob in pattern.split("|"))
