from __future__ import annotations

import ast
from collections.abc import Iterable

from msgspec import Struct

from lintpickle.analyses.empty_lookup import EmptyLookup, End, FailingLookup
from lintpickle.analyses.hierarchies import REDUCERS, defines, node_of, plain_ancestors, stores_of
from lintpickle.diagnostics import Applicability, Edit, Fix, Span
from lintpickle.rules._shared.seldom_sent import seldom_sent
from lintpickle.rules.authoring import ClassValue, Crossing, Hazard, InstanceValue, Linker, Rule, Site, SourceTree


class _Method(Struct, frozen=True):
    """A `__getattr__` that fails: the file, and the place where it reads the missing attribute."""

    source: SourceTree
    node: ast.FunctionDef
    failure: FailingLookup
    has_slots: bool
    """Whether the object may have no `__dict__`."""


class UnguardedGetattr(Rule[_Method]):
    """A `__getattr__` that reads an attribute which does not exist yet when the object is unpickled or copied."""

    code = "LP601"
    name = "unguarded-getattr"
    value_types = (InstanceValue,)
    applicability = Applicability.SAFE
    message = "`{class_}.__getattr__` reads `{attribute}`, which an object lacks while it is unpickled: {error}"
    help = "raise AttributeError while the attribute is not in `self.__dict__`, or for names with a leading underscore"
    marks = frozenset()
    words = frozenset({"__getattr__"})

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[_Method]]:
        if isinstance(crossing.value, InstanceValue):
            found = linker.classes.find_method(crossing.value, "__getattr__")
            if found is not None:
                yield from _judged(found[0], linker, crossing.value.class_)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Method]]:
        if "__getattr__" in class_.facts.methods:
            yield from seldom_sent(_judged(class_, linker, class_), class_, linker)

    def fix(self, hazard: Hazard[_Method]) -> Fix | None:
        """Raise AttributeError before the statement that reads the attribute, while it does not exist."""
        method = hazard.subject
        edit = None if method.has_slots else _guard(method)
        if edit is None:
            return None
        return Fix("Raise AttributeError while the attribute does not exist", Applicability.SAFE, (edit,))


def _judged(owner: ClassValue, linker: Linker, made: ClassValue) -> Iterable[Hazard[_Method]]:
    """The hazard of the `__getattr__` of `owner`, for instances of `made`."""
    line = plain_ancestors(made, linker.classes)
    if line is None or defines(line, *REDUCERS, "__setstate__", "__new__", "__getattribute__"):
        return
    found = node_of(owner.module, owner.facts.methods["__getattr__"])
    if found is None or found[1].decorator_list:
        return
    source, node = found
    lookup = EmptyLookup(node, lambda name: _is_missing(name, line))
    if lookup.run() is End.FAILS and lookup.failure is not None:
        failure = lookup.failure
        if not any(True for _ in stores_of(line, failure.attribute)) and not _is_field(failure.attribute, line):
            return
        yield Hazard(
            site=Site(owner.module, owner.facts.methods["__getattr__"].header),
            noun=f"it asks for `{failure.attribute}`",
            error=failure.error,
            data={"class_": owner.facts.name, "attribute": failure.attribute},
            subject=_Method(source, node, failure, defines(line, "__slots__")),
        )


def _is_missing(name: str, line: tuple[ClassValue, ...]) -> bool:
    """Whether the class defines no attribute of that name, so that only the object's state can hold it."""
    if name.startswith("__") and name.endswith("__"):
        return name == "__setstate__"
    return not any(name in each.facts.methods or name in each.facts.body for each in line)


def _is_field(name: str, line: tuple[ClassValue, ...]) -> bool:
    return any(field.name == name and field.default is None for each in line for field in each.facts.fields)


def _guard(method: _Method) -> Edit | None:
    source, failure = method.source, method.failure
    statement = _statement(method.node.body, failure.node)
    if statement is None:
        return None
    row = source.first_row(statement)
    indent = source.indentation(row)
    if source.starts[row] + len(indent) != source.span(statement).start:
        return None
    arguments = [*method.node.args.posonlyargs, *method.node.args.args]
    me, name = arguments[0].arg, arguments[1].arg
    lines = (
        f'if "{failure.attribute}" not in {me}.__dict__:',
        f"{source.indent}raise AttributeError({name})",
    )
    start = source.starts[row] + len(indent)
    text = "".join(f"{line}{source.newline}{indent}" for line in lines)
    return Edit(Span(start, start), text)


def _statement(body: list[ast.stmt], node: ast.expr) -> ast.stmt | None:
    """The innermost statement around a node; None in a `try`, whose handlers could catch the new error."""
    for statement in body:
        if not any(each is node for each in ast.walk(statement)):
            continue
        if isinstance(statement, ast.Try):
            return None
        if isinstance(statement, ast.If) and not any(each is node for each in ast.walk(statement.test)):
            in_body = _statement(statement.body, node)
            is_elif = len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
            return in_body or (None if is_elif else _statement(statement.orelse, node))
        return statement
    return None
