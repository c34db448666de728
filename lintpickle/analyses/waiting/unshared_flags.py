"""Loops of processes that go on until an attribute changes, which only the main process changes: in its own copy of the
object.

Measured with CPython 3.11, under fork, spawn and forkserver: `while self.running:` in a method that a process runs
never ends by `self.running = False` in the process that started it, and `join()` waits for ever.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.calls_and_values.happenings import Happening
from lintpickle.analyses.calls_and_values.hierarchies import external_bases, is_me, known_ancestors
from lintpickle.analyses.loaders.own_changes import MAKING_METHODS
from lintpickle.analyses.waiting.changed_in_order import ENDS_OTHERWISE, changed_then_joined
from lintpickle.analyses.waiting.conditions_behind import ConditionAsked, conditions_behind, object_asked
from lintpickle.analyses.waiting.process_joins import joins_behind
from lintpickle.analyses.waiting.waits import never_ends
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Store
from lintpickle.facts.values import Constant, Expr, ending_name, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import ClassValue, FunctionValue, InstanceValue, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import INNER_SCOPES, dotted, is_special_name
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_LEAVES = re.compile(
    r"\bexit\s*\(|\b_exit\s*\(|SystemExit|getppid|parent_process|\b(?:Thread|Timer)\s*\(|\.\s*recv\w*\("
)
"""What stands in code of a process that may end it, or have somebody else change the flag."""
_BY_HAND = re.compile(r"\bKeyboardInterrupt\b")
"""Ctrl-C reaches the processes as well."""
_BEGUN = re.compile(r"\.\s*start\(\s*\)")
_ALWAYS = frozenset({"Exception", "BaseException", "KeyboardInterrupt", ""})
_MOST_CALLERS = 3


class UnsharedFlag(Struct, frozen=True):
    """The test of the loop, the flag as it is written there, where the main process changes that of its own object, and
    where it waits for the process."""

    function: WorkerFunction
    test: Span
    written: str
    changed: Site
    joined: Site


class _Flag(Struct, frozen=True):
    """An attribute that a loop asks, itself or by what returns it, the object whose it is, and the value with which the
    loop goes on."""

    function: WorkerFunction
    test: Span
    written: str
    owner: InstanceValue
    line: tuple[ClassValue, ...]
    goes_on: bool

    @property
    def name(self) -> str:
        """The name of the attribute."""
        return self.written.rpartition(".")[2]

    def is_given(self, event: object) -> bool | None:
        """What an event stores in an attribute of that name; None if it stores nothing there, or what is not known."""
        if not isinstance(event, Store) or event.attribute != self.name:
            return None
        value = without_narrowing(event.value)
        return bool(value.value) if isinstance(value, Constant) else None


def unshared_flags(code: WorkerCode, linker: Linker) -> Iterator[UnsharedFlag]:
    """The first loop of a process that only another process is seen to end, by an attribute of its own object, and then
    waits for."""
    boundary = code.boundary
    if boundary is None or boundary.spec.kind != "process" or not boundary.frame.module.first_party or code.is_cut:
        return
    if boundary.frame.module.has(ENDS_OTHERWISE):
        return
    for flag in (each for function in code.functions for each in _flags(function, linker)):
        form = re.compile(rf"\b{re.escape(flag.name)}\b")
        roots = list(linker.activations_with({flag.name}, form, boundary.frame.module.path))
        if not _is_set_at_start(flag, roots, boundary, code) or not _is_left_alone(flag, code, roots, linker):
            continue
        found = next(_changes(flag, roots, code, boundary, linker), None)
        found = found or changed_then_joined(partial(_is_ended_by, flag, linker), code, linker)
        if found is not None:
            yield UnsharedFlag(flag.function, flag.test, flag.written, *found)
            return


def _flags(function: WorkerFunction, linker: Linker) -> Iterator[_Flag]:
    source = source_tree(function.module.code) if function.module.first_party else None
    loops = loops_of(function, source) if source is not None else ()
    for loop in loops:
        tests = [loop.test, *(each.test for each in ast.walk(loop) if isinstance(each, ast.If))]
        asked = {
            ast.unparse(each): (each, test)
            for test in tests
            for each in ast.walk(test)
            if isinstance(each, ast.Call)
            or (isinstance(each, ast.Attribute) and object_asked(dotted(each), function.facts) is not None)
        }
        for written, (each, test) in asked.items():
            for goes_on in (True, False):
                if source is None or not never_ends(loop, lambda test: _holds(test, written, goes_on)):  # noqa: B023
                    continue
                for condition in conditions_behind(each, function.frame, linker):
                    yield from _flag(condition, goes_on is condition.alike, function, source.span(test), linker)


def _flag(
    condition: ConditionAsked, goes_on: bool, function: WorkerFunction, test: Span, linker: Linker
) -> Iterator[_Flag]:
    """The flag that is asked, if that is one."""
    written = dotted(condition.asked)
    base = object_asked(written, condition.frame.function)
    match [each.value for each in linker.evaluate(base, condition.frame)] if base is not None else []:
        case [InstanceValue() as owner]:
            line = _plain_line(owner, written, linker)
            if line is not None:
                yield _Flag(function, test, written, owner, line, goes_on)
        case _:
            pass


def loops_of(function: WorkerFunction, source: SourceTree) -> Iterator[ast.While]:
    """The loops of a function that no handler of a certain error surrounds."""
    span = function.facts.span
    node = source.find_function(span, function.facts.name)
    stack: list[ast.AST] = [*node.body] if node is not None else []
    while stack:
        inner = stack.pop(0)
        if isinstance(inner, INNER_SCOPES) or (isinstance(inner, ast.Try) and not all(map(_is_plain, inner.handlers))):
            continue
        if isinstance(inner, ast.While):
            yield inner
        stack += ast.iter_child_nodes(inner)


def _is_plain(handler: ast.ExceptHandler) -> bool:
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return all((dotted(each) if each is not None else "") in _ALWAYS for each in named)


def _holds(test: ast.expr, written: str, value: bool) -> bool:
    """Whether a condition surely holds while what it asks, as that is written, has a value."""
    match test:
        case ast.Attribute() | ast.Call():
            return value and ast.unparse(test) == written
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
            return _holds(inner, written, value)
        case ast.UnaryOp(op=ast.Not(), operand=ast.BoolOp(op=ast.And(), values=parts)):
            return any(_holds(ast.UnaryOp(ast.Not(), each), written, value) for each in parts)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare() | ast.Attribute() | ast.Call() as inner):
            return _holds(inner, written, not value)
        case ast.BoolOp(op=ast.Or(), values=parts):
            return any(_holds(each, written, value) for each in parts)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=bool() as constant)]):
            return ast.unparse(left) == written and constant is value
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=bool() as other)]):
            return ast.unparse(left) == written and other is not value
        case _:
            return False


def _plain_line(owner: InstanceValue, written: str, linker: Linker) -> tuple[ClassValue, ...] | None:
    """The classes of an object whose attribute is a plain one: no property, and none of a library's that shares it."""
    line = known_ancestors(owner.class_, linker.classes)
    name = written.rpartition(".")[2]
    if line is None or not all(each.endswith("Process") for each in external_bases(line)):
        return None
    special = (name, "__getattr__", "__getattribute__", "__setattr__", "__reduce__", "__setstate__", "__getstate__")
    if any(linker.classes.find_method(owner, each) is not None for each in special):
        return None
    if linker.classes.find_descriptor(owner, name) is not None:
        return None
    return tuple(each for each in line if isinstance(each, ClassValue))


def _is_set_at_start(flag: _Flag, roots: list[RootFrame], boundary: BoundaryCall, code: WorkerCode) -> bool:
    """Whether the flag surely lets the loop go on in the process: as the object is made, as the function sets it that
    starts the process, or as the process itself does."""
    before = [each for each in boundary.frame.function.events if each.span.start < begun_at(boundary)]
    given = [value for event in before if (value := flag.is_given(event)) is not None]
    if given:
        return given[-1] is flag.goes_on
    events = [event for each in code.functions for event in each.facts.events if not event.conditional]
    if any(flag.is_given(event) is flag.goes_on for event in events):
        return True
    mine = {id(each.facts) for each in flag.line}
    making = [each for each in roots if each.owner is not None and id(each.owner.facts) in mine]
    making = [each for each in making if each.function.name in MAKING_METHODS]
    first = [value for each in making for event in each.function.events if (value := flag.is_given(event)) is not None]
    return set(first or _defaults(flag)) == {flag.goes_on}


def _defaults(flag: _Flag) -> Iterator[bool]:
    """What the body of a class gives the flag first, unless the object is made with something else."""
    given = flag.owner.call.arguments if flag.owner.call is not None else ()
    for class_ in flag.line:
        names = [each.name for each in class_.facts.fields]
        plain = [each for each in given if each.keyword is None]
        is_given = any(each.star or each.keyword == flag.name for each in given)
        if flag.name in names and (is_given or len(plain) > names.index(flag.name)):
            return
        default = next((each.default for each in class_.facts.fields if each.name == flag.name), None)
        value = class_.facts.body.get(flag.name, default)
        if isinstance(value, Constant):
            yield bool(value.value)
            return


def begun_at(boundary: BoundaryCall) -> int:
    """Where the function that makes a process starts it; its end, if others do."""
    span = boundary.frame.function.span
    begun = _BEGUN.search(boundary.frame.module.code, boundary.call.span.start, span.end)
    return begun.end() if begun is not None else boundary.call.span.end


def _is_left_alone(flag: _Flag, code: WorkerCode, roots: list[RootFrame], linker: Linker) -> bool:
    """Whether code of the process does not change the flag, which holds nothing but constants, and cannot end by
    anything else that is seen."""
    running = {id(each.facts) for each in code.functions}
    names = set[str]()
    for root, event in _stores(flag, roots, linker):
        given = flag.is_given(event)
        if given is None or (given is not flag.goes_on and id(root.function) in running):
            return False
        if given is not flag.goes_on and root.function.name not in MAKING_METHODS:
            names.add(root.function.name)
    named = "|".join(map(re.escape, sorted(names)))
    mentions = re.compile(rf"(?<!def )\b(?:{named})\b" if names else r"(?!)")
    return not any(
        form.search(each.module.code, each.facts.header.end, each.facts.span.end)
        for each in code.functions
        if each.module.first_party
        for form in (_LEAVES, mentions)
    )


def _stores(flag: _Flag, roots: list[RootFrame], linker: Linker) -> Iterator[tuple[RootFrame, Store]]:
    """What stores an attribute of that name, unless it surely is of another class."""
    for root in roots:
        for event in root.function.events:
            is_named = isinstance(event, Store) and event.attribute == flag.name
            if isinstance(event, Store) and is_named and _is_its(flag, event.target, root, linker) is not False:
                yield root, event


def _is_its(flag: _Flag, target: Expr, root: RootFrame, linker: Linker) -> bool | None:
    """Whether something is an object of the class whose flag is asked; None if that is not known."""
    if is_me(target, root.function) and root.owner is not None:
        classes: list[ClassValue] = [root.owner]
    else:
        values = [each.value for each in linker.evaluate(target, root.frame)]
        classes = [each.class_ for each in values if isinstance(each, InstanceValue)]
        if not values or len(classes) < len(values):
            return None
    mine = {id(each.facts) for each in flag.line}
    lines = [
        {id(each.facts) for each in linker.classes.mro(class_) if isinstance(each, ClassValue)} for class_ in classes
    ]
    if any(id(class_.facts) in mine for class_ in classes) or any(
        id(flag.owner.class_.facts) in each for each in lines
    ):
        return True
    return None if any(mine & each for each in lines) else False


def _changes(
    flag: _Flag, roots: list[RootFrame], code: WorkerCode, boundary: BoundaryCall, linker: Linker
) -> Iterator[tuple[Site, Site]]:
    """Where other code gives the flag the value that ends the loop, and where it then joins the process: in the same
    function, or in one that calls it."""
    running = {id(each.facts) for each in code.functions}
    for root, event in _stores(flag, roots, linker):
        module, function = root.frame.module, root.function
        is_before = function is boundary.frame.function and event.span.start < begun_at(boundary)
        if id(function) in running or function.name in MAKING_METHODS or is_before or module.has(ENDS_OTHERWISE):
            continue
        if flag.is_given(event) is flag.goes_on or not _is_its(flag, event.target, root, linker):
            continue
        changed = Site(module, event.span)
        for place, caller in ((event.span.start, root), *callers_of(root, boundary, linker)):
            for joined in joins_behind(place, caller, boundary, linker):
                if not is_by_hand(caller, boundary, linker) and not caller.frame.module.has(ENDS_OTHERWISE):
                    yield changed, joined


def _is_ended_by(flag: _Flag, linker: Linker, happening: Happening) -> bool:
    """Whether something gives the flag of such an object the value that ends the loop."""
    event, frame = happening.event, happening.frame
    if not isinstance(event, Store) or flag.is_given(event) is not (not flag.goes_on):
        return False
    values = (each.value for each in linker.evaluate(event.target, frame))
    return any(isinstance(each, InstanceValue) and each.class_.facts is flag.owner.class_.facts for each in values)


def callers_of(root: RootFrame, boundary: BoundaryCall, linker: Linker) -> Iterator[tuple[int, RootFrame]]:
    """The calls of a function, each with the function that makes it."""
    name = root.function.name
    if root.function.is_module_body:
        return
    form = re.compile(rf"(?<!def )\b{re.escape(name)}\s*\(")
    for caller in linker.activations_with({name}, form, boundary.frame.module.path):
        for event in caller.function.events:
            if not isinstance(event, Called) or ending_name(event.call.function) != name:
                continue
            called = (each.value for each in linker.evaluate(event.call.function, caller.frame))
            if any(isinstance(each, FunctionValue) and each.facts is root.function for each in called):
                yield event.span.start, caller


def is_by_hand(root: RootFrame, boundary: BoundaryCall, linker: Linker, depth: int = 0) -> bool:
    """Whether a function is only seen to run when Ctrl-C is pressed, which the process gets as well."""
    module, span = root.frame.module, root.function.span
    if _BY_HAND.search(module.code, span.start, span.end) is not None:
        return True
    if is_special_name(root.function.name):
        return module.has(_BY_HAND) or boundary.frame.module.has(_BY_HAND)
    callers = [each for _, each in callers_of(root, boundary, linker)] if depth < _MOST_CALLERS else []
    return bool(callers) and all(is_by_hand(each, boundary, linker, depth + 1) for each in callers)
