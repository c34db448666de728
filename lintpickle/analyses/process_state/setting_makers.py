"""The code of a module that makes settings of the process and of libraries.

A module is screened for each setting by its imports and its text; what could not make it is not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from msgspec import Struct

from lintpickle.analyses.process_state.setting_paths import dotted_path_of, imported_path
from lintpickle.catalog import Catalog, SettingSpec
from lintpickle.diagnostics import Span
from lintpickle.facts.contexts import MANAGER_DECORATORS
from lintpickle.facts.methods import functions_in
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    options_of,
    without_narrowing,
)
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.program.program import Survey

ANY_SETTING = "settings"
"""The name of a survey: which modules make any setting. Those of single settings have their place behind it."""
_SETS = (
    *("torch.set_default", "torch.set_grad_enabled", "torch.set_num_threads", "torch.set_printoptions"),
    *("numpy.seterr", "numpy.set_printoptions", "cv2.setNumThreads", "locale.setlocale", "socket.setdefaulttimeout"),
    *("sys.setrecursionlimit", "sys.stdout", "sys.stderr"),
)
"""What replaces the one value of a setting: a function that calls it twice sets it back."""


_STARTS = re.compile(r"Pool|Process|Parallel|DataLoader|Trainer|\b(?:spawn|submit|start)\s*\(|\.\s*map\s*\(")
"""How calls are written that may start workers."""
_ENTERS = re.compile(r"\bwith\s+(?:[\w.]+\([^()\n]*\)(?:\s+as\s+\w+)?\s*,\s*)*\Z")
"""What stands in front of a context manager in a `with` statement."""


_GETS = re.compile(r"\.get\w*\(\)$")
"""How the path of a call ends that only asks for a setting."""
_LEAVES = frozenset({"__exit__", "__aexit__"})
_YIELDS = re.compile(r"^[ \t]*(?:\w+[ \t]*=[ \t]*)?yield\b", re.MULTILINE)
_ATTRIBUTE_OF_MADE = re.compile(r"\(\)\.(\w+)(?:\[\])?$")
"""How a path ends that is an attribute of what a call gives."""


class Making(Struct, frozen=True):
    """A place of a function that makes a setting; not `certain` if it sets it back, or to what is there anyway."""

    function: FunctionFacts
    span: Span
    certain: bool


def survey_of(place: int) -> str:
    """The name of the survey of a setting, by its place in the catalog."""
    return f"{ANY_SETTING} {place}"


def surveys(catalog: Catalog) -> dict[str, Survey]:
    """The surveys that are asked for here (see `Program.surveys`): whether a module makes any setting, and whether it
    makes a certain one."""
    settings = catalog.settings()
    each = {survey_of(place): partial(_makes, spec) for place, spec in enumerate(settings)}
    return {ANY_SETTING: lambda module, words: any(makings(spec, module) for spec in settings), **each}


def _makes(spec: SettingSpec, module: Module, words: tuple[str, ...]) -> bool:
    return bool(makings(spec, module))


def all_words(catalog: Catalog) -> Words:
    """The words one of which stands in every module that makes a setting."""
    return _words_of(tuple(catalog.settings()))


@lru_cache(maxsize=8)
def _words_of(specs: tuple[SettingSpec, ...]) -> Words:
    return Words({word for spec in specs for word in setting_words(spec)})


def setting_words(spec: SettingSpec) -> set[str]:
    """The words one of which stands in every module that makes a setting. Of a name with ".*" it is that of the
    module."""
    return {_word_of(pattern) for pattern in spec.by} | set(spec.methods)


def _word_of(pattern: str) -> str:
    stored = _ATTRIBUTE_OF_MADE.search(pattern)
    return stored[1] if stored is not None else _root(pattern).rpartition(".")[2]


def makings(spec: SettingSpec, module: Module) -> tuple[Making, ...]:
    """The places of a module that make a setting."""
    return module.remembered(("makings", spec.what), lambda: tuple(_find(spec, module)))


def _find(spec: SettingSpec, module: Module) -> Iterator[Making]:
    forms = tuple(_forms(spec, module))
    if not forms:
        return
    form = _form(forms)
    for block in module.outline.blocks:
        is_here = form.search(module.code, block.span.start, block.span.end)
        facts = module.facts_of(block) if is_here else None
        for function in functions_in(facts, form, module.code) if facts is not None else ():
            done = tuple(_made_in(function, module))
            made = [each for each in done if each[2] >= spec.arguments]
            for span, path, given in made:
                if _is_by(path, given, spec, module) and not goes_along(span, spec, module):
                    is_set_back = path.startswith(_SETS) and _is_set_again(path, span, made, module)
                    is_set_back = is_set_back or _is_for_a_while(span, done, spec, function, module)
                    is_set_back = is_set_back or _is_taken_out(span, spec, function, module)
                    is_set_back = is_set_back or _is_as_context_ends(span, function, module)
                    is_set_back = is_set_back or _is_what_was(span, path, spec, function, module)
                    yield Making(function, span, not is_set_back)


def _is_set_again(path: str, span: Span, made: Iterable[tuple[Span, str, int]], module: Module) -> bool:
    """Whether a function sets the same once more, and starts no workers in between."""
    others = [other for other, called, _ in made if called == path and other.start != span.start]
    later = [other.start for other in others if other.start > span.start]
    return bool(others) and (not later or _STARTS.search(module.code, span.end, min(later)) is None)


def _is_taken_out(span: Span, spec: SettingSpec, function: FunctionFacts, module: Module) -> bool:
    """Whether a function takes it out again of the table that holds it, and starts no workers in between."""
    if not spec.kept_in:
        return False
    tables = "|".join(map(re.escape, spec.kept_in))
    taking = re.compile(rf"\bdel\b[^\n]*\b(?:{tables})\s*\[|\b(?:{tables})\s*\.\s*pop\s*\(")
    taken = taking.search(module.code, span.end, function.span.end)
    return taken is not None and _STARTS.search(module.code, span.end, taken.start()) is None


def _is_what_was(span: Span, path: str, spec: SettingSpec, function: FunctionFacts, module: Module) -> bool:
    """Whether a function sets what there was before: what it has read of it, or what is there anyway."""
    for event in function.events:
        match event:
            case Called(span=place, call=Call(arguments=(Argument(value=value),))) | Store(span=place, value=value):
                if place == span and all(_is_there(each, path, spec, module) for each in options_of(value)):
                    return True
            case _:
                pass
    return False


def _is_there(value: Expr, path: str, spec: SettingSpec, module: Module) -> bool:
    inner = without_narrowing(value)
    if isinstance(inner, Constant):
        return str(inner.value) in spec.same
    given = dotted_path_of(inner, module)
    is_asked = isinstance(inner, Call) and not inner.arguments and any(given == f"{each}()" for each in spec.read)
    return given == path or given in spec.same or (is_asked and _GETS.search(given) is not None)


def _is_as_context_ends(span: Span, function: FunctionFacts, module: Module) -> bool:
    """Whether a context manager does it as its context is left: what `with` runs is over by then."""
    if function.name in _LEAVES:
        return True
    begin = function.header.end
    return function.decorated_by(*MANAGER_DECORATORS) and _YIELDS.search(module.code, begin, span.start) is not None


def _is_for_a_while(
    span: Span, done: Iterable[tuple[Span, str, int]], spec: SettingSpec, function: FunctionFacts, module: Module
) -> bool:
    """Whether a function sets it only for what it does itself (`with warnings.catch_warnings(): …`), and that starts no
    workers: in the block of a `with` statement, what stands behind it there; otherwise, whatever the function does."""
    entered = [other for other, path, _ in done if any(is_below(path, pattern) for pattern in spec.own)]
    entered = [other for other in entered if other.start < span.start]
    if not entered:
        return False
    is_block = any(
        _ENTERS.search(module.code, module.code.rfind("\n", 0, other.start) + 1, other.start) for other in entered
    )
    begin, end = (span.end, _end_of_block(span, module)) if is_block else (function.span.start, function.span.end)
    return _STARTS.search(module.code, begin, end) is None


def _end_of_block(span: Span, module: Module) -> int:
    """Where the block ends in which a statement stands: before the next row that is indented less."""
    code = module.code
    row = code.rfind("\n", 0, span.start) + 1
    indentation = len(code[row : span.start]) - len(code[row : span.start].lstrip())
    ends = re.compile(rf"^[ \t]{{0,{max(indentation - 1, 0)}}}[^\s#]", re.MULTILINE).search(code, span.end)
    return ends.start() if ends is not None else len(code)


def _is_by(path: str, given: int, spec: SettingSpec, module: Module) -> bool:
    """Whether a path is one that makes a setting. A call below a name with ".*" that is given nothing only asks
    (`torch.backends.mps.is_available()`)."""
    if path.startswith("."):
        return path[1:] in spec.methods and spec.word in module.code
    return any(is_below(path, pattern) and (given or not pattern.endswith(".*")) for pattern in spec.by)


def goes_along(span: Span, spec: SettingSpec, module: Module) -> bool:
    """Whether new processes get what a call sets, by what it is given: an ignored signal stays ignored."""
    if not spec.inherited:
        return False
    named = "|".join(map(re.escape, spec.inherited))
    return re.search(rf"\b(?:{named})\b", module.code[span.start : span.end]) is not None


def _forms(spec: SettingSpec, module: Module) -> Iterator[str]:
    """Patterns for the text of a module, one of which stands where it makes the setting."""
    bound = module.remembered("imported paths", lambda: _imported_paths(module))
    for pattern in spec.by:
        root, stored = _root(pattern), _ATTRIBUTE_OF_MADE.search(pattern)
        for name, path in bound:
            if stored is not None:
                if root == path or root.startswith(f"{path}."):
                    yield rf"{stored[1]}\b"  # `log = logging.getLogger()` may stand elsewhere in the module.
            elif root == path or path.startswith(f"{root}."):
                yield rf"{re.escape(name)}\b"
            elif root.startswith(f"{path}."):
                yield rf"{re.escape(root.rpartition('.')[2])}{_behind(pattern[len(root) :])}"
    if spec.methods and spec.word in module.code:
        yield from (rf"{re.escape(method)}\s*\(" for method in spec.methods)


def _imported_paths(module: Module) -> tuple[tuple[str, str], ...]:
    """The names that a module imports, with what they stand for. Each setting asks."""
    paths = ((name, imported_path((name,), module)) for name in module.outline.imports)
    return tuple((name, path) for name, path in paths if path is not None)


def _root(pattern: str) -> str:
    """The dotted name with which a pattern of the catalog begins: without what it calls, and what lies below."""
    return re.split(r"\(|\[|\.\*", pattern, maxsplit=1)[0]


def _behind(rest: str) -> str:
    """What stands in a text behind the root of a pattern that goes on with `rest`."""
    match rest[:1]:
        case "":
            return r"\b(?!\s*\.)"
        case mark:
            return rf"\s*{re.escape(mark)}"


@lru_cache(maxsize=1024)
def _form(alternatives: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(set(alternatives)))})")


def _made_in(facts: FunctionFacts, module: Module) -> Iterable[tuple[Span, str, int]]:
    """The paths of what a function calls, and of what it stores, with their places and the number of arguments."""
    for event in facts.events:
        match event:
            case Called(call=call, span=span):
                path = dotted_path_of(call.function, module)
                yield span, path, len(call.arguments)
                match call.arguments:
                    case (Argument(value=Constant(value=str(option))), *_):
                        yield span, f"{path}({option}", len(call.arguments)
                    case _:
                        pass
            case ItemStore(target=Attribute(base=base, name=name), span=span) if not _sets_nothing(event):
                path = dotted_path_of(Attribute(span, base, name), module)
                yield span, f"{path if path[:1] != '.' else f'{dotted_path_of(base, module)}.{name}'}[]", 1
            case ItemStore(target=target, span=span) if not _sets_nothing(event):
                yield span, f"{dotted_path_of(target, module)}[]", 1
            case Store(target=target, attribute=attribute, span=span) if not _sets_nothing(event):
                yield span, f"{dotted_path_of(target, module)}.{attribute}", 1
            case _:
                pass


def _sets_nothing(event: Store | ItemStore) -> bool:
    """Whether an empty list is stored: a logger without handlers, say."""
    return isinstance(event.value, Collection) and not event.value.elements


def is_below(path: str, pattern: str) -> bool:
    """Whether a dotted path is the one that a pattern of the catalog's settings names, or below it (`torch.set_*`)."""
    return path.startswith(pattern[:-1]) if pattern.endswith(".*") else path == pattern
