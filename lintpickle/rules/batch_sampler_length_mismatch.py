from __future__ import annotations

import ast
from collections.abc import Iterable

from lintpickle.analyses.batch_samplers import SAMPLER_KINDS, Batching, batching, syntax_of
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import ALL_START_METHODS, ClassValue, Hazard, Linker, Rule, Site

_ELEMENTS = "`__len__` counts elements, `__iter__` yields batches of them"
_WRAPPERS = frozenset({"enumerate", "iter", "sorted", "list", "reversed", "range", "len", "tqdm"})
_ROWS = frozenset({"items", "iteritems", "iterrows", "itertuples", "tolist"})
_FLOOR = "`__len__` does not count the last, smaller batch, but `__iter__` yields it"


class BatchSamplerLengthMismatch(Rule):
    """A batch sampler whose `__len__` is not the number of batches that it yields."""

    code = "LP407"
    name = "batch-sampler-length-mismatch"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = "`{sampler}`: {what}, so `len(loader)` is wrong"
    help = "count what `__iter__` yields"
    words = frozenset({"Sampler"})
    class_kinds = frozenset(SAMPLER_KINDS)

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard]:
        length, iterate = class_.facts.methods.get("__len__"), class_.facts.methods.get("__iter__")
        if length is None or iterate is None or linker.classes.kind(class_) not in SAMPLER_KINDS:
            return
        batches, written = batching(class_.module, iterate), syntax_of(class_.module, length)
        if batches is None or written is None:
            return
        returned = [node for node in ast.walk(written[1]) if isinstance(node, ast.Return)]
        if len(returned) != 1 or returned[0].value is None:
            return
        text = class_.module.code[class_.facts.span.start : class_.facts.span.end].lower()
        what = _mismatch(returned[0].value, batches, "drop" in text)
        if what is not None:
            yield Hazard(
                site=Site(class_.module, written[0].span(returned[0])),
                noun="the length",
                error=None,
                data={"sampler": class_.facts.name, "what": what},
            )


def _mismatch(length: ast.expr, batches: Batching, drops: bool) -> str | None:
    match length:
        case ast.Call(func=ast.Name(id="len"), args=[counted]):
            return _ELEMENTS if _is_iterated(counted, batches) else None
        case ast.BinOp(left=ast.Call(func=ast.Name(id="len"), args=[counted]), op=ast.FloorDiv(), right=size):
            trailing = any(id(each) not in _inside(batches) for each in batches.yields)
            whole = _is_iterated(counted, batches) and _is_full_at(size, batches)
            return _FLOOR if trailing and whole and not drops else None
        case _:
            return None


def _inside(batches: Batching) -> set[int]:
    return {id(node) for loop in batches.loops for node in ast.walk(loop)}


def _is_iterated(counted: ast.expr, batches: Batching) -> bool:
    """Whether the loop that makes batches iterates exactly this: `for i in self.sampler`, also in `enumerate`,
    `sorted`, `range(len(…))`, or by rows: `for i, n in self.table["count"].items()`."""
    if len(batches.loops) != 1 or not isinstance(counted, ast.Attribute):
        return False
    wanted = ast.dump(counted)
    over: ast.expr | None = batches.loops[0].iter
    while over is not None:
        if ast.dump(over) == wanted:
            return True
        match over:
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in _WRAPPERS:
                over = inner
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _ROWS:
                over = inner
            case ast.Subscript(value=inner, slice=ast.Constant(value=str())):
                over = inner
            case _:
                over = None
    return False


def _is_full_at(size: ast.expr, batches: Batching) -> bool:
    """Whether a batch is full once it has `size` elements: `len(batch) == size`."""
    wanted, length = ast.dump(size), ast.dump(ast.parse(f"len({batches.variable})", mode="eval").body)
    for node in ast.walk(batches.function):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.GtE()], comparators=[right]):
                if {ast.dump(left), ast.dump(right)} == {wanted, length}:
                    return True
            case _:
                pass
    return False
