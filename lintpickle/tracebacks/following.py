"""What the traceback names, looked for in the program where no rule finds fault; and where following ends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from lintpickle.catalog import Catalog, Product
from lintpickle.diagnostics import Span
from lintpickle.facts.records import ClassFacts, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import Call
from lintpickle.interpreter.abstract_values import ClassValue, Frame, ProductValue, Site, is_indefinite
from lintpickle.interpreter.slots import excerpt
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module
from lintpickle.tracebacks.notes import NoteStep, is_same_class, steps
from lintpickle.tracebacks.recognition import is_same_type, subjects
from lintpickle.tracebacks.records import Crossed, KnowledgeEnd, MatchedFrame, NamedPlace, Recognised

_MOST_ENDS = 8
_MOST_PLACES = 8
_MOST_STORES = 5_000
_TELLING_KEY = re.compile(r"^\['\w{3,}'\]$")
"""A key that a note names and that code would have as it is."""
_BOUNDARY_KINDS = frozenset({"dataloader", "process", "spawn", "pool", "executor", "joblib", "save", "deepcopy"})


class Names:
    """Finds classes, functions and stores of a linked program by the names that tracebacks give them."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker

    def stores(self, step: NoteStep) -> tuple[NamedPlace, ...]:
        """The lines that store an attribute, by the class and the attribute that a note names."""
        if step.owner is None:
            return ()
        found: dict[Site, NamedPlace] = {}
        for class_ in self._classes(step.owner):
            instance = self._linker.activations.instance(class_)
            for held in self._linker.classes.states.state(instance):
                if held.name == step.label and held.direct:
                    location = held.site.module.document.location(held.site.span)
                    what = f"{class_.facts.name}.{step.label} is stored here; the notes of the traceback lead to it"
                    found.setdefault(held.site, NamedPlace(what, location))
        return tuple(found.values())[:_MOST_PLACES]

    def definitions(self, error: Recognised) -> tuple[NamedPlace, ...]:
        """The lines at which the function or class is defined that the message names. Of several lambdas, those whose
        lines have what the notes of the traceback name, if there are such."""
        if error.name is None:
            return ()
        parts = [part for part in error.name.split(".") if part != "<locals>"]
        keys = [step.label.strip("[']") for step in steps(error.raised.notes) if _TELLING_KEY.search(step.label)]
        found: list[NamedPlace] = []
        for module in self._linker.first_party:
            for start in range(min(len(parts), 4)):
                inner = parts[start:]
                if start and not _may_be(module, parts[:start]):
                    continue
                spans = _definitions(module.code, inner)
                told = [span for span in spans if any(_quotes(_row_of(module.code, span), key) for key in keys)]
                if spans:
                    locations = [module.document.location(span) for span in told or spans]
                    what = f"{error.name} is defined here; the message names it"
                    found += [NamedPlace(what, location) for location in locations]
                    break
        return tuple(found) if len(found) <= _MOST_PLACES else ()

    def keepers(self, error: Recognised, catalog: Catalog) -> tuple[NamedPlace, ...]:
        """The lines that put an object of the type that the message names into an attribute or a container, whether or
        not they are known to run before the boundary: in methods that open a handle later, and in decorators."""
        if error.type is None:
            return ()
        found: dict[tuple[str, int], NamedPlace] = {}
        stores = ((each, *store) for each in self._linker.first_party for store in _stores_in(each))
        for module, function, store in islice(stores, _MOST_STORES):
            frame = Frame(module, function, depth=1, open=True)
            for traced in self._linker.evaluator.evaluate(store.value, frame):
                if isinstance(traced.value, ProductValue) and _is_of_type(traced.value.product, error, catalog):
                    location = module.document.location(store.span)
                    what = f"{_kept_in(store, module)} an object of that type here"
                    found.setdefault((location.path, location.start.row), NamedPlace(what, location))
        return tuple(found.values()) if len(found) <= _MOST_PLACES else ()

    def _classes(self, name: str) -> Iterator[ClassValue]:
        """The classes of that qualified name, with or without their module."""
        for module in self._modules(name):
            for block in module.outline.blocks:
                if f"class {name.rpartition('.')[2]}" not in module.code[block.span.start : block.span.end]:
                    continue
                facts = module.facts_of(block)
                for class_ in self._linker.activations.classes_in(module, facts) if facts is not None else ():
                    if is_same_class(name, class_.facts.qualname, module.name):
                        yield class_

    def _modules(self, name: str) -> Iterator[Module]:
        parts = name.split(".")
        for end in range(len(parts) - 1, 0, -1):
            module = self._linker.program.find(".".join(parts[:end]))
            if module is not None:
                yield module
                return
        last = parts[-1]
        yield from (module for module in self._linker.first_party if f"class {last}" in module.code)


def _kept_in(store: Store | ItemStore, module: Module) -> str:
    if isinstance(store, Store):
        return f"`{store.attribute}` is set to"
    return f"`{excerpt(module, store.target)}` gets"


def _stores_in(module: Module) -> Iterator[tuple[FunctionFacts, Store | ItemStore]]:
    """The stores of what calls give into attributes, and all into containers, in functions and methods of a module."""
    waiting: list[FunctionFacts | ClassFacts] = []
    for facts in module.facts_of_blocks():
        waiting += [*facts.functions.values(), *facts.classes.values()]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ClassFacts):
            waiting += [*part.methods.values(), *part.classes]
            continue
        waiting += [*part.functions, *part.classes]
        for event in part.events:
            if isinstance(event, ItemStore) or (isinstance(event, Store) and isinstance(event.value, Call)):
                yield part, event


def _is_of_type(product: Product, error: Recognised, catalog: Catalog) -> bool:
    """Whether pickling an object that the catalog describes fails with the type that an error names."""
    errors = (product.error, product.error_at_start, product.error_in_copy)
    foretold = [each for each in errors if each is not None]
    return any(
        known.type is not None and is_same_type(error.type or "", known.type) for known in subjects(foretold, catalog)
    )


def _may_be(module: Module, parts: Sequence[str]) -> bool:
    """Whether the first parts of a name are those of a module."""
    return module.name.split(".")[-len(parts) :] == list(parts)


def _quotes(text: str, key: str) -> bool:
    return f"'{key}'" in text or f'"{key}"' in text


def _row_of(code: str, span: Span) -> str:
    end = code.find("\n", span.end)
    return code[code.rfind("\n", 0, span.start) + 1 : end if end >= 0 else len(code)]


def _definitions(code: str, parts: Sequence[str]) -> list[Span]:
    """The head of the innermost of nested definitions, by their names from the outside. Lambdas are found by what is
    around them: all that are in there."""
    start, end, indent = 0, len(code), -1
    span: Span | None = None
    for part in parts:
        if part == "<lambda>":
            return [Span(each.start(), each.end()) for each in re.compile(r"\blambda\b").finditer(code, start, end)]
        form = re.compile(
            rf"^([ \t]*)(?:async[ \t]+def|def|class)[ \t]+({re.escape(part)})\b", re.MULTILINE | re.IGNORECASE
        )
        head = next((each for each in form.finditer(code, start, end) if len(each[1]) > indent), None)
        if head is None:
            return []
        indent = len(head[1])
        span = Span(head.start() + indent, head.end())
        start, end = head.end(), _end_of_block(code, head.end(), end, indent)
    return [span] if span is not None else []


def _end_of_block(code: str, start: int, end: int, indent: int) -> int:
    """Where a block ends whose head has this indentation."""
    form = re.compile(rf"^(?![ \t]{{{indent + 1},}})(?![ \t]*(?:\n|#|\)|$))", re.MULTILINE)
    newline = code.find("\n", start, end)
    found = form.search(code, newline + 1, end) if newline >= 0 else None
    return found.start() if found is not None else end


def ends_of(
    linker: Linker, boundary: Crossed, at: MatchedFrame | None, paths: Collection[str]
) -> tuple[int, tuple[KnowledgeEnd, ...]]:
    """How many values were followed at the boundary that the frames show (or at all of its kind), and where that ended:
    at what cannot be read from the source. `paths` are the files of the frames."""
    count = 0
    ends: dict[tuple[str, int], tuple[int, KnowledgeEnd]] = {}
    for crossing in linker.crossings(pedantic=True):
        site = crossing.root.site
        location = site.module.document.location(site.span)
        is_there = at is not None and location.path == at.path and at.row is not None
        is_row = is_there and location.start.row <= (at.row or 0) <= location.end.row if at is not None else False
        is_kind = crossing.root.kind == boundary.kind or boundary.kind not in _BOUNDARY_KINDS
        if not (is_row or is_kind or location.path in paths):
            continue
        count += 1
        if is_indefinite(crossing.value):
            held = crossing.held.site if crossing.held is not None else crossing.site
            at_value = crossing.site if crossing.site.span.end > crossing.site.span.start else held
            place = at_value.module.document.location(at_value.span)
            span = at_value.span
            text = " ".join(at_value.module.document.text[span.start : span.end].split())
            rank = 0 if is_row else 1 if location.path in paths else 2
            end = KnowledgeEnd(crossing.path, text[:80], place)
            ends.setdefault((place.path, place.start.row), (rank, end))
    ordered = sorted(ends.values(), key=lambda each: (each[0], each[1].path.count("."), each[1].path))
    return count, tuple(end for _, end in ordered[:_MOST_ENDS])
