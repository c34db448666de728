"""Imports libcst in half the time, and makes it parse a fifth faster and write trees twice as fast. Only done in
lintpickle's own processes.

libcst makes each of its node classes a frozen dataclass on import. Most of that time is spent on generated methods:
some are replaced at once by `CSTNode.__init_subclass__`, some only forbid assignment, and most classes are never used.
A frozen node then assigns each of its fields by a call, and validates itself. lintpickle only looks at trees that the
parser has made, so its nodes need none of this. Nor do they need the hooks by which metadata is gathered while a tree
is written, because `lintpickle.parsing.parsed_blocks` has its own. (`libcst/_nodes/base.py` and `expression.py` in
libcst 1.8.6 to 1.9.0.)
"""

from __future__ import annotations

import dataclasses
import sys
import threading
from collections.abc import Callable
from dataclasses import MISSING, Field
from typing import Any

from lintpickle.profiling import importing

_OURS = "lintpickle.cli"
"""A module that is imported only in processes that the command `lintpickle` has started."""
_NODES = "libcst._nodes."
_BASE = "CSTNode"
_ONE_AT_A_TIME = threading.Lock()


def import_libcst() -> None:
    """Import libcst, if it is not imported yet. In lintpickle's own processes, nodes can be assigned to, are not
    validated, and report their positions to a `CodegenState` only by `record_syntactic_position`; everything else is
    unchanged. In other processes, which may use libcst themselves, it is imported unchanged."""
    with importing("libcst"), _ONE_AT_A_TIME:
        if "libcst" in sys.modules or _OURS not in sys.modules:
            import libcst
        else:
            original = dataclasses.dataclass
            dataclasses.dataclass = _plain(original)
            try:
                import libcst
            finally:
                dataclasses.dataclass = original
            _write_directly(libcst.CSTNode)


def _write_directly(class_: Any) -> None:
    """Remove the hooks before and after each node, and the generator for parentheses that are not there."""
    own = vars(class_)
    if "_codegen_impl" in own and class_.__name__ != _BASE:
        class_._codegen = class_._codegen_impl
    if "_parenthesize" in own:
        class_._parenthesize = _only_if_parenthesized(class_._parenthesize)
    for derived in class_.__subclasses__():
        _write_directly(derived)


def _only_if_parenthesized(parenthesize: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def quick(node: Any, state: Any) -> Any:
        return parenthesize(node, state) if node.lpar or node.rpar else state.record_syntactic_position(node)

    return quick


def _plain(dataclass: Callable[..., Any]) -> Any:
    """A replacement of the dataclass decorator that generates no methods for nodes."""

    def decorate(class_: Any, **options: Any) -> Any:
        if not class_.__module__.startswith(_NODES) or not any(each.__name__ == _BASE for each in class_.__mro__):
            return dataclass(class_, **options)
        if class_.__name__ == _BASE:
            del class_.__post_init__  # It validates.
        if "__init__" not in vars(class_):
            class_.__init__ = _first_init
        return dataclass(class_, **{**options, "frozen": False, "repr": False, "eq": False, "init": False})

    def plain(class_: Any = None, /, **options: Any) -> Any:
        return (lambda each: decorate(each, **options)) if class_ is None else decorate(class_, **options)

    return plain


def _first_init(self: object, *values: Any, **named: Any) -> None:
    """An `__init__` that makes the first node of a class, and generates the `__init__` for the others."""
    class_: Any = type(self)
    class_.__init__ = _init_of(class_)
    class_.__init__(self, *values, **named)


def _init_of(class_: Any) -> Any:
    """The `__init__` of the dataclass, without a call for each field."""
    fields = [each for each in dataclasses.fields(class_) if each.init]
    known = {f"_{each.name}": each.default if _has_value(each) else each.default_factory for each in fields}
    known["MISSING"] = MISSING
    lines = [f"def __init__({', '.join(['self', *map(_parameter, fields)])}):", *map(_assignment, fields), " pass"]
    exec("\n".join(lines), known)
    return known["__init__"]


def _has_value(field: Field[Any]) -> bool:
    return field.default is not MISSING


def _parameter(field: Field[Any]) -> str:
    if _has_value(field):
        return f"{field.name}=_{field.name}"
    return f"{field.name}=MISSING" if field.default_factory is not MISSING else field.name


def _assignment(field: Field[Any]) -> str:
    if field.default_factory is MISSING:
        return f" self.{field.name} = {field.name}"
    return f" self.{field.name} = _{field.name}() if {field.name} is MISSING else {field.name}"
