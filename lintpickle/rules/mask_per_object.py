from __future__ import annotations

from collections.abc import Iterable, Iterator

from lintpickle.analyses.calls_and_values.values import resolves_to
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    Call,
    Called,
    Collection,
    Constant,
    Expr,
    Hazard,
    Linker,
    Name,
    Rule,
    Site,
    WorkerCode,
    WorkerFunction,
)

_ALLOCATORS = frozenset(f"{library}.{name}" for library in ("numpy", "torch") for name in ("zeros", "ones", "empty"))


class MaskPerObject(Rule):
    """An image-sized plane for each object of an item: a batch of images with many objects fills the shared memory."""

    code = "LP411"
    name = "mask-per-object"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    default = False
    message = (
        "`{call}` in `{user}` allocates an image-sized plane for each object, without a limit: DataLoader workers pass "
        "it in shared memory, which images with many objects fill"
    )
    help = (
        "limit the number of objects, batch by the number of objects, or return one map with the objects' numbers and "
        "expand it in the training loop"
    )
    words = frozenset({"zeros(", "ones(", "empty("})

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard]:
        if code.boundary is None or code.boundary.spec.kind == "dataloader":
            for function in code.functions:
                if function.entered_by == "__getitem__":
                    yield from _planes(function, linker)


def _planes(function: WorkerFunction, linker: Linker) -> Iterator[Hazard]:
    for event in function.facts.events:
        if not isinstance(event, Called) or not _counts_objects(_shape(event.call)):
            continue
        if resolves_to(event.call.function, function.frame, linker, _ALLOCATORS):
            site = Site(function.module, event.call.span)
            text = " ".join(function.module.code[site.span.start : site.span.end].split())
            yield Hazard(site, "the planes", None, {"call": text, "user": function.facts.qualname}, function.hops)


def _shape(call: Call) -> tuple[Expr, ...]:
    match call.positional():
        case (Collection(elements=elements), *_):
            return elements
        case tuple() as sizes:
            return sizes
        case _:
            return ()


def _counts_objects(shape: tuple[Expr, ...]) -> bool:
    """Whether the shape is `(len(objects), height, width)`, with sizes that are not literals."""
    match shape:
        case (Call(function=Name(name="len")), first, second) | (Call(function=Name(name="len")), first, second, _):
            return not isinstance(first, Constant) and not isinstance(second, Constant)
        case _:
            return False
