from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.exception_arguments import given_arguments
from lintpickle.analyses.hierarchies import (
    REDUCERS,
    call_error,
    defines,
    external_bases,
    known_ancestors,
    node_of,
)
from lintpickle.diagnostics import Applicability, Confidence, Edit, Fix, Severity, Span
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Ancestor,
    ClassValue,
    Frame,
    FunctionFacts,
    Hazard,
    InstanceValue,
    Linker,
    Raised,
    Rule,
    Site,
    SourceTree,
    WorkerCode,
)

_OWN_ARGUMENTS = ("Group", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError")


class _Constructor(Struct, frozen=True):
    """A constructor whose arguments are lost, and the tree of its file."""

    source: SourceTree
    node: ast.FunctionDef


_SEND_EXCEPTIONS = frozenset({"pool", "executor"})
"""Kinds of boundaries that pickle what their workers raise. A Process prints it; a DataLoader (`ExceptionWrapper`) and
`mp.spawn` (`_wrap`) send the traceback as text."""


class ExceptionNotRebuilt(Rule[_Constructor]):
    """An exception that cannot be rebuilt from the arguments that its `__init__` passes to `super().__init__`."""

    code = "LP602"
    name = "exception-not-rebuilt"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    applicability = Applicability.UNSAFE
    message = "`{class_}` cannot be sent from a worker: it is rebuilt as {rebuilt}: {error}"
    help = "pass all arguments of `__init__`, in order, to `super().__init__`, or add `__reduce__`"
    words = frozenset({"Error):", "Exception):", "Warning):"})  # of a class statement

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        for function in code.functions if code.root.kind in _SEND_EXCEPTIONS else ():
            for event in function.facts.events:
                if isinstance(event, Raised):
                    for class_ in _raised(event, function.frame, linker):
                        yield from (replace(each, hops=function.hops) for each in self._judged(class_, linker))

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        found = self._judged(class_, linker)
        if linker.is_given(class_):
            yield from found
        else:
            yield from (replace(each, confidence=Confidence.POSSIBLE) for each in found)

    def _judged(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[_Constructor]]:
        init = class_.facts.methods.get("__init__")
        if init is None or class_.facts.decorators or init.decorators:
            return
        line = known_ancestors(class_, linker.classes)
        if line is None or not _is_plain_exception(line) or defines(line, *REDUCERS, "__new__", "args"):
            return
        found = node_of(class_.module, init)
        given = given_arguments(line, 0)
        if found is None or given is None:
            return
        error = call_error(class_.facts.qualname, init, len(given))
        confidence = None
        if error is None:
            doubled = _doubled(given, init)
            if doubled is None:
                return
            error, confidence = f"silently, {doubled} is put into the message again", Confidence.POSSIBLE
        yield Hazard(
            site=Site(class_.module, init.header),
            noun="its arguments do not come back",
            error=error,
            data={"class_": class_.facts.name, "rebuilt": f"`{class_.facts.name}(*self.args)`"},
            subject=_Constructor(*found),
            confidence=confidence,
        )

    def fix(self, hazard: Hazard[_Constructor]) -> Fix | None:
        """Add `__reduce__`, if the object stores each argument unchanged."""
        constructor = hazard.subject
        edit = _reduce(constructor)
        return Fix("Add `__reduce__`", Applicability.UNSAFE, (edit,)) if edit is not None else None


def _raised(event: Raised, frame: Frame, linker: Linker) -> Iterator[ClassValue]:
    """The classes of the exceptions that a statement may raise."""
    for traced in linker.evaluate(event.value, frame):
        match traced.value:
            case InstanceValue(class_=class_) | (ClassValue() as class_):
                yield class_
            case _:
                pass


def _is_plain_exception(line: tuple[Ancestor, ...]) -> bool:
    """Whether all external bases are builtin exceptions that keep only the arguments of their `__init__`."""
    paths = external_bases(line)
    return bool(paths) and all(
        path.startswith("builtins.")
        and path.endswith(("Error", "Exception", "Warning", "Exit", "Interrupt", "Iteration"))
        and not path.endswith(_OWN_ARGUMENTS)
        for path in paths
    )


def _doubled(given: tuple[ast.expr | None, ...], init: FunctionFacts) -> str | None:
    """A parameter that becomes part of a text, and is then replaced by that text."""
    for parameter, value in zip(init.parameters[1:], given, strict=False):
        is_text = isinstance(value, (ast.JoinedStr, ast.BinOp)) or (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "format"
        )
        if value is not None and is_text and _mentions(value, parameter.name):
            return f"`{parameter.name}`"
    return None


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(value))


def _reduce(constructor: _Constructor) -> Edit | None:
    source, node = constructor.source, constructor.node
    arguments = [*node.args.posonlyargs, *node.args.args]
    if node.args.kwonlyargs or node.args.vararg or node.args.kwarg:
        return None
    me = arguments[0].arg
    kept = dict(_kept(node, me))
    names = [argument.arg for argument in arguments[1:]]
    if not all(name in kept for name in names):
        return None
    row = source.last_row(node)
    outer = source.indentation(source.first_row(node))
    values = ", ".join(f"{me}.{kept[name]}" for name in names) + ("," if len(names) == 1 else "")
    lines = (
        "",
        "",
        f"{outer}def __reduce__({me}):",
        f"{outer}{source.indent}return (type({me}), ({values}), {me}.__dict__)",
    )
    end = source.starts[row] + len(source.lines[row].rstrip("\r\n"))
    return Edit(Span(end, end), source.newline.join(lines))


def _kept(node: ast.FunctionDef, me: str) -> Iterator[tuple[str, str]]:
    """Parameters and the attributes that hold them unchanged."""
    stored = [each for each in ast.walk(node) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    changed = {each.id for each in stored}
    for statement in node.body:
        match statement:
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=ast.Name(id=name)):
                if owner == me and name not in changed:
                    yield name, attribute
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=attribute), value=ast.Name(id=name)):
                if owner == me and name not in changed:
                    yield name, attribute
            case _:
                pass
