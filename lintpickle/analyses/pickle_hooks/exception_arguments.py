"""The arguments that exceptions pass to `super().__init__`, for the rule about exceptions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.hierarchies import is_me, node_of
from lintpickle.control_flow.last_calls import last_calls
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


def given_arguments(line: tuple[Ancestor, ...], init: FunctionFacts) -> tuple[GivenArguments | None, ...]:
    """The contents of `self.args` after the constructor `init` of the first class of a hierarchy has run, on each way
    through it; None for those on which they are not known, or are what it was called with."""
    first = line[0]
    found = node_of(first.module, init) if isinstance(first, ClassValue) else None
    if found is None:
        return (None,)
    source, _ = found
    return tuple(
        GivenArguments(len(each.given), _in_text(each.given, init), source.span(each.call)) if each else None
        for each in _ways(line, 0)
    )


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


class _Way(Struct, frozen=True):
    """The contents of `self.args` after one way through a constructor, as that constructor writes them (None for those
    that it does not write itself), and its call of its parent's, as it is written."""

    given: tuple[ast.expr | None, ...]
    call: ast.Call


def _ways(line: tuple[Ancestor, ...], index: int) -> tuple[_Way | None, ...]:
    """The ways through the constructor of the class at `index`; None for those after which `args` are not known."""
    owner = line[index]
    init = owner.facts.methods.get("__init__") if isinstance(owner, ClassValue) else None
    found = node_of(owner.module, init) if isinstance(owner, ClassValue) and init is not None else None
    if init is None or found is None:
        return (None,)
    following = next(
        (
            i
            for i, each in enumerate(line)
            if i > index and (isinstance(each, ExternalValue) or "__init__" in each.facts.methods)
        ),
        None,
    )
    if following is None:
        return (None,)
    parent = line[following]
    of_parent = _ways(line, following) if isinstance(parent, ClassValue) else ()
    ways: dict[tuple[object, ...], _Way | None] = {}
    for call in _super_calls(init, found[1], line[index:]):
        passed = _without_further(_with_self_bound(call), found[1]) if call is not None else None
        if call is None or passed is None:
            ways[()] = None
            continue
        for given in _after_parent(passed, parent, of_parent):
            key = (call, *given) if given is not None else ()
            ways.setdefault(key, _Way(given, call) if given is not None else None)
    return tuple(ways.values())


def _after_parent(
    call: ast.Call, parent: Ancestor, ways: tuple[_Way | None, ...]
) -> Iterator[tuple[ast.expr | None, ...] | None]:
    """What a parent's constructor, which is called so, makes `args`, on each of the ways through it; None where that is
    not known."""
    if isinstance(parent, ExternalValue):
        yield None if call.keywords and parent.path != "builtins.ImportError" else tuple(call.args)
        return
    names = [p.name for p in parent.facts.methods["__init__"].parameters[1:]]
    written = dict(zip(names, call.args, strict=False)) | {k.arg: k.value for k in call.keywords if k.arg}
    for way in ways:
        if way is None:
            yield None
        else:
            handed = (written.get(each.id) if isinstance(each, ast.Name) else None for each in way.given)
            yield *handed, *_further(call, way.call, parent)


def _further(call: ast.Call, handing: ast.Call, parent: ClassValue) -> tuple[ast.expr, ...]:
    """The arguments of a call of the parent's constructor that this takes as `*args` and hands on, by its own call, to
    its parent's, which keeps them."""
    found = node_of(parent.module, parent.facts.methods["__init__"])
    if found is None or found[1].args.vararg is None:
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


def _super_calls(init: FunctionFacts, node: ast.FunctionDef, line: tuple[Ancestor, ...]) -> tuple[ast.Call | None, ...]:
    """The last call of a parent's `__init__` on each way through a constructor; None for ways on which there is none,
    or another one may be, or `args` are set otherwise."""
    sets_args = any(isinstance(e, Store) and e.attribute == "args" and is_me(e.target, init) for e in init.events)
    calls = last_calls(node, lambda call: isinstance(call.func, ast.Attribute) and call.func.attr == "__init__")
    is_known = len(_direct_bases(line)) == 1 or all(each is None or _is_of_super(each) for each in calls)
    return calls if is_known and not sets_args else (None,)


def _is_of_super(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
            return True
        case _:
            return False


def _with_self_bound(call: ast.Call) -> ast.Call:
    """A call of a parent's `__init__` without the self that it gives: `Exception.__init__(self, message)`."""
    return call if _is_of_super(call) else ast.Call(call.func, call.args[1:], call.keywords)


def _is_parents_init(call: Call) -> bool:
    return isinstance(call.function, Attribute) and call.function.name == "__init__"


def _direct_bases(line: tuple[Ancestor, ...]) -> tuple[object, ...]:
    first = line[0]
    return first.facts.bases if isinstance(first, ClassValue) else ()
