"""The items of containers: what is read from them, and what displays and sums make."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

from msgspec import structs

from lintpickle.catalog import SLICE, Product
from lintpickle.control_flow.claims import tests_in
from lintpickle.facts.records import ItemStore
from lintpickle.facts.values import (
    Argument,
    Call,
    Constant,
    Expr,
    Parameter,
    Without,
)
from lintpickle.interpreter.abstract_values import (
    PLAIN,
    SOME_ITEM,
    UNKNOWN,
    AbstractValue,
    ClassValue,
    ConstantValue,
    ContainerValue,
    DataValue,
    Doubt,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    GeneratorValue,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
    Slot,
    SlotKey,
    TracedValue,
)
from lintpickle.interpreter.class_kinds import takes_types
from lintpickle.interpreter.iterators import ITERATOR, ITERATORS
from lintpickle.interpreter.made_classes import is_enumeration, makes_members, member_of
from lintpickle.interpreter.own_items import as_read
from lintpickle.interpreter.plain_bases import BARE_BASES
from lintpickle.interpreter.protocols import Interpreter
from lintpickle.interpreter.proxies import is_proxy
from lintpickle.interpreter.settings_of_products import made_after_setting
from lintpickle.interpreter.slots import (
    OBJECT_DICT,
    counted,
    gathered,
    in_any_of,
    is_mapping,
    not_replaced,
    one_of,
    slot_key,
)
from lintpickle.limits import VALUES


class Items:
    """Reads and makes containers for one evaluator."""

    def __init__(self, evaluator: Interpreter) -> None:
        self._evaluator = evaluator

    def item(self, base: TracedValue, key: Expr | None, site: Site, frame: Frame) -> Iterable[TracedValue]:
        """What the item of a value under a key can be, read at `site`; without a key, any of its items."""
        evaluate, catalog = self._evaluator.evaluate, self._evaluator.catalog
        is_slice = isinstance(key, Constant) and key.value is ...
        method = SLICE if is_slice else "__getitem__"
        if is_slice and not isinstance(base.value, (ProductValue, ConstantValue)):
            return (base,)
        base = self._evaluator.with_own_items(base, site, frame)
        match base.value:
            case DataValue() | ConstantValue(value=str() | bytes()):
                return (TracedValue(PLAIN, site),)
            case PlainValue():
                return (base,)
            case ContainerValue(kind=kind) as enumeration if is_enumeration(kind):
                return (TracedValue(member_of(enumeration), site),)
            case ClassValue() as class_ if makes_members(self._evaluator.classes.mro(class_)):
                return (TracedValue(InstanceValue(class_), site),)
            case ProductValue(product=owner) if key is None and owner.kind == ITERATOR:
                made = catalog.method_product(owner, "__next__")
                return (TracedValue(ProductValue(made, "__next__"), site),) if made is not None else ()
            case ProductValue() as owner if key is None and (row := _row_of(owner, self._evaluator)) is not None:
                return (TracedValue(ProductValue(row, "__next__"), site),)
            case ProductValue(path=path, call=Call() as call, frame=Frame() as made_in) if key is None and (
                element := catalog.returns(f"{path}().__next__")
            ):
                return (TracedValue(ExternalResult(element, call, made_in), site),)
            case ClassValue() as class_ if takes_types(class_, self._evaluator):
                return (base,)
            case value if key is None:
                return (traced for slot in self._evaluator.elements(value) for traced in self._evaluator.held_in(slot))
            case ProductValue(product=owner) if made := catalog.method_product(owner, method):
                return (TracedValue(ProductValue(made, "__getitem__"), site),)
            case ExternalResult(path=path) as result if item := catalog.method_returns(path, "__getitem__"):
                return (TracedValue(structs.replace(result, path=item), site),)
            case ContainerValue(kind=kind) if kind == OBJECT_DICT and not keys_of(key, frame, self._evaluator):
                return ()
            case ContainerValue(kind=kind) if is_mapping(kind) and (put := self._put_in_before(base, key, frame, site)):
                return put
            case ContainerValue(kind=kind, slots=slots) if kind not in ITERATORS:
                keys = counted(keys_of(key, frame, self._evaluator), slots)
                exact = [slot for slot in slots if slot.key in keys]
                chosen = exact or [slot for slot in slots if slot.is_item and (not keys or slot.key == SOME_ITEM)]
                if keys and not exact and is_mapping(kind) and self._may_be_missing(keys, slots, site, frame):
                    return ()
                found = (traced for slot in chosen for traced in self._evaluator.held_in(slot))
                if keys or len(chosen) < 2:
                    return found
                is_large = len(chosen) > VALUES.most
                return (traced.doubted(Doubt.BRANCH) for traced in found) if is_large else one_of(tuple(found))
            case ExternalValue(path=path) | ProductValue(path=path, call=None):
                return self._put_in(lambda each: _path_of(each.value) == path, key, frame)
            case GeneratorValue(element=element, frame=inner) if element is not None and inner is not None:
                return evaluate(element, inner)
            case InstanceValue() as owner:
                own = as_read(base, "__getitem__", self._evaluator)
                return self._given_by(owner, key, site, frame) if own is base else self.item(own, key, site, frame)
            case _:
                return ()

    def _may_be_missing(self, keys: Iterable[SlotKey], slots: Iterable[Slot], site: Site, frame: Frame) -> bool:
        """Whether a mapping that has other keys by name is asked for one before that is read (`if "note" in entry:`):
        what it has under keys that are not known is hardly that."""
        if not any(slot.is_item and slot.key != SOME_ITEM for slot in slots):
            return False
        asked = {
            part.left.value
            for test, holds in self._evaluator.conditions.tests_before(site.span, frame)
            for part, answer in tests_in(test, holds)
            if answer and isinstance(part, ast.Compare) and isinstance(part.left, ast.Constant)
            if isinstance(part.ops[0], ast.In)
        }
        return all(key.item in asked for key in keys)

    def _given_by(self, owner: InstanceValue, key: Expr, site: Site, frame: Frame) -> Iterator[TracedValue]:
        """What the `__getitem__` of an object gives for a key."""
        asked = Call(site.span, Expr(site.span), (Argument(key),))
        for method in self._evaluator.classes.instance_attribute(owner, "__getitem__", site):
            if isinstance(method.value, FunctionValue):
                for given in self._evaluator.call(method.value, asked, frame, site):
                    yield given.by_way_of(method)

    def _put_in_before(self, base: TracedValue, key: Expr, frame: Frame, site: Site) -> list[TracedValue]:
        """What the function has put under the key of a mapping that was empty before it reads it there:
        `self._made[name] = make()`."""
        is_filled = isinstance(base.value, ContainerValue) and base.value.slots
        if is_filled or frame.function.is_module_body or isinstance(key, Constant):
            return []
        return list(
            self._put_in(lambda each: each.value is base.value or each.site == base.site, key, frame, site.span.start)
        )

    def _put_in(
        self, is_it: Callable[[TracedValue], bool], key: Expr, frame: Frame, read_at: int | None = None
    ) -> Iterator[TracedValue]:
        """What a function itself puts into a mapping under a key that is written the same, or only what it puts there
        before it reads the key: `sys.modules[name] = module`."""
        evaluate = self._evaluator.evaluate
        for event in frame.function.events:
            if not isinstance(event, ItemStore) or event.key is None or not _is_same_key(event.key, key, frame):
                continue
            is_before = read_at is None or event.span.start < read_at
            if is_before and any(is_it(each) for each in evaluate(event.target, frame)):
                yield from evaluate(event.value, frame)

    def mapping(self, items: Iterable[tuple[Expr | None, Expr]], frame: Frame) -> ContainerValue:
        """What a display of a dict makes; an item without a key is another dict."""
        slots: list[Slot] = []
        for key, value in items:
            if key is not None:
                keys = keys_of(key, frame, self._evaluator)
                slot = Slot(keys[0] if len(keys) == 1 else SOME_ITEM, value, frame)
                slots = [*not_replaced(slots, (slot,)), slot]
                continue
            found = [traced.value for traced in self._evaluator.evaluate(value, frame)]
            mappings = [
                [slot for slot in each.slots if slot.is_item] for each in found if isinstance(each, ContainerValue)
            ]
            merged = list(in_any_of(mappings))
            slots = [*(not_replaced(slots, merged) if len(found) == 1 else slots), *merged]
            if len(mappings) < len(found):
                slots.append(Slot(SOME_ITEM, Expr(value.span), frame))
        return ContainerValue("dict", gathered(slots, self._evaluator.cuts))

    def without(self, held: TracedValue, what: Without, frame: Frame) -> TracedValue:
        """A mapping without what it has under some keys. If those are not known, nothing is known any more of what is
        left of the dict of an object, or by a filter; all else stays as it is."""
        mapping = held.value
        if not isinstance(mapping, ContainerValue) or not is_mapping(mapping.kind):
            return held
        gone = [keys_of(key, frame, self._evaluator) for key in what.keys]
        if (what.is_filter or mapping.kind == OBJECT_DICT) and not all(gone):
            return structs.replace(held, value=UNKNOWN)
        left = tuple(slot for slot in mapping.slots if not any(slot.key in each for each in gone))
        return structs.replace(held, value=structs.replace(mapping, slots=left))

    def sum_of(self, parts: tuple[Expr, ...], frame: Frame, site: Site) -> Iterator[TracedValue]:
        """What `a + b` or `a | b` of containers can be."""
        slots: list[Slot] = []
        first: AbstractValue | None = None
        is_decided = len(parts) > 1 and not frame.function.is_module_body
        for part in parts:
            if is_decided and not self._evaluator.conditions.may_get_to(part.span, frame):
                continue  # `if flag: steps.append(…)`
            found = self._evaluator.evaluate(part, frame)
            if part is parts[0] and found and all(is_proxy(traced.value) for traced in found):
                yield from found
                return
            is_grown = part is parts[0] and site.span == part.span  # `ledger.append(row)`, not `ledger + [row]`
            if is_grown and found and all(self._is_no_container(traced.value) for traced in found):
                yield from found
                return
            for traced in found:
                if isinstance(traced.value, ContainerValue):
                    first = first or traced.value
                    is_sure = len(found) == 1 and is_mapping(traced.value.kind)
                    slots = [*(not_replaced(slots, traced.value.slots) if is_sure else slots), *traced.value.slots]
                elif first is not None and _is_gone_through(traced.value):
                    continue
                elif isinstance(traced.value, (InstanceValue, ProductValue, ExternalResult)):
                    yield traced
        if isinstance(first, ContainerValue):
            yield TracedValue(ContainerValue(first.kind, gathered(slots, self._evaluator.cuts), first.call), site)

    def _is_no_container(self, value: AbstractValue) -> bool:
        """Whether it is an object whose classes are all read, so that `append` is a method of the program."""
        line = self._evaluator.classes.mro(value) if isinstance(value, InstanceValue) else ()
        others = (each for each in line if not isinstance(each, ClassValue))
        return bool(line) and all(isinstance(each, ExternalValue) and each.path in BARE_BASES for each in others)


def _is_same_key(one: Expr, other: Expr, frame: Frame) -> bool:
    """Whether a function writes two keys the same."""
    if isinstance(one, Parameter) or isinstance(other, Parameter):
        return isinstance(one, Parameter) and isinstance(other, Parameter) and one.name == other.name
    code = frame.module.code
    return code[one.span.start : one.span.end] == code[other.span.start : other.span.end] != ""


def _path_of(value: AbstractValue) -> str | None:
    return value.path if isinstance(value, (ExternalValue, ProductValue)) else None


def _is_gone_through(value: AbstractValue) -> bool:
    """Whether a container that gets a value keeps only what that gives: `table.update(other.items())`."""
    return isinstance(value, ProductValue) and value.product.kind in (ITERATOR, "view")


def keys_of(key: Expr, frame: Frame, evaluator: Interpreter) -> tuple[SlotKey, ...]:
    """The keys of slots that an expression can stand for; none if that is not known."""
    written = slot_key(key)
    if written is not None:
        return (written,)
    found = [slot_key(traced.value) for traced in evaluator.evaluate(key, frame)]
    keys = tuple(each for each in found if each is not None)
    return keys if len(keys) == len(found) else ()


def _row_of(owner: ProductValue, evaluator: Interpreter) -> Product | None:
    """What going through an object of a library gives, if that cannot cross."""
    made = evaluator.catalog.method_product(owner.product, "__next__")
    return made if made is not None else made_after_setting(owner, "__next__", evaluator)
