"""Where code sets attributes of a module or class under names that it is told: `setattr(settings, name, value)` in
`override(**values)`, called as `override(RATE=5)`; or in a method of an object that was made so, `Variant(RATE=5)`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.attribute_setters import AttributeOwner, is_owner
from lintpickle.analyses.main_state.main_setters import Setter, setter_at
from lintpickle.analyses.main_state.taken_back import starts_workers_within
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Constant,
    Expr,
    Mapping,
    Name,
    Parameter,
    may_be,
    mentions_object,
    parts_of,
)
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import ClassValue, Frame, FunctionValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words

_SETS = re.compile(r"\bsetattr\(\s*[\w.]+\s*,\s*(?![\"'])")
_YIELD = re.compile(r"\byield\b")
_ENTERS = frozenset({"__enter__", "__aenter__"})
_LEAVES = frozenset({"__exit__", "__aexit__"})


def may_be_told(attribute: str, linker: Linker, asker: str) -> bool:
    """Whether code of the program sets attributes whose names are not written out, and some may be told this one."""
    words = Words({"setattr"})
    return linker.first_party.is_anywhere(words, asker, _SETS) and linker.first_party.is_anywhere(
        Words({attribute}), asker, _telling(attribute)
    )


def told_setters(attribute: str, owner: AttributeOwner, linker: Linker, asker: str) -> Iterator[Setter]:
    """The places that set the attribute of that owner because a call has told them its name."""
    if not may_be_told(attribute, linker, asker):
        return
    for root in linker.activations_with({attribute}, _telling(attribute), asker):
        for event in root.function.events:
            if isinstance(event, Called) and any(_tells(value, attribute) for value in _given(event.call, attribute)):
                yield from _by_call(attribute, event, owner, root, linker, asker)


def _telling(attribute: str) -> re.Pattern[str]:
    return re.compile(rf"[(,]\s*{re.escape(attribute)}\s*=(?!=)|[\"']{re.escape(attribute)}[\"']")


def _given(call: Call, attribute: str) -> Iterator[Expr]:
    for each in call.arguments:
        yield Constant(each.value.span, attribute) if each.keyword == attribute else each.value


def _tells(value: Expr, attribute: str) -> bool:
    """Whether an argument is the name of an attribute, or a dict that has it as a key."""
    match value:
        case Constant(value=name):
            return name == attribute
        case Call(function=Name(name="dict")) as made:
            return made.keyword(attribute) is not None
        case Mapping(items=items):
            return any(key is not None and isinstance(key, Constant) and key.value == attribute for key, _ in items)
        case _:
            return False


def _by_call(
    attribute: str, event: Called, owner: AttributeOwner, root: RootFrame, linker: Linker, asker: str
) -> Iterator[Setter]:
    for traced in linker.evaluate(event.call.function, root.frame):
        match traced.value:
            case FunctionValue() as function if function.module.first_party:
                frame = linker.evaluator.enter(function, event.call, root.frame)
                told = _told(attribute, event.call, function.facts, function.bound is not None)
                if frame is not None and any(_sets_told(frame, told, owner, linker)):
                    yield setter_at(root.frame.module, root.function, event.span, linker, asker)
                    yield Setter(function.module, function.facts, function.facts.header, False)
            case ClassValue() as class_ if class_.module.first_party:
                yield from _by_methods(attribute, event.call, class_, owner, root, linker, asker)
            case _:
                pass


def _by_methods(
    attribute: str,
    call: Call,
    class_: ClassValue,
    owner: AttributeOwner,
    root: RootFrame,
    linker: Linker,
    asker: str,
) -> Iterator[Setter]:
    """Where methods of an object set what its constructor was told."""
    made = linker.classes.find_method(class_, "__init__")
    if made is None or not made[1].parameters:
        return
    told = _told(attribute, call, made[1], True)
    kept = {
        event.attribute
        for event in made[1].events
        if isinstance(event, Store) and any(_mentions(event.value, name, linker) for name in told)
    }
    for method in class_.facts.methods.values() if kept else ():
        if method.name == "__init__" or method.name in _LEAVES or not method.parameters:
            continue
        frame, me = linker.activations.of_method(class_, method).frame, method.parameters[0].name
        last = _last_yield(method, frame)
        for event in _stores(method):
            is_kept = event.key is not None and _reads(event.key, me, kept)
            if not is_kept or event.span.start >= last or not is_owner(event.target, frame, owner, linker):
                continue
            if method.name not in _ENTERS:
                yield setter_at(class_.module, method, event.span, linker, asker)
            elif any(_starts_within(each, root, linker) for each in _contexts_of(call, root)):
                yield setter_at(root.frame.module, root.function, call.span, linker, asker)


def _contexts_of(call: Call, root: RootFrame) -> Iterator[Span]:
    """Where a function enters what a call has made: `with Profile(rate=5):`, `with profile:`."""
    source = source_tree(root.frame.module.code)
    for node in source.nodes_within(root.function.span) if source is not None else ():
        for item in node.items if source is not None and isinstance(node, ast.With | ast.AsyncWith) else ():
            assert source is not None
            match item.context_expr:
                case ast.Name(id=name):
                    held = root.function.variables.get(name)
                    if held is not None and may_be(held, call):
                        yield source.span(item.context_expr)
                case manager if source.span(manager) == call.span:
                    yield call.span
                case _:
                    pass


def _starts_within(manager: Span, root: RootFrame, linker: Linker) -> bool:
    return starts_workers_within(manager, root.function, root.frame.module, linker)


def _told(attribute: str, call: Call, facts: FunctionFacts, is_bound: bool) -> frozenset[str]:
    """The parameters by which a call tells a function the name of an attribute."""
    parameters = facts.parameters[1:] if is_bound else facts.parameters
    plain = [each.name for each in parameters if each.kind.startswith("positional")]
    named = {each.name for each in parameters}
    told = set[str]()
    positional = call.positional() or ()
    told.update(name for name, value in zip(plain, positional, strict=False) if _tells(value, attribute))
    told.update(
        each.keyword
        for each in call.arguments
        if each.keyword in named and each.keyword is not None and _tells(each.value, attribute)
    )
    is_spread = any(each.star == "**" and _tells(each.value, attribute) for each in call.arguments)
    if attribute not in named and (is_spread or call.keyword(attribute) is not None):
        told.update(each.name for each in parameters if each.kind == "**")
    return frozenset(told)


def _sets_told(frame: Frame, told: frozenset[str], owner: AttributeOwner, linker: Linker) -> Iterator[bool]:
    last = _last_yield(frame.function, frame)
    for event in _stores(frame.function) if told else ():
        is_told = event.key is not None and any(_mentions(event.key, name, linker) for name in told)
        if is_told and event.span.start < last:
            yield is_owner(event.target, frame, owner, linker)


def _stores(facts: FunctionFacts) -> Iterator[Store]:
    for event in facts.events:
        if isinstance(event, Store) and event.key is not None and not isinstance(event.key, Constant):
            yield event


def _last_yield(facts: FunctionFacts, frame: Frame) -> int:
    """The place behind which a context manager puts back what was before; of other functions, their end."""
    found = [*_YIELD.finditer(frame.module.code, facts.span.start, facts.span.end)] if facts.is_generator else []
    return found[-1].start() if found else facts.span.end


def _mentions(value: Expr, parameter: str, linker: Linker) -> bool:
    return mentions_object(value, parameter, linker.evaluator.cuts.note)


def _reads(value: Expr, me: str, attributes: set[str]) -> bool:
    """Whether a value comes from one of some attributes of the object."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        is_own = isinstance(part, Attribute) and isinstance(part.base, Parameter) and part.base.name == me
        if is_own and isinstance(part, Attribute) and part.name in attributes:
            return True
        waiting += parts_of(part)
    return False
