"""Whether what the workers of a loader run may divide the items of a dataset between them.

Every worker gets a copy of the dataset, so only what is asked in a worker can differ between two of them. Measured with
torch 2.13, under every start method: `get_worker_info()` that is asked in `__init__` is None, and each of two workers
yields everything."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.hierarchies import stores_of
from lintpickle.analyses.pickle_hooks.never_run_methods import NeverRunMethods
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, Iterated
from lintpickle.facts.values import Attribute, Call, Expr, Item, without_narrowing
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ExternalResult,
    ExternalValue,
    Frame,
    FunctionValue,
    InstanceValue,
    PlainValue,
    ProductValue,
    Site,
)
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.program.module import Module

_INFO = "get_worker_info"
_ASKS = re.compile(r"worker|rank|world_?size|getpid", re.IGNORECASE)
"""Names of what tells one worker, or one process, from another."""
_MAY_ASK = re.compile(rf"shard|splitter|split_(?:by|dataset)|{_ASKS.pattern}", re.IGNORECASE)
"""Names of functions that may ask for it. What they are given is called so too, which says nothing: `self.shards`."""
_STORES = re.compile(r"\bself\.\w+\s*(?:,[^=\n]*)?=(?!=)")
_CONTAINERS = frozenset(name for kind in (list, dict, set, str) for name in dir(kind))
_PLAIN = sys.stdlib_module_names | {"builtins", "numpy", "pandas", "torch"}
_OF_NUMBERS = re.compile(r"(?:random|numpy|torch)\.(?!utils\.|distributed\.|multiprocessing\.)")
"""How the paths begin of what makes arrays, tensors and generators of random numbers."""
_DEPTH = 3
"""How many calls are followed that pass on what they are given: `iter(enumerate(rows))`."""
_MAKERS = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__"})
_NOT_IN_WORKERS = _MAKERS | {"__len__", "__repr__", "__str__", "__del__", "__getstate__", "__init_subclass__"}


class AskedItems:
    """What the workers of a boundary ask, in the code of a dataset and of the objects that it holds."""

    def __init__(self, held: list[InstanceValue], code: WorkerCode, linker: Linker) -> None:
        self._code = code
        self._linker = linker
        self._run = {id(each.facts) for each in code.functions}
        self._lines = [tuple(linker.classes.mro(each)) for each in held]
        own = [[each for each in line if isinstance(each, ClassValue)] for line in self._lines]
        run = [Site(each.module, each.facts.span) for each in code.functions]
        self._never = [NeverRunMethods(each, run, linker) for each in own]
        self._made = {method for owner in self._classes() for method in _making(owner, self._classes())}

    def asked_too_early(self) -> Site | None:
        """Where the main process asks `get_worker_info()` while it makes the dataset or what this holds."""
        for owner, method in self._methods():
            if method.name in self._made or method.decorated_by("classmethod"):
                found = _call_of(_INFO, owner.module, method.span)
                called = self._asked_by_callees(owner, method) if found is None and method.name in self._made else None
                if found is not None or called is not None:
                    return Site(owner.module, found) if found is not None else called
        return None

    def may_ask(self) -> bool:
        """Whether something that runs in the workers may ask which worker it is, or which part it is to read."""
        is_known = self.asked_too_early() is not None
        if any(self._asks(function, is_known) for function in self._code.functions):
            return True
        if self._is_named_for_it() and any(map(self._iterates_unread, self._code.functions)):
            return True
        return any(self._may_run_unseen(owner, method) for owner, method in self._methods())

    def _is_named_for_it(self) -> bool:
        """Whether the classes speak of shards or workers, be it in a comment."""
        return any(
            _MAY_ASK.search(each.module.code, each.facts.span.start, each.facts.span.end) for each in self._classes()
        )

    def _iterates_unread(self, function: WorkerFunction) -> bool:
        """Whether a function iterates what a call gives of which nothing is read, so that it may give a part."""
        facts = function.facts
        sources = [event.iterable for event in facts.events if isinstance(event, Iterated)]
        sources += [each.base for each in facts.yields if isinstance(each, Item)]
        sources += facts.returns if facts.name == "__iter__" else ()
        return function.module.first_party and any(self._is_unread(each, function.frame) for each in sources)

    def _is_unread(self, value: Expr, frame: Frame, depth: int = 0) -> bool:
        source = without_narrowing(value)
        if isinstance(source, Item):
            return depth < _DEPTH and self._is_unread(source.base, frame, depth + 1)
        if not isinstance(source, Call) or _callees(source, frame, self._linker):
            return False
        called = [each.value for each in self._linker.evaluate(source.function, frame)]
        if (called and all(map(_gives_all, called))) or self._is_of_numbers(source, frame):
            return depth < _DEPTH and any(self._is_unread(each.value, frame, depth + 1) for each in source.arguments)
        return not (isinstance(source.function, Attribute) and source.function.name in _CONTAINERS)

    def _is_of_numbers(self, call: Call, frame: Frame) -> bool:
        """Whether it is a method of what such a library makes, as of a generator of random numbers, which may change
        the order in each worker, but knows nothing of the others: `torch.Generator().manual_seed(self.epoch)`."""
        base = without_narrowing(call.function.base) if isinstance(call.function, Attribute) else None
        made = [each.value for each in self._linker.evaluate(base, frame)] if base is not None else []
        is_given = isinstance(base, Call) and any(self._is_unread(each.value, frame) for each in base.arguments)
        if made and all(isinstance(each, ExternalResult | ProductValue) for each in made):
            paths = (each.path for each in made if isinstance(each, ExternalResult | ProductValue))
            return not is_given and all(_OF_NUMBERS.match(path) is not None for path in paths)
        if made and isinstance(base, Call) and all(isinstance(each, PlainValue) for each in made):
            makers = [each.value for each in self._linker.evaluate(base.function, frame)]
            return not is_given and bool(makers) and all(map(_makes_numbers, makers))
        return isinstance(base, Call) and not is_given and self._is_of_numbers(base, frame)

    def _classes(self) -> list[ClassValue]:
        return [each for line in self._lines for each in line if isinstance(each, ClassValue)]

    def _methods(self) -> Iterator[tuple[ClassValue, FunctionFacts]]:
        for line, never in zip(self._lines, self._never, strict=True):
            for owner in (each for each in line if isinstance(each, ClassValue)):
                for method in owner.facts.methods.values():
                    if id(method) not in self._run and method not in never:
                        yield owner, method

    def _asked_by_callees(self, owner: ClassValue, method: FunctionFacts) -> Site | None:
        """Where a function that a method calls asks for the worker."""
        frame = self._linker.activations.of_method(owner, method).frame
        for event in method.events:
            for each in _callees(event.call, frame, self._linker) if isinstance(event, Called) else ():
                found = _call_of(_INFO, each.module, each.facts.span) if isinstance(each, FunctionValue) else None
                if found is not None and isinstance(each, FunctionValue) and id(each.facts) not in self._run:
                    return Site(each.module, found)
        return None

    def _may_run_unseen(self, owner: ClassValue, method: FunctionFacts) -> bool:
        """Whether a method that no worker is seen to call may divide the items: one that somebody calls there by other
        ways."""
        if method.name in self._made or method.decorated_by("classmethod"):
            return False
        code, start, end = owner.module.code, method.span.start, method.span.end
        if outside_comments(_ASKS, code, start, end) is not None:
            return True
        stores = outside_comments(_STORES, code, method.header.end, end) is not None
        return stores and outside_comments(_MAY_ASK, code, start, end) is not None

    def _asks(self, function: WorkerFunction, is_known: bool) -> bool:
        source = source_tree(function.module.code)
        if source is None:
            return True
        nodes = list(source.nodes_within(function.facts.span))
        parts = {id(child) for node in nodes if isinstance(node, ast.Attribute) for child in [node.value]}
        called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
        calls = {event.call.span: event.call for event in function.facts.events if isinstance(event, Called)}
        for node in nodes:
            match node:
                case ast.Call(func=callee):
                    name = dotted(callee) or getattr(callee, "attr", "")
                    if name.rpartition(".")[2] == "islice" and not is_known and _skips(node):
                        return True
                    call = calls.get(source.span(node))
                    is_read = call is not None and self._is_read(name, _callees(call, function.frame, self._linker))
                    if _MAY_ASK.search(name) and not is_read:
                        return True
                case ast.Attribute(value=owner, attr=name) if id(node) not in called and _ASKS.search(name):
                    is_own = isinstance(owner, ast.Name) and owner.id == _first(function.facts)
                    if not is_own or id(node) in parts or not self._is_made(name):
                        return True
                case ast.Name(id=name, ctx=ast.Load()) if id(node) not in called and _ASKS.search(name):
                    if not _is_local(name, function.facts):
                        return True
                case ast.Subscript(slice=ast.Constant(value=str() as key)) if _ASKS.search(key):
                    return True
                case _:
                    pass
        return False

    def _is_read(self, name: str, callees: tuple[ClassValue | FunctionValue, ...]) -> bool:
        """Whether all that a call may run is among what the workers run, or does nothing but give parts of data."""
        if callees:
            return all(isinstance(each, ClassValue) or id(each.facts) in self._run for each in callees)
        return "." in name and name.rpartition(".")[2] in _CONTAINERS

    def _is_made(self, attribute: str) -> bool:
        """Whether only the making of an object stores an attribute of it."""
        stores = [function.name for line in self._lines for function, _ in stores_of(line, attribute)]
        return bool(stores) and self._made.issuperset(stores)


def _making(owner: ClassValue, classes: list[ClassValue]) -> Iterator[str]:
    """The methods that only make an object, or do not run in workers: those that are named here, and those that only
    these call."""
    yield from _NOT_IN_WORKERS
    others = [
        each.module.code[method.span.start : method.span.end]
        for each in classes
        for method in each.facts.methods.values()
        if method.name not in _NOT_IN_WORKERS
    ]
    for maker in _MAKERS & owner.facts.methods.keys():
        for event in owner.facts.methods[maker].events:
            name = getattr(event.call.function, "name", None) if isinstance(event, Called) else None
            if name is not None and not any(re.search(rf"\.{re.escape(name)}\b", text) for text in others):
                yield name


def _gives_all(called: AbstractValue) -> bool:
    """Whether a library's function surely knows nothing of workers."""
    return isinstance(called, ExternalValue) and called.path.partition(".")[0] in _PLAIN


def _makes_numbers(called: AbstractValue) -> bool:
    return isinstance(called, ExternalValue) and _OF_NUMBERS.match(called.path) is not None


def _callees(call: Call, frame: Frame, linker: Linker) -> tuple[ClassValue | FunctionValue, ...]:
    values = (traced.value for traced in linker.evaluate(call.function, frame))
    return tuple(each for each in values if isinstance(each, ClassValue | FunctionValue))


def _first(function: FunctionFacts) -> str:
    return function.parameters[0].name if function.parameters else ""


def _is_local(name: str, function: FunctionFacts) -> bool:
    return name in function.variables or function.parameter(name) is not None


def _skips(call: ast.Call) -> bool:
    """Whether `islice` may give something other than what comes first."""
    return len(call.args) > 2 or any(isinstance(each, ast.Starred) for each in call.args)


def _call_of(name: str, module: Module, span: Span) -> Span | None:
    source = source_tree(module.code)
    for node in source.nodes_within(span) if source is not None and name in module.code else ():
        if source is not None and isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == name:
            return source.span(node)
    return None
