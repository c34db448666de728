"""Expressions in runs of a pickling hook: what they give, and what they change on the way."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import structs

from lintpickle.interpreter import hook_values as values
from lintpickle.interpreter.hook_calls import HookArguments, function, item, state_method
from lintpickle.interpreter.hook_names import HookNames, Method
from lintpickle.interpreter.hook_values import (
    CLASS,
    HELD,
    ME,
    NOT_KNOWN,
    HookValue,
    Known,
    OneClass,
    Parts,
    State,
    iterated,
    truth,
)
from lintpickle.limits import HOOK_STEPS


class TooLong(Exception):
    """There is more to run than is worth it."""


class Expressions:
    """The expressions of one run. `decisions` are how questions come out to which no answer is known; further ones come
    out true. `taken` are those that were asked."""

    def __init__(self, names: HookNames, name: str, decisions: list[bool]) -> None:
        self.taken: list[bool] = []
        self._names = names
        self._name = name
        self._decisions = decisions
        self._mine = State(HELD)
        self._steps = 0
        self._method: Method | None = None
        self._env: dict[str, HookValue] = {}

    def call(self, method: Method, given: HookArguments) -> HookValue:
        """Run a function to its end."""
        raise NotImplementedError

    def _step(self) -> None:
        self._steps += 1
        if self._steps > HOOK_STEPS.most:
            raise TooLong

    def _holds(self, test: ast.expr) -> bool:
        return self._decided(truth(self._value(test), self._name))

    def _decided(self, answer: bool | None) -> bool:
        if answer is None:
            position = len(self.taken)
            answer = self._decisions[position] if position < len(self._decisions) else True
            self.taken.append(answer)
        return answer

    def _value(self, node: ast.expr) -> HookValue:
        self._step()
        match node:
            case ast.Constant(value=constant):
                return Known(constant)
            case ast.Name(id=name):
                return self._env[name] if name in self._env else self._named(name)
            case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
                return self._parts(elements)
            case ast.Dict(keys=keys, values=held):
                return self._dict(keys, held)
            case ast.Attribute(value=owner, attr=attribute):
                return self._attribute(self._value(owner), attribute)
            case ast.Subscript(value=holder, slice=key):
                return self._item(self._value(holder), self._value(key))
            case ast.Call():
                return self._call(node)
            case ast.BinOp(left=left, op=binary, right=right):
                return values.combined(binary, self._value(left), self._value(right), self._name)
            case ast.Compare(left=left, ops=[comparison], comparators=[right]):
                return self._compared(comparison, self._value(left), self._value(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                answer = truth(self._value(operand), self._name)
                return NOT_KNOWN if answer is None else Known(not answer)
            case ast.BoolOp(op=connective, values=parts):
                return self._either(parts, isinstance(connective, ast.Or))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._value(body if self._holds(test) else orelse)
            case ast.NamedExpr(target=target, value=value):
                given = self._value(value)
                self._assign(target, given)
                return given
            case ast.DictComp(key=key, value=value, generators=generators):
                made = State()
                for _ in self._rounds(generators):
                    self._put(made, self._value(key), self._value(value))
                return made
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                return Parts(tuple(self._value(element) for _ in self._rounds(node.generators)))
            case _:
                return NOT_KNOWN

    def _either(self, parts: list[ast.expr], ends: bool) -> HookValue:
        """`a or b`, where true values end it; `a and b`, where false ones do."""
        for part in parts[:-1]:
            value = self._value(part)
            if self._decided(truth(value, self._name)) is ends:
                return value
        return self._value(parts[-1])

    def _rounds(self, generators: list[ast.comprehension]) -> Iterator[None]:
        """One for each round of a comprehension that its conditions let through."""
        if not generators:
            yield
            return
        first, *rest = generators
        parts = iterated(self._value(first.iter), self._name)
        for element in (*parts.elements, *((NOT_KNOWN,) if parts.rest else ())):
            self._assign(first.target, element)
            if all(self._holds(test) for test in first.ifs):
                yield from self._rounds(rest)

    def _parts(self, elements: list[ast.expr]) -> Parts:
        found: list[HookValue] = []
        rest = False
        for element in elements:
            if isinstance(element, ast.Starred):
                spread = iterated(self._value(element.value), self._name)
                found += spread.elements
                rest = rest or spread.rest
            else:
                found.append(self._value(element))
        return Parts(tuple(found), rest)

    def _dict(self, keys: list[ast.expr | None], held: list[ast.expr]) -> State:
        made = State()
        for key, value in zip(keys, held, strict=True):
            if key is None:
                values.update_state(made, self._value(value), self._name)
            else:
                self._put(made, self._value(key), self._value(value))
        return made

    def _named(self, name: str) -> HookValue:
        return self._names.named(name, self._method) if self._method is not None else NOT_KNOWN

    def _item(self, holder: HookValue, key: HookValue) -> HookValue:
        if isinstance(holder, OneClass):
            return self._names.of_class((holder, key))
        return item(holder, key, self._name)

    def _compared(self, operator: ast.cmpop, left: HookValue, right: HookValue) -> HookValue:
        if isinstance(right, OneClass) and isinstance(operator, (ast.In, ast.NotIn)):
            return self._names.is_in_class((right, left), isinstance(operator, ast.In))
        return values.compared(operator, left, right, self._name)

    def _attribute(self, owner: HookValue, attribute: str) -> HookValue:
        if owner is CLASS and attribute in ("__mro__", "__dict__"):
            classes = self._names.classes
            return classes.line() if attribute == "__mro__" else classes.own.own_dict()
        if isinstance(owner, OneClass):
            return owner.own_dict() if attribute == "__dict__" else self._names.of_class((owner, Known(attribute)))
        if owner is not ME and owner is not CLASS:
            return NOT_KNOWN
        if owner is ME:
            if attribute == "__dict__":
                return self._mine
            if attribute == "__class__":
                return CLASS
            key = self._mangled(attribute)
            if key.value == self._name:
                return self._mine.entry or NOT_KNOWN
            getter = self._names.property(attribute)
            if getter is not None:
                return self.call(getter, HookArguments((ME,)))
        return self._names.attribute(attribute)

    def _call(self, node: ast.Call) -> HookValue:
        method = self._meant(node.func)
        given = HookArguments(
            self._parts(node.args).elements,
            tuple((each.arg, self._value(each.value)) for each in node.keywords if each.arg is not None),
            tuple(self._value(each.value) for each in node.keywords if each.arg is None),
        )
        match node.func:
            case _ if method is not None:
                return self.call(
                    method, structs.replace(given, positional=self._first(method, node.func) + given.positional)
                )
            case ast.Attribute(attr="__getstate__", value=owner) if self._is_parent(owner):
                return self._mine if self._names.is_of_plain_object() else self._mine.copy()
            case ast.Attribute(value=owner, attr=called):
                holder = self._value(owner)
                if isinstance(holder, State):
                    return state_method(holder, called, given, self._name)
                if isinstance(holder, OneClass) and called == "get":
                    return self._names.of_class((holder, *given.positional))
                if (holder is CLASS and called == "mro") or (called == "getmro" and given.positional == (CLASS,)):
                    return self._names.classes.line()
                if isinstance(holder, Parts) and isinstance(owner, ast.Name):
                    self._env[owner.id] = values.grown(holder, called, given.positional, self._name)
                    return NOT_KNOWN
                if isinstance(holder, Known) and isinstance(holder.value, str):
                    return values.text_method(holder.value, called, given.positional)
                return function(called, given, self._name)
            case ast.Name(id=called):
                if given.positional and given.positional[0] is ME:
                    return self._of_instance(called, given.positional[1:])
                if given.positional and (given.positional[0] is CLASS or isinstance(given.positional[0], OneClass)):
                    return self._names.given_class(called, given.positional)
                return function(called, given, self._name)
            case _:
                return NOT_KNOWN

    def _first(self, method: Method, called: ast.expr) -> tuple[HookValue, ...]:
        """What a method is given first by the way it is called. (`Base.__getstate__(self)` says itself of what.)"""
        if not isinstance(called, ast.Attribute) or (
            isinstance(called.value, ast.Name) and called.value.id not in self._env
        ):
            return ()
        return (CLASS,) if method.binds_class else () if method.is_static else (ME,)

    def _of_instance(self, called: str, arguments: tuple[HookValue, ...]) -> HookValue:
        """What a function gives that gets the instance first."""
        match called, arguments:
            case "vars", ():
                return self._mine
            case "type", ():
                return CLASS
            case "getattr", (Known(value=str() as attribute), *_):
                return (self._mine.entry or NOT_KNOWN) if attribute == self._name else self._attribute(ME, attribute)
            case "setattr", (key, value):
                self._put(self._mine, key, value)
            case "delattr", (key,):
                self._put(self._mine, key, None)
            case "hasattr", (key,):
                inside = values.is_in(key, self._mine, self._name)
                return NOT_KNOWN if inside is None else Known(inside)
            case _:
                pass
        return NOT_KNOWN

    def _meant(self, function: ast.expr) -> Method | None:
        """The function of the program that is called."""
        match function:
            case ast.Name(id=name) if name not in self._env and self._method is not None:
                return self._names.function(name, self._method)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name) if self._method is not None:
                return self._names.parents_method(name, self._method)
            case ast.Attribute(value=ast.Name(id=name) as owner, attr=attribute):
                held = self._env.get(name)
                if held is ME or held is CLASS:
                    return self._names.method(attribute)
                if held is None and self._method is not None:
                    return self._names.method_of(owner.id, attribute, self._method)
            case _:
                pass
        return None

    def _is_parent(self, owner: ast.expr) -> bool:
        """Whether an expression is `super()`, or a base of which no hook is known."""
        match owner:
            case ast.Call(func=ast.Name(id="super")):
                return True
            case ast.Name(id=name):
                return name not in self._env
            case _:
                return isinstance(owner, ast.Attribute) and self._value(owner) is NOT_KNOWN

    def _assign(self, target: ast.expr, value: HookValue) -> None:
        match target:
            case ast.Name(id=name):
                self._env[name] = value
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                parts = value.elements if isinstance(value, Parts) and not value.rest else ()
                for index, each in enumerate(targets):
                    self._assign(each, parts[index] if len(parts) == len(targets) else NOT_KNOWN)
            case ast.Subscript(value=holder, slice=key):
                self._put(self._value(holder), self._value(key), value)
            case ast.Attribute(value=owner, attr="__dict__"):
                if self._value(owner) is ME:
                    self._mine = value if isinstance(value, State) else State(NOT_KNOWN)
            case ast.Attribute(value=owner, attr=attribute):
                if self._value(owner) is ME:
                    self._put(self._mine, self._mangled(attribute), value)
            case _:
                pass

    def _put(self, holder: HookValue, key: HookValue, value: HookValue | None) -> None:
        if isinstance(holder, State):
            values.put(holder, key, value, self._name)

    def _mangled(self, attribute: str) -> Known:
        return Known(self._method.mangled(attribute) if self._method is not None else attribute)
