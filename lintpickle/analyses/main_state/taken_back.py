"""Changes that the main process takes back before it starts workers: it puts the old value back, or leaves the `with`
in which another one holds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import DOES, functions_of
from lintpickle.analyses.at_import.run_statements import ReadBlock, block_read, written_as
from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.calls_and_values.mock_patches import FOR_A_TEST, PATCHING
from lintpickle.analyses.main_state.context_tokens import resets
from lintpickle.analyses.workers.starting_methods import starts_by_method
from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import ENTERED_BY_STACKS
from lintpickle.facts.records import Called, FunctionFacts, Iterated
from lintpickle.interpreter.root_frames import ANY
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import FUNCTIONS, dotted
from lintpickle.payload.components import WORKER_KINDS
from lintpickle.payload.linker import Linker
from lintpickle.payload.starts import WorkerStarts
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_ENTER, _EXIT = "__enter__", "__exit__"
_YIELD = re.compile(r"\byield\b")
_STARTED = re.compile(r"\.start\(\)")
_STOPPED = re.compile(r"\bstop(?:all)?\b")
"""How a patch is begun, and ended, that no `with` enters."""
_CALLED = re.compile(r"(?:\w+\.)*(\w+)\(")
_SETS, _PUTS_BACK = "sets", "puts back"


class Holding(Struct, frozen=True):
    """A part of the code of a function in which a change holds."""

    module: Module
    function: FunctionFacts
    span: Span


class _Assigned(Struct, frozen=True):
    """An assignment to one target: both sides as `ast` writes them, and where it stands. `value` is "" where an
    operator makes it."""

    target: str
    value: str
    span: Span


def is_taken_back(
    place: Span, function: FunctionFacts, module: Module, linker: Linker, asker: str, constant: str | None = None
) -> bool:
    """Whether what a statement of a function changes is as before again by the time that workers start, as far as that
    is seen: while it holds, nothing starts any. `constant` is what is there at import, as written in the code, if that
    is known; `asker` is as for `OwnModules.search`."""
    parts = parts_holding(place, function, module, linker, asker, constant)
    return parts is not None and not any(_starts_workers(part, linker) for part in parts)


def parts_holding(
    place: Span, function: FunctionFacts, module: Module, linker: Linker, asker: str, constant: str | None = None
) -> list[Holding] | None:
    """The parts of the program in which what a statement of a function changes holds, until it is as before again; None
    if it is not seen to be taken back. For the arguments see `is_taken_back`."""
    question = ("parts holding", module.path, place, function.span, asker, constant)
    return linker.remembered(question, lambda: _parts_holding(place, function, module, linker, asker, constant))


def _parts_holding(
    place: Span, function: FunctionFacts, module: Module, linker: Linker, asker: str, constant: str | None
) -> list[Holding] | None:
    block = module.outline.block_at(place.start)
    if block is None:
        return None
    read = block_read(block, module)
    stored = next((each for each in _assigned(read.tree, read) if each.span.contains(place)), None)
    if stored is not None and stored.value in _before(stored, function, read, constant):
        return []  # It puts the old value back.
    if any(each.span.start <= place.start < each.span.end for each in function.decorators):
        return [Holding(module, function, Span(function.header.end, function.span.end))]
    if FOR_A_TEST.match(module.code, place.start) is not None:
        return [Holding(module, function, Span(place.end, function.span.end))]
    body = _body_of_context(place, read)
    is_patch = PATCHING.match(module.code, place.start) is not None
    if is_patch and _is_for_who_enters(place, function, body, module, read):
        entered = _bodies_with(function, linker, asker)
        if entered is not None:
            return entered
    if body is None and is_patch and linker.moving_to is None:
        if _STARTED.search(module.code, place.end, function.span.end) and not module.has(_STOPPED):
            return None
        return [Holding(module, function, Span(place.end, function.span.end))]
    if body is not None and (is_patch or _is_own_context(place, module, linker, asker)):
        return [Holding(module, function, body)]
    if stored is not None:
        return _where_it_holds(stored, function, module, read, linker, asker, constant)
    stores = _stores_around_yield(place, module, read)
    if stores == _PUTS_BACK:
        return []
    return _bodies_with(function, linker, asker) or [] if stores == _SETS else None


def _is_for_who_enters(
    place: Span, function: FunctionFacts, body: Span | None, module: Module, read: ReadBlock
) -> bool:
    """Whether a patch at a place of a function holds where a caller is in its context: the function is the `__enter__`
    of a manager, or the generator of one, or returns the patch."""
    if function.name == _ENTER and body is None:
        return True
    if body is not None:
        return _YIELD.search(module.code, body.start, body.end) is not None
    returned = (each.value for each in within(read.tree) if isinstance(each, ast.Return) and each.value is not None)
    return any(read.span(each).start == place.start for each in returned)


def _stores_around_yield(place: Span, module: Module, read: ReadBlock) -> str | None:
    """What a statement of a context manager does that stores under a name which is computed (`setattr(settings, name,
    value)`), where the manager stores on the same thing both before it yields and when it is left."""
    setting = [
        (read.span(node), ast.unparse(node.args[0]))
        for node in within(read.tree)
        if isinstance(node, ast.Call) and dotted(node.func) == "setattr" and node.args
    ]
    target = next((written for span, written in setting if place.contains(span) or span.contains(place)), None)
    starts = [span.start for span, written in setting if written == target] if target is not None else []
    if starts and _YIELD.search(module.code, place.end, max(starts)) is not None:
        return _SETS
    if starts and _YIELD.search(module.code, min(starts), place.start) is not None:
        return _PUTS_BACK
    return None


def _is_own_context(place: Span, module: Module, linker: Linker, asker: str) -> bool:
    """Whether what is called at a place is a context manager of the program (`with CONFIG.override(level=3):`) that
    does something again when it is left: as a rule, it puts the old values back."""
    called = _CALLED.match(module.code, place.start, place.end)
    if called is None:
        return False
    name = called[1]
    defined = re.compile(rf"contextmanager\b[^\n]*\n(?:[ \t]*@[^\n]*\n)*[ \t]*(?:async )?def {name}\b")
    managers = [
        (home, facts)
        for home in linker.first_party.naming_in_text(Words({name}), asker, defined)
        for facts in functions_of(home, re.compile(rf"def {name}\b"), lambda each: each.name == name)
    ]
    return bool(managers) and all(_does_at_end(facts, home) for home, facts in managers)


def _does_at_end(function: FunctionFacts, module: Module) -> bool:
    """Whether a generator function stores or calls something after its last `yield`."""
    yields = [*_YIELD.finditer(module.code, function.span.start, function.span.end)]
    return bool(yields) and DOES.search(module.code, yields[-1].end(), function.span.end) is not None


def starts_workers_within(manager: Span, function: FunctionFacts, module: Module, linker: Linker) -> bool:
    """Whether workers may start while a context manager is entered that stands at a place; if it is not seen where it
    is left, they may."""
    block = module.outline.block_at(manager.start)
    body = _body_of_context(manager, block_read(block, module)) if block is not None else None
    return body is None or _starts_workers(Holding(module, function, body), linker)


def _where_it_holds(
    stored: _Assigned,
    function: FunctionFacts,
    module: Module,
    read: ReadBlock,
    linker: Linker,
    asker: str,
    constant: str | None,
) -> list[Holding] | None:
    """The parts of the program in which an assigned value holds; None if it is not seen to be taken back."""
    back = _put_back(stored, function, module, read, constant)
    if back is not None and _YIELD.search(module.code, stored.span.end, back) is None:
        return [Holding(module, function, Span(stored.span.end, back))]
    is_of_context = function.name in (_ENTER, _EXIT) and _is_put_back_on_exit(stored, read)
    return _bodies_with(function, linker, asker) if back is not None or is_of_context else None


def _body_of_context(place: Span, read: ReadBlock) -> Span | None:
    """What stands in a `with` behind a manager at a place: `with mock.patch("clock.now"):`; if a stack enters it
    (`stack.enter_context(…)`), what stands under the `with` of that, from there on."""
    for context in within(read.tree):
        if isinstance(context, (ast.With, ast.AsyncWith)):
            managers = (read.span(item.context_expr) for item in context.items)
            manager = next((each for each in managers if each.start <= place.start < each.end), None)
            if manager is not None:
                return Span(manager.end, _extent(context.body, read).end)
            if any(read.span(each).start <= place.start < read.span(each).end for each in _entered_by(context)):
                return Span(place.start, _extent(context.body, read).end)
    return None


def _entered_by(context: ast.With | ast.AsyncWith) -> Iterator[ast.expr]:
    """The managers that are entered by the stacks which a `with` names."""
    stacks = {item.optional_vars.id for item in context.items if isinstance(item.optional_vars, ast.Name)}
    for node in within(context) if stacks else ():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=stack), attr=method), args=[manager]):
                if stack in stacks and method in ENTERED_BY_STACKS:
                    yield manager
            case _:
                pass


def _extent(body: list[ast.stmt], read: ReadBlock) -> Span:
    return Span(read.span(body[0]).start, read.span(body[-1]).end)


def _assigned(tree: ast.AST, read: ReadBlock) -> Iterator[_Assigned]:
    for node in within(tree):
        if isinstance(node, ast.AugAssign):
            yield _Assigned(written_as(node.target), "", read.span(node))
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            for target, value in _pairs(node.targets[0], node.value):
                yield _Assigned(target, value, read.span(node))


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    """What gets what, as written: `old, sys.stdout = sys.stdout, new` are two assignments, and so is one of two values
    to a variable, or of what that holds to two targets."""
    match target, value:
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            yield from ((written_as(one), written_as(other)) for one, other in zip(targets, values, strict=True))
        case ast.Tuple(elts=targets), ast.Name(id=name):
            yield from ((written_as(each), f"{name}[{place}]") for place, each in enumerate(targets))
        case ast.Name(id=name), ast.Tuple(elts=values):
            yield from ((f"{name}[{place}]", written_as(each)) for place, each in enumerate(values))
        case _:
            yield written_as(target), written_as(value)


def _assigned_in(function: FunctionFacts, read: ReadBlock) -> Iterator[_Assigned]:
    return (each for each in _assigned(read.tree, read) if function.span.contains(each.span))


def _put_back(
    stored: _Assigned, function: FunctionFacts, module: Module, read: ReadBlock, constant: str | None
) -> int | None:
    """Where the function surely gives a target the value back that it had before an assignment."""
    start, paths = stored.span.start, Paths(module, function.span)
    old = _before(stored, function, read, constant)
    for each in _assigned_in(function, read):
        is_back = each.target == stored.target and each.value in old and each.span.start > start
        if is_back and paths.is_followed_by(start, each.span.start):
            return each.span.start
    for call in resets(stored.target, stored.value, read.tree):
        place = read.span(call)
        if function.span.contains(place) and place.start > start and paths.is_followed_by(start, place.start):
            return place.start
    return None


def _before(stored: _Assigned, function: FunctionFacts, read: ReadBlock, constant: str | None) -> set[str]:
    """How the value is written that a target has before an assignment: by what keeps it, or as at import."""
    at_import = {repr(ast.literal_eval(constant))} if constant is not None else set()
    return _kept_before(stored, function, read) | at_import


def _kept_before(stored: _Assigned, function: FunctionFacts, read: ReadBlock) -> set[str]:
    """What keeps the value that a target has before an assignment: `old` after `old = settings.level`."""
    before = (each for each in _assigned_in(function, read) if each.span.start < stored.span.start)
    return {each.target for each in before if each.value == stored.target}


def _is_put_back_on_exit(stored: _Assigned, read: ReadBlock) -> bool:
    """Whether an assignment stands in the `__enter__` or `__exit__` of a class of which the first keeps the value of
    the target on the object, and the second gives it that back."""
    for class_ in within(read.tree):
        if not isinstance(class_, ast.ClassDef):
            continue
        methods = {each.name: each for each in class_.body if isinstance(each, ast.FunctionDef)}
        entering, leaving = methods.get(_ENTER), methods.get(_EXIT)
        if entering is None or leaving is None or not read.span(class_).contains(stored.span):
            continue
        keeping = (*_assigned(entering, read), *_assigned(methods.get("__init__", entering), read))
        kept = {each.target for each in keeping if each.value == stored.target}
        is_reset = next(resets(stored.target, stored.value, leaving), None) is not None
        return is_reset or any(each.target == stored.target and each.value in kept for each in _assigned(leaving, read))
    return False


def _bodies_with(manager: FunctionFacts, linker: Linker, asker: str) -> list[Holding] | None:
    """What stands under each `with manager(…):` of the program; None if something else is done with what it makes."""
    parts: list[Holding] = []
    for module, function, place in calls_by_name(manager, asker, linker):
        block = module.outline.block_at(place.start)
        read = block_read(block, module) if block is not None else None
        body = _body_of_context(place, read) if read is not None else None
        decorated = _decorated_at(place, module, read) if read is not None and body is None else None
        if decorated is not None:
            parts.append(Holding(module, decorated, decorated.span))
        elif body is not None:
            parts.append(Holding(module, function, body))
        else:
            return None
    return parts or None


def _decorated_at(place: Span, module: Module, read: ReadBlock) -> FunctionFacts | None:
    """The function that a decorator at a place decorates, so that a context holds while it runs."""
    for node in within(read.tree):
        decorators = [read.span(each) for each in node.decorator_list] if isinstance(node, FUNCTIONS) else []
        if isinstance(node, FUNCTIONS) and any(each.start <= place.start < each.end for each in decorators):
            span, name = read.span(node), re.compile(rf"\b{node.name}\b")
            return next(functions_of(module, name, partial(_stands_within, span)), None)
    return None


def _stands_within(span: Span, function: FunctionFacts) -> bool:
    return not function.is_module_body and span.contains(function.header)


def _starts_workers(part: Holding, linker: Linker) -> bool:
    """Whether a part of a function starts workers, itself or by what it calls."""
    started = (each for each in linker.boundary_calls() if each.spec.kind in WORKER_KINDS)
    if any(each.frame.function is part.function and part.span.contains(each.site.span) for each in started):
        return True
    block = part.module.outline.block_at(part.span.start)
    facts = part.module.facts_of(block) if block is not None else None
    if facts is None:
        return True
    starts = WorkerStarts(linker)
    return any(
        starts.of_event(event, root.frame) or starts_by_method(event, root.frame, linker)
        for root in linker.activations.in_block(part.module, facts, ANY)
        if root.function is part.function
        for event in root.function.events
        if isinstance(event, (Called, Iterated)) and part.span.contains(event.span)
    )
