"""The arguments that exceptions pass to `super().__init__`, for the rule about exceptions."""

from __future__ import annotations

import ast

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me, node_of
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import ClassValue, ExternalValue
from lintpickle.interpreter.protocols import Ancestor

_OF_GROUP = 2
"""How many arguments the `__new__` of an exception group takes: the message, and the exceptions."""


class GivenArguments(Struct, frozen=True):
    """The contents of `self.args` after construction: how many, the parameter that is part of a text that stands in its
    place (None if there is none), and where the constructor passes them to `super().__init__`."""

    count: int
    in_text: str | None
    passed_at: Span


def given_arguments(line: tuple[Ancestor, ...], init: FunctionFacts) -> GivenArguments | None:
    """The contents of `self.args` after the constructor `init` of the first class of a hierarchy has run; None if
    unknown."""
    given = _given(line, 0)
    call = _only_call(init)
    if given is None or call is None:
        return None
    return GivenArguments(len(given), _in_text(given, init), call.span)


def group_arguments(init: FunctionFacts) -> GivenArguments | None:
    """The same for an exception group with the constructor `init`: two, as its `__new__` has taken
    them, unless the constructor may give other ones to `super().__init__`."""
    calls = [e.call for e in init.events if isinstance(e, Called) and _is_parents_init(e.call)]
    is_two = all(len(call.arguments) == _OF_GROUP and not call.has_unknown_arguments() for call in calls)
    sets_args = any(isinstance(e, Store) and e.attribute == "args" for e in init.events)
    if not is_two or sets_args:
        return None
    return GivenArguments(_OF_GROUP, None, calls[0].span if calls else init.header)


def _in_text(given: tuple[ast.expr | None, ...], init: FunctionFacts) -> str | None:
    """A parameter that becomes part of a text, and is then replaced by that text."""
    for parameter, value in zip(init.parameters[1:], given, strict=False):
        is_text = isinstance(value, (ast.JoinedStr, ast.BinOp)) or (
            isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "format"
        )
        if value is not None and is_text and _mentions(value, parameter.name):
            return parameter.name
    return None


def _mentions(value: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(value))


def _given(line: tuple[Ancestor, ...], index: int) -> tuple[ast.expr | None, ...] | None:
    """The contents of `self.args` after the constructor of the class at `index` has run, as that constructor writes
    them (None for those that it does not write itself); None if unknown."""
    owner = line[index]
    if isinstance(owner, ExternalValue):
        return None
    init = owner.facts.methods.get("__init__")
    found = node_of(owner.module, init) if init is not None else None
    if init is None or found is None:
        return None
    call = _super_call(init, found[1], line)
    call = _without_further(call, found[1]) if call is not None else None
    if call is None:
        return None
    following = next(
        (
            i
            for i, each in enumerate(line)
            if i > index and (isinstance(each, ExternalValue) or "__init__" in each.facts.methods)
        ),
        None,
    )
    if following is None:
        return None
    parent = line[following]
    if isinstance(parent, ExternalValue):
        return None if call.keywords and parent.path != "builtins.ImportError" else tuple(call.args)
    passed = _given(line, following)
    if passed is None:
        return None
    names = [p.name for p in parent.facts.methods["__init__"].parameters[1:]]
    written = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    handed = tuple(written.get(each.id) if isinstance(each, ast.Name) else None for each in passed)
    return (*handed, *_further(call, parent, line[following:]))


def _further(call: ast.Call, parent: ClassValue, line: tuple[Ancestor, ...]) -> tuple[ast.expr, ...]:
    """The arguments of a call of the parent's constructor that this takes as `*args` and hands on to its own parent's,
    which keeps them."""
    init = parent.facts.methods["__init__"]
    found = node_of(parent.module, init)
    handing = _super_call(init, found[1], line) if found is not None else None
    if found is None or handing is None or found[1].args.vararg is None:
        return ()
    rest = found[1].args.vararg.arg
    hands_on = any(isinstance(each, ast.Starred) and _is_name(each.value, rest) for each in handing.args)
    own = len([*found[1].args.posonlyargs, *found[1].args.args]) - 1
    return tuple(call.args[own:]) if hands_on else ()


def _without_further(call: ast.Call, init: ast.FunctionDef) -> ast.Call | None:
    """The call without the `*args` and `**kwargs` that the constructor hands on: few pass any. None if it unpacks
    something else, or if they are not the last arguments."""
    rest = init.args.vararg.arg if init.args.vararg is not None else None
    options = init.args.kwarg.arg if init.args.kwarg is not None else None
    args, keywords = list(call.args), [each for each in call.keywords if not _is_name(each.value, options) or each.arg]
    if args and isinstance(args[-1], ast.Starred) and _is_name(args[-1].value, rest):
        args.pop()
    if any(isinstance(each, ast.Starred) for each in args) or any(each.arg is None for each in keywords):
        return None
    return ast.Call(call.func, args, keywords)


def _is_name(value: ast.expr, name: str | None) -> bool:
    return isinstance(value, ast.Name) and value.id == name


def _super_call(init: FunctionFacts, node: ast.FunctionDef, line: tuple[Ancestor, ...]) -> ast.Call | None:
    """The only call of a parent's `__init__`, without its explicit self; None unless it always happens, and `args` is
    not set otherwise."""
    sets_args = any(isinstance(e, Store) and e.attribute == "args" and is_me(e.target, init) for e in init.events)
    if _only_call(init) is None or sets_args:
        return None
    for each in ast.walk(node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__")):
                return each
            case ast.Call(func=ast.Attribute(attr="__init__"), args=[_, *rest]) if len(_direct_bases(line)) == 1:
                return ast.Call(each.func, rest, each.keywords)
    return None


def _only_call(init: FunctionFacts) -> Call | None:
    """The call of a parent's `__init__`; None unless there is one only, which always happens."""
    calls = [e for e in init.events if isinstance(e, Called) and _is_parents_init(e.call)]
    return calls[0].call if len(calls) == 1 and not calls[0].conditional else None


def _is_parents_init(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == "__init__"


def _direct_bases(line: tuple[Ancestor, ...]) -> tuple[object, ...]:
    first = line[0]
    return first.facts.bases if isinstance(first, ClassValue) else ()
