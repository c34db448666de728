"""Attributes that workers set on plain tensors which they send back, and that the main process reads there.

Measured with torch 2.13 and CPython 3.11: the pickler of `multiprocessing` reduces a tensor by
`torch.multiprocessing.reductions.reduce_tensor`, which sends its storage, size and the like, and no `__dict__`. So the
results of a DataLoader, a pool and an executor lack the attribute, as what comes out of a queue does, under every start
method; `pickle.dumps`, `copy.deepcopy` and a loader without workers keep it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.calls_and_values.functions_run import functions_entered
from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.analyses.workers.reads_after_start import after_start
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Expr,
    Item,
    Mapping,
    Sum,
    options_of,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ConstantValue,
    Frame,
    FunctionValue,
    PlainValue,
    Site,
)
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_results import sends_results
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

MAKERS_OF_TENSORS = re.compile(
    r"torch\.(?:nn\.functional\.\w+|(?:zeros|ones|rand|randn|empty|full)(?:_like)?|tensor|as_tensor|from_numpy|eye|arange"
    r"|linspace|logspace|randint|randperm|normal|stack|cat|concat|hstack|vstack|where|clamp|clip|flip|roll|rot90|matmul"
    r"|einsum|abs|exp|log|sqrt|sin|cos|tanh|sigmoid|softmax|squeeze|unsqueeze|permute|transpose|reshape|narrow)"
)
"""Functions that give one tensor."""
GIVING_A_TENSOR = frozenset(
    {"clone", "float", "double", "half", "long", "int", "bool", "byte", "to", "cpu", "contiguous", "view", "reshape"}
    | {"permute", "transpose", "t", "flatten", "squeeze", "unsqueeze", "clamp", "mul", "add", "sub", "div", "detach"}
    | {"flip", "roll", "abs", "repeat", "expand", "copy_", "fill_", "zero_", "mul_", "add_", "div_", "clamp_", "pow"}
)
"""Methods of a tensor that give a tensor."""
OWN_OF_TENSORS = frozenset({"data", "grad", "requires_grad", "names", "retains_grad"})
"""Attributes that every tensor has, and that may be set."""
_FOLLOWED = 4


class TensorAttribute(Struct, frozen=True):
    """Where a function of workers sets an attribute of a tensor, and where the main process reads it; `is_asked`: by
    `getattr` or `hasattr`."""

    function: WorkerFunction
    span: Span
    attribute: str
    read: Site

    @property
    def is_asked(self) -> bool:
        return "attr(" in self.read.module.code[self.read.span.start : self.read.span.end]


def attributes_of_tensors(code: WorkerCode, linker: Linker) -> Iterator[TensorAttribute]:
    """The attributes that functions whose results travel back set on tensors which they return, each told once."""
    boundary = code.boundary
    if boundary is None or not sends_results(boundary) or not _sends_them_one_by_one(boundary, linker):
        return
    told: set[str] = set()
    for function in code.functions:
        if not function.entry or not function.module.first_party:
            continue
        for event in function.facts.events:
            if not isinstance(event, Store) or event.attribute in (*OWN_OF_TENSORS, *told):
                continue
            if _is_returned(event.target, function.facts) and is_plain_tensor(event.target, function.frame, linker):
                read = _read(event.attribute, boundary, code, linker)
                if read is not None:
                    told.add(event.attribute)
                    yield TensorAttribute(function, event.span, event.attribute, read)


def _sends_them_one_by_one(boundary: BoundaryCall, linker: Linker) -> bool:
    """Whether a result comes back as it is: a loader makes one tensor of a batch, unless it is told not to."""
    if boundary.spec.kind != "dataloader":
        return True
    collates = [each.value for each in boundary.value("collate_fn", linker.evaluator)]
    sizes = [each.value for each in boundary.value("batch_size", linker.evaluator)]
    return bool(collates and not all(map(_is_none_value, collates))) or bool(sizes and all(map(_is_none_value, sizes)))


def _is_none_value(value: AbstractValue) -> bool:
    return isinstance(value, ConstantValue) and value.value is None


def _is_returned(target: Expr, facts: FunctionFacts) -> bool:
    """Whether a function returns an object, or a display that holds it."""
    waiting, own = [*facts.returns], without_narrowing(target)
    while waiting:
        value = without_narrowing(waiting.pop())
        if value is own:
            return True
        match value:
            case Collection(elements=elements):
                waiting += elements
            case Mapping(items=items):
                waiting += [each for _, each in items]
            case _:
                pass
    return False


def is_plain_tensor(value: Expr, frame: Frame, linker: Linker, level: int = 0) -> bool:
    """Whether an expression is seen to give a tensor of torch's own class, in one of its branches."""
    if level > _FOLLOWED:
        return False
    inner = without_narrowing(value)
    match inner:
        case Choice():
            return any(is_plain_tensor(each, frame, linker, level + 1) for each in options_of(inner))
        case Sum(parts=parts):
            return any(is_plain_tensor(each, frame, linker, level + 1) for each in parts)
        case Item(base=base):
            return is_plain_tensor(base, frame, linker, level + 1)
        case Call(function=function):
            if any(MAKERS_OF_TENSORS.fullmatch(name) for name in external_names(function, frame, linker)):
                return all(isinstance(each.value, PlainValue) for each in linker.evaluate(inner, frame))
            if isinstance(function, Attribute) and function.name in GIVING_A_TENSOR:
                return is_plain_tensor(function.base, frame, linker, level + 1)
            return _is_tensor_of(inner, frame, linker, level)
        case _:
            return False


def _is_tensor_of(call: Call, frame: Frame, linker: Linker, level: int) -> bool:
    """Whether a function of the program that is called returns a tensor."""
    called = [each.value for each in linker.evaluate(call.function, frame)]
    for function in called:
        inner = linker.evaluator.enter(function, call, frame) if isinstance(function, FunctionValue) else None
        if inner is not None and any(
            is_plain_tensor(each, inner, linker, level + 1) for each in inner.function.returns
        ):
            return True
    return False


def _read(attribute: str, boundary: BoundaryCall, code: WorkerCode, linker: Linker) -> Site | None:
    """Where the code that goes on with the results reads an attribute of that name: that which starts the workers, its
    callers, and what they call then."""
    form = re.compile(
        rf"(?<!\bself)(?<!\bcls)\.{attribute}\b(?!\s*(?:=[^=]|\())|\b(?:get|has)attr\(\s*[\w.\[\]]+\s*,\s*[\"']{attribute}[\"']"
    )
    running = {id(each.facts) for each in code.functions}
    for frame, behind in after_start(boundary):
        for there, start in ((frame, behind), *_called_then(frame, behind, linker)):
            if id(there.function) in running or not there.module.first_party:
                continue
            end = len(there.module.code) if there.function.is_module_body else there.function.span.end
            found = form.search(there.module.code, start, end)
            if found is not None:
                return Site(there.module, Span(*found.span()))
    return None


def _called_then(frame: Frame, behind: int, linker: Linker) -> Iterator[tuple[Frame, int]]:
    """The functions of the program that a function calls, with arguments, from a place on."""
    for event in frame.function.events:
        if isinstance(event, Called) and event.span.end > behind and event.call.arguments:
            for _, inner in functions_entered(event.call, frame, linker):
                yield inner, inner.function.header.end
