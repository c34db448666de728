"""The parts of a function in which it holds a lock: the blocks of `with` statements, and what follows `acquire()`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, Event, Implied
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Name, without_narrowing
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Frame, FunctionValue, InstanceValue, ProductValue, Site
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_ENTER = "__enter__"
_NAMED = re.compile(r"\b(?:with\b[ \t(]*|,\s*)(\w+)(?:\.\w+)*\s*(?=[:,)])")
_LETS_GO = re.compile(r"\.\s*(?:release|terminate|kill|wait|wait_for)\b")
"""What lets go of a lock, or ends a process that waits for it."""
_FOLLOWED = 2
"""How many context managers of the program are followed, one in the other."""


class HeldIn(Struct, frozen=True):
    """A lock, where it is taken, and the part of the function in which it is held."""

    lock: ProductValue
    site: Site
    span: Span

    def may_let_go_before(self, end: int, module: Module) -> bool:
        """Whether something before a place may let go of the lock, or end the process."""
        return may_let_go(Span(self.span.start, end), module)


def may_let_go(span: Span, module: Module) -> bool:
    """Whether something in a part of a module may let go of a lock, or end a process that waits for it."""
    return _LETS_GO.search(module.code, span.start, span.end) is not None


def entered_locks(frame: Frame, linker: Linker, depth: int = 0) -> Iterator[HeldIn]:
    """The locks that a function surely holds in parts of it, each with the part."""
    events = [each for each in frame.function.events if _may_take(each)]
    source = source_tree(frame.module.code) if events or _enters_variable(frame) else None
    if source is None:
        return
    for node in source.nodes_within(frame.function.span):
        if isinstance(node, ast.With):
            for item in node.items:
                place = source.span(item.context_expr)
                for target in _entered(item.context_expr, place, events, frame):
                    for lock in _locks_of_manager(target, frame, linker, depth):
                        yield HeldIn(lock, Site(frame.module, place), _body(node.body, source))
        for name in ("body", "orelse", "finalbody"):
            written = getattr(node, name, None)
            block: list[ast.stmt] = written if isinstance(written, list) else []
            for at, statement in enumerate(block):
                if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and block[at + 1 :]:
                    place = source.span(statement.value)
                    for event in events:
                        if isinstance(event, Called) and event.span == place:
                            yield from _after(event.call, Site(frame.module, place), block[at + 1 :], frame, linker)


def _enters_variable(frame: Frame) -> bool:
    """Whether the function may enter what a variable of it, or of its module, is or has as an attribute."""
    facts = frame.function
    found = {each[1] for each in _NAMED.finditer(frame.module.code, facts.span.start, facts.span.end)}
    return any(name in facts.reads or name in facts.variables for name in found)


def _entered(written: ast.expr, place: Span, events: Sequence[Event], frame: Frame) -> list[Expr]:
    """What a `with` statement enters. What a variable holds may be no event there."""
    found = [each.target for each in events if isinstance(each, Implied) and each.span.start == place.start]
    head, *rest = (dotted(written) if not found else "").split(".")
    value: Expr | None = Name(place, head) if head in frame.function.reads else frame.function.variables.get(head)
    if value is None or ast.unparse(written) != ".".join((head, *rest)):
        return found
    for part in rest:
        value = Attribute(place, value, part)
    return [value]


def is_acquired(call: Call) -> bool:
    """Whether a call is `acquire()`, which waits without a limit of time."""
    if not isinstance(call.function, Attribute) or call.function.name != "acquire":
        return False
    given = [without_narrowing(each.value) for each in call.arguments]
    return not given or (len(given) == 1 and isinstance(given[0], Constant) and given[0].value is True)


def _may_take(event: object) -> bool:
    is_entered = isinstance(event, Implied) and event.method == _ENTER
    return is_entered or (isinstance(event, Called) and is_acquired(event.call))


def _body(block: list[ast.stmt], source: SourceTree) -> Span:
    return Span(source.span(block[0]).start, source.span(block[-1]).end)


def _after(call: Call, site: Site, rest: list[ast.stmt], frame: Frame, linker: Linker) -> Iterator[HeldIn]:
    source = source_tree(frame.module.code)
    if source is not None and isinstance(call.function, Attribute):
        for lock in _only_lock(call.function.base, frame, linker):
            yield HeldIn(lock, site, _body(rest, source))


def _only_lock(value: Expr, frame: Frame, linker: Linker) -> Iterator[ProductValue]:
    found = [each.value for each in linker.evaluate(value, frame)]
    if len(found) == 1 and isinstance(found[0], ProductValue) and found[0].product.kind == "lock":
        yield found[0]


def _locks_of_manager(target: Expr, frame: Frame, linker: Linker, depth: int) -> Iterator[ProductValue]:
    """The lock that is held in a `with` statement: what it enters, or what a context manager of the program takes."""
    yield from _only_lock(target, frame, linker)
    if depth >= _FOLLOWED:
        return
    found = [each.value for each in linker.evaluate(target, frame)]
    if len(found) == 1 and isinstance(found[0], InstanceValue):
        method = linker.classes.find_method(found[0], _ENTER)
        inner = frame_of_method(method, found[0], linker) if method is not None else None
        if inner is not None:
            yield from _kept(inner, linker)
    call = without_narrowing(target)
    for traced in linker.evaluate(call.function, frame) if isinstance(call, Call) else ():
        callee = traced.value
        if isinstance(callee, FunctionValue) and callee.facts.decorated_by("contextmanager"):
            inner = linker.evaluator.enter(callee, call, frame) if isinstance(call, Call) else None
            if inner is not None:
                yield from _held_at_yield(inner, linker, depth + 1)


def _kept(frame: Frame, linker: Linker) -> Iterator[ProductValue]:
    """The locks that a method takes and does not release."""
    if _LETS_GO.search(frame.module.code, frame.function.span.start, frame.function.span.end):
        return
    for event in frame.function.events:
        function = event.call.function if isinstance(event, Called) and is_acquired(event.call) else None
        if isinstance(function, Attribute) and not event.conditional:
            yield from _only_lock(function.base, frame, linker)


def _held_at_yield(frame: Frame, linker: Linker, depth: int) -> Iterator[ProductValue]:
    """The locks that a generator holds at its only `yield`."""
    source = source_tree(frame.module.code)
    nodes = [*source.nodes_within(frame.function.span)] if source is not None else []
    yields = [source.span(each) for each in nodes if isinstance(each, ast.Yield)] if source is not None else []
    for held in entered_locks(frame, linker, depth) if len(yields) == 1 else ():
        is_inside = held.span.start <= yields[0].start < held.span.end
        if is_inside and not held.may_let_go_before(yields[0].start, frame.module):
            yield held.lock
