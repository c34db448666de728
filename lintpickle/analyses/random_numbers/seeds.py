"""The values from which random seeds are computed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Call, Choice, Expr, Parameter, Sum
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    ContainerValue,
    ExternalValue,
    Frame,
    FunctionValue,
    Hop,
    Site,
    Slot,
)
from lintpickle.interpreter.frames import Arguments, bind, expand
from lintpickle.interpreter.partials import PARTIAL
from lintpickle.limits import SEED_CALLS
from lintpickle.parsing.syntax import expression_in
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

SEEDERS = frozenset(
    {
        "numpy.random.seed",
        "random.seed",
        "torch.manual_seed",
        "torch.random.manual_seed",
        "transformers.set_seed",
        "lightning.seed_everything",
        "lightning.pytorch.seed_everything",
        "pytorch_lightning.seed_everything",
    }
)
FRESH = "…"
"""An origin that may differ between workers and epochs."""
STATE_WORD = "np.random.get_state()[1][0]"
"""An origin that only seems to vary: it is 0x80000000 in every worker, whatever NumPy was seeded with."""
HIGH_HALF = "high half"
"""An origin that differs between epochs, but not between the workers of one: the upper 32 bits of torch's seed of the
worker, which is a random number of 63 bits, the same for all of them, plus the worker's number."""

_STATE_WORD = re.compile(r"(np|numpy)\.random\.get_state\(\)\[1\]\[0\]")
_MODULO = re.compile(r"get_state\(\)\[1\]\[0\] *(\+[^%]*)?\)* *% *\(?(2 *\*\* *32|4294967296)")
_SEED_OF_WORKER = re.compile(r"(?:torch\.)?(?:random\.)?initial_seed\(\)|(?:[\w.]*get_worker_info\(\)|\w*info)\.seed")
_HALVED = frozenset({"2 ** 32", "4294967296", "1 << 32"})
_PURE_CALLS = frozenset({"int", "abs", "max", "min", "hash", "len", "str", "float", "round", "uint32", "int64", "pow"})
_CHANGING = re.compile(r"epoch|step|iter|count|index|idx|worker|rank|time", re.IGNORECASE)
_EPOCHS = re.compile(r"epoch|step|iteration|round", re.IGNORECASE)


class Seeding(Struct, frozen=True):
    """A call that seeds a global generator. `origins` are the parameters of the function on which the seed depends,
    plus `FRESH`, `HIGH_HALF` and `STATE_WORD`. `direct` says that the call is in the function itself; `value` is the
    seed."""

    path: str
    call: Call
    value: Expr
    site: Site
    origins: frozenset[str]
    hops: tuple[Hop, ...]
    direct: bool
    conditional: bool

    @property
    def place(self) -> Site:
        """Where the function itself seeds, or calls what does."""
        return self.hops[0].site if self.hops else self.site


def seedings(function: FunctionValue, frame: Frame, linker: Linker, depth: int = 0) -> Iterator[Seeding]:
    """The calls in a function, and in those that it calls, that seed global generators."""
    for event in function.facts.events:
        if not isinstance(event, Called):
            continue
        site = Site(function.module, event.call.span)
        for traced in linker.evaluate(event.call.function, frame):
            match traced.value:
                case ExternalValue(path=path) if path in SEEDERS:
                    value = seed_of(event.call)
                    if value is not None:
                        found = origins(value, function.facts, function.module)
                        yield Seeding(path, event.call, value, site, found, (), depth == 0, event.conditional)
                case FunctionValue() as callee if depth < SEED_CALLS.most:
                    yield from _in_callee(callee, event, function, frame, linker, depth)
                case FunctionValue():
                    linker.evaluator.cuts.note(SEED_CALLS)
                case _:
                    pass


def _in_callee(
    callee: FunctionValue, event: Called, function: FunctionValue, frame: Frame, linker: Linker, depth: int
) -> Iterator[Seeding]:
    arguments = expand(event.call, frame, linker.evaluator)
    inner = linker.evaluator.activate(callee, arguments, frame.depth + 1)
    bindings = bind(callee.facts, arguments)
    if inner is None or bindings is None or callee.bound is not None:
        return
    hop = Hop(f"calls {callee.facts.name}()", Site(function.module, event.call.span))
    for seeding in seedings(callee, inner, linker, depth + 1):
        mapped: set[str] = set()
        for origin in seeding.origins:
            bound = bindings.get(origin)
            if origin in (FRESH, HIGH_HALF, STATE_WORD):
                mapped.add(origin)
            elif bound is not None and bound.expr is not None:
                mapped |= origins(bound.expr, function.facts, function.module)
            elif bound is not None:
                mapped.add(FRESH)
        conditional = seeding.conditional or event.conditional
        yield Seeding(
            seeding.path,
            seeding.call,
            seeding.value,
            seeding.site,
            frozenset(mapped),
            (hop, *seeding.hops),
            False,
            conditional,
        )


def is_overflow(seeding: Seeding) -> bool:
    """Whether the seed is NumPy's state word modulo 2**32, which NumPy 2 refuses to compute."""
    span = seeding.value.span
    if STATE_WORD not in seeding.origins or seeding.path != "numpy.random.seed":
        return False
    return _MODULO.search(seeding.site.module.code, span.start, span.end) is not None


def written(site: Site) -> str:
    """The source at a site on one line."""
    return " ".join(site.module.code[site.span.start : site.span.end].split())


def seed_of(call: Call) -> Expr | None:
    """The seed that is passed; None for `seed()`, which uses the system's entropy."""
    positional = call.positional()
    if positional:
        return positional[0]
    return call.keyword("seed") or call.keyword("a")


def origins(value: Expr, function: FunctionFacts, module: Module) -> frozenset[str]:
    """The origins on which an expression in a function depends: parameters by name, `FRESH`, `HIGH_HALF`,
    `STATE_WORD`."""
    return frozenset(_origins(value, function, module, set()))


def _origins(value: Expr, function: FunctionFacts, module: Module, seen: set[int]) -> Iterator[str]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Parameter):
        yield value.name
        return
    if isinstance(value, Choice | Sum):
        for part in value.options if isinstance(value, Choice) else value.parts:
            yield from _origins(part, function, module, seen)
    text = module.code[value.span.start : value.span.end]
    if _STATE_WORD.search(text):
        yield STATE_WORD
        text = _STATE_WORD.sub("0", text)
    tree = expression_in(f"({text}\n)")
    if tree is None:
        yield FRESH
        return
    halves = [node for node in ast.walk(tree) if _is_high_half(node, function, module)]
    if halves:
        yield HIGH_HALF
    within = {id(inner) for half in halves for inner in ast.walk(half)}
    for node in ast.walk(tree):
        match node:
            case _ if id(node) in within:
                pass
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name not in _PURE_CALLS:
                yield FRESH
            case ast.Name(id=name) if function.parameter(name) is not None:
                yield name
            case ast.Name(id=name) if name in function.variables:
                yield from _origins(function.variables[name], function, module, seen)
            case ast.Name(id=name) | ast.Attribute(attr=name) if _CHANGING.search(name):
                yield FRESH
            case _:
                pass


def _is_high_half(node: ast.AST, function: FunctionFacts, module: Module) -> bool:
    """Whether an expression is what division leaves of torch's seed of a worker: `torch.initial_seed() // 2**32`."""
    match node:
        case ast.BinOp(left=seed, op=ast.FloorDiv(), right=by) if ast.unparse(by) in _HALVED:
            pass
        case ast.BinOp(left=seed, op=ast.RShift(), right=ast.Constant(value=32)):
            pass
        case _:
            return False
    text = ast.unparse(seed)
    if isinstance(seed, ast.Name) and seed.id in function.variables:
        span = function.variables[seed.id].span
        text = module.code[span.start : span.end]
    return _SEED_OF_WORKER.fullmatch(text) is not None


class WorkerInit(Struct, frozen=True):
    """The `worker_init_fn`: the function, a frame to evaluate it in, and the parameter that gets the worker's number.
    `changing` are the parameters that a partial binds to values that change between epochs."""

    function: FunctionValue
    frame: Frame
    worker: str | None
    changing: frozenset[str] = frozenset()


def worker_init(abstract: AbstractValue, linker: Linker) -> WorkerInit | None:
    """The `worker_init_fn` of a loader, also inside a partial, if its source is known."""
    positional: list[Slot] = []
    named: dict[str, Slot] = {}
    if isinstance(abstract, ContainerValue) and abstract.kind == PARTIAL and abstract.slots:
        target, *stored = abstract.slots
        positional = [slot for slot in stored if slot.is_item]
        named = {slot.key.attribute: slot for slot in stored if slot.key.attribute is not None}
        traced = linker.evaluate(target.value, target.frame)
        abstract = traced[0].value if len(traced) == 1 else UNKNOWN
    if not isinstance(abstract, FunctionValue):
        return None
    frame = linker.evaluator.activate(abstract, Arguments((), {}, True), 1)
    if frame is None:
        return None
    names = [p.name for p in abstract.facts.parameters if p.kind.startswith("positional")][abstract.bound is not None :]
    free = names[len(positional) :]
    bound = (*zip(names, positional, strict=False), *named.items())
    changing = frozenset(name for name, slot in bound if _is_of_an_epoch(slot))
    return WorkerInit(abstract, frame, next((name for name in free if name not in named), None), changing)


def _is_of_an_epoch(slot: Slot) -> bool:
    """Whether what is bound names an epoch: the loader is made anew for each."""
    span = slot.value.span
    return _EPOCHS.search(slot.frame.module.code, span.start, span.end) is not None
