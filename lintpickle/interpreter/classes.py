"""Classes over modules: hierarchy, kind, and what attribute access finds on a class or an instance."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from lintpickle.facts.records import ClassFacts, FunctionFacts, Raised
from lintpickle.facts.values import Call, Item, Name, Value, chain
from lintpickle.interpreter.abstract_values import (
    ClassThing,
    Doubt,
    ExternalThing,
    FunctionThing,
    InstanceThing,
    ProductThing,
    Reached,
    Site,
    SuperThing,
    Thing,
    united,
)
from lintpickle.interpreter.frames import Bound, Frame
from lintpickle.interpreter.instance_state import StateReader
from lintpickle.limits import BASES_IN_ORDER

if TYPE_CHECKING:
    from lintpickle.interpreter.evaluator import Evaluator
    from lintpickle.program.module import Module

Ancestor: TypeAlias = "ClassThing | ExternalThing"

_MAPPING_BASES = frozenset(
    {
        "builtins.dict",
        "collections.OrderedDict",
        "collections.UserDict",
        "collections.defaultdict",
        "collections.Counter",
    }
)
_PROPERTY_DECORATORS = ("property", "cached_property", "lazy_property", "abstractproperty")
_PROPERTY_DEPTH = 3


class Classes:
    """Class knowledge of one run, remembered per class."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._things: dict[int, ClassThing] = {}
        self._mros: dict[int, tuple[Ancestor, ...]] = {}
        self._kinds: dict[int, str | None] = {}
        self._made: dict[int, bool] = {}
        self._doubted: dict[int, tuple[Doubt, ...]] = {}
        self._bodies: dict[int, Frame] = {}
        self._property_frames: dict[tuple[int, int], Frame] = {}
        self.registered: frozenset[int] = frozenset()
        """Identities of the facts of classes with a registered reducer (`copyreg.pickle`)."""
        self.states = StateReader(evaluator, self)

    def forget(self) -> None:
        """Let go of the states of objects."""
        self._property_frames.clear()
        self.states.forget()

    def module_level(self, module: Module, facts: ClassFacts) -> ClassThing:
        """The one thing for a class that is not defined in a function."""
        key = id(facts)
        if key not in self._things:
            self._things[key] = ClassThing(module, facts)
        return self._things[key]

    def mro(self, thing: Thing) -> tuple[Ancestor, ...]:
        """The method resolution order of a class, or of an instance's class; libraries' classes by path alone."""
        class_ = thing.class_ if isinstance(thing, InstanceThing) else thing
        if isinstance(class_, ExternalThing):
            return (class_,)
        if not isinstance(class_, ClassThing):
            return ()
        if id(class_.facts) not in self._mros:
            self._find_mros(class_)
        return self._mros[id(class_.facts)]

    def _find_mros(self, class_: ClassThing) -> None:
        """Find the order of a class, those of its bases first, however long the chain of these is."""
        direct: dict[int, list[Ancestor]] = {}
        waiting = [class_]
        while waiting:
            current = waiting[-1]
            key = id(current.facts)
            if key in direct:
                waiting.pop()
                self._mros[key] = tuple(self._linearise(current, direct.pop(key)))
            elif key in self._mros:
                waiting.pop()
            else:
                self._mros[key] = (current,)  # for a class among its own bases
                direct[key] = list(self.bases(current))
                waiting += [base for base in reversed(direct[key]) if isinstance(base, ClassThing)]

    def _linearise(self, class_: ClassThing, direct: list[Ancestor]) -> list[Ancestor]:
        lines = [list(self.mro(base))[: BASES_IN_ORDER.most] for base in direct]
        lines.append(direct)
        result: list[Ancestor] = [class_]
        while lines := [line for line in lines if line]:
            chosen = next(
                (line[0] for line in lines if not any(_same_in(line[0], other[1:]) for other in lines)),
                lines[0][0],
            )
            result.append(chosen)
            lines = [[item for item in line if not _same(item, chosen)] for line in lines]
        return result

    def body_frame(self, class_: ClassThing) -> Frame:
        """The frame in which names of a class body are read (bases, decorators, class attributes)."""
        if class_.frame is not None:
            return class_.frame
        key = id(class_.facts)
        if key not in self._bodies:
            self._bodies[key] = Frame(class_.module, _class_body(class_.facts))
        return self._bodies[key]

    def bases(self, class_: ClassThing) -> Iterator[Ancestor]:
        """The direct base classes that can be named."""
        body = self.body_frame(class_)
        for value in class_.facts.bases:
            generic = value.base if isinstance(value, Item) else value  # `Dataset[int]` is a Dataset
            found = [
                (reached.thing, reached.doubts)
                for reached in self._evaluator.evaluate(generic, body)
                if isinstance(reached.thing, (ClassThing, ExternalThing))
            ]
            first = [each for each in found if Doubt.FALLBACK not in each[1]] or found
            known = (each for each in first if self._is_known(each[0]))
            for base, doubts in [next(known, first[0])] if first else ():
                if doubts:
                    self._doubted[id(class_.facts)] = doubts
                yield base

    def _is_known(self, base: Ancestor) -> bool:
        """Whether anything is known of a base class: of several that a class may have, such a one counts."""
        if isinstance(base, ClassThing):
            return True
        return self._external_kind(base.path) is not None or self._evaluator.catalog.boundary(base.path) is not None

    def doubts(self, class_: ClassThing) -> tuple[Doubt, ...]:
        """What is not understood of what a class derives from."""
        found: tuple[Doubt, ...] = ()
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ClassThing):
                found = united(found, self._doubted.get(id(ancestor.facts), ()))
        return found

    def kind(self, class_: Thing) -> str | None:
        """The payload kind of a class ("dataset", "module", …), from the closest ancestor that has one."""
        class_ = class_.class_ if isinstance(class_, InstanceThing) else class_
        if not isinstance(class_, ClassThing):
            return self._external_kind(class_.path) if isinstance(class_, ExternalThing) else None
        key = id(class_.facts)
        if key not in self._kinds:
            self._kinds[key] = self._kind(class_)
        return self._kinds[key]

    def _kind(self, class_: ClassThing) -> str | None:
        catalog = self._evaluator.catalog
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ExternalThing):
                kind = self._external_kind(ancestor.path)
                if kind is not None:
                    return kind
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ClassThing):
                for decorator in ancestor.facts.decorators:
                    path = _decorator_path(decorator)
                    kind = catalog.kind_by_decorator(path) if path else None
                    if kind is not None:
                        return kind
        return None

    def _external_kind(self, path: str) -> str | None:
        catalog = self._evaluator.catalog
        kind = catalog.kind_of_class(path)
        if kind is None and not path.startswith("builtins."):
            kind = catalog.kind_by_name(path)
        return kind

    def has_instances(self, class_: ClassThing) -> bool:
        """Whether objects of a class can be made: its constructor does not always fail (it is abstract by hand)."""
        key = id(class_.facts)
        if key not in self._made:
            found = (self.find_method(class_, name) for name in ("__new__", "__init__"))
            self._made[key] = not any(each is not None and _never_ends(each[1]) for each in found)
        return self._made[key]

    def is_mapping(self, thing: Thing) -> bool:
        """Whether `.keys()` of the thing is a plain dict's, because its class derives from dict and does not
        define it."""
        for ancestor in self.mro(thing):
            if isinstance(ancestor, ClassThing) and "keys" in ancestor.facts.methods:
                return False
            if isinstance(ancestor, ExternalThing) and ancestor.path in _MAPPING_BASES:
                return True
        return False

    def find_method(
        self, thing: Thing, name: str, after: ClassThing | None = None
    ) -> tuple[ClassThing, FunctionFacts] | None:
        """The method that attribute lookup finds on a class or instance, and the class that defines it; with
        `after`, the search starts behind that class (`super()`)."""
        started = after is None
        for ancestor in self.mro(thing):
            if not started:
                started = isinstance(ancestor, ClassThing) and after is not None and ancestor.facts is after.facts
                continue
            if isinstance(ancestor, ClassThing) and name in ancestor.facts.methods:
                return ancestor, ancestor.facts.methods[name]
        return None

    def defines(self, thing: Thing, name: str) -> bool:
        """Whether a class, or an instance's class, has something of that name in a body that is read: a method, or
        what is assigned to it (`__reduce__ = _reduce`)."""
        lines = (each.facts for each in self.mro(thing) if isinstance(each, ClassThing))
        return any(name in facts.methods or name in facts.body for facts in lines)

    def _property_frame(self, owner: ClassThing, method: FunctionFacts, instance: Thing) -> Frame:
        """The frame of reading a property, one for each instance, and deeper than what made that: properties that read
        each other must end, of one object or of ever new ones."""
        key = (id(instance), id(method))
        if key not in self._property_frames:
            made_in = instance.frame if isinstance(instance, InstanceThing) else None
            depth = max(_PROPERTY_DEPTH, made_in.depth + 1 if made_in is not None else 0)
            binding = _self_binding(method, instance)
            active = (*(made_in.active if made_in is not None else ()), id(method))
            self._property_frames[key] = Frame(owner.module, method, binding, owner.frame, depth, active=active)
        return self._property_frames[key]

    def _returned_by(self, getter: FunctionFacts, owner: ClassThing, instance: Thing) -> Iterator[Reached]:
        """What reading a property gives."""
        frame = self._property_frame(owner, getter, instance)
        for value in getter.returns:
            yield from self._evaluator.evaluate(value, frame)

    def class_attribute(self, class_: ClassThing, name: str, site: Site) -> Iterator[Reached]:
        """What `Class.name` can be."""
        for inner in class_.facts.classes:
            if inner.name == name:
                yield Reached(self.module_level(class_.module, inner), site)
                return
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ExternalThing):
                if ancestor.path != "builtins.object":
                    yield Reached(ExternalThing(f"{ancestor.path}.{name}"), site)
                continue
            if name in ancestor.facts.methods:
                method = ancestor.facts.methods[name]
                bound = class_ if method.decorated_by("classmethod") else None
                yield Reached(FunctionThing(ancestor.module, method, ancestor.frame, bound), site)
                return
            value = ancestor.facts.body.get(name)
            if value is not None:
                yield from self._read(value, ancestor, None)
                return

    def instance_attribute(self, instance: InstanceThing, name: str, site: Site) -> Iterator[Reached]:
        """What `instance.name`, read at `site`, can be: what construction stored, else what the class has. What is read
        for the very value that is stored (`self.read = logged(self.read)`) is what was there before."""
        if name == "__class__":
            yield Reached(instance.class_, site)
            return
        states = self.states.state(instance)
        held = [each for each in states if each.attribute == name and not each.is_made_from(site)]
        for item in held:
            for reached in self._evaluator.evaluate(item.value, item.frame):
                yield reached.doubted(*item.doubts)
        if not held:
            yield from self._from_class(instance, name, site, None)

    def super_attribute(self, parent: SuperThing, name: str, site: Site) -> Iterator[Reached]:
        """What `super().name` can be."""
        yield from self._from_class(parent.instance, name, site, parent.owner)

    def _from_class(self, instance: Thing, name: str, site: Site, after: ClassThing | None) -> Iterator[Reached]:
        found = self.find_method(instance, name, after)
        class_ = instance.class_ if isinstance(instance, InstanceThing) else instance
        if found is not None:
            owner, method = found
            if method.decorated_by(*_PROPERTY_DECORATORS):
                yield from self._returned_by(method, owner, instance)
                return
            bound = None if method.decorated_by("staticmethod") else instance
            if method.decorated_by("classmethod"):
                bound = class_
            yield Reached(FunctionThing(owner.module, method, owner.frame, bound), site)
            return
        started = after is None
        for ancestor in self.mro(instance):
            if isinstance(ancestor, ExternalThing):
                if started and ancestor.path != "builtins.object":
                    product = self._evaluator.catalog.method_product(ancestor.path, name)
                    if product is not None:
                        yield Reached(ExternalThing(f"{ancestor.path}().{name}"), site)
                    else:
                        yield Reached(ExternalThing(f"{ancestor.path}.{name}"), site)
                    return
            elif not started:
                started = after is not None and ancestor.facts is after.facts
            elif (stored := ancestor.facts.body.get(name)) is not None:
                yield from self._read(stored, ancestor, instance)
                return

    def _read(self, value: Value, owner: ClassThing, instance: Thing | None) -> Iterator[Reached]:
        """What reading a value of a class body gives, from an instance if there is one: of `property(getter)`, what
        that returns; of `staticmethod(function)`, the function."""
        for reached in self._evaluator.evaluate(value, self.body_frame(owner)):
            match reached.thing:
                case ProductThing(path="builtins.property", call=Call() as call, frame=Frame() as frame) if instance:
                    for getter in self._first_argument(call, frame, owner):
                        if isinstance(getter.thing, FunctionThing):
                            yield from self._returned_by(getter.thing.facts, owner, instance)
                case ProductThing(
                    path="builtins.staticmethod" | "builtins.classmethod", call=Call() as call, frame=Frame() as frame
                ):
                    yield from self._first_argument(call, frame, owner)
                case _:
                    yield reached

    def _first_argument(self, call: Call, frame: Frame, owner: ClassThing) -> Iterator[Reached]:
        match call.positional():
            case (Name(name=name), *_) if name in owner.facts.methods:
                method = owner.facts.methods[name]
                yield Reached(FunctionThing(owner.module, method, owner.frame), Site(owner.module, method.header))
            case (value, *_):
                yield from self._evaluator.evaluate(value, frame)
            case _:
                pass


def _never_ends(function: FunctionFacts) -> bool:
    """Whether a function gives nothing back, not even None: it raises whatever it is given."""
    raises = any(isinstance(event, Raised) and not event.conditional for event in function.events)
    return raises and not (
        function.returns or function.may_give_none or function.decorators or function.is_generator or function.is_async
    )


def _self_binding(method: FunctionFacts, instance: Thing) -> dict[str, Bound]:
    return {method.parameters[0].name: Bound(thing=instance)} if method.parameters else {}


def _class_body(facts: ClassFacts) -> FunctionFacts:
    """The body of a module-level class as a function without parameters, so that names can be read in it."""
    return FunctionFacts(facts.name, facts.qualname, facts.span, facts.header, (), (), (), (), (), (), {}, (), (), ())


def _same(first: Ancestor, second: Ancestor) -> bool:
    if isinstance(first, ClassThing) and isinstance(second, ClassThing):
        return first.facts is second.facts
    return isinstance(first, ExternalThing) and isinstance(second, ExternalThing) and first.path == second.path


def _same_in(item: Ancestor, line: Iterable[Ancestor]) -> bool:
    return any(_same(item, other) for other in line)


def _decorator_path(value: Value) -> str | None:
    parts = chain(value.function if isinstance(value, Call) else value)
    return ".".join(parts) if parts else None
