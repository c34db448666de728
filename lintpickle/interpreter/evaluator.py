"""Evaluation: the things that an expression can be, followed through calls, attributes and modules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from msgspec import structs

from lintpickle.catalog import Catalog
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Captured,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Data,
    Imported,
    Item,
    Lambda,
    Mapping,
    Name,
    Narrowed,
    NestedClass,
    NestedFunction,
    Parameter,
    Sum,
    Super,
    Value,
    options_of,
    plain,
)
from lintpickle.interpreter.abstract_values import (
    PLAIN,
    UNKNOWN,
    ClassThing,
    ConstantThing,
    ContainerThing,
    DataThing,
    Doubt,
    ExternalResult,
    ExternalThing,
    FunctionThing,
    GeneratorThing,
    Hop,
    InstanceThing,
    ModuleThing,
    Piece,
    PlainThing,
    ProductThing,
    Reached,
    Site,
    SuperThing,
    Thing,
)
from lintpickle.interpreter.classes import Classes
from lintpickle.interpreter.conditions import Conditions
from lintpickle.interpreter.cuts import Cuts
from lintpickle.interpreter.decorators import Decorators
from lintpickle.interpreter.external_calls import ExternalCalls
from lintpickle.interpreter.frames import (
    OPEN,
    WIDENED_DEPTH,
    Arguments,
    Bound,
    Frame,
    bind,
    expand,
)
from lintpickle.interpreter.iterators import ITERATORS
from lintpickle.interpreter.method_calls import MethodCalls
from lintpickle.interpreter.narrowing import Narrowing
from lintpickle.interpreter.slots import (
    collection_pieces,
    counted,
    distinct,
    elements_of,
    excerpt,
    gathered,
    is_module,
    kept,
    label_of,
    made_phrase,
    one_of,
)
from lintpickle.interpreter.stores import SETTINGS, Stores, holding
from lintpickle.limits import DEPTH, EVALUATIONS, NESTING, RECURSION
from lintpickle.program.module import Module
from lintpickle.pythons import Version
from lintpickle.resolution.names import Definition, Names, in_force, in_the_end, is_never_read, still_bound

_Step: TypeAlias = Callable[[Reached], Iterable[Reached]]


class Evaluator:
    """Evaluates values in frames. Results are remembered until `forget`, so that one expression in one frame is one
    thing."""

    def __init__(self, names: Names, catalog: Catalog, pythons: Sequence[Version]) -> None:
        self.names = names
        self.catalog = catalog
        self.cuts = Cuts()
        """The limits that were reached."""
        self.pythons = pythons
        self.classes = Classes(self)
        self.decorators = Decorators(self)
        self.stores = Stores(self)
        self.conditions = Conditions(self)
        self._external = ExternalCalls(self)
        self._methods = MethodCalls(self)
        self.narrowing = Narrowing(self)
        self._memo: dict[tuple[int, int], tuple[Value, Frame, tuple[Reached, ...]]] = {}
        self._bound_there: dict[tuple[int, int], tuple[Value, Value]] = {}
        self._module_frames: dict[int, Frame] = {}
        self._entered: dict[tuple[int, int, int, int, int], tuple[FunctionThing, Call, Frame, Frame | None]] = {}
        self._widened: dict[tuple[int, int, int], tuple[FunctionThing, Frame]] = {}
        self._evaluated = 0
        self.nesting = 0
        """How many are waiting: see `limits.NESTING`."""

    def forget(self) -> None:
        """Let go of what was evaluated, so that what one root costs, and where it is cut, does not depend on others.
        Things that were got before are not the same as those that come after: only between one root and the next."""
        self._memo.clear()
        self._bound_there.clear()
        self._entered.clear()
        self._widened.clear()
        self.decorators.forget()
        self.classes.forget()
        self.conditions.forget()
        self._evaluated = 0

    def module_frame(self, module: Module, body: FunctionFacts) -> Frame:
        """The frame of a module body."""
        key = id(body)
        if key not in self._module_frames:
            self._module_frames[key] = Frame(module, body)
        return self._module_frames[key]

    def evaluate(self, value: Value, frame: Frame) -> tuple[Reached, ...]:
        """The things that `value` can be in `frame`, each with the hops through which it came. Never empty."""
        key = (id(value), id(frame))
        known = self._memo.get(key)
        if known is not None:
            return known[2]
        unknown = (Reached(UNKNOWN, Site(frame.module, value.span)),)
        self._memo[key] = (value, frame, unknown)
        if frame.depth > DEPTH.most:
            self.cuts.note(DEPTH)
            return unknown
        if self.nesting > NESTING.most:
            self.cuts.note(NESTING)
            del self._memo[key]
            return unknown
        self._evaluated += 1
        if self._evaluated > EVALUATIONS.most:
            self.cuts.note(EVALUATIONS)
            return unknown
        self.nesting += 1
        try:
            found = tuple(distinct(self._evaluate(value, frame), self.cuts)) or unknown
        except BaseException:
            del self._memo[key]
            raise
        finally:
            self.nesting -= 1
        self._memo[key] = (value, frame, found)
        return found

    def _evaluate(self, value: Value, frame: Frame) -> Iterable[Reached]:
        site = Site(frame.module, value.span)
        match value:
            case Constant(value=constant):
                return (Reached(ConstantThing(constant), site),)
            case Data(kind=kind):
                return (Reached(DataThing(kind), site),)
            case Name(name=name):
                found = self.named(name, frame, site)
                return self._definitions(found, site, found if frame.function.is_module_body else None)
            case Imported(target=target, fallback=fallback):
                imported = self._definitions(self.names.imported(frame.module, target), site)
                return (each.doubted(Doubt.FALLBACK) for each in imported) if fallback else imported
            case Parameter(name=name, owner=owner) | Captured(name=name, owner=owner):
                return self._variable(name, owner, frame)
            case Attribute(base=base, name=name):
                return self._each(base, frame, lambda r: self.attribute(r, name, site, frame))
            case Item(base=base, key=key):
                return self._each(base, frame, lambda r: self._item(r, key, site, frame))
            case Call():
                return self._call(value, frame)
            case Lambda(function=function):
                return (Reached(FunctionThing(frame.module, function, frame), site),)
            case NestedFunction(function=function):
                return self.decorators.of_function(FunctionThing(frame.module, function, frame), frame, site)
            case NestedClass(class_=class_):
                return (self.decorators.of_class(ClassThing(frame.module, class_, frame), frame, site),)
            case Collection(kind=kind, elements=elements):
                pieces = tuple(collection_pieces(elements, frame))
                return (Reached(ContainerThing(kind, pieces), site),)
            case Mapping(items=items):
                return (Reached(self._mapping(items, frame), site),)
            case Comprehension(kind="generator", element=element):
                return (Reached(GeneratorThing(True, element, frame), site),)
            case Comprehension(kind=kind, element=element):
                return (Reached(ContainerThing(kind, (Piece(f"[{OPEN}]", element, frame),)), site),)
            case Choice(options=options):
                return one_of([reached for option in options for reached in self.evaluate(option, frame)])
            case Narrowed(value=tested):
                return (each for each in self.evaluate(tested, frame) if self.narrowing.allows(value, each, frame))
            case Sum(parts=parts):
                return self._sum(parts, frame, site)
            case Super(owner=owner):
                return self._super(owner, frame, site)
            case _:
                return ()

    def _each(self, base: Value, frame: Frame, step: _Step) -> Iterator[Reached]:
        for reached in self.evaluate(base, frame):
            for result in step(reached):
                yield result.by_way_of(reached)

    def named(self, name: str, frame: Frame, site: Site) -> tuple[Definition, ...]:
        """What a name of the module's own level can be where it is read at `site`."""
        found = self.names.lookup(frame.module, name)
        if not frame.function.is_module_body:
            return found
        if len(found) > 1:
            found = in_force(found, frame.module, site.span)
        return tuple(
            structs.replace(each, value=self._still_bound(each.value, site))
            if each.module is frame.module and isinstance(each.value, Choice)
            else each
            for each in found
        )

    def _still_bound(self, value: Value, site: Site) -> Value:
        """The same answer to the same question: what is evaluated is known by its identity."""
        key = (id(value), site.span.start)
        if key not in self._bound_there:
            self._bound_there[key] = (value, still_bound(value, site.module, site.span))
        return self._bound_there[key][1]

    def _definitions(
        self, definitions: tuple[Definition, ...], site: Site, there: tuple[Definition, ...] | None = None
    ) -> Iterable[Reached]:
        """The things one of which a name is; `there` are those definitions that it can have where it is read, if that
        is known: else, those that it has in the end. Whoever reads what an import gives is taken to have it, where the
        program goes without (`torch = None`)."""
        if len(definitions) < 2:
            return (reached for each in definitions for reached in self.definition(each, site))
        if there is None:
            there = in_the_end(definitions)
            gone = (each for each in definitions if is_never_read(each, there))
            left_out = {id(each) for each in gone if not any(each is other for other in there)}
            definitions = tuple(each for each in definitions if id(each) not in left_out)
        is_optional = any(each.bound is not None and each.bound.imports for each in there)
        left = [each for each in there if not (is_optional and each.is_none)]
        found: list[Reached] = []
        for each in definitions:
            doubts = (Doubt.FALLBACK,) if each.is_fallback else ()
            if not any(each is other for other in there):
                doubts = (*doubts, Doubt.BRANCH)
            found += (reached.doubted(*doubts) for reached in self.definition(each, site))
        return one_of(found) if len(left) > 1 else found

    def definition(self, definition: Definition, site: Site) -> Iterator[Reached]:
        """The things that a module-level binding can be, read at `site`."""
        module = definition.module
        if definition.path is not None:
            yield self._path(definition.path, definition.is_module, site)
        elif module is None or definition.room is None:
            return
        elif definition.class_ is not None:
            class_ = self.classes.module_level(module, definition.class_)
            yield self.decorators.of_class(class_, self.module_frame(module, definition.room.body), site)
        elif definition.function is not None:
            function = FunctionThing(module, definition.function)
            yield from self.decorators.of_function(function, self.module_frame(module, definition.room.body), site)
        elif definition.value is not None:
            frame = self.module_frame(module, definition.room.body)
            for reached in self.in_branches_taken(self.evaluate(definition.value, frame), frame):
                hops = (*reached.hops, Hop(made_phrase(reached.thing), reached.site))
                yield Reached(reached.thing, site, hops, reached.doubts)

    def in_branches_taken(self, values: tuple[Reached, ...], frame: Frame) -> Sequence[Reached]:
        """Those of several values that do not stand in branches to which the function of a frame does not get."""
        if len(values) < 2:
            return values
        around = Site(frame.module, frame.function.span)
        may_get_to = self.conditions.may_get_to
        return [each for each in values if not around.contains(each.site) or may_get_to(each.site.span, frame)]

    def _path(self, path: str, is_module: bool, site: Site) -> Reached:
        if is_module or self.catalog.is_module(path):
            return Reached(ModuleThing(path), site)
        product = self.catalog.value(path)
        if product is not None and product.first_failing(self.pythons):
            return Reached(ProductThing(product, path), site)
        return Reached(ExternalThing(path), site)

    def _variable(self, name: str, owner: str, frame: Frame) -> Iterator[Reached]:
        home = frame.enclosing(owner)
        if home is None:
            return
        bound = home.bindings.get(name)
        if bound is not None:
            if bound.thing is not None:
                yield Reached(bound.thing, Site(home.module, home.function.header))
            elif bound.value is not None and bound.frame is not None:
                stored = self.stores.on_parameter(name, home)
                for reached in self.evaluate(bound.value, bound.frame):
                    yield holding(reached, stored) if stored else reached
            return
        parameter = home.function.parameter(name)
        if parameter is not None:
            if parameter.default is not None:
                default = self.evaluate(parameter.default, home.parent or home)
                if not home.open:
                    yield from default
                    return
                yield from (reached.doubted(Doubt.DEFAULT) for reached in default)
                yield Reached(UNKNOWN, Site(home.module, home.function.header))
            return
        value = home.function.variables.get(name)
        if value is not None:
            yield from self.evaluate(value, home)

    def attribute(self, base: Reached, name: str, site: Site, frame: Frame) -> Iterable[Reached]:
        """The things that attribute `name` of a thing can be."""
        match base.thing:
            case ExternalThing(path=path) | ModuleThing(name=path):
                return self._definitions(self.names.dotted(f"{path}.{name}", frame.module), site)
            case ClassThing() as class_:
                return self.classes.class_attribute(class_, name, site)
            case InstanceThing() as instance:
                return self.classes.instance_attribute(instance, name, site)
            case SuperThing() as parent:
                return self.classes.super_attribute(parent, name, site)
            case ContainerThing(kind="functools.partial", pieces=pieces) if name == "func" and pieces:
                return self.evaluate(pieces[0].value, pieces[0].frame)
            case ContainerThing(kind=kind, pieces=pieces) if kind in SETTINGS:
                found = [
                    piece for piece in pieces if piece.label == f".{name}" and not _is_stored_behind(piece, site, frame)
                ]
                return (reached for piece in found for reached in self.evaluate(piece.value, piece.frame))
            case ExternalResult(path=path) as result:
                read = self.catalog.attribute(path, name)
                thing = ExternalThing(f"{path}().{name}") if read is None else structs.replace(result, path=read)
                return (Reached(thing, site),)
            case ProductThing(product=product):
                made = self.catalog.method_product(product, name)
                if made is not None:
                    return (Reached(ProductThing(made, name), site),)
                # A method that gives an object of a class is followed as that class.
                class_path = self.catalog.method_returns(product, name)
                return (Reached(ExternalThing(class_path), site),) if class_path is not None else ()
            case PlainThing():
                return (Reached(PLAIN, site),)
            case _:
                return ()

    def _item(self, base: Reached, key: Value | None, site: Site, frame: Frame) -> Iterable[Reached]:
        if isinstance(key, Constant) and key.value is ... and not isinstance(base.thing, ProductThing):
            return (base,)
        match base.thing:
            case DataThing():
                return (Reached(PLAIN, site),)
            case PlainThing():
                return (base,)
            case thing if key is None:
                return (reached for piece in elements_of(thing) for reached in self.evaluate(piece.value, piece.frame))
            case ProductThing(product=owner) if made := self.catalog.method_product(owner, "__getitem__"):
                return (Reached(ProductThing(made, "__getitem__"), site),)
            case ContainerThing(kind=kind, pieces=pieces) if kind not in ITERATORS:
                labels = counted(self._labels(key, frame), pieces)
                exact = [piece for piece in pieces if piece.label in labels]
                chosen = exact or [piece for piece in pieces if piece.is_item and (not labels or OPEN in piece.label)]
                return (reached for piece in chosen for reached in self.evaluate(piece.value, piece.frame))
            case GeneratorThing(element=element, frame=inner) if element is not None and inner is not None:
                return self.evaluate(element, inner)
            case _:
                return ()

    def _labels(self, key: Value, frame: Frame) -> tuple[str, ...]:
        """How the pieces are called that a key can stand for; none if that is not known."""
        written = label_of(key)
        found = [label_of(reached.thing) for reached in self.evaluate(key, frame)] if written is None else [written]
        labels = tuple(label for label in found if label is not None)
        return labels if len(labels) == len(found) else ()

    def _mapping(self, items: Iterable[tuple[Value | None, Value]], frame: Frame) -> ContainerThing:
        pieces: list[Piece] = []
        for key, value in items:
            if key is not None:
                pieces.append(Piece(label_of(key) or f"[{OPEN}]", value, frame))
                continue
            for reached in self.evaluate(value, frame):
                if isinstance(reached.thing, ContainerThing):
                    pieces.extend(piece for piece in reached.thing.pieces if piece.is_item)
                else:
                    pieces.append(Piece(f"[{OPEN}]", Value(value.span), frame))
        return ContainerThing("dict", gathered(pieces, self.cuts))

    def _sum(self, parts: tuple[Value, ...], frame: Frame, site: Site) -> Iterator[Reached]:
        pieces: list[Piece] = []
        first: Thing | None = None
        for part in parts:
            for reached in self.evaluate(part, frame):
                if isinstance(reached.thing, ContainerThing):
                    first = first or reached.thing
                    pieces.extend(reached.thing.pieces)
                elif isinstance(reached.thing, (InstanceThing, ProductThing, ExternalResult)):
                    yield reached
        if isinstance(first, ContainerThing):
            yield Reached(ContainerThing(first.kind, gathered(pieces, self.cuts), first.call), site)

    def _super(self, owner: str, frame: Frame, site: Site) -> Iterator[Reached]:
        scope: Frame | None = frame
        while scope is not None and scope.function.parameters and not scope.bindings:
            scope = scope.parent
        if scope is None or not scope.function.parameters:
            return
        me = scope.function.parameters[0].name
        for bound in self._variable(me, scope.function.qualname, scope):
            for class_ in self.classes.mro(bound.thing):
                if isinstance(class_, ClassThing) and class_.facts.qualname == owner:
                    yield Reached(SuperThing(bound.thing, class_), site)
                    return

    def _call(self, call: Call, frame: Frame) -> Iterator[Reached]:
        site = Site(frame.module, call.span)
        view = self._methods.view(call, frame)
        if view is not None:
            yield Reached(view, site)
            return
        stored = self.stores.on(call, frame)
        for reached in self._results(call, frame, site):
            yield holding(reached, stored, call) if stored else reached

    def _results(self, call: Call, frame: Frame, site: Site) -> Iterator[Reached]:
        got = self._methods.got(call, frame)
        if got:
            yield from got
            return
        receivers = self._methods.returned_receivers(call.function, frame)
        if receivers:
            yield from receivers
            return
        for callee in self.evaluate(call.function, frame):
            for result in self.call(callee.thing, call, frame, site):
                yield result.by_way_of(callee)

    def call(self, callee: Thing, call: Call, frame: Frame, site: Site) -> Iterable[Reached]:
        """What calling a thing gives."""
        match callee:
            case ClassThing():
                is_made = self.classes.has_instances(callee)
                return (Reached(InstanceThing(callee, call, frame), site),) if is_made else ()
            case FunctionThing(opaque=opaque):
                found = self._call_function(callee, call, frame, site)
                return (each.doubted(Doubt.DECORATOR) for each in found) if opaque else found
            case ExternalThing(path=path):
                return self._external.call(path, call, frame, site)
            case ProductThing(path=path, call=None, product=made_by):
                # The method of a product is known by its bare name, a value by its dotted path.
                product = self._external.product(path, call, frame) if "." in path else made_by
                return (Reached(ProductThing(product, path, call, frame), site),) if product else ()
            case ContainerThing(kind="functools.partial", pieces=pieces) if pieces:
                return self._call_partial(pieces, call, frame, site)
            case ContainerThing(kind="namedtuple", pieces=(typename, *_), call=made):
                return (Reached(ContainerThing("namedtuple()", (typename, *kept(call, frame)), made), site),)
            case InstanceThing():
                return (
                    result.by_way_of(method)
                    for method in self.classes.instance_attribute(callee, "__call__", site)
                    for result in self.call(method.thing, call, frame, site)
                )
            case PlainThing():
                return (Reached(PLAIN, site),)
            case _:
                return ()

    def _call_function(self, callee: FunctionThing, call: Call, frame: Frame, site: Site) -> Iterator[Reached]:
        function = callee.facts
        if function.is_generator:
            if function.decorated_by("contextmanager", "asynccontextmanager", "fixture"):
                return
            yield Reached(GeneratorThing(False), site)
            return
        if function.is_async:
            return
        inner = self.enter(callee, call, frame)
        if inner is None:
            return
        name = function.qualname.rpartition(".<locals>.")[2]
        results: list[Reached] = []
        returned = tuple(option for each in function.returns for option in options_of(each))
        is_one_of = len(returned) + function.may_give_none > 1
        for value in returned:
            hop = Hop(f"{name}() returns {excerpt(callee.module, value)}", Site(callee.module, value.span))
            for reached in self.evaluate(value, inner):
                if isinstance(plain(value), Parameter) or reached.thing is UNKNOWN:
                    results.append(reached)
                else:
                    results.append(Reached(reached.thing, site, (hop, *reached.hops), reached.doubts))
        only_modules = all(is_module(reached.thing) for reached in results)
        for reached in one_of(results) if is_one_of else results:
            if reached.thing is not UNKNOWN and (only_modules or not is_module(reached.thing)):
                yield reached
        doubts = (Doubt.BRANCH,) if is_one_of else ()
        if any(reached.thing is UNKNOWN for reached in results):
            yield Reached(UNKNOWN, site, doubts=doubts)
        if function.may_give_none and results:
            yield Reached(ConstantThing(None), Site(callee.module, function.header), doubts=doubts)

    def enter(self, callee: FunctionThing, call: Call, frame: Frame) -> Frame | None:
        """The one frame of a call of a function that stands in another frame; None if the arguments do not fit or it
        goes too deep. A recursive function is widened: see `limits.RECURSION`."""
        if frame.is_active(callee.facts):
            return self._widened_frame(callee)
        key = (id(callee.facts), id(callee.frame), id(callee.bound), id(call), id(frame))
        if key not in self._entered:
            inner = self.activate(callee, expand(call, frame, self), frame.depth + 1, frame.active)
            self._entered[key] = (callee, call, frame, inner)
        return self._entered[key][3]

    def activate(
        self, callee: FunctionThing, arguments: Arguments, depth: int, active: tuple[int, ...] = ()
    ) -> Frame | None:
        """The frame of calling a function with these arguments, where others are active; None if they do not fit or it
        goes too deep."""
        first = Bound(thing=callee.bound) if callee.bound is not None else None
        bindings = bind(callee.facts, arguments, first)
        if bindings is None:
            return None
        if depth > DEPTH.most:
            self.cuts.note(DEPTH)
            return None
        active = (*active, id(callee.facts))
        return Frame(callee.module, callee.facts, bindings, callee.frame, depth, arguments.open, active)

    def _widened_frame(self, callee: FunctionThing) -> Frame:
        """The one frame of all further calls of a recursive function: nothing is known of its arguments."""
        key = (id(callee.facts), id(callee.frame), id(callee.bound))
        if key not in self._widened:
            bindings = {parameter.name: Bound() for parameter in callee.facts.parameters}
            if callee.bound is not None and callee.facts.parameters:
                bindings[callee.facts.parameters[0].name] = Bound(thing=callee.bound)
            active = (id(callee.facts),) * RECURSION.most
            frame = Frame(callee.module, callee.facts, bindings, callee.frame, WIDENED_DEPTH, True, active)
            self._widened[key] = (callee, frame)
        return self._widened[key][1]

    def _call_partial(self, pieces: tuple[Piece, ...], call: Call, frame: Frame, site: Site) -> Iterator[Reached]:
        target, *_ = pieces
        merged = self.merge_partial(pieces, call)
        for reached in self.evaluate(target.value, target.frame):
            if target.frame is frame:
                for result in self.call(reached.thing, merged, frame, site):
                    yield result.by_way_of(reached)

    def merge_partial(self, pieces: tuple[Piece, ...], call: Call) -> Call:
        """The call that a call of a partial amounts to."""
        stored = [Argument(p.value, p.label[1:] if p.label.startswith(".") else None) for p in pieces[1:]]
        given = {a.keyword for a in call.arguments if a.keyword}
        positional = [a for a in stored if a.keyword is None]
        keywords = [a for a in stored if a.keyword is not None and a.keyword not in given]
        return Call(call.span, call.function, (*positional, *call.arguments, *keywords))

    def elements(self, reached: Reached) -> tuple[Piece, ...]:
        """What iterating a thing yields, as far as it can be seen."""
        return tuple(elements_of(reached.thing))


def _is_stored_behind(piece: Piece, site: Site, frame: Frame) -> bool:
    """Whether what an object holds is only put into it behind a place of the same function."""
    return piece.frame.function is frame.function and piece.value.span.start > site.span.start
