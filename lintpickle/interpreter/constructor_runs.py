"""Constructors, run abstractly: what makes an object, and what runs after that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec.structs import replace

from lintpickle.facts.records import FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Attribute, chain
from lintpickle.interpreter.abstract_values import SOME_ITEM, Bound, ClassValue, Doubt, Frame, Site
from lintpickle.interpreter.creation import Created
from lintpickle.interpreter.doings import done_by
from lintpickle.interpreter.fields import given_fields
from lintpickle.interpreter.frames import Arguments, expand
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.object_runs import ObjectRun
from lintpickle.resolution.construction import AFTER_INIT

Put: TypeAlias = tuple[ClassValue, FunctionFacts, ItemStore, str]
"""A method that puts its object into an attribute of another one, with its class, the event and the attribute."""


class ConstructorRun(ObjectRun):
    """One abstract run of a constructor, and of what is done to its object afterwards."""

    def construct(self) -> None:
        """Run what makes the object: `__new__`, `__init__` or the fields of a dataclass, and what runs after them."""
        arguments, is_bare = Arguments((), {}, True), False
        if self._instance.call is not None and self._instance.frame is not None:
            arguments = expand(self._instance.call, self._instance.frame, self._evaluator)
            is_bare = isinstance(function := self._instance.call.function, Attribute) and function.name == "__new__"
            if is_bare or chain(function) == ("type", "__call__"):
                arguments = replace(arguments, positional=arguments.positional[1:])  # The first one is the class.
        depth = self._instance.frame.depth + 1 if self._instance.frame is not None else 1
        new = self._classes.find_method(self._instance, "__new__")
        if new is not None:
            cls = Bound(value=self._instance.class_)
            given = replace(arguments, positional=(cls, *arguments.positional))
            self._create(*new, given, depth)
        if is_bare:
            return
        init = self._classes.find_method(self._instance, "__init__")
        if init is not None:
            self._run(init[0], init[1], self._with_self(arguments), depth)
        else:
            self._parts.fill(arguments, "__init__")
        variables = tuple(self._fields(arguments)) if init is None else ()
        posts = (self._classes.find_method(self._instance, name) for name in AFTER_INIT)
        post = next((found for found in posts if found is not None), None)
        if init is None and post is not None:
            self._run(post[0], post[1], self._with_self(Arguments(variables, {}, True)), depth)

    def take_in_others(self, puts: Iterable[Put]) -> None:
        """Take into the object's containers what other objects of its class put there: themselves, as the nodes of a
        tree (`parent.children.append(self)`)."""
        for owner, method, event, attribute in puts:
            if self.attributes.has_own(attribute):
                frame = self._classes.frame_of_other(owner, method, self._instance)
                doubts = (Doubt.CONDITION,)
                site = Site(owner.module, event.span)
                of_other = Held(attribute, event.value, frame, site, owner, method.name, False, SOME_ITEM, doubts)
                self.attributes.add(replace(of_other, is_of_other=True))

    def _fields(self, arguments: Arguments) -> Iterator[Bound]:
        """Store what the fields of a dataclass, attrs class or NamedTuple are given, or their defaults; what
        `__post_init__` is given instead."""
        for given in given_fields(self._instance, arguments, self._classes):
            owner, field, bound = given.owner, given.field, given.bound
            if not field.stored:
                default = Bound(expr=given.default, frame=self._classes.body_frame(owner))
                yield bound or (Bound() if given.default is None else default)
            elif bound is not None and bound.expr is not None and bound.frame is not None:
                site = Site(bound.frame.module, bound.expr.span)
                self.attributes.store(Held(field.name, bound.expr, bound.frame, site, owner, "__init__"))
            elif field.default is not None and (default_value := given.default) is not None:
                site = Site(owner.module, field.default.span)
                doubts = (Doubt.DEFAULT,) if arguments.open else ()
                frame = self._classes.body_frame(owner)
                self.attributes.store(Held(field.name, default_value, frame, site, owner, "__init__", doubts=doubts))

    def _create(self, owner: ClassValue, new: FunctionFacts, arguments: Arguments, depth: int) -> None:
        """Run a `__new__`."""
        frame = self._frame_of(owner, new, arguments, depth)
        if frame is None:
            return
        self._evaluator.nesting += 1
        try:
            self._go_on_with_made(frame, owner)
        finally:
            self._evaluator.nesting -= 1

    def _go_on_with_made(self, frame: Frame, owner: ClassValue) -> None:
        """Do what a `__new__` does to the object that it makes. Of an object that is there, it is known that the call
        which makes it has been got to."""
        created = Created.by(frame.function)
        for event in frame.function.events if created.calls else ():
            made = created.call_before(event.span.start)
            if made is None:
                continue
            for done in done_by(event, frame, created.path):
                is_sure = frame.paths.is_followed_by(made.span.start, event.span.start)
                traced = is_sure or self._parts.reaches(event, frame)
                if traced is False:
                    continue
                if isinstance(event, Store) and not done.path:
                    self._store(event, frame, owner, traced, replaces=is_sure or not event.conditional)
                else:
                    self.undergo(replace(done, doubts=() if traced else (Doubt.CONDITION,)))
