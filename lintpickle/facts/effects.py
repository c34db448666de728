"""What statements and calls do to objects: attributes and items that they store, add or delete."""

from __future__ import annotations

from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Span
from lintpickle.facts.definitions import DefinitionVisitor
from lintpickle.facts.records import Delete, ItemStore, NestedFunction, Store
from lintpickle.facts.unpacking import any_element, any_item, list_of_elements
from lintpickle.facts.values import (
    UNNAMED,
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Parameter,
    PutInto,
    Sum,
    Without,
    without_narrowing,
)
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS

_GROWING = (Call, Choice, Collection, Comprehension, Mapping, Sum, Without)
_SHRINKING = (Attribute, Call, Choice, Comprehension, Mapping, Sum, Without)
"""What a variable can stand for that receives items, or loses them."""
_CONTAINERS = frozenset({"dict", "list", "set", "sorted"})
"""Functions that make a container of its own."""


class EffectVisitor(DefinitionVisitor):
    """Records effects on objects as events, and extends the containers that local variables hold."""

    def note_call(self, call: Call) -> None:
        super().note_call(call)
        match call:
            case Call(function=Attribute(base=holder, name="pop"), arguments=(Argument(value=key, keyword=None), *_)):
                if _is_text(key):  # A list is asked for a number.
                    self._shrink(holder, key)
            case _:
                pass

    def _note_store(self, target: Expr, attribute: str, value: Expr, span: Span, key: Expr | None = None) -> None:
        event = Store(span, self.conditional > 0, self.guards, without_narrowing(target), attribute, value, key)
        self.scope.events.append(event)

    def _note_item(self, target: Expr, key: Expr | None, value: Expr, span: Span) -> None:
        target = without_narrowing(target)
        name = _attribute_name(key)
        match target:
            case Attribute(base=owner, name="__dict__") if name is not None:
                self._note_store(owner, name, value, span, key)
            case Call(function=Name(name="vars"), arguments=(Argument(value=owner),)) if name is not None:
                self._note_store(owner, name, value, span, key)
            case _:
                event = ItemStore(span, self.conditional > 0, self.guards, target, key, value)
                self.scope.events.append(event)

    def _note_effect(self, call: Call) -> None:
        """Record what a call stores, if it is one that stores: `setattr`, `__setattr__`, `.append`, `.update` …"""
        positional = call.positional() or ()
        match call.function, positional:
            case Name(name="setattr") | Attribute(base=Name(name="object"), name="__setattr__"), (owner, key, value):
                name = _attribute_name(key)
                if name is not None:
                    self._note_store(owner, name, value, call.span, key)
            case (
                Attribute(
                    base=Attribute(base=owner, name="__dict__")
                    | Call(function=Name(name="vars"), arguments=(Argument(value=owner),)),
                    name="update",
                ),
                _,
            ):
                for argument in call.arguments:
                    self._note_update(owner, argument, call.span)
            case Name(name="delattr"), (owner, Constant(value=str() as name)):
                self._note_delete(owner, name, call.span)
            case Attribute(base=holder, name="setdefault"), (key, value):
                self._note_added(holder, key, value, call.span, replaces=False)
            case Attribute(base=holder, name="pop"), (key, *_) if not _is_text(key):
                self._shrink(holder, key)
            case Attribute(base=holder, name=method), _ if method in PUTTING_METHODS:
                index = PUTTING_METHODS[method]
                if len(positional) > index:
                    self._note_added(holder, None, positional[index], call.span)
            case Attribute(base=holder, name=method), (merged,) if method in MERGING_METHODS:
                is_mapping = method == "update" and not _is_set(holder)
                added = any_item(merged) if is_mapping else any_element(merged)
                holder = _slot(holder)
                self._note_item(holder, None, added, call.span)
                self._grow(holder, merged if is_mapping else list_of_elements(merged))
            case _:
                pass
        match call.function:
            case Attribute(base=holder, name="update"):
                for argument in call.arguments:
                    if argument.keyword is not None:
                        key = Constant(argument.value.span, argument.keyword)
                        self._note_added(holder, key, argument.value, call.span)
            case _:
                pass
        if self.scope.kind != "module" and _may_put(call.function):
            self._note_given(call)

    def _note_default(self, value: Expr) -> None:
        """Record what `mapping.setdefault(key, value)` stores whose value is used."""
        match value:
            case Call(function=Attribute(name="setdefault")) if self.scope.kind != "module":
                self._note_effect(value)
            case _:
                pass

    def _note_given(self, call: Call) -> None:
        """Record that a function may put something into the containers of local variables that it is given."""
        for argument in call.arguments:
            held = argument.value
            if not argument.star and _is_made_here(without_narrowing(held)):
                self._grow(held, PutInto(held.span, call, held))

    def _note_update(self, owner: Expr, argument: Argument, span: Span) -> None:
        if argument.keyword is not None:
            self._note_store(owner, argument.keyword, argument.value, span)
        elif isinstance(argument.value, Mapping):
            for key, value in argument.value.items:
                if key is None:
                    self._note_store(owner, UNNAMED, any_item(value), span)
                elif (name := _attribute_name(key)) is not None:
                    self._note_store(owner, name, value, span, key)
        else:
            self._note_store(owner, UNNAMED, any_item(argument.value), span)

    def _note_added(self, holder: Expr, key: Expr | None, value: Expr, span: Span, replaces: bool = True) -> None:
        """Record that a value is put into a container. Without `replaces`, what is there under the key stays."""
        holder = _slot(holder)
        self._note_item(holder, key, value, span)
        place = value.span if span.contains(value.span) else span
        added: Expr = Mapping(place, ((key, value),)) if key else Collection(place, "list", (value,))
        self._grow(holder, added if replaces else Choice(place, (added, Mapping(place, ()))))
        item = without_narrowing(holder)
        if isinstance(item, Item) and item.key is not None:
            grown = Sum(item.span, (item, added)) if _is_text(item.key) else added
            self._grow(item.base, Mapping(place, ((item.key, grown),)))

    def _grow(self, holder: Expr, added: Expr) -> None:
        """Record that a container receives the items of another one: from here on, variables that hold it hold both."""
        for name, held in list(self.scope.env.items()):
            if held is holder and _can_grow(without_narrowing(held)):
                self.scope.bind(name, Sum(held.span, (held, added)))

    def _shrink(self, holder: Expr, key: Expr) -> None:
        """Record that a mapping loses what it has under a key: from here on, variables that hold it lack that."""
        for name, held in list(self.scope.env.items()):
            if held is holder and isinstance(without_narrowing(held), _SHRINKING):
                self.scope.bind(name, Without(held.span, held, (key,)))

    def _note_delete(self, target: Expr, attribute: str, span: Span) -> None:
        self.scope.events.append(Delete(span, self.conditional > 0, self.guards, without_narrowing(target), attribute))


def _may_put(function: Expr) -> bool:
    """Whether a function of the program may be called: no builtin, nor a method of what an expression makes."""
    match function:
        case Name(name=name):
            return name not in BUILTINS
        case Attribute(base=base):
            return isinstance(base, (Name, Imported, Parameter))
        case _:
            return isinstance(function, (Imported, NestedFunction))


def _can_grow(value: Expr) -> bool:
    match value:
        case Comprehension(kind="generator"):
            return False
        case Item(key=Constant(value=key)):
            return key is ...  # A slice is a list of its own.
        case _:
            return isinstance(value, _GROWING)


def _is_made_here(value: Expr) -> bool:
    """Whether a function makes a container: by a display, a comprehension, or a call of a builtin class."""
    match value:
        case Call(function=Name(name=name)):
            return name in _CONTAINERS
        case _:
            return _can_grow(value) and isinstance(value, (Collection, Comprehension, Mapping, Sum, Without))


def _is_text(key: Expr) -> bool:
    return isinstance(key, Constant) and isinstance(key.value, str)


def _slot(holder: Expr) -> Expr:
    """The item of a mapping that `mapping.setdefault(key, [])` gives; any other value as it is."""
    match holder:
        case Call(
            function=Attribute(base=mapping, name="setdefault"), arguments=(Argument(value=key, star=""), Argument())
        ):
            return Item(holder.span, mapping, key)
        case _:
            return holder


def _is_set(holder: Expr) -> bool:
    match without_narrowing(holder):
        case Collection(kind="set") | Call(function=Name(name="set")):
            return True
        case Sum(parts=parts):
            return any(map(_is_set, parts))
        case _:
            return False


def _attribute_name(key: Expr | None) -> str | None:
    """The name of the attribute that `setattr(owner, key, …)` stores; None if it cannot be one."""
    match key:
        case Constant(value=str() as name):
            return name
        case None | Constant():
            return None
        case _:
            return UNNAMED
