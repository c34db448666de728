"""Classes over modules: hierarchy, kind, and what attribute access finds on a class or an instance."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import islice

from msgspec import structs

from lintpickle.facts.methods import Methods, methods_holding
from lintpickle.facts.records import ClassFacts, FunctionFacts, Raised, Store
from lintpickle.facts.values import Call, Constant, Expr, Item, Name, Parameter, chain
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    Doubt,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    ProductValue,
    Site,
    Slot,
    SuperValue,
    TracedValue,
    joined,
)
from lintpickle.interpreter.constructor_runs import PROPERTY_DECORATORS
from lintpickle.interpreter.held import Held
from lintpickle.interpreter.instance_state import StateReader
from lintpickle.interpreter.protocols import Ancestor, Interpreter
from lintpickle.interpreter.slots import is_mapping, slot_key
from lintpickle.limits import BASES_IN_ORDER
from lintpickle.program.module import Module
from lintpickle.resolution.registrations import derived_in, subclasses_key

_MAPPING_BASES = frozenset(
    {
        "builtins.dict",
        "collections.OrderedDict",
        "collections.UserDict",
        "collections.defaultdict",
        "collections.Counter",
    }
)
_PROPERTY_DEPTH = 3


class Classes:
    """Class knowledge of one run, remembered per class."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator
        self._values: dict[int, ClassValue] = {}
        self._mros: dict[int, tuple[Ancestor, ...]] = {}
        self._kinds: dict[int, str | None] = {}
        self._made: dict[int, bool] = {}
        self._doubted: dict[int, tuple[Doubt, ...]] = {}
        self._metaclass_calls: dict[int, tuple[ClassValue, FunctionFacts] | None] = {}
        self._bodies: dict[int, Frame] = {}
        self._property_frames: dict[tuple[int, int], Frame] = {}
        self._others: dict[int, InstanceValue] = {}
        self._frames_of_others: dict[tuple[int, int], Frame] = {}
        self._sought: set[str] = set()
        self.registered: frozenset[int] = frozenset()
        """Identities of the facts of classes with a registered reducer (`copyreg.pickle`)."""
        self.states = StateReader(evaluator, self)

    def forget(self) -> None:
        """Let go of the states of objects."""
        self._property_frames.clear()
        self._others.clear()
        self._frames_of_others.clear()
        self.states.forget()

    def frame_of_other(self, owner: ClassValue, method: FunctionFacts, instance: InstanceValue) -> Frame:
        """The one frame of a method of `owner` as another object of the class of `instance` runs it, of whose making
        nothing is known."""
        facts = instance.class_.facts
        if id(facts) not in self._others:
            self._others[id(facts)] = InstanceValue(instance.class_)
        key = (id(method), id(facts))
        if key not in self._frames_of_others:
            me = {method.parameters[0].name: Bound(value=self._others[id(facts)])}
            self._frames_of_others[key] = Frame(owner.module, method, me, owner.frame, 1, open=True)
        return self._frames_of_others[key]

    def module_level(self, module: Module, facts: ClassFacts) -> ClassValue:
        """The one value for a class that is not defined in a function."""
        key = id(facts)
        if key not in self._values:
            self._values[key] = ClassValue(module, facts)
        return self._values[key]

    def mro(self, value: AbstractValue) -> tuple[Ancestor, ...]:
        """The method resolution order of a class, or of an instance's class; libraries' classes by path alone."""
        class_ = value.class_ if isinstance(value, InstanceValue) else value
        if isinstance(class_, ExternalValue):
            return (class_,)
        if not isinstance(class_, ClassValue):
            return ()
        if id(class_.facts) not in self._mros:
            self._find_mros(class_)
        return self._mros[id(class_.facts)]

    def _find_mros(self, class_: ClassValue) -> None:
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
                waiting += [base for base in reversed(direct[key]) if isinstance(base, ClassValue)]

    def _linearise(self, class_: ClassValue, direct: list[Ancestor]) -> list[Ancestor]:
        lines = [list(self.mro(base)) for base in direct]
        if any(len(line) > BASES_IN_ORDER.most for line in lines):
            self._evaluator.cuts.note_of(BASES_IN_ORDER, class_.module, class_.facts.header.start)
            lines = [line[: BASES_IN_ORDER.most] for line in lines]
        lines.append(direct)
        return [class_, *_merged(lines)]

    def body_frame(self, class_: ClassValue) -> Frame:
        """The frame in which names of a class body are read (bases, decorators, class attributes)."""
        if class_.frame is not None:
            return class_.frame
        key = id(class_.facts)
        if key not in self._bodies:
            self._bodies[key] = Frame(class_.module, _class_body(class_.facts))
        return self._bodies[key]

    def bases(self, class_: ClassValue) -> Iterator[Ancestor]:
        """The direct base classes that can be named; of a base that is one of several classes, all that are read."""
        body = self.body_frame(class_)
        for value in class_.facts.bases:
            found = self._named_by(value, body)
            if not found and isinstance(value, Item):
                found = self._named_by(value.base, body)  # `Dataset[int]` is a Dataset
            first = [each for each in found if Doubt.FALLBACK not in each[1]] or found
            if not first:
                continue
            chosen = next((each for each in first if self._is_known(each[0])), first[0])
            others = [each for each in first if each is not chosen and isinstance(each[0], ClassValue)]
            for base, doubts in (chosen, *others):
                if doubts:
                    self._doubted[id(class_.facts)] = doubts
                yield base

    def _named_by(self, value: Expr, body: Frame) -> list[tuple[Ancestor, tuple[Doubt, ...]]]:
        """The classes that an expression can be, with what is not understood of that."""
        return [
            (traced.value, traced.doubts)
            for traced in self._evaluator.evaluate(value, body)
            if isinstance(traced.value, (ClassValue, ExternalValue))
        ]

    def _is_known(self, base: Ancestor) -> bool:
        """Whether anything is known of a base class: of several that a class may have, such a one counts."""
        if isinstance(base, ClassValue):
            return True
        return self._external_kind(base.path) is not None or self._evaluator.catalog.boundary(base.path) is not None

    def doubts(self, class_: ClassValue) -> tuple[Doubt, ...]:
        """What is not understood of what a class derives from."""
        found: tuple[Doubt, ...] = ()
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ClassValue):
                found = joined(found, self._doubted.get(id(ancestor.facts), ()))
        return found

    def kind(self, class_: AbstractValue) -> str | None:
        """The payload kind of a class ("dataset", "module", …), from the closest ancestor that has one."""
        class_ = class_.class_ if isinstance(class_, InstanceValue) else class_
        if not isinstance(class_, ClassValue):
            return self._external_kind(class_.path) if isinstance(class_, ExternalValue) else None
        key = id(class_.facts)
        if key not in self._kinds:
            self._kinds[key] = self._kind(class_)
        return self._kinds[key]

    def _kind(self, class_: ClassValue) -> str | None:
        catalog = self._evaluator.catalog
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ExternalValue):
                kind = self._external_kind(ancestor.path)
                if kind is not None:
                    return kind
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ClassValue):
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

    def has_instances(self, class_: ClassValue) -> bool:
        """Whether objects of a class can be made: its constructor does not always fail (it is abstract by hand)."""
        key = id(class_.facts)
        if key not in self._made:
            found = (self.find_method(class_, name) for name in ("__new__", "__init__"))
            self._made[key] = not any(each is not None and _never_ends(each[1]) for each in found)
        return self._made[key]

    def is_mapping(self, value: AbstractValue) -> bool:
        """Whether `.keys()` of the value is a plain dict's, because its class derives from dict and does not
        define it."""
        for ancestor in self.mro(value):
            if isinstance(ancestor, ClassValue) and "keys" in ancestor.facts.methods:
                return False
            if isinstance(ancestor, ExternalValue) and ancestor.path in _MAPPING_BASES:
                return True
        return False

    def behind(self, value: AbstractValue, owner: ClassValue) -> tuple[Ancestor, ...]:
        """What follows a class in the order of a class or instance, as `super()` searches it; empty if the class is not
        in that."""
        line = self.mro(value)
        places = (
            place for place, each in enumerate(line) if isinstance(each, ClassValue) and each.facts is owner.facts
        )
        return line[next(places, len(line)) + 1 :]

    def find_method(
        self, value: AbstractValue, name: str, after: ClassValue | None = None
    ) -> tuple[ClassValue, FunctionFacts] | None:
        """The method that attribute lookup finds on a class or instance, and the class that defines it; with
        `after`, the search starts behind that class (`super()`)."""
        for ancestor in self.mro(value) if after is None else self.behind(value, after):
            if isinstance(ancestor, ClassValue) and name in ancestor.facts.methods:
                return ancestor, ancestor.facts.methods[name]
        return None

    def find_setter(self, value: AbstractValue, name: str) -> tuple[ClassValue, FunctionFacts] | None:
        """The setter of the property of that name that a class or instance has, and the class that defines it."""
        found = self.find_method(value, name)
        methods = found[0].facts.methods if found is not None else None
        setter = methods.setter(name) if isinstance(methods, Methods) else None
        return (found[0], setter) if found is not None and setter is not None else None

    def metaclass_call(self, class_: ClassValue) -> FunctionValue | None:
        """What a metaclass that is read does when the class is called."""
        key = id(class_.facts)
        if key not in self._metaclass_calls:
            self._metaclass_calls[key] = None  # while it is sought
            found = (self.find_method(meta, "__call__") for meta in self.metaclasses(class_))
            self._metaclass_calls[key] = next((each for each in found if each is not None), None)
        called = self._metaclass_calls[key]
        return FunctionValue(called[0].module, called[1], called[0].frame, class_) if called is not None else None

    def metaclasses(self, class_: ClassValue) -> Iterator[ClassValue]:
        """The metaclasses that a class, or one that it derives from, names and that are read."""
        for ancestor in self.mro(class_):
            named = dict(ancestor.facts.keywords).get("metaclass") if isinstance(ancestor, ClassValue) else None
            if named is not None and isinstance(ancestor, ClassValue):
                for traced in self._evaluator.evaluate(named, self.body_frame(ancestor)):
                    if isinstance(traced.value, ClassValue):
                        yield traced.value

    def defines(self, value: AbstractValue, name: str) -> bool:
        """Whether a class, or an instance's class, has something of that name in a body that is read: a method, or
        what is assigned to it (`__reduce__ = _reduce`)."""
        lines = (each.facts for each in self.mro(value) if isinstance(each, ClassValue))
        return any(name in facts.methods or name in facts.body for facts in lines)

    def _property_frame(self, owner: ClassValue, method: FunctionFacts, instance: AbstractValue) -> Frame:
        """The frame of reading a property, one for each instance, and deeper than what made that: properties that read
        each other must end, of one object or of ever new ones."""
        key = (id(instance), id(method))
        if key not in self._property_frames:
            made_in = instance.frame if isinstance(instance, InstanceValue) else None
            depth = max(_PROPERTY_DEPTH, made_in.depth + 1 if made_in is not None else 0)
            binding = _self_binding(method, instance)
            active = (*(made_in.active if made_in is not None else ()), id(method))
            self._property_frames[key] = Frame(owner.module, method, binding, owner.frame, depth, active=active)
        return self._property_frames[key]

    def _returned_by(self, getter: FunctionFacts, owner: ClassValue, instance: AbstractValue) -> Iterator[TracedValue]:
        """What reading a property gives."""
        frame = self._property_frame(owner, getter, instance)
        for value in getter.returns:
            yield from self._evaluator.evaluate(value, frame)

    def class_attribute(self, class_: ClassValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `Class.name` can be."""
        for inner in class_.facts.classes:
            if inner.name == name:
                yield TracedValue(self.module_level(class_.module, inner), site)
                return
        for ancestor in self.mro(class_):
            if isinstance(ancestor, ExternalValue):
                if ancestor.path != "builtins.object":
                    yield TracedValue(ExternalValue(f"{ancestor.path}.{name}"), site)
                continue
            if name in ancestor.facts.methods:
                method = ancestor.facts.methods[name]
                bound = class_ if method.decorated_by("classmethod") else None
                yield TracedValue(FunctionValue(ancestor.module, method, ancestor.frame, bound), site)
                return
            value = ancestor.facts.body.get(name)
            if value is not None:
                yield from (self._with_subclasses(each, ancestor, name) for each in self._read(value, ancestor, None))
                return

    def _with_subclasses(self, traced: TracedValue, owner: ClassValue, name: str) -> TracedValue:
        """What a class has under a name; of a table into which it puts its subclasses, with those of the module."""
        table = traced.value
        if not isinstance(table, ContainerValue) or not is_mapping(table.kind):
            return traced
        stored_under = subclasses_key(owner.facts, name, owner.module.code)
        if stored_under is None:
            return traced
        frame = self.body_frame(owner)
        slots = list(table.slots)
        for key, class_ in derived_in(owner.module, stored_under):
            for found in self._evaluator.evaluate(class_, frame):
                line = self.mro(found.value)[1:] if isinstance(found.value, ClassValue) else ()
                if any(isinstance(each, ClassValue) and each.facts is owner.facts for each in line):
                    slots.append(Slot(slot_key(key) or SOME_ITEM, class_, frame))
        return structs.replace(traced, value=ContainerValue(table.kind, tuple(slots), table.call))

    def instance_attribute(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `instance.name`, read at `site`, can be: what construction stored, else what the class has. What is read
        for the very value that is stored (`self.read = logged(self.read)`) is what was there before."""
        if name == "__class__":
            yield TracedValue(instance.class_, site)
            return
        states = self.states.state(instance)
        held = [each for each in states if each.attribute == name and not each.is_made_from(site)]
        for item in held:
            if item.is_of_other or item.key is not None:
                slot = Slot(item.key or SOME_ITEM, item.value, item.frame)
                kind = "list" if slot.key == SOME_ITEM else "dict"
                yield TracedValue(ContainerValue(kind, (slot,)), site).doubted(*item.doubts)
                continue
            for traced in self._evaluator.evaluate(item.value, item.frame):
                yield item.after_all(traced).doubted(*item.doubts)
        is_known = bool(held)
        for traced in self._from_class(instance, name, site, None) if not held else ():
            is_known = is_known or not isinstance(traced.value, ExternalValue)
            yield traced
        if name not in self._sought and (all(map(_is_none, held)) if held else not is_known):
            self._sought.add(name)
            try:
                yield from self._stored_by_methods(instance, name, site)
            finally:
                self._sought.discard(name)

    def _stored_by_methods(self, instance: InstanceValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What methods other than the constructor store in an attribute that nothing else fills."""
        form = _stored_as(name)
        for owner in self.mro(instance):
            if not isinstance(owner, ClassValue):
                continue
            for method in methods_holding(owner.facts.methods, form, owner.module.code):
                if not method.parameters or method.decorated_by("staticmethod", "classmethod"):
                    continue
                if Site(owner.module, method.span).contains(site):
                    continue  # What a method stores for itself is known where it reads it.
                me = method.parameters[0].name
                for event in method.events:
                    match event:
                        case Store(target=Parameter(name=target), attribute=attribute, value=value) if (
                            target == me and attribute == name and not Site(owner.module, value.span).contains(site)
                        ):
                            frame = self._property_frame(owner, method, instance)
                            for traced in self._evaluator.evaluate(value, frame):
                                if traced.value is not UNKNOWN:
                                    yield traced.doubted(Doubt.BRANCH)
                        case _:
                            pass

    def super_attribute(self, parent: SuperValue, name: str, site: Site) -> Iterator[TracedValue]:
        """What `super().name` can be."""
        yield from self._from_class(parent.instance, name, site, parent.owner)

    def _from_class(
        self, instance: AbstractValue, name: str, site: Site, after: ClassValue | None
    ) -> Iterator[TracedValue]:
        found = self.find_method(instance, name, after)
        class_ = instance.class_ if isinstance(instance, InstanceValue) else instance
        if found is not None:
            owner, method = found
            if method.decorated_by(*PROPERTY_DECORATORS):
                yield from self._returned_by(method, owner, instance)
                return
            bound = None if method.decorated_by("staticmethod") else instance
            if method.decorated_by("classmethod"):
                bound = class_
            yield TracedValue(FunctionValue(owner.module, method, owner.frame, bound), site)
            return
        for ancestor in self.mro(instance) if after is None else self.behind(instance, after):
            if isinstance(ancestor, ExternalValue):
                if ancestor.path != "builtins.object":
                    product = self._evaluator.catalog.method_product(ancestor.path, name)
                    if product is not None:
                        yield TracedValue(ExternalValue(f"{ancestor.path}().{name}"), site)
                    else:
                        yield TracedValue(ExternalValue(f"{ancestor.path}.{name}"), site)
                    return
            elif (stored := ancestor.facts.body.get(name)) is not None:
                yield from self._read(stored, ancestor, instance)
                return

    def _read(self, value: Expr, owner: ClassValue, instance: AbstractValue | None) -> Iterator[TracedValue]:
        """What reading a value of a class body gives, from an instance if there is one: of `property(getter)`, what
        that returns; of `staticmethod(function)`, the function."""
        for traced in self._evaluator.evaluate(value, self.body_frame(owner)):
            match traced.value:
                case ProductValue(path="builtins.property", call=Call() as call, frame=Frame() as frame) if instance:
                    for getter in self._first_argument(call, frame, owner):
                        if isinstance(getter.value, FunctionValue):
                            yield from self._returned_by(getter.value.facts, owner, instance)
                case ProductValue(
                    path="builtins.staticmethod" | "builtins.classmethod", call=Call() as call, frame=Frame() as frame
                ):
                    yield from self._first_argument(call, frame, owner)
                case _:
                    yield traced

    def _first_argument(self, call: Call, frame: Frame, owner: ClassValue) -> Iterator[TracedValue]:
        match call.positional():
            case (Name(name=name), *_) if name in owner.facts.methods:
                method = owner.facts.methods[name]
                yield TracedValue(FunctionValue(owner.module, method, owner.frame), Site(owner.module, method.header))
            case (value, *_):
                yield from self._evaluator.evaluate(value, frame)
            case _:
                pass


@lru_cache(maxsize=1024)
def _stored_as(name: str) -> re.Pattern[str]:
    """How an attribute stands where it is stored."""
    return re.compile(rf"\.{re.escape(name)}\b\s*(?:=[^=]|:|,)")


def _is_none(held: Held) -> bool:
    return isinstance(held.value, Constant) and held.value.value is None


def _never_ends(function: FunctionFacts) -> bool:
    """Whether a function gives nothing back, not even None: it raises whatever it is given."""
    raises = any(isinstance(event, Raised) and not event.conditional for event in function.events)
    return raises and not (
        function.returns or function.may_give_none or function.decorators or function.is_generator or function.is_async
    )


def _self_binding(method: FunctionFacts, instance: AbstractValue) -> dict[str, Bound]:
    return {method.parameters[0].name: Bound(value=instance)} if method.parameters else {}


def _class_body(facts: ClassFacts) -> FunctionFacts:
    """The body of a module-level class as a function without parameters, so that names can be read in it."""
    return FunctionFacts(facts.name, facts.qualname, facts.span, facts.header, (), (), (), (), (), (), {}, (), (), ())


def _merged(lines: Iterable[Sequence[Ancestor]]) -> Iterator[Ancestor]:
    """The C3 merge of lines of classes: next comes the first head that stands in no tail; if there is none, which
    Python refuses, the first one. (A class can have thousands of bases: heads and tails are counted, not compared.)"""
    left = [deque(line) for line in lines if line]
    tails = Counter(_identity(item) for line in left for item in islice(line, 1, None))
    headed: dict[int | str, list[int]] = {}
    for place, line in enumerate(left):
        headed.setdefault(_identity(line[0]), []).append(place)
    free = [place for place, line in enumerate(left) if not tails[_identity(line[0])]]
    """A heap of lines whose heads stand in no tail, and of some that have others by now."""
    gone: set[int | str] = set()
    first = 0
    while first < len(left):
        is_free = bool(free)
        place = heappop(free) if is_free else first
        if not left[place]:
            first += place == first
            continue
        chosen = left[place][0]
        if is_free and tails[_identity(chosen)]:
            continue
        yield chosen
        gone.add(_identity(chosen))
        for each in headed.pop(_identity(chosen)):
            line = left[each]
            line.popleft()
            while line:
                head = _identity(line[0])
                tails[head] -= 1
                if head in gone:
                    line.popleft()
                    continue
                headed.setdefault(head, []).append(each)
                if not tails[head]:
                    for now in headed[head]:
                        heappush(free, now)
                break


def _identity(item: Ancestor) -> int | str:
    return id(item.facts) if isinstance(item, ClassValue) else item.path


def _decorator_path(value: Expr) -> str | None:
    parts = chain(value.function if isinstance(value, Call) else value)
    return ".".join(parts) if parts else None
