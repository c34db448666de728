"""Tensors that are sent to another process by a queue or a pipe: also as the state dict of a module or an optimizer, in
containers and records, and by way of functions that put what they are given (`saver.save(step, model.state_dict())`).

Measured with CPython 3.11 and torch 2.13 (CPU), under fork and spawn, with queues, pipes and pools of `multiprocessing`
and of `torch.multiprocessing` alike: what the other process gets has the memory of the sender, and shows what that
changes later. A `clone()` does not, nor does a NumPy array of the tensor.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.caller_frames import frames_of_calls
from lintpickle.analyses.lost_changes.pickled_later import given_to_others, keeps_what_it_is_given
from lintpickle.analyses.lost_changes.shared_tensors import SharedKind, SharedPart, holds_weights, sent_tensor
from lintpickle.analyses.lost_changes.tensor_changes import is_optimizer
from lintpickle.analyses.lost_changes.ways_to_tensors import OF_THE_SAME
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.records import ParameterFacts
from lintpickle.facts.values import Attribute, Call, Collection, Expr, Mapping, ending_name, without_narrowing
from lintpickle.interpreter.abstract_values import Frame, InstanceValue
from lintpickle.parsing.syntax import arguments_in_order, dotted
from lintpickle.payload.linker import Linker

_SHARED_ON_PURPOSE = re.compile(r"\bshare_memory")
_SAME = (OF_THE_SAME - {"numpy"}) | {"view", "view_as", "squeeze", "unsqueeze", "transpose", "t", "permute", "copy"}
"""Methods that give something with the same numbers; the `copy()` of a state dict is a new dict of the same tensors."""
_DEPTH = 4
"""How deep a tensor is sought in what is sent, and how many names it is followed through."""
_LEVELS = 2
"""How many calls are followed back that hand on what is sent."""


class SentPart(Struct, frozen=True, eq=False):
    """What is sent, by the name that it has for a function; `value` is what is evaluated, in `frame`."""

    name: str
    node: ast.expr
    value: Expr
    frame: Frame


class Sending(Struct, frozen=True, eq=False):
    """A call by which a function sends parts, itself or by way of what it calls. `tensors` are those of which the
    memory is sent along."""

    frame: Frame
    node: ast.Call
    call: Call
    tensors: tuple[tuple[SentPart, SharedPart], ...]


def sendings(boundary: BoundaryCall, linker: Linker) -> Iterator[Sending]:
    """The call that puts something into a queue or a pipe, or gives a task, and those that lead to it, where they send
    tensors."""
    frame, call = boundary.frame, boundary.call
    node = _node_of(call, frame) if not frame.module.has(_SHARED_ON_PURPOSE) else None
    if node is None:
        return
    given = list(given_to_others(node, call))
    parts = [each for written, value in given for each in _parts(written, value, frame, linker)]
    yield from _in_frame(frame, node, call, parts, linker)
    yield from _around(frame, parts, linker, 1)


def _node_of(call: Call, frame: Frame) -> ast.Call | None:
    """A call in the tree of its function."""
    for node in ast.walk(frame.paths.tree):
        if isinstance(node, ast.Call) and frame.paths.span(node) == call.span:
            return node
    return None


def _in_frame(frame: Frame, node: ast.Call, call: Call, parts: list[SentPart], linker: Linker) -> Iterator[Sending]:
    found = [(part, shared) for part in parts if (shared := _shared(part, linker)) is not None]
    if found:
        yield Sending(frame, node, call, tuple(found))


def _around(frame: Frame, parts: list[SentPart], linker: Linker, level: int) -> Iterator[Sending]:
    """The calls that lead to a function which sends what it is given, or what its object holds."""
    names = {each.name for each in frame.function.parameters}
    if level > _LEVELS or not any(part.name.partition(".")[0] in names for part in parts):
        return
    for home, call in calls_of_function(frame, linker):
        node = _node_of(call, home) if not home.module.has(_SHARED_ON_PURPOSE) else None
        if node is None:
            continue
        given = [outer for part in parts for outer in _given(part, frame, node, call, home, linker)]
        yield from _in_frame(home, node, call, given, linker)
        yield from _around(home, given, linker, level + 1)


def calls_of_function(frame: Frame, linker: Linker) -> Iterator[tuple[Frame, Call]]:
    """The call by which the program came to a frame, if that is by the name of its function; otherwise those that are
    seen to enter the function."""
    by = frame.called_by
    if by is not None and ending_name(by[1].function) == frame.function.name:
        yield by
        return
    for entered in frames_of_calls(frame.function, frame.module.path, linker):
        if entered.called_by is not None:
            yield entered.called_by


def _given(part: SentPart, inner: Frame, node: ast.Call, call: Call, home: Frame, linker: Linker) -> Iterator[SentPart]:
    """What a call gives for the parameter that a part is, or is of."""
    root, _, rest = part.name.partition(".")
    parameters = inner.function.parameters
    known = next((each for each in parameters if each.name == root), None)
    if known is None or (inner.paths.binds(root) and known.kind != "**"):
        return
    is_method = "." in inner.function.qualname and not inner.function.is_local and isinstance(node.func, ast.Attribute)
    if is_method and known is parameters[0]:
        owner = dotted(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if owner and rest:
            yield replace(part, name=f"{owner}.{rest}", node=node.func)
        return
    for written, value in _arguments(known, parameters[is_method:], node, call):
        if not rest:
            yield from _parts(written, value, home, linker)
        elif dotted(written):
            yield replace(part, name=f"{dotted(written)}.{rest}", node=written)


def _arguments(
    parameter: ParameterFacts, parameters: tuple[ParameterFacts, ...], node: ast.Call, call: Call
) -> Iterator[tuple[ast.expr, Expr]]:
    """What a call gives for a parameter, as it is written and as it is read."""
    named = {each.name for each in parameters}
    for keyword in node.keywords:
        value = call.keyword(keyword.arg) if keyword.arg is not None else None
        is_it = keyword.arg == parameter.name or (parameter.kind == "**" and keyword.arg not in named)
        if value is not None and is_it:
            yield keyword.value, value
    places = [each.name for each in parameters if each.kind in ("positional", "positional-only")]
    positional = call.positional() or ()
    if parameter.name in places and (place := places.index(parameter.name)) < min(len(node.args), len(positional)):
        yield node.args[place], positional[place]


def _parts(node: ast.expr, value: Expr, frame: Frame, linker: Linker, depth: int = 0) -> Iterator[SentPart]:
    """The things with names that an expression is, or holds as they are."""
    inner = without_narrowing(value)
    if depth == _DEPTH:
        return
    match node, inner:
        case ast.Call(func=ast.Attribute(value=base, attr=method)), Call(function=Attribute(base=held)) if (
            method in _SAME
        ):
            yield from _parts(base, held, frame, linker, depth)
        case ast.Attribute(value=base, attr="data"), Attribute(base=held):
            yield from _parts(base, held, frame, linker, depth)
        case ast.Call(func=ast.Name(id="dict" | "list" | "tuple"), args=[held_in]), Call() as made if made.positional():
            yield from _parts(held_in, (made.positional() or ())[0], frame, linker, depth + 1)
        case ((ast.Tuple(elts=nodes) | ast.List(elts=nodes) | ast.Set(elts=nodes)), Collection(elements=values)):
            for part, held in zip(nodes, values, strict=False) if len(nodes) == len(values) else ():
                yield from _parts(part, held, frame, linker, depth + 1)
        case ast.Dict(values=nodes), Mapping(items=items):
            for part, (_, held) in zip(nodes, items, strict=False) if len(nodes) == len(items) else ():
                yield from _parts(part, held, frame, linker, depth + 1)
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=words), Call() as made:
            for word in words:
                named = made.keyword(word.arg) if word.arg is not None else None
                yield from _parts(word.value, named, frame, linker, depth + 1) if named is not None else ()
        case ast.Call(), Call() as made if keeps_what_it_is_given(made, frame, linker):
            for part, argument in zip(arguments_in_order(node), made.arguments, strict=False):
                yield from _parts(part, argument.value, frame, linker, depth + 1)
        case ast.Subscript(value=base, slice=ast.Slice() | ast.Constant()), _:
            yield from _parts(base, inner.base, frame, linker, depth) if hasattr(inner, "base") else ()
        case ast.Name(id=name), _ if (assigned := _assigned(name, frame)) is not None:
            yield from _parts(assigned, value, frame, linker, depth + 1)
        case ((ast.Name() | ast.Attribute()), _) if dotted(node):
            yield SentPart(dotted(node), node, value, frame)
        case _:
            pass


def _assigned(name: str, frame: Frame) -> ast.expr | None:
    """What a function binds a name to, if that is something which holds or shares other things, and it does so once."""
    nodes = list(ast.walk(frame.paths.tree))
    bound = [
        each for each in nodes if isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
    ]
    if len(bound) != 1:
        return None
    match [each.value for each in nodes if isinstance(each, ast.Assign) and each.targets == bound]:
        case [ast.Tuple() | ast.List() | ast.Dict() as display]:
            return display
        case [ast.Call(func=ast.Name(id="dict")) | ast.Call(func=ast.Attribute(attr="state_dict" | "detach")) as made]:
            return made
        case _:
            return None


def _shared(part: SentPart, linker: Linker) -> SharedPart | None:
    """What a part is, if another process that gets it shares its numbers."""
    found = [traced.value for traced in linker.evaluate(part.value, part.frame)]
    match found:
        case [InstanceValue(class_=class_) as made] if not holds_weights(made, linker) or class_.module.has(
            _SHARED_ON_PURPOSE
        ):
            return None
        case [made] if holds_weights(made, linker) or is_optimizer(made):
            return SharedPart((), SharedKind.MODULE, made)
        case _:
            return sent_tensor(part.value, part.frame, linker)
