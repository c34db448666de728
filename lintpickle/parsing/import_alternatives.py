"""Alternative imports that bind one name: `try: import a as x` … `except ImportError: import b as x`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.diagnostics import Span
from lintpickle.parsing.imports import ImportedName, imported_names
from lintpickle.parsing.other_pythons import is_of_another_python
from lintpickle.parsing.syntax import dotted, rows

_Bound: TypeAlias = "dict[str, tuple[ImportWay, ...]]"
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_GONE = frozenset(
    {
        "ConfigParser", "Cookie", "HTMLParser", "Queue", "SocketServer", "StringIO", "Tkinter", "UserDict", "UserList",
        "UserString", "__builtin__", "cPickle", "cStringIO", "commands", "cookielib", "copy_reg", "dummy_thread",
        "httplib", "thread", "urllib2", "urlparse", "xmlrpclib",
    }
)  # fmt: skip
"""Modules that only Python 2 has."""


class ImportWay(Struct, frozen=True):
    """An import that may be the one that binds a name. `span` are the rows of its statement; `always` says that it runs
    whenever the module does. A `fallback` only runs if another import of the name fails, so not where the preferred
    package is installed."""

    imported: ImportedName
    span: Span
    always: bool
    fallback: bool = False


def import_ways(body: Sequence[ast.stmt], span_of: Callable[[int, int], Span]) -> _Bound:
    """For each name that imports bind at module level, the imports that may have bound it in the end; the preferred one
    comes first. `span_of` returns the span of rows."""
    found = _Reader(span_of).after(body, {}, True)
    return {name: _of_this_python(ways) for name, ways in found.items()}


class _Reader:
    def __init__(self, span_of: Callable[[int, int], Span]) -> None:
        self._span_of = span_of

    def after(self, body: Iterable[ast.stmt], before: _Bound, always: bool = False) -> _Bound:
        """The imports in force after some statements."""
        bound = dict(before)
        for statement in body:
            match statement:
                case ast.Import() | ast.ImportFrom():
                    span = self._span_of(*rows(statement))
                    for name, imported in imported_names(statement):
                        if imported.name != "*":
                            bound[name] = (ImportWay(imported, span, always),)
                case ast.If(test=test, orelse=other) if is_of_another_python(test):
                    bound = self.after(other, bound, always)
                case ast.If(test=test, body=inner, orelse=other):
                    bound = self._after_choice(dotted(test).endswith("TYPE_CHECKING"), inner, other, bound)
                case ast.For(body=inner, orelse=other) | ast.While(body=inner, orelse=other):
                    bound = self.after(other, _either(self.after(inner, bound), bound))
                case ast.With(body=inner):
                    bound = self.after(inner, bound, always)
                case ast.Match(cases=cases):
                    for case in cases:
                        bound = _either(bound, self.after(case.body, bound))
                case _ if hasattr(statement, "handlers"):  # `try`, and `try` with `except*`
                    bound = self._after_attempt(statement, bound)
                case _:
                    pass
        return bound

    def _after_choice(
        self, for_types: bool, body: Sequence[ast.stmt], other: Sequence[ast.stmt], before: _Bound
    ) -> _Bound:
        """The imports in force after an `if`. Imports only for type checking give way to all others."""
        first, second = self.after(body, before), self.after(other, before)
        if for_types:
            return {**first, **second}
        if _ends(body) or _ends(other):
            return first if _ends(other) else second
        return _either(first, second)

    def _after_attempt(self, attempt: ast.stmt, before: _Bound) -> _Bound:
        body, other, last = (getattr(attempt, field) for field in ("body", "orelse", "finalbody"))
        bound = self.after(other, self.after(body, before))
        tried = {name for name, ways in bound.items() if ways is not before.get(name)}
        for handler in getattr(attempt, "handlers", ()):
            if not _ends(handler.body):
                bound = _either(bound, _fallbacks(self.after(handler.body, before), tried))
        return self.after(last, bound)


def _either(first: _Bound, second: _Bound) -> _Bound:
    """The imports in force after one of two branches, without repetitions."""
    bound = dict(first)
    for name, ways in second.items():
        known = {way.imported for way in bound.get(name, ())}
        bound[name] = (*bound.get(name, ()), *(way for way in ways if way.imported not in known))
    return bound


def _fallbacks(bound: Mapping[str, tuple[ImportWay, ...]], tried: Collection[str]) -> _Bound:
    """The imports in force after the attempt to import some of the names has failed."""
    return {
        name: tuple(replace(way, fallback=True) for way in ways) if name in tried else ways
        for name, ways in bound.items()
    }


def _of_this_python(ways: tuple[ImportWay, ...]) -> tuple[ImportWay, ...]:
    """The imports without those that always fail. The first of the rest is no fallback."""
    left = tuple(way for way in ways if way.imported.module not in _GONE) or ways
    return (replace(left[0], fallback=False), *left[1:]) if left[0].fallback else left


def _ends(suite: Sequence[ast.stmt]) -> bool:
    return bool(suite) and isinstance(suite[-1], _ENDS)
