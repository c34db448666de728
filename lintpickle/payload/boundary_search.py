"""Where boundaries are called in first-party code, and with what."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.boundaries.given_objects import (
    is_on_given_attribute,
    is_on_inherited_attribute,
    on_pool_of_library,
    root_of_pool,
)
from lintpickle.boundaries.proxies import INTO_QUEUE, MANAGER, MANAGERS, PUTS, put_into_proxy
from lintpickle.call_graph.callers import Calling
from lintpickle.call_graph.running import frame_at
from lintpickle.facts.records import Called, Event, ItemStore, Store
from lintpickle.facts.values import Attribute, Parameter, rooted
from lintpickle.interpreter.abstract_values import UNKNOWN, Doubt, Site, is_none, joined
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.outline import Block
from lintpickle.payload.caller_boundaries import CallerBoundaries
from lintpickle.payload.components import Components
from lintpickle.payload.given_back import is_given_back_unstarted
from lintpickle.payload.handed_on import MethodsHandedOn
from lintpickle.payload.never_given import is_behind_value_never_given
from lintpickle.payload.no_workers_by_default import has_no_workers_by_default
from lintpickle.payload.process_classes_given import ProcessClassesGiven
from lintpickle.payload.unset_options import is_behind_unset_option
from lintpickle.program.module import Module
from lintpickle.program.stages import in_stage
from lintpickle.source.file_kinds import PlaceKind

_UNUSED = (
    is_behind_unset_option,
    has_no_workers_by_default,
    is_given_back_unstarted,
    is_behind_value_never_given,
)
"""Why a program that has a boundary may never use it."""


class BoundarySearch:
    """Finds every call of a boundary, specialised to its call sites where what it ships is a parameter."""

    def __init__(self, parts: Components) -> None:
        self._parts = parts
        self._callers = CallerBoundaries(parts)
        self._handed = MethodsHandedOn(parts)
        self._classes_given = ProcessClassesGiven(parts)
        self._seen = set[int]()
        """The calls that were found by what they name."""
        self.unsettled: list[Site] = []
        """The calls of which it could not be found out whether they are boundaries: too much was evaluated."""

    @property
    def asked_first(self) -> Sequence[BoundaryCall]:
        """See `CallerBoundaries.asked_first`."""
        return self._callers.asked_first

    def find(self) -> Iterator[BoundaryCall]:
        """The calls by a boundary's own name, by names that only this program gives to one, on parameters, of methods
        and of classes of processes that are handed on, and what is put into a manager's containers."""
        ways = (
            *(self._called_by_name(), self._called_by_aliases()),
            *(self._called_on_parameters(), self._called_by_handed_methods(), self._called_by_given_classes()),
            self._put_into_proxies(),
        )
        return map(self._as_used, chain.from_iterable(ways))

    def _as_used(self, boundary: BoundaryCall) -> BoundaryCall:
        """A boundary with the doubt that a complete program never uses the code in which the way to it begins, or the
        boundary itself."""
        site = boundary.hops[0].site if boundary.hops else boundary.site
        if Doubt.EXCLUDED in boundary.doubts:
            return boundary
        if not self._is_in_unused_code(site) and not any(each(boundary, self._parts) for each in _UNUSED):
            return boundary
        return replace(boundary, doubts=joined(boundary.doubts, (Doubt.EXCLUDED,)))

    def _is_in_unused_code(self, site: Site) -> bool:
        """Whether a place stands in a function or class that a complete program never names, or in a module that it
        never imports."""
        unused, module = self._parts.unused, site.module
        block = module.outline.block_at(site.span.start)
        if block is None or self._parts.purposes.kind(module.path) is PlaceKind.TESTS:
            return False
        if module.code.startswith("@", block.span.start):
            return False
        if block.defines_function and all(unused.is_function(name, module) for name in block.names):
            return True
        if block.is_class and all(unused.is_plain_class(header, module) for header in block.classes):
            return True
        return self._parts.remembered(("unused module", module.path), partial(unused.is_module, module))

    def _called_by_name(self) -> Iterator[BoundaryCall]:
        parts, boundaries = self._parts, self._parts.boundary_names
        for module in in_stage(parts.modules, "finding boundaries", parts.stage):
            for block in parts.screen.boundary.plots_in(module.lexicon, module.outline.blocks):
                names = boundaries.in_block(module, block)
                for root, event in self._calls_in(module, block, self._boundary_forms(names, module)) if names else ():
                    if boundaries.may_be_one(event.call.function, module):
                        self._seen.add(id(event))
                        yield from self._linked(Site(module, event.span), self._callers.specialised(root, event))

    def _linked(self, site: Site, found: Iterator[BoundaryCall]) -> Iterator[BoundaryCall]:
        """The boundaries that are found at a call."""
        is_one = False
        for each in self._parts.linked(site, found):
            is_one = True
            yield each
        if not is_one and self._parts.evaluator.is_spent:
            self.unsettled.append(site)

    def _calls_in(self, module: Module, block: Block, form: re.Pattern[str]) -> Iterator[tuple[RootFrame, Called]]:
        """The calls in the functions of a block in which a form stands."""
        return ((root, event) for root, event in self._events_in(module, block, form) if isinstance(event, Called))

    def _events_in(self, module: Module, block: Block, form: re.Pattern[str]) -> Iterator[tuple[RootFrame, Event]]:
        """Each is a root of its own: what one of them costs, others are not short of."""
        facts, evaluator = module.facts_of(block), self._parts.evaluator
        for root in self._parts.activations.in_block(module, facts, form) if facts is not None else ():
            for event in root.function.events:
                yield root, event
                evaluator.begin_anew()

    def _boundary_forms(self, names: frozenset[str], module: Module) -> re.Pattern[str]:
        """What stands in every function that calls a boundary, in a block in which these dotted names stand for one."""
        forms = [self._parts.aliases.pattern.pattern]
        if not self._parts.boundary_names.are_functions(names, module):
            methods = (f".{method}(" for method in self._parts.catalog.boundary_methods())
            forms += [*map(re.escape, methods), r"__init__\(", r"\bcls\("]
        forms += (r"[\s\\]*\.[\s\\]*".join(name.lstrip("().").split(".")) for name in names)
        return re.compile("|".join(sorted(forms)))

    def _called_by_aliases(self) -> Iterator[BoundaryCall]:
        """Calls of names that only this program gives to boundaries, unless they have been seen already."""
        parts, aliases = self._parts, self._parts.aliases
        for module, block in aliases.calls(parts.scope):
            for root, event in self._calls_in(module, block, aliases.pattern_for(block)):
                function = event.call.function
                if aliases.is_one(function) and not self._is_seen(event, module, block):
                    self._seen.add(id(event))
                    yield from self._linked(Site(module, event.span), self._callers.specialised(root, event))

    def _called_on_parameters(self) -> Iterator[BoundaryCall]:
        """Calls of methods of pools, executors, queues that a function is given, or the object whose method it is, or
        that are made by a context which they are given."""
        parts = self._parts
        for module, block in parts.aliases.given(parts.scope):
            for root, event in self._calls_in(module, block, parts.aliases.on_name):
                if self._is_on_parameter(event, root):
                    yield from self._linked(Site(module, event.span), self._made_on_parameter(root, event))
                elif is_on_given_attribute(event, root, parts.evaluator):
                    yield from self._linked(Site(module, event.span), self._callers.decided_by_object(root, event))
                elif self._is_on_inherited_attribute(event, root, module, block):
                    yield from self._linked(Site(module, event.span), self._callers.specialised(root, event))

    def _called_by_handed_methods(self) -> Iterator[BoundaryCall]:
        """Calls of methods of pools and executors that were handed on: `run(pool.map, items)`."""
        for root, event in self._handed.calls():
            if id(event) not in self._seen:
                self._seen.add(id(event))
                yield from self._linked(Site(root.frame.module, event.span), self._callers.handed(root, event))
                self._parts.evaluator.begin_anew()

    def _called_by_given_classes(self) -> Iterator[BoundaryCall]:
        """Calls of classes of processes that were handed on: `supervise(Worker)`. Of those that have been seen already,
        where no caller was known, the callers tell."""
        for root, event in self._classes_given.calls():
            callers = self._callers.handed if id(event) not in self._seen else self._callers.told_by_callers
            yield from self._linked(Site(root.frame.module, event.span), callers(root, event))
            self._parts.evaluator.begin_anew()

    def _is_on_inherited_attribute(self, event: Called, root: RootFrame, module: Module, block: Block) -> bool:
        """Whether a method is called on what a base class of another module keeps: nothing here names a boundary."""
        is_it = is_on_inherited_attribute(event, root, self._parts.evaluator)
        return is_it and not self._is_seen(event, module, block)

    def _is_seen(self, event: Called, module: Module, block: Block) -> bool:
        """Whether a call is one that is found by its name."""
        parts, boundaries = self._parts, self._parts.boundary_names
        return (
            boundaries.may_be_one(event.call.function, module)
            and bool(boundaries.in_block(module, block))
            and block in parts.screen.boundary.plots_in(module.lexicon, module.outline.blocks)
            and module in parts.modules
        )

    def _put_into_proxies(self) -> Iterator[BoundaryCall]:
        """What is put into dictionaries, lists and queues that a manager shares; into queues also by functions of other
        modules that workers are given."""
        parts = self._parts
        for module in parts.modules:
            for root, event in self._puts_in(module) if module.has(MANAGER) else ():
                yield from parts.linked(Site(module, event.span), self._put_into_proxy(root, event))
        for module in parts.scope:
            for root, event in self._puts_in(module) if self._may_be_given_proxies(module) else ():
                if self._is_put_into_parameter(event, root):
                    yield from parts.linked(Site(module, event.span), self._put_by_worker(root, event))

    def _puts_in(self, module: Module) -> Iterator[tuple[RootFrame, Store | ItemStore]]:
        for block in module.outline.blocks:
            is_wanted = not block.bare and PUTS.search(module.code, block.span.start, block.span.end)
            for root, event in self._events_in(module, block, PUTS) if is_wanted else ():
                if isinstance(event, (Store, ItemStore)):
                    yield root, event

    def _may_be_given_proxies(self, module: Module) -> bool:
        is_made_elsewhere = not module.has(MANAGER) and module.has(INTO_QUEUE)
        return is_made_elsewhere and self._parts.first_party.is_anywhere(MANAGERS, module.path, MANAGER)

    def _is_put_into_parameter(self, event: Store | ItemStore, root: RootFrame) -> bool:
        first, path = rooted(event.target)
        is_given = isinstance(first, Parameter) and not path and first.name != root.instance_name
        return is_given and INTO_QUEUE.search(root.frame.module.code, event.span.start, event.span.end) is not None

    def _put_into_proxy(self, root: RootFrame, event: Store | ItemStore) -> Iterator[BoundaryCall]:
        if self._parts.probes.is_asked_before(event, [event.value], root.frame):
            return
        me = None if root.is_constructor else root.instance_name
        evaluator, callers = self._parts.evaluator, self._callers
        found = tuple(put_into_proxy(event, frame_at(event, root.frame, root, evaluator), evaluator))
        if found:
            is_given = callers.depends_on_parameters(found[0], root, me)
        else:
            is_given = callers.mentions_parameter(event.target, me)
        if not is_given:
            yield from found
            return
        yield from self._put_when_called(callers.calls_of(root), root, event)
        if not found:
            yield from self._put_when_called(callers.runs_by_workers(root), root, event)

    def _put_by_worker(self, root: RootFrame, event: Store | ItemStore) -> Iterator[BoundaryCall]:
        if not self._parts.probes.is_asked_before(event, [event.value], root.frame):
            yield from self._put_when_called(self._callers.runs_by_workers(root), root, event)

    def _put_when_called(
        self, callings: Iterator[Calling], root: RootFrame, event: Store | ItemStore
    ) -> Iterator[BoundaryCall]:
        evaluator = self._parts.evaluator
        for calling in callings:
            for each in put_into_proxy(event, frame_at(event, calling.frame, root, evaluator), evaluator):
                yield replace(each, hops=calling.hops, doubts=joined(calling.doubts, each.doubts))

    def _is_on_parameter(self, event: Called, root: RootFrame) -> bool:
        """Whether a method that can be a boundary is called on a parameter of which the function knows nothing, but
        that None is its default, or on what that makes."""
        match event.call.function:
            case Attribute(base=base, name=method) if method in self._parts.catalog.boundary_methods():
                receiver = root_of_pool(base, self._parts.evaluator)
                if not isinstance(receiver, Parameter) or receiver.name == root.instance_name:
                    return False
                found = (each.value for each in self._parts.evaluator.evaluate(receiver, root.frame))
                return all(each is UNKNOWN or is_none(each) for each in found)
            case _:
                return False

    def _made_on_parameter(self, root: RootFrame, event: Called) -> Iterator[BoundaryCall]:
        """What a method of a parameter is for the callers; for `migrate`, also where a library is the only one."""
        found = False
        for each in self._callers.made_at_call_sites(root, event):
            found = True
            yield each
        moving = self._parts.boundaries.moving_to is not None
        if moving and not found and not self._parts.callers.calls(root, root.frame.module.path):
            yield from on_pool_of_library(event, root, self._parts.evaluator)
