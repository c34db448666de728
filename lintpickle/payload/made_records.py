"""Namedtuples of a class that a function makes for itself, which it returns or puts into what it is given: nothing in
sight ships them, but whoever calls the function may, and pickle never finds their class."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.diagnostics import Confidence
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import Attribute, Expr, Item, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ContainerValue, Hop, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.protocols import LinkedProgram

_MADE = re.compile(r"\n[ \t]+\w+ *= *(?:collections\.|typing\.)?(?:namedtuple|NamedTuple)\(")
_RECORD = "namedtuple()"


def made_records(linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    """The namedtuples that a function gives to its callers and whose class it makes itself. They are likely where the
    users of a library get them, else merely possible."""
    for module in linker.modules:
        if not (pedantic or linker.users.are_there(module)) or not module.has(_MADE):
            continue
        for block in module.outline.blocks:
            if _MADE.search(module.code, block.span.start, block.span.end) is None:
                continue
            facts = module.facts_of(block)
            for root_frame in linker.activations.in_block(module, facts, _MADE) if facts is not None else ():
                span = root_frame.function.span
                if _MADE.search(module.code, span.start, span.end) is not None:
                    yield from _given_by(root_frame, linker, pedantic)
                    linker.evaluator.forget()


def _given_by(root_frame: RootFrame, linker: LinkedProgram, pedantic: bool) -> Iterator[Crossing]:
    is_likely = linker.users.get(root_frame)
    if root_frame.function.is_module_body or not (pedantic or is_likely):
        return
    confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
    module, name = root_frame.frame.module, root_frame.function.name
    for value, verb in _handed_over(root_frame):
        site = Site(module, value.span)
        root = Root(confidence, linker.start_methods_of_workers(module), None, "object", site, is_given=True)
        hop = Hop(f"{name}() {verb}: its callers may ship it", site)
        for traced in linker.evaluator.evaluate(value, root_frame.frame):
            for crossing in linker.payload.crossings(traced.after(hop), root, f"{name}()", None):
                if isinstance(crossing.value, ContainerValue) and crossing.value.kind == _RECORD:
                    yield crossing


def _handed_over(root_frame: RootFrame) -> Iterator[tuple[Expr, str]]:
    """What a function returns, or puts into a container that it is given."""
    function = root_frame.function
    if not function.is_generator:
        yield from ((value, "returns it") for value in function.returns)
    for event in function.events:
        match event:
            case ItemStore(target=held, value=value):
                given = _given_container(held)
                if given is not None and given.name != root_frame.instance_name:
                    yield value, f"puts it into `{given.name}`"
            case _:
                pass


def _given_container(held: Expr) -> Parameter | None:
    """The parameter of which a container is a part, or which it is."""
    held = without_narrowing(held)
    while isinstance(held, Attribute | Item):
        held = without_narrowing(held.base)
    return held if isinstance(held, Parameter) else None
