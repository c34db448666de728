"""What of a boundary could not be followed: of that, nothing is claimed."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import INITIALIZER
from lintpickle.diagnostics import StartMethod
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import (
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Item,
    Name,
    Parameter,
    ending_name,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
)
from lintpickle.interpreter.root_frames import ANY
from lintpickle.interpreter.slots import is_mapping
from lintpickle.interpreter.stores import SETTINGS
from lintpickle.migration.bound_methods import is_method_of_data
from lintpickle.migration.filtered_mappings import filtered
from lintpickle.migration.made_elsewhere import frames_of_making
from lintpickle.migration.model import Gap
from lintpickle.migration.origins import getter_of, is_data, not_described, origin, spot_of
from lintpickle.migration.pairings import without_pairing
from lintpickle.migration.started_on_demand import initialized_less_often
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import CARRIES_FUNCTIONS, Linker
from lintpickle.resolution.module_bindings import ModuleBinding

_MAY_BE_ANYTHING = frozenset(
    f"builtins.{name}" for name in ("getattr", "eval", "next", "iter", "vars", "__import__", "type", "super")
) | {"importlib.import_module", "functools.reduce", "pydoc.locate", "torch.hub.load"}
"""What of the described libraries gives whatever it is asked for."""
_DUMPS = "dumps"
_CALLED = "()"
"""How the path of an attribute shows that it is one of what a library gives: `somelib.open().name`."""
_AT_START = "process"
"""How the catalog says of a value that processes can be given it when they start."""
_ITEMS, _KEYS = "items", "keys"
_KEEPS_ELEMENTS = frozenset({"list", "reversed", "set", "sorted", "tuple"})
"""What gives the elements of what it is given."""


def gaps_of(boundary: BoundaryCall, linker: Linker) -> Iterator[Gap]:
    """What is not known of a boundary: what runs there, and what it ships if that is not pickled under fork already."""
    is_new = len(boundary.spec.start_methods) < len(StartMethod)
    unknown: set[str] = set()
    for role in boundary.spec.functions if not boundary.spec.elements or not is_new else ():
        for gap in _of_function(role, boundary, linker):
            unknown.add(role)
            yield gap
    yield from initialized_less_often(boundary, linker)
    if not is_new:
        for crossing in linker.shipped_by(boundary):
            yield from _of_given_function(crossing, linker)
        return
    if boundary.open and not any(role in boundary.arguments for role in boundary.payload):
        where = spot_of(boundary.site)
        yield Gap("what is passed by `*` or `**` here is not seen", where)
    for crossing in linker.shipped_by(boundary):
        if crossing.path not in unknown:
            yield from _of_crossing(crossing, boundary, linker)


def _of_function(role: str, boundary: BoundaryCall, linker: Linker) -> Iterator[Gap]:
    """What of a function that runs in the worker is not known."""
    bound = boundary.arguments.get(role)
    for traced in linker.boundaries.values(boundary, role):
        if traced.value is UNKNOWN and bound is not None and bound.expr is not None and bound.frame is not None:
            found = origin(bound.expr, bound.frame, linker.evaluator)
            yield Gap(f"which function runs there is not known: {found.message}", found.spot)
        elif traced.value is UNKNOWN:
            yield Gap("which function runs there is not known", spot_of(boundary.site))


def _of_given_function(crossing: Crossing, linker: Linker) -> Iterator[Gap]:
    """What is not known of a function that callers give and that crosses as bytes which another pickler makes: what it
    reads of the main process, a worker may have only if it is forked. (dill leaves out the globals of a function of
    `__main__` that are set under the main guard: measured with dill 0.4.1.)"""
    match crossing.value:
        case ExternalResult(path=path, call=Call(arguments=(made, *_)), frame=frame):
            pickler, _, method = path.rpartition(".")
            if pickler not in CARRIES_FUNCTIONS or method != _DUMPS:
                return
            for option in _unknown(made.value, frame, linker):
                if not is_data(option, frame) and not _comes_from_data(option, frame, linker):
                    found = origin(option, frame, linker.evaluator)
                    yield Gap(f"what workers run of `{crossing.path}` is not known: {found.message}", found.spot)
        case _:
            pass


def _of_crossing(crossing: Crossing, boundary: BoundaryCall, linker: Linker) -> Iterator[Gap]:
    match crossing.value:
        case value if value is UNKNOWN:
            expression, frame = _written(crossing, boundary)
            if expression is None or frame is None:
                yield Gap(f"`{crossing.path}` is not known", spot_of(crossing.site))
                return
            for option in _unknown(expression, frame, linker):
                is_known = is_data(option, frame) or _is_key(option, frame, linker)
                is_known = is_known or _is_part_of_plain(option, frame, linker)
                is_known = is_known or _is_set_by_callers(option, frame, boundary, linker)
                is_known = is_known or is_method_of_data(option, frame, linker)
                is_known = is_known or _is_data_where_made(option, frame, boundary, linker)
                if not is_known and not _comes_from_data(option, frame, linker):
                    found = origin(option, frame, linker.evaluator)
                    yield Gap(f"what `{crossing.path}` is, is not known: {found.message}", found.spot)
        case ExternalResult(path=path) as result if not _is_described(path, linker):
            found = not_described(result)
            yield Gap(f"whether `{crossing.path}` pickles is not known: {found.message}", found.spot)
        case ExternalValue(path=path) if _CALLED in path and not _is_described(path, linker):
            expression, frame = _written(crossing, boundary)
            if expression is not None and frame is not None and not is_data(expression, frame):
                whole = path.removeprefix("builtins.")
                said = f"whether `{crossing.path}` pickles is not known: it comes from `{whole}`, which is not read"
                yield Gap(said, spot_of(Site(frame.module, expression.span)))
        case InstanceValue(class_=class_):
            for base in linker.classes.mro(class_):
                if isinstance(base, ExternalValue) and not _is_described(base.path, linker):
                    header = spot_of(Site(class_.module, class_.facts.header))
                    yield Gap(f"`{class_.facts.name}` derives from `{base.path}`, which is not read", header)
        case FunctionValue(opaque=True, facts=facts, module=module):
            header = spot_of(Site(module, facts.header))
            yield Gap(f"what a decorator makes of `{facts.name}` is not known", header)
        case _:
            pass


def _is_set_by_callers(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a value is a global that functions set to what they are given, and that is data or what the catalog
    describes wherever they are called, or that besides main only the initializer of workers sets."""
    name = without_narrowing(value)
    bindings = linker.evaluator.names.lookup(frame.module, name.name) if isinstance(name, Name) else ()
    given = [
        traced.value
        for each in bindings
        if each.set_by is not None and each.value is not None and each.module is not None and each.block is not None
        for root in linker.activations.in_block(each.module, each.block, ANY)
        if root.function is each.set_by
        for calling in linker.callers.frames(root, boundary.site.module.path)
        for traced in linker.evaluate(each.value, calling.frame)
    ]
    of_main = [each for each in bindings if not _is_set_by_initializer(each, boundary, linker)]
    if not given and len(of_main) < len(bindings):  # The workers' own global is what they are given.
        values = [each for each in of_main if each.path is None]  # A path stands for constants that functions set.
        given = [traced.value for each in values for traced in linker.evaluator.definition(each, boundary.site)]
    return bool(given) and all(_is_harmless(each, linker) for each in given)


def _is_data_where_made(value: Expr, frame: Frame, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a value is data, or what the catalog describes, for all calls that make the object which is given it."""
    frames = frames_of_making(value, frame, boundary.site.module.path, linker)
    return bool(frames) and all(
        _comes_from_data(value, each, linker) if traced.value is UNKNOWN else _is_harmless(traced.value, linker)
        for each in frames
        for traced in linker.evaluate(without_narrowing(value), each)
    )


def _is_set_by_initializer(binding: ModuleBinding, boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether the function that gives a global a value is the one with which the workers of a boundary begin."""
    if binding.set_by is None or INITIALIZER not in boundary.arguments:
        return False
    values = (each.value for each in linker.boundaries.values(boundary, INITIALIZER))
    return any(isinstance(each, FunctionValue) and each.facts is binding.set_by for each in values)


def _is_harmless(value: AbstractValue, linker: Linker) -> bool:
    match value:
        case ConstantValue() | PlainValue():
            return True
        case ExternalResult(path=path):
            return _is_described(path, linker)
        case ProductValue(product=product):
            return _AT_START in product.crosses
        case ContainerValue(kind=kind, slots=slots) if kind in SETTINGS:
            held = [linker.evaluate(slot.value, slot.frame) for slot in slots]
            return all(_is_harmless(each.value, linker) for values in held for each in values)
        case _:
            return False


def _is_key(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is a key of a mapping that is iterated: as a rule, a text or a number."""
    mapping = _iterated_for_keys(value)
    held = [traced.value for traced in linker.evaluate(mapping, frame)] if mapping is not None else []
    return bool(held) and all(isinstance(each, ContainerValue) and is_mapping(each.kind) for each in held)


def _is_part_of_plain(value: Expr, frame: Frame, linker: Linker) -> bool:
    """Whether a value is what plain data hold: an attribute to which a number is added (`self.total += by`) holds none,
    and a text holds texts."""
    match without_narrowing(value):
        case Item(base=whole, key=None):
            found = [traced.value for traced in linker.evaluate(whole, frame)]
            return bool(found) and all(isinstance(each, (ConstantValue, PlainValue)) for each in found)
        case _:
            return False


def _iterated_for_keys(value: Expr) -> Expr | None:
    """What an expression is a key of, if that is a mapping: `for key in sizes`, `for key, size in sizes.items()`."""
    match without_narrowing(value):
        case Item(base=element, key=Constant(value=0)) if isinstance(element := without_narrowing(element), Item):
            method = _ITEMS if element.key is None else None
        case Item(key=None) as element:
            method = _KEYS
        case _:
            return None
    iterated = without_narrowing(element.base)
    while isinstance(iterated, Call) and ending_name(iterated.function) in _KEEPS_ELEMENTS and iterated.positional():
        iterated = without_narrowing((iterated.positional() or ())[0])
    match iterated:
        case Call(function=Attribute(base=mapping, name=name), arguments=()) if name == method:
            return mapping
        case _:
            return iterated if method == _KEYS else None


def _unknown(expression: Expr, frame: Frame, linker: Linker) -> Iterator[Expr]:
    """Those of the values that an expression chooses among of which nothing is known. (Nothing is left of one that a
    test excludes.)"""
    for option in map(without_pairing, options_of(expression)):
        if any(traced.value is UNKNOWN for traced in linker.evaluator.evaluate(without_narrowing(option), frame)):
            yield option


def _written(crossing: Crossing, boundary: BoundaryCall) -> tuple[Expr | None, Frame | None]:
    """The expression that gives what crosses: as a container holds it, as it is kept, or as it is passed."""
    inside = crossing.inside
    if inside is not None and isinstance(inside.value, ContainerValue):
        label = crossing.path[len(inside.path) :]
        slot = next((slot for slot in inside.value.slots if slot.key.label == label), None)
        return (slot.value, slot.frame) if slot is not None else (None, None)
    if crossing.held is not None:
        return crossing.held.value, crossing.held.frame
    bound = boundary.arguments.get(crossing.role or "")
    return (bound.expr, bound.frame) if bound is not None else (None, None)


def _comes_from_data(expression: Expr, frame: Frame, linker: Linker, steps: int = 8) -> bool:
    """Whether the argument for a parameter, or what a module gives a name, looks like plain data, whatever it is."""
    value = without_narrowing(expression)
    whole = filtered(value, frame)
    if whole is not None:
        return all(_is_harmless(each, linker) for each in _items_of(whole, frame, linker))
    getter = getter_of(value, frame, linker.evaluator) if steps else None
    if getter is not None:
        returned = [option for each in getter.function.returns for option in _unknown(each, getter, linker)]
        return bool(returned) and all(
            is_data(each, getter) or _comes_from_data(each, getter, linker, steps - 1) for each in returned
        )
    found = _given(value, frame, linker) if steps else None
    if found is None and steps and isinstance(value, Item):
        return _are_elements_data(without_narrowing(value.base), frame, linker, steps - 1)
    if found is None:
        return False
    given, home = found
    return all(
        is_data(without_narrowing(option), home)
        or _is_key(option, home, linker)
        or _comes_from_data(option, home, linker, steps - 1)
        for option in [*_unknown(given, home, linker)] or options_of(given)
    )


def _items_of(mapping: Expr, frame: Frame, linker: Linker) -> Iterator[AbstractValue]:
    """What may stand in a mapping; what it is itself, if that is not seen."""
    for traced in linker.evaluate(mapping, frame):
        match traced.value:
            case ContainerValue(kind=kind, slots=slots) if is_mapping(kind):
                for slot in slots:
                    yield from (each.value for each in linker.evaluate(slot.value, slot.frame))
            case other:
                yield other


def _are_elements_data(container: Expr, frame: Frame, linker: Linker, steps: int) -> bool:
    """Whether all that stands in the display of a list or tuple looks like plain data (`[0, STEP, 2 * STEP]`), or is a
    part of such data (`text.splitlines()`)."""
    if isinstance(container, Call):
        return is_data(container, frame)
    if isinstance(container, Collection):
        return all(
            is_data(without_narrowing(option), frame) or _comes_from_data(option, frame, linker, steps)
            for element in container.elements
            for option in _unknown(element, frame, linker)
        )
    found = _given(container, frame, linker) if steps else None
    return found is not None and _are_elements_data(without_narrowing(found[0]), found[1], linker, steps - 1)


def _given(value: Expr, frame: Frame, linker: Linker) -> tuple[Expr, Frame] | None:
    """What a parameter or a name of the module stands for, if that is one expression."""
    match value:
        case Parameter(name=name, owner=owner):
            home = frame.enclosing(owner)
            bound = home.bindings.get(name) if home is not None else None
            return (bound.expr, bound.frame) if bound is not None and bound.expr is not None and bound.frame else None
        case Name(name=name):
            match list(linker.evaluator.names.lookup(frame.module, name)):
                case [only] if only.value is not None and only.module is not None and only.block is not None:
                    return only.value, linker.evaluator.module_frame(only.module, only.block.body)
                case _:
                    return None
        case Attribute(base=Call() as call, name=name, span=span):
            returned = _returned(call, frame, linker)
            return (Attribute(span, returned[0], name), returned[1]) if returned is not None else None
        case Attribute(base=base, name=name):
            return _held(name, base, frame, linker)
        case Item(base=base, key=Constant(value=int() as place)) if isinstance(made := without_narrowing(base), Call):
            returned = _returned(made, frame, linker)
            row = without_narrowing(returned[0]) if returned is not None else None
            if returned is None or not isinstance(row, Collection) or not -1 < place < len(row.elements):
                return None
            return row.elements[place], returned[1]
        case _:
            return None


def _held(name: str, base: Expr, frame: Frame, linker: Linker) -> tuple[Expr, Frame] | None:
    """What an object has under the name of an attribute, if that is one expression."""
    match [traced.value for traced in linker.evaluate(base, frame)]:
        case [InstanceValue() as instance]:
            held = [each for each in linker.classes.states.state(instance) if each.attribute == name]
            return (held[0].value, held[0].frame) if len(held) == 1 and held[0].direct else None
        case _:
            return None


def _returned(call: Call, frame: Frame, linker: Linker) -> tuple[Expr, Frame] | None:
    """What a function of the program returns, if that is one expression."""
    match [traced.value for traced in linker.evaluate(call.function, frame)]:
        case [FunctionValue(facts=FunctionFacts(returns=(returned,))) as function]:
            inner = linker.evaluator.enter(function, call, frame)
            return (returned, inner) if inner is not None else None
        case _:
            return None


def _is_described(path: str, linker: Linker) -> bool:
    """Whether what a library gives is known: it stands in the catalog, if it does not pickle."""
    if path in _MAY_BE_ANYTHING:
        return False
    top = path.partition(".")[0]
    is_python = top in ("builtins", "mp-context()") or top in sys.stdlib_module_names
    described = is_python or top in linker.catalog.described()
    return described or "." not in path or linker.catalog.kind_of_class(path) is not None
