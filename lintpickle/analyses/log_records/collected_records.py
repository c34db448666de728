"""Log records that a handler of the program keeps for the main process to read, and that those of workers never reach.

Measured with CPython 3.11: a forked worker has a copy of the handler, and what it keeps is lost with the worker; under
spawn and forkserver a worker has no such handler at all. Records come back by a `QueueHandler` in the workers, and a
`QueueListener` in the main process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.log_records.logger_names import gets_records_of
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Name
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS, dotted
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ADDS, _EMITS = "addHandler", ("emit", "handle")
_LOGS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical", "log"})
_KEEPS = frozenset({"list", "dict", "set", "deque", "Counter", "defaultdict", "OrderedDict"})
_PLACE = Span(0, 0)


class Collected(Struct, frozen=True):
    """The class of a handler and the attribute in which it keeps records; whether the logger of the worker is known to
    be one of those whose records it gets."""

    class_name: str
    attribute: str
    is_known: bool


def collected_records(dependence: Dependence, setting: Setting, linker: Linker) -> Collected | None:
    """What the handler that the main process adds keeps, if code outside of it reads that; None if it is no such
    handler, or gets no records of the logger that the worker uses."""
    module, facts = setting.site.module, setting.setter
    source = source_tree(module.code)
    if source is None or dependence.written.rpartition(".")[2] not in _LOGS:
        return None
    nodes = source.nodes_within(setting.site.span)
    call = next((each for each in nodes if isinstance(each, ast.Call) and _is_adding(each)), None)
    if call is None or not isinstance(call.func, ast.Attribute):
        return None
    gets = gets_records_of(ast.unparse(call.func.value), module, dependence)
    if gets is False:
        return None
    around = facts.span if facts is not None and not facts.is_module_body else Span(0, len(module.code))
    name = _class_named(call.args[0], [*source.nodes_within(around)], source.nodes)
    for traced in linker.evaluate(Name(_PLACE, name), Frame(module, facts)) if name and facts is not None else ():
        kept = _kept_by(traced.value, linker, module) if isinstance(traced.value, ClassValue) else None
        if kept is not None:
            return Collected(name, kept, gets is True)
    return None


def _is_adding(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == _ADDS and len(call.args) == 1


def _class_named(handler: ast.expr, near: list[ast.AST], anywhere: list[ast.AST]) -> str:
    """The name of the class of a handler that is made in the same function, or kept in an attribute of the object."""
    written = dotted(handler)
    for nodes in (near, anywhere if isinstance(handler, ast.Attribute) else []):
        for node in nodes:
            match node:
                case ast.Assign(targets=[target], value=ast.Call(func=ast.Name(id=name))) if dotted(target) == written:
                    if written:
                        return name
                case _:
                    pass
    return dotted(handler.func) if isinstance(handler, ast.Call) and isinstance(handler.func, ast.Name) else ""


def _kept_by(class_: ClassValue, linker: Linker, asker: Module) -> str | None:
    """The attribute of a handler in which it keeps what it is given, if code that is not its own asks for it."""
    for method in _EMITS:
        found = linker.classes.find_method(class_, method)
        node = node_of(found[0].module, found[1]) if found is not None else None
        if found is None or node is None:
            continue
        for attribute in dict.fromkeys(_filled(node[1])):
            made = re.compile(rf"\bself\.{attribute}(?:\s*:[^=\n]+)?\s*=\s*(?:\[\]|\{{\}}|0\b|(?:\w+\.)*(\w+)\()")
            first = made.search(found[0].module.code, *_span(found[0].facts.span))
            if first is None or (first[1] is not None and first[1] not in _KEEPS):
                continue
            if _is_asked_for(attribute, class_, linker, asker):
                return attribute
    return None


def _filled(node: ast.FunctionDef) -> Iterator[str]:
    """The attributes of its object into which a method puts something."""
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(value=ast.Name(id="self"), attr=name), attr=method)):
                if method != "put" and (method in PUTTING_METHODS or method in MERGING_METHODS):
                    yield name
            case (
                ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name))
                | ast.AugAssign(target=ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name)))
                | ast.Assign(targets=[ast.Subscript(value=ast.Attribute(value=ast.Name(id="self"), attr=name))])
            ):
                yield name
            case _:
                pass


def _is_asked_for(attribute: str, class_: ClassValue, linker: Linker, asker: Module) -> bool:
    """Whether code outside of a class reads an attribute, or calls a method that does."""
    names = {attribute}
    for method in class_.facts.methods.values():
        text = class_.module.code[method.span.start : method.span.end]
        if method.name not in (*_EMITS, "__init__") and re.search(rf"\bself\.{attribute}\b", text):
            names.add(method.name)
    form = re.compile(rf"\.(?:{'|'.join(map(re.escape, sorted(names)))})\b(?!\s*=[^=])")
    own = class_.facts.span
    return any(
        not (module is class_.module and own.start <= found.start() < own.end)
        for module in linker.first_party.naming_in_text(Words(names), asker.path, form)
        for found in form.finditer(module.code)
    )


def _span(span: Span) -> tuple[int, int]:
    return span.start, span.end
