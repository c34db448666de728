from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lintpickle.analyses.functions import name_at_run
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    CARRIES_FUNCTIONS,
    Bound,
    BoundaryCall,
    Call,
    Captured,
    Collection,
    Expr,
    Frame,
    FunctionFacts,
    FunctionValue,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
    Site,
    excerpt,
)

_RENAMES = re.compile(r"__qualname__|\bsetattr\s*\(")
"""Words in decorators that give the function another name, under which pickle can find it."""


class UndecoratedWorkerFunction(Rule):
    """A function that its own decorator passes to a worker: its name leads pickle to the decorated one."""

    code = "LP209"
    name = "undecorated-worker-function"
    start_methods = ALL_START_METHODS
    message = "`{excerpt}` is the undecorated `{function}`, whose name leads to the result of `{decorator}`: {error}"
    help = "leave it undecorated, and pass it to the function that starts workers: `run(work, …)`"
    words = frozenset({"@"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        methods = linker.boundaries.start_methods(call)
        if not methods or call.spec.kind in CARRIES_FUNCTIONS:
            return
        for role in call.payload:
            for value, frame in _handed(call.arguments.get(role)):
                decorator = _decorator(value, frame, linker)
                decorated = next(_decorated(decorator, call, linker), None) if decorator is not None else None
                if decorator is None or decorated is None:
                    continue
                home, function = decorated.frame.module, decorated.function
                hop = Hop(
                    f"{decorator.name} replaces {function.name} with another function",
                    Site(home, function.header),
                )
                yield Hazard(
                    site=Site(frame.module, value.span),
                    noun=f"the undecorated {function.name}",
                    error=(
                        f"_pickle.PicklingError: Can't pickle <function {function.qualname} at 0x…>: "
                        f"it's not the same object as {name_at_run(home)}.{function.qualname}"
                    ),
                    data={
                        "excerpt": excerpt(frame.module, value),
                        "decorator": decorator.name,
                        "function": function.name,
                    },
                    hops=(*call.hops, hop),
                    start_methods=methods,
                )


def _handed(bound: Bound | None) -> Iterator[tuple[Expr, Frame]]:
    """The values passed for a parameter, including those inside a list, tuple, dict or partial."""
    if bound is None or bound.expr is None or bound.frame is None:
        return
    match bound.expr:
        case Collection(elements=elements):
            yield from ((element, bound.frame) for element in elements)
        case Call(arguments=arguments):
            yield from ((argument.value, bound.frame) for argument in arguments)
        case value:
            yield value, bound.frame


def _decorator(value: Expr, frame: Frame, linker: Linker) -> FunctionFacts | None:
    """The enclosing function that received the value, if it returns another function in its place."""
    home = frame.enclosing(value.owner) if isinstance(value, Captured) else None
    if home is None or not isinstance(value, Captured):
        return None
    facts = home.function
    if not facts.parameters or facts.parameters[0].name != value.name or value.name in facts.variables:
        return None
    if _RENAMES.search(home.module.code, facts.span.start, facts.span.end):
        return None
    given = [each.value for returned in facts.returns for each in linker.evaluate(returned, home)]
    inner = [
        abstract for abstract in given if isinstance(abstract, FunctionValue) and _stands_in(abstract.facts, facts)
    ]
    return facts if given and len(inner) == len(given) else None


def _stands_in(function: FunctionFacts, outer: FunctionFacts) -> bool:
    return outer.span.start < function.span.start and function.span.end <= outer.span.end


def _decorated(decorator: FunctionFacts, call: BoundaryCall, linker: Linker) -> Iterator[RootFrame]:
    """The functions of the program, except local ones, that it decorates."""
    name = decorator.qualname.partition(".")[0]
    form = re.compile(rf"@\s*(?:\w+\.)*{name}\b")
    for root in linker.activations_with({name}, form, call.frame.module.path):
        function = root.function
        frame = Frame(root.frame.module, function)
        traced = (each for value in function.decorators for each in linker.evaluate(value, frame))
        decorating = [each.value.facts for each in traced if isinstance(each.value, FunctionValue)]
        if not function.is_local and any(facts is decorator for facts in decorating):
            yield root
