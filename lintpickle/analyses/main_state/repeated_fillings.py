"""Caches that the main process fills before it starts workers, each of which fills its own: what that does besides is
done again, as to print, to draw random numbers, to ask for the time, to write files, or to read one that is gone."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import partial

from msgspec.structs import replace

from lintpickle.analyses.at_import.run_statements import block_read
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.main_setters import (
    Met,
    Setting,
    is_before_workers,
    of_the_program,
    set_by,
    setter_at,
)
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.analyses.main_state.taken_back import starts_workers_within
from lintpickle.analyses.process_state.files_removed import removes_file_read
from lintpickle.analyses.workers.workers_started import is_after_workers
from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import arguments_of, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction

_CACHED = ("lru_cache", "cache")
_DOES = re.compile(
    r"print|(?:\w+\.)*(?:log\w*|_log\w*|LOG\w*)\.(?:debug|info|warning|error|exception|critical)|warnings\.warn"
    r"|(?:np\.|numpy\.)?random\.\w+|secrets\.\w+|uuid\.uuid[14]|time\.(?:time|perf_counter|monotonic)|os\.getpid"
    r"|(?:datetime\.)?datetime\.(?:now|utcnow)|subprocess\.\w+|os\.system|(?:\w+\.)+write(?:_text|_bytes)?"
)
"""Calls that do or give something else each time."""
_READS = re.compile(r"open|(?:\w+\.)+(?:open|read_csv|read_parquet|fromfile|load|loadtxt)|.+\.(?:read_text|read_bytes)")
_REMOVES = re.compile(
    r"\b(?:os\.remove|os\.unlink|shutil\.rmtree|TemporaryDirectory|NamedTemporaryFile)\s*\(|\.unlink\("
)

_GENERATORS = re.compile(
    r"(?:np\.|numpy\.)?random\.(?:Random|RandomState|default_rng|Generator|SeedSequence|PCG64\w*|MT19937)"
)
"""What makes a generator that draws the same numbers each time, if it is given a seed."""
_TEMPORARY = "TemporaryDirectory"
_TEXT = re.compile(r"\"[^\"\n]+\"|'[^'\n]+'")
_NO_FILE = "FileNotFoundError: [Errno 2] No such file or directory: '…'"
_GONE = Met(f"each worker fills its own, and the file is gone by then: {_NO_FILE}", "filled before", _NO_FILE)


def filled_again(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The functions with a cache that workers call, though the main process has called them before, and that do more
    than to fill it. Where they read a file, and the program removes some, it is asked whether it is there."""
    for function in code.functions if linker.moving_to is not None else ():
        facts, module = function.facts, function.module
        if not module.first_party or module.document.cells is not None or facts.is_local or facts.is_module_body:
            continue
        name = module.remembered(("filled with more", facts.span), partial(_filled_with, _DOES, function))
        is_on_way = _removes_files(code, linker)
        is_asked = name is None and (is_on_way or module.has(_REMOVES))
        if is_asked:
            name = module.remembered(("filled from a file", facts.span), partial(_filled_with, _READS, function))
        if name is None:
            continue
        asker = code.root.site.module.path
        calls = calls_by_main(facts, code, linker, asker)
        setters = (setter_at(root.frame.module, root.function, span, linker, asker) for root, span in calls)
        met = Met(f"each worker fills its own, with all else that `{facts.name}()` does then", "filled before")
        setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
        if setting is not None:
            is_left = _is_folder_left(setting, function, linker) if is_asked else None
            if is_left is False:
                continue
            is_gone = is_asked and (
                is_left is True
                or _is_removed_behind(setting, function, linker)
                or removes_file_read(setting, function, linker)
            )
            setting = replace(setting, met=_GONE) if is_gone else setting
            if is_gone or not is_asked or is_on_way:
                yield function, Reading(name, facts.header, is_asked and not is_gone), setting


def _is_removed_behind(setting: Setting, function: WorkerFunction, linker: Linker) -> bool:
    """Whether the function of the main process that has the cache filled removes the file behind that, before it starts
    workers: what it gives the cached function, or what this names in a text."""
    setter, site = setting.setter, setting.site
    if setter is None:
        return False
    code, home = site.module.code, function.module.code
    given = re.findall(r"[(,=]\s*([^\W\d][\w.]*|\"[^\"\n]+\"|'[^'\n]+')", code[site.span.start : site.span.end])
    texts = _TEXT.findall(home, function.facts.header.end, function.facts.span.end)
    names = "|".join(map(re.escape, dict.fromkeys((*given, *texts))))
    gone = re.compile(rf"\b(?:os\.remove|os\.unlink|shutil\.rmtree)\(\s*(?:{names})\s*[,)]|\b(?:{names})\.unlink\(")
    places = [Span(*each.span()) for each in gone.finditer(code, site.span.end, setter.span.end)] if names else []
    return any(
        is_before_workers(each, setter, linker) and not is_after_workers([each], setter, site.module, linker)
        for each in places
    )


def _is_folder_left(setting: Setting, function: WorkerFunction, linker: Linker) -> bool | None:
    """Whether the function of the main process has left a temporary folder again when it starts workers, from which it
    has the cache filled: it gives the cached function the path, or sets what this reads to that. None if it is not seen
    to use any."""
    setter, site = setting.setter, setting.site
    block = site.module.outline.block_at(site.span.start)
    if setter is None or block is None or _TEMPORARY not in site.module.code:
        return None
    read = block_read(block, site.module)
    filling = site.module.code[site.span.start : site.span.end]
    reading = function.text
    for context in (node for node in within(read.tree) if isinstance(node, ast.With)):
        body = Span(read.span(context.body[0]).start, read.span(context.body[-1]).end)
        for item in context.items if body.start <= site.span.start < body.end else ():
            folder = _temporary_folder(item)
            kept = _stored_from(folder, context.body) if folder is not None else set[str]()
            if _mentions_any(kept, filling) or _mentions_any(kept - {folder}, reading):
                return not starts_workers_within(read.span(item.context_expr), setter, site.module, linker)
    return None


def _temporary_folder(item: ast.withitem) -> str | None:
    """The name of a temporary folder that a `with` makes and removes."""
    match item:
        case ast.withitem(context_expr=ast.Call(func=function), optional_vars=ast.Name(id=name)):
            return name if dotted(function).rpartition(".")[2] == _TEMPORARY else None
        case _:
            return None


def _stored_from(folder: str, body: list[ast.stmt]) -> set[str]:
    """What statements set to a path in a folder, with the name of the folder itself: variables, attributes
    (`Store.folder`)."""
    kept = {folder}
    for node in (each for statement in body for each in within(statement)):
        if isinstance(node, ast.Assign) and any(
            isinstance(each, ast.Name) and each.id in kept for each in ast.walk(node.value)
        ):
            kept |= {dotted(each) for each in node.targets if isinstance(each, (ast.Name, ast.Attribute))} - {""}
    return kept


def _mentions_any(names: Collection[str], text: str) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(name)}\b", text) for name in names)


def _filled_with(calls: re.Pattern[str], function: WorkerFunction) -> str | None:
    """What a function calls the cache that it fills, if such calls belong to that."""
    return next((name for name, statement in _filling(function) if _makes(calls, statement)), None)


def _removes_files(code: WorkerCode, linker: Linker) -> bool:
    """Whether the module that starts the workers, or one that leads there, removes files."""
    modules = dict.fromkeys(site.module for site in code.way)
    return any(module.first_party and module.has(_REMOVES) for module in modules)


def _filling(function: WorkerFunction) -> Iterator[tuple[str, ast.stmt]]:
    """The statements that run where the cache has nothing, each with what the cache is called: all of a function that a
    decorator caches, or those under a test that asks for a global, and that give it a value or an item."""
    tree = function.frame.paths.tree
    if function.facts.decorated_by(*_CACHED):
        yield from ((f"{function.facts.name}()", node) for node in within(tree) if isinstance(node, ast.stmt))
        return
    for node in within(tree):
        if isinstance(node, ast.If):
            asked = {each.id for each in ast.walk(node.test) if isinstance(each, ast.Name)}
            kept = [name for name in _stored(node.body) if name in asked and function.module.outline.binding(name)]
            if kept:
                yield from ((kept[0], statement) for statement in node.body)


def _stored(statements: list[ast.stmt]) -> Iterator[str]:
    """The names that statements bind, or put an item into."""
    for statement in statements:
        for node in within(statement):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                    yield name
                case _:
                    pass


def _makes(calls: re.Pattern[str], statement: ast.stmt) -> bool:
    made = (node for node in within(statement) if isinstance(node, ast.Call))
    return any(calls.fullmatch(ast.unparse(call.func)) and not _is_seeded(call) for call in made)


def _is_seeded(call: ast.Call) -> bool:
    """Whether a call makes a generator of random numbers from a seed, which gives the same ones in each process."""
    given = arguments_of(call)
    is_none = all(isinstance(each, ast.Constant) and each.value is None for each in given)
    return not is_none and _GENERATORS.fullmatch(ast.unparse(call.func)) is not None
