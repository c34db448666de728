from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence

from lintpickle.analyses.loader_arguments import is_loader
from lintpickle.diagnostics import Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    BoundaryCall,
    Call,
    Called,
    ConstantValue,
    ContainerValue,
    ExternalResult,
    Hazard,
    Hop,
    Linker,
    RootFrame,
    Rule,
    Site,
    SourceTree,
    source_tree,
)

_SAMPLER = "DistributedSampler"
_TORCH = re.compile(r"torch\.utils\.data\.(distributed\.)?DistributedSampler")
_LOOKS_ONLY = frozenset({"enumerate", "len", "tqdm", "iter", "range", "zip", "print", "trange"})


class MissingSetEpoch(Rule):
    """A training loop over a loader with a DistributedSampler that never calls `set_epoch`."""

    code = "LP408"
    name = "missing-set-epoch"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    message = (
        "the loop iterates `{loader}` without `set_epoch` on its DistributedSampler: every epoch has the same order"
    )
    help = "call `sampler.set_epoch(epoch)` at the start of each epoch"
    words = frozenset({_SAMPLER, "Loader("})

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard]:
        function, module = root.function, root.frame.module
        if function.is_module_body or "set_epoch" in module.code:
            return
        source = source_tree(module.code)
        if source is None:
            return
        for event in function.events:
            if not isinstance(event, Called):
                continue
            for call in linker.boundaries.match(event.call, root.frame, event):
                if is_loader(call) and _is_shuffled(call, linker):
                    yield from _loops(source, root, event.call)


def _is_shuffled(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the sampler, where there is one, is torch's DistributedSampler and shuffles."""
    values = (traced.value for traced in call.value("sampler", linker.evaluator))
    made = [_made_by(value) for value in values if not (isinstance(value, ConstantValue) and value.value is None)]
    return bool(made) and all(
        each is not None and not _is_off(each.keyword("shuffle"), call) and len(each.positional() or ()) < 4
        for each in made
    )


def _made_by(value: object) -> Call | None:
    match value:
        case ContainerValue(kind="DistributedSampler", call=call):
            return call
        case ExternalResult(path=path, call=call) if _TORCH.fullmatch(path):
            return call
        case _:
            return None


def _is_off(shuffle: object, call: BoundaryCall) -> bool:
    return shuffle is not None and getattr(shuffle, "value", None) is not True


def _loops(source: SourceTree, root: RootFrame, loader: Call) -> Iterator[Hazard]:
    nodes = list(source.nodes_within(root.function.span))
    name = next(
        (
            node.targets[0].id
            for node in nodes
            if isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and source.span(node.value) == loader.span
        ),
        None,
    )
    if name is None or _escapes(nodes, name):
        return
    for node in nodes:
        if isinstance(node, ast.For) and _is_epoch(node.target):
            for inner in ast.walk(node):
                if isinstance(inner, ast.For) and inner is not node and _mentions(inner.iter, name):
                    module = root.frame.module
                    made = Hop("makes the loader", Site(module, loader.span))
                    yield Hazard(Site(module, source.span(inner.iter)), "the loop", None, {"loader": name}, (made,))
                    return


def _is_epoch(target: ast.expr) -> bool:
    return isinstance(target, ast.Name) and ("epoch" in target.id.lower() or target.id in ("_", "e", "ep"))


def _mentions(node: ast.expr, name: str) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id == name for inner in ast.walk(node))


def _escapes(nodes: Sequence[object], name: str) -> bool:
    """Whether the loader is rebound, stored elsewhere, or passed to something that may set the epoch."""
    bound = 0
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=function), args=args) if function in _LOOKS_ONLY:
                continue
            case ast.Call(args=args, keywords=keywords):
                passed = [*args, *(keyword.value for keyword in keywords)]
                if any(isinstance(each, ast.Name) and each.id == name for each in passed):
                    return True
            case ast.Assign(targets=targets, value=value):
                bound += any(isinstance(t, ast.Name) and t.id == name for target in targets for t in ast.walk(target))
                if isinstance(value, ast.Name) and value.id == name:
                    return True
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                if _mentions(value, name):
                    return True
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if owner == name and attr != "dataset":
                return True
            case _:
                pass
    return bound != 1
