"""What classes ship by their kind: without a boundary in sight, or because users of a library may ship them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from lintpickle.diagnostics import Confidence, StartMethod
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue, Hop, Site, TracedValue
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.parsing.outline import Block
from lintpickle.payload.by_kind import (
    ALWAYS_FOLLOWED_KINDS,
    SHIPPED_KINDS,
    belongs_to_one_process,
    is_of_one_process,
)
from lintpickle.payload.crossings import Crossing, Root
from lintpickle.payload.heuristics import stored_later
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.payload.shipped import KIND_PHRASES
from lintpickle.program.module import Module

_GIVEN_PHRASE = "public: users of the library may ship it"

_STANDS_IN = re.compile(r"^_?(?:Mock|Fake)(?![a-z])|(?:Mock|Fake)$")
"""The names of classes that stand in for others where nothing is loaded."""


def classes_to_follow(linker: LinkedProgram, pedantic: bool) -> Iterator[ClassValue]:
    """First-party classes whose instances are followed: datasets always, other payload by kind (with
    `pedantic`, any class) if the screen sees a form in it that can be a hazard."""
    for module in linker.modules:
        for block in module.outline.blocks:
            if block.classes:
                yield from linker.linked(Site(module, block.span), _wanted_classes(linker, module, block, pedantic))


def _wanted_classes(linker: LinkedProgram, module: Module, block: Block, pedantic: bool) -> Iterator[ClassValue]:
    facts = module.facts_of(block) if _is_wanted(linker, module, block, pedantic) else None
    if facts is not None:
        yield from filter(linker.classes.has_instances, linker.activations.classes_in(module, facts))


def _is_wanted(linker: LinkedProgram, module: Module, block: Block, pedantic: bool) -> bool:
    kinds = {linker.headers.kind(module, header) for header in block.classes}
    if not kinds.isdisjoint(ALWAYS_FOLLOWED_KINDS):
        return True
    if pedantic or (linker.users.is_library and linker.public.may_have(module, block)):
        return linker.interest.in_block(module, block)
    return not kinds.isdisjoint(SHIPPED_KINDS) and linker.interest.in_class(module, block)


def shipped_by_kind(class_: ClassValue, pedantic: bool, linker: LinkedProgram) -> Iterator[Crossing]:
    """What an object of a class holds that is shipped for its kind (with `pedantic`, of any class), or that users of a
    library may ship."""
    kind = linker.classes.kind(class_)
    shipped = kind in SHIPPED_KINDS
    is_given = linker.users.may_ship(class_)
    if not shipped and not pedantic and not is_given:
        return
    if not shipped and not is_given and linker.classes.defines(class_, "__deepcopy__"):
        return  # It is made to be copied, by itself.
    if not shipped and _stays_here(class_, linker):
        return
    site = class_header(class_)
    is_likely = is_given or (shipped and not linker.is_idle(class_) and not _STANDS_IN.search(class_.facts.name))
    confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
    is_offered = kind in MODULE_KINDS and (is_given or linker.public.has(class_))
    methods = _started_by(class_, linker)
    if not methods and kind == "process":
        return  # It is always forked.
    root = Root(confidence, methods, None, kind or "object", site, is_offered=is_offered, is_given=is_given)
    phrase = KIND_PHRASES[kind] if shipped and kind else _GIVEN_PHRASE if is_given else ""
    hops = (Hop(f"{class_.facts.name} is {phrase}", site),) if phrase else ()
    start = TracedValue(linker.activations.instance(class_), site, hops)
    found = linker.payload.crossings(start, root, class_.facts.name, None)
    if not is_given:
        found = (each for each in found if not _is_left_out(each, linker))
    yield from found if shipped or not is_given else _unless_of_one_process(found)
    if pedantic or is_given:
        later = stored_later(class_, replace(root, confidence=Confidence.POSSIBLE), linker)
        yield from (each for each in later if pedantic or each.root.confidence is not Confidence.POSSIBLE)


def _stays_here(class_: ClassValue, linker: LinkedProgram) -> bool:
    """Whether objects of a class cannot be pickled whatever else they hold, for what the class derives from (a thread,
    a lock, a handler of log records), and are not made to be: what they hold matters where one is sent."""
    if any(linker.classes.defines(class_, hook) for hook in SENDING_HOOKS):
        return False
    bases = (base.path for base in linker.classes.mro(class_) if isinstance(base, ExternalValue))
    products = filter(None, map(linker.catalog.product, bases))
    return any(is_of_one_process(each) for each in products)


def _started_by(class_: ClassValue, linker: LinkedProgram) -> tuple[StartMethod, ...]:
    """The start methods under which objects of a class are pickled for workers: those that a process of a context asks
    for by its base (`class Worker(SpawnProcess)`), or that the program may use."""
    methods = linker.start_methods_of_workers(class_.module)
    bases = (base.path for base in linker.classes.mro(class_) if isinstance(base, ExternalValue))
    asked = {spec.asks for spec in map(linker.catalog.boundary, bases) if spec is not None and spec.asks is not None}
    return tuple(method for method in methods if not asked or method.value in asked)


def _is_left_out(crossing: Crossing, linker: LinkedProgram) -> bool:
    """Whether a value would sit in an attribute that boundaries are seen to ship objects of the class without: it
    is found at those that ship them with it."""
    inner: Crossing | None = crossing
    while inner is not None:
        if inner.held is not None and inner.holder is not None:
            fact = ("shipped without", *inner.holder.class_.key, inner.held.name)
            if linker.cross_module.is_shared(crossing.root.site.module.path, fact):
                return True
        inner = inner.inside
    return False


def _unless_of_one_process(found: Iterable[Crossing]) -> Iterator[Crossing]:
    """What an object of a library holds; merely possible, if something of it belongs to one process: such objects are
    made to stay there. What a part of it holds speaks against the parts only."""
    crossings = tuple(found)
    of_one_process = [crossing for crossing in crossings if belongs_to_one_process(crossing.value)]
    is_one_itself = any(map(_is_own, of_one_process))
    for crossing in crossings:
        is_bound = is_one_itself or (of_one_process and not _is_own(crossing))
        root = replace(crossing.root, confidence=Confidence.POSSIBLE) if is_bound else crossing.root
        yield replace(crossing, root=root)


def _is_own(crossing: Crossing) -> bool:
    """Whether it is what the root ships, or an attribute of that."""
    return crossing.inside is None or crossing.inside.inside is None


def class_header(class_: ClassValue) -> Site:
    """The place of a class: its head."""
    return Site(class_.module, class_.facts.header)
