"""Numbers and items that several workers share and change by reading them and writing them back without a lock:
`counter.value += 1`, `totals["rows"] = totals["rows"] + 1`.

Measured with CPython 3.11 under fork, spawn and forkserver: four processes that add 1 to a `Value` 50,000 times each
bring it to about half of 200,000; by way of a manager (`Value`, `Namespace`, `dict`, `list`, `Array`), of 2,000 some
700 to 1,400 are left. `Value` and `Array` have a lock of their own, which covers the read and the write, but not both
together: the documentation of `multiprocessing.Value` says that `+=` is not atomic, and to hold `get_lock()`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.calls_and_values.arguments_at_start import values_in_worker
from lintpickle.analyses.waiting.locks_perhaps import may_hold_lock
from lintpickle.analyses.workers.at_once import innermost_loop, is_one_for_all, run_at_once, started_beside
from lintpickle.analyses.workers.several_workers import is_of_one_task
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.facts.records import ItemStore, Store
from lintpickle.facts.values import Attribute, Expr, Item, Name, Parameter, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ExternalResult,
    Frame,
    ProductValue,
    Site,
)
from lintpickle.interpreter.proxies import CONTAINERS, NAMESPACES, is_proxy
from lintpickle.parsing.names_read import within
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_MAY_CHANGE = re.compile(r"(?:\.\s*\w+|\])\s*(?:[-+*/%@&|^]|//|\*\*|<<|>>)?=(?!=)")
_VALUE = "value"
_NUMBERS = frozenset({"Value", "RawValue"})
_ARRAYS = frozenset({"Array", "RawArray"})
_PROXIES_OF_NUMBERS = frozenset({"multiprocessing.managers.ValueProxy"})
_PROXIES_OF_ITEMS = CONTAINERS | {"multiprocessing.managers.ArrayProxy"}
_OF_ONE = re.compile(r"(?i)rank|\bmain|_main|master|leader|primary|first|pid")
"""What stands in a condition that only one of several workers meets."""
_TASKS = frozenset({"pool", "executor"})
_COUNTING = frozenset({"len", "bool"})
_CUTTING = frozenset({"split", "rsplit", "splitlines", "findall", "finditer"})
_ASKING = frozenset({"get", "setdefault"})


class UnlockedChange(Struct, frozen=True):
    """Where a function changes what workers share, what that is called there, where it is made, and whether each worker
    does so only once."""

    function: WorkerFunction
    span: Span
    written: str
    made: Site
    has_own_lock: bool
    is_seldom: bool
    only: tuple[StartMethod, ...] | None


class _Shared(Struct, frozen=True):
    """Something that processes share: the call that makes it, in its frame."""

    call: Expr
    frame: Frame
    has_own_lock: bool
    is_proxy: bool


def lost_increments(code: WorkerCode, linker: Linker) -> Iterator[UnlockedChange]:
    """The changes in several workers at once of what they share, made without a lock, as far as is seen."""
    boundary = code.boundary
    if boundary is None or not boundary.frame.module.first_party:
        return
    is_alone = not run_at_once(code, linker)
    beside = tuple(started_beside(code, linker)) if is_alone else ()
    if is_alone and not beside:
        return
    for function in code.functions:
        module, facts = function.module, function.facts
        if not module.first_party or _MAY_CHANGE.search(module.code, facts.header.end, facts.span.end) is None:
            continue
        question = ("read and written back", facts.span)
        for target, span in module.remembered(question, partial(_changes, function)):
            shared, only = _shared_by_all(target, function, code, linker)
            if shared is None or is_done_by_one(span, function):
                continue
            if beside and not any(_has_it(each, shared, target, function, linker) for each in beside):
                continue
            if not may_hold_lock(function, span, code, linker):
                made = Site(shared.frame.module, shared.call.span)
                written = " ".join(module.code[span.start : span.end].split())
                seldom = _is_seldom(span, function, code)
                yield UnlockedChange(function, span, written, made, shared.has_own_lock, seldom, only)


def _changes(function: WorkerFunction) -> list[tuple[Attribute | Item, Span]]:
    """What a function reads and writes back in one statement, or by way of a variable, and where the change begins."""
    source = source_tree(function.module.code)
    found: list[tuple[Attribute | Item, Span]] = []
    events = {each.span.start: each for each in function.facts.events if isinstance(each, ItemStore | Store)}
    for node in source.nodes_within(function.facts.span) if source is not None else ():
        if source is None or not isinstance(node, ast.AugAssign | ast.Assign):
            continue
        target = node.target if isinstance(node, ast.AugAssign) else node.targets[0]
        event = events.get(source.span(node).start)
        if event is None or not isinstance(target, ast.Attribute | ast.Subscript):
            continue
        if isinstance(node, ast.Assign) and (len(node.targets) > 1 or not _reads(node.value, target, function)):
            continue
        changed = _target_of(event, isinstance(node, ast.AugAssign))
        if changed is not None and _is_key_shared(target, source, function):
            found.append((changed, source.span(target)))
    return found


def _target_of(event: ItemStore | Store, is_augmented: bool) -> Attribute | Item | None:
    """The attribute or item that is changed."""
    target = without_narrowing(event.target)
    if is_augmented:
        return target if isinstance(target, Attribute | Item) else None
    if isinstance(event, Store):
        return Attribute(event.span, event.target, event.attribute)
    return Item(event.span, event.target, event.key) if event.key is not None else None


def _reads(value: ast.expr, target: ast.Attribute | ast.Subscript, function: WorkerFunction) -> bool:
    """Whether a value is made from what is at a target, which is read in the same statement or bound to a variable."""
    parts = list(within(value))
    parts += [inner for part in parts if isinstance(part, ast.Name) for inner in _bound(part, function)]
    written = _written(target)
    return any(
        _written(part) == written or (isinstance(target, ast.Subscript) and _is_asked_for(part, target))
        for part in parts
        if isinstance(part, ast.Attribute | ast.Subscript | ast.Call)
    )


def _bound(name: ast.Name, function: WorkerFunction) -> Iterator[ast.AST]:
    """What the variable holds that is read there, in the tree of the file, as the name is: the rows of the function's
    own tree are others."""
    source = source_tree(function.module.code)
    if source is None:
        return
    paths = function.frame.paths
    match paths.reaching(name.id, paths.position(source.offset(name.lineno, name.col_offset))):
        case (ast.expr() as only,), False:
            place = paths.span(only)
            held = next((each for each in source.nodes_within(place) if source.span(each) == place), None)
            yield from within(held) if held is not None else ()
        case _:
            pass


def _is_asked_for(part: ast.AST, target: ast.Subscript) -> bool:
    """Whether a part is `shared.get(key, 0)` for the item that is changed."""
    match part:
        case ast.Call(func=ast.Attribute(value=base, attr=name), args=[key, *_]) if name in _ASKING:
            return _written(base) == _written(target.value) and _written(key) == _written(target.slice)
        case _:
            return False


def _written(node: ast.AST) -> str:
    return ast.unparse(node)


def _is_key_shared(target: ast.Attribute | ast.Subscript, source: SourceTree, function: WorkerFunction) -> bool:
    """Whether the key of an item may be that of other workers as well: it is written out, a constant of the module, a
    word of a text, a length or a remainder. An attribute has no key."""
    return isinstance(target, ast.Attribute) or _is_common(target.slice, source, function)


def _is_common(key: ast.expr, source: SourceTree, function: WorkerFunction) -> bool:
    match key:
        case ast.Constant() | ast.UnaryOp(operand=ast.Constant()):
            return True
        case ast.Tuple(elts=parts):
            return all(_is_common(each, source, function) for each in parts)
        case ast.Call(func=ast.Name(id=name)):
            return name in _COUNTING
        case ast.BinOp(op=ast.Mod(), left=left):
            is_given = isinstance(left, ast.Name) and function.facts.parameter(left.id) is not None
            return not is_given and not isinstance(left, ast.Constant) and not _names_one(left)
        case ast.Call(func=ast.Attribute(value=base, attr="lower" | "upper" | "strip"), args=[]):
            return _is_common(base, source, function)
        case ast.Name(id=name) if name in function.facts.reads:
            return name.isupper()
        case ast.Name(id=name):
            loop = next((each for each in _loops(function, source) if _is_named(each.target, name)), None)
            if loop is not None:
                return _goes_through_words(loop.iter)
            held = list(_bound_to(key, function))
            return bool(held) and all(_is_common(each, source, function) for each in held)
        case _:
            return False


def _names_one(key: ast.expr) -> bool:
    """Whether a key has to do with the number of a process."""
    return _OF_ONE.search(ast.unparse(key)) is not None


def _bound_to(name: ast.expr, function: WorkerFunction) -> Iterator[ast.expr]:
    """The one value of a variable where it is read, if it is no variable itself."""
    first = next(_bound(name, function), None) if isinstance(name, ast.Name) else None
    if isinstance(first, ast.expr) and not isinstance(first, ast.Name):
        yield first


def _loops(function: WorkerFunction, source: SourceTree) -> Iterator[ast.For]:
    return (each for each in source.nodes_within(function.facts.span) if isinstance(each, ast.For))


def _is_named(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _goes_through_words(iterable: ast.expr) -> bool:
    """Whether a loop goes through the words of a text, or through what is written out."""
    match iterable:
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _CUTTING
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return bool(parts) and all(isinstance(each, ast.Constant) for each in parts)
        case _:
            return False


def _shared_by_all(
    target: Attribute | Item, function: WorkerFunction, code: WorkerCode, linker: Linker
) -> tuple[_Shared | None, tuple[StartMethod, ...] | None]:
    """What holds an attribute or item, if it surely is one thing that all workers share; and the start methods under
    which it is, if not all."""
    base = without_narrowing(target.base)
    if isinstance(target, Item) and target.key is None:
        return None, None
    if code.boundary is None:
        return None, None
    values = values_in_worker(base, function.frame, code.boundary, linker)
    only: tuple[StartMethod, ...] | None = None
    if isinstance(base, Name):
        given = list(_put_by_initializers(base.name, code.boundary, linker))
        values, only = (given, None) if given else (values, (StartMethod.FORK,))
    found = [_shared_of(each, target) for each in values]
    first = found[0] if found else None
    if first is None or any(each is None or each.call is not first.call for each in found):
        return None, None
    if not first.is_proxy and _is_of_task(base, code):
        return None, None  # It cannot be sent to a task.
    made = Site(first.frame.module, first.call.span)
    return (first, only) if is_one_for_all(made, first.frame, code) else (None, None)


def _has_it(
    beside: WorkerCode, shared: _Shared, target: Attribute | Item, function: WorkerFunction, linker: Linker
) -> bool:
    """Whether another process runs the function, too, with the same shared thing."""
    for each in beside.functions:
        if each.facts is function.facts:
            other, _ = _shared_by_all(target, each, beside, linker)
            return other is not None and other.call is shared.call
    return False


def _put_by_initializers(name: str, boundary: BoundaryCall, linker: Linker) -> Iterator[AbstractValue]:
    """What the function with which a pool begins in each worker puts into a global."""
    for code in linker.worker_codes_of_makers(boundary):
        for begun in code.functions if code.boundary is not None else ():
            value = begun.facts.variables.get(name) if name in begun.facts.globals_declared else None
            if value is not None and code.boundary is not None:
                yield from values_in_worker(value, begun.frame, code.boundary, linker)


def _is_of_task(base: Expr, code: WorkerCode) -> bool:
    """Whether something is got from an argument of a task."""
    while isinstance(base, Item | Attribute):
        base = without_narrowing(base.base)
    return isinstance(base, Parameter) and code.boundary is not None and code.boundary.spec.kind in _TASKS


def _shared_of(value: AbstractValue, target: Attribute | Item) -> _Shared | None:
    """The shared thing that a value is, if the target is a part of it that is read and written in two steps."""
    is_attribute = isinstance(target, Attribute)
    is_value = isinstance(target, Attribute) and target.name == _VALUE
    if isinstance(value, ProductValue) and value.call is not None and value.frame is not None:
        name = value.path.rpartition(".")[2]
        fits = (is_value and name in _NUMBERS) or (not is_attribute and name in _ARRAYS)
        if fits and value.product.kind == "shared-memory":
            return _Shared(value.call, value.frame, ".Synchronized" in value.product.type, False)
    if isinstance(value, ExternalResult):
        fits = (
            (is_value and is_proxy(value, _PROXIES_OF_NUMBERS))
            or (is_attribute and is_proxy(value, NAMESPACES))
            or (not is_attribute and is_proxy(value, _PROXIES_OF_ITEMS))
        )
        if fits:
            return _Shared(value.call, value.frame, False, True)
    return None


def is_done_by_one(place: Span, function: WorkerFunction) -> bool:
    """Whether a condition around a place lets one of the workers do it: by its number, or what it is called."""
    names = {each.name for each in function.facts.parameters}
    for test, _ in function.frame.paths.conditions_around(place.start):
        written = ast.unparse(test)
        if _OF_ONE.search(written) is not None:
            return True
        for node in within(test):
            match node:
                case ast.Compare(left=ast.Name(id=name), ops=[ast.Eq() | ast.Is()]) if name in names:
                    return True
                case ast.UnaryOp(op=ast.Not(), operand=ast.Name(id=name)) if name in names:
                    return True
                case _:
                    pass
    return False


def _is_seldom(place: Span, function: WorkerFunction, code: WorkerCode) -> bool:
    """Whether each worker does it once: no loop is around it, and none around a call that leads there."""
    if code.boundary is None or not is_of_one_task(code.boundary) or code.boundary.spec.kind in _TASKS:
        return False
    ways = [Site(function.module, place)]
    inside = [each for each in code.functions if each.module.first_party]
    for hop in function.hops:
        if any(each.module is hop.site.module and _is_inside(hop.site.span, each) for each in inside):
            ways.append(hop.site)
    return all(innermost_loop(each) is None for each in ways)


def _is_inside(place: Span, function: WorkerFunction) -> bool:
    return function.facts.header.end <= place.start < function.facts.span.end
