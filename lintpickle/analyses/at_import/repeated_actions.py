"""What importing a module does that breaks or destroys something when workers import it again."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import partial

from msgspec import Struct

from lintpickle.analyses.at_import.fresh_values import is_fresh
from lintpickle.analyses.at_import.import_statements import (
    CallAtImport,
    calls_at_import,
    calls_within,
    path_called,
    receiver_of,
)
from lintpickle.analyses.at_import.import_time import is_main_file, runs_later
from lintpickle.analyses.at_import.imported_late import first_import, may_be_script
from lintpickle.analyses.at_import.kept_open import is_kept_open
from lintpickle.analyses.at_import.relative_reads import read_before_leaving
from lintpickle.analyses.at_import.run_statements import written_as
from lintpickle.analyses.at_import.written_whole import is_only_read_elsewhere, is_written_whole
from lintpickle.analyses.calls_and_values.leading_modules import leading_modules
from lintpickle.analyses.process_state.exit_handlers import writes_what_workers_gather
from lintpickle.analyses.process_state.folder_at_start import FolderChange
from lintpickle.analyses.workers.worker_starts import are_started_unguarded, pool_given
from lintpickle.catalog import RepeatedSpec
from lintpickle.diagnostics import Span, StartMethod
from lintpickle.parsing.names_read import within
from lintpickle.parsing.syntax import arguments_of, dotted
from lintpickle.payload.imported_modules import imported_directly, imported_with
from lintpickle.payload.linker import PICKLED_ON_START, Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_AT_EXIT = "atexit.register"
_CLEARED = (3, 13)
"""The Python from which on workers of a server end as all processes do (measured with 3.11.7, 3.12.1 and 3.13.0)."""
_WRITES = frozenset({"write", "writelines"})
_REMOVES = frozenset({"shutil.rmtree", "os.rmdir"})
_WITH_OWN = "each worker does so with a value of its own"
_ALWAYS_CAUGHT = frozenset({"Exception", "BaseException", "error"})


class Repeated(Struct, frozen=True):
    """A call at import that workers do again: in which module, and what comes of it. `is_loud` says that something
    breaks or is lost."""

    module: Module
    call: CallAtImport
    outcome: str
    error: str | None
    is_loud: bool
    start_methods: tuple[StartMethod, ...] = PICKLED_ON_START
    left: FolderChange | None = None
    """Where the main process has gone to another folder, if it is that which makes the difference."""


_HAS_NO_PARENT = re.compile(r"\bparent_process\(\)\s+is\s+None\b")
_BESIDE_MODULE = "make the path from that of the module: `Path(__file__).parent / …`"
_IN_LIBRARY = "do it in a function that only the main process calls"
_NO_GUARD = "while a worker imports the script, it does not know its parent, and `parent_process() is None` holds"


def way_out(action: Repeated, linker: Linker) -> str | None:
    """What to do about it, where a main guard would not do: what stands under that in a module which others import is
    never done. A test for the parent of the process is no guard at all (see `run_statements`)."""
    module, call = action.call.module, action.call
    if action.left is not None:
        return _BESIDE_MODULE
    is_library = first_import(action.module, linker) is not None
    block = module.outline.block_at(call.span.start)
    is_asked = block is not None and _HAS_NO_PARENT.search(module.code, block.span.start, call.span.start) is not None
    if not is_library:
        return f"{_NO_GUARD}: ask for `__name__`" if is_asked else None
    return f"{_IN_LIBRARY}: {_NO_GUARD}" if is_asked else f"{_IN_LIBRARY}, not at the import of the module"


def actions_repeated(code: WorkerCode, linker: Linker) -> Iterator[Repeated]:
    """What the workers of a boundary do again as they import the modules of the program; of what is only seen or runs
    once more, the first of its kind in each module."""
    done = set[tuple[str, Span]]()
    for module in _modules_imported(code, linker):
        told: set[str] = set()
        for call, spec in linker.remembered(("repeated", module.path), partial(_calls_repeated, module, linker)):
            action = _repeated(call, spec, module, code, linker)
            place = (call.module.path, call.span)
            if action is not None and place not in done and (action.is_loud or action.outcome not in told):
                told.add(action.outcome)
                done.add(place)
                yield action


def _modules_imported(code: WorkerCode, linker: Linker) -> Iterator[Module]:
    """The modules that workers import: those of what they run, the script that starts them, and what these import; for
    who moves to another start method, all that this leads to, and the scripts that call what starts them, which takes
    more than an editor can wait for. Where the script starts workers without a main guard, they do not get as far."""
    start = code.boundary
    if start is None or pool_given(start, linker) is not None or are_started_unguarded(code, linker):
        return
    modules = [site.module for site in code.way]
    modules += [each.module for each in code.functions]
    modules += [each for each in leading_modules(code, linker) if may_be_script(each)]
    for module in (imported_with if linker.moving_to is not None else imported_directly)(modules, linker):
        is_code = module.first_party and module.document.cells is None
        if is_code and not is_main_file(module):
            yield module


def _calls_repeated(module: Module, linker: Linker) -> tuple[tuple[CallAtImport, RepeatedSpec], ...]:
    """The calls of which the catalog knows what comes of them when they are made again. (What is removed before can be
    made again.)"""
    calls, known = calls_at_import(module, linker), linker.catalog.repeated()
    is_emptied = any(call.path in _REMOVES for call in calls)
    found = [(call, spec) for call in calls for spec in known.get(call.path, ()) if _fits(call, spec)]
    return tuple((call, spec) for call, spec in found if spec.destroys or spec.error is None or not is_emptied)


def _repeated(
    call: CallAtImport, spec: RepeatedSpec, module: Module, code: WorkerCode, linker: Linker
) -> Repeated | None:
    """What comes of a call when it is done again; None if nothing does."""
    asker = code.root.site.module.path
    if call.path == _AT_EXIT:
        done = _at_exit(call, spec, module, linker, asker)
        is_filled = done is None and linker.moving_to is not None and _brings_out(call, code, linker)
        return Repeated(module, call, spec.outcome, None, False, _ending_so(linker)) if is_filled else done
    if spec.reads:
        return _read_elsewhere(call, spec, module, code, linker)
    given = arguments_of(call.call)
    is_own = any(is_fresh(each, call.module, linker) for each in given)
    if spec.fresh or (is_own and not spec.quiet):
        return Repeated(module, call, spec.outcome if spec.fresh else _WITH_OWN, None, False) if is_own else None
    is_prevented = call.known.is_asked or spec.error is None or _is_caught(spec.error, call)
    if not is_prevented:
        return Repeated(module, call, spec.outcome, spec.error, not spec.quiet)
    if (spec.error is not None and not spec.destroys) or (spec.destroys and _is_absent(call)):
        return None
    is_loud = not spec.quiet and (not spec.destroys or _is_used_elsewhere(call, linker, asker))
    return Repeated(module, call, spec.outcome, None, is_loud)


def _read_elsewhere(
    call: CallAtImport, spec: RepeatedSpec, module: Module, code: WorkerCode, linker: Linker
) -> Repeated | None:
    """What comes of reading a file in the current folder, where that is another one by the time that workers start."""
    found = read_before_leaving(call, module, code, linker)
    if found is None or spec.error is None:
        return None
    path, left = found
    if call.known.is_asked or _is_caught(spec.error, call):
        return Repeated(module, call, spec.outcome, None, False, left=left)
    return Repeated(module, call, spec.outcome, f"{spec.error}: {path!r}" if path else spec.error, True, left=left)


def _at_exit(call: CallAtImport, spec: RepeatedSpec, module: Module, linker: Linker, asker: str) -> Repeated | None:
    """What is registered at import is done at the end of each worker: under forkserver, from Python 3.13 on. None if
    that is nothing that the catalog knows: as a rule, a process puts its own things away."""
    done: Repeated | None = None
    methods = _ending_so(linker)
    for each in _registered(call, call.module):
        for inner in linker.catalog.repeated().get(each.path, ()):
            if any(is_fresh(argument, call.module, linker) for argument in each.call.args) or not _fits(each, inner):
                continue
            if inner.destroys and not inner.mode and _is_used_elsewhere(each, linker, asker):
                outcome = f"`{written_as(each.call.func)}` is done when the first worker ends"
                return Repeated(module, call, outcome, None, True, methods)
            done = Repeated(module, call, spec.outcome, None, False, methods)
    return done


def _ending_so(linker: Linker) -> tuple[StartMethod, ...]:
    """The start methods of workers that do at their end what their import has registered."""
    return PICKLED_ON_START if linker.pythons[-1] >= _CLEARED else (StartMethod.SPAWN,)


def _brings_out(call: CallAtImport, code: WorkerCode, linker: Linker) -> bool:
    """Whether what is registered writes to something, or brings out of a worker what that has gathered."""
    match call.call.args:
        case [ast.Name(id=name) as function] if path_called(function, call.module) == "":
            inner = (each.call.func for each in calls_within(name, call.module))
            is_written = any(isinstance(each, ast.Attribute) and each.attr in _WRITES for each in inner)
            return is_written or writes_what_workers_gather(name, call.module, code, linker)
        case _:
            return False


def _registered(call: CallAtImport, module: Module) -> Iterator[CallAtImport]:
    """What is called at exit, as far as it is a function of the module or of a library."""
    match call.call.args:
        case [ast.Name(id=name) as function] if path_called(function, module) == "":
            yield from calls_within(name, module)
        case [ast.Lambda(body=body)]:
            for each in (node for node in within(body) if isinstance(node, ast.Call)):
                yield CallAtImport(each, path_called(each.func, module), module, call.span, ())
        case [function, *rest]:
            made = ast.copy_location(ast.Call(function, rest, []), call.call)
            yield CallAtImport(made, path_called(function, module), module, call.span, ())
        case _:
            pass


def _fits(call: CallAtImport, spec: RepeatedSpec) -> bool:
    """Whether the arguments are such that the call counts."""
    keywords = {each.arg: each.value for each in call.call.keywords}
    if any(_is_on(keywords.get(name)) for name in spec.unless):
        return False
    told = (
        call.call.args[place] if place < len(call.call.args) else keywords.get(name)
        for place, name in enumerate(spec.needs)
    )
    if None not in keywords and not all(map(_is_on, told)):
        return False
    given = written_as(call.call.args[0]) if call.call.args else ""
    behind = " ".join(map(written_as, (*call.call.args[1:], *keywords.values())))
    if not all(text in behind for text in spec.told) or any(text in behind for text in spec.untold):
        return False
    if spec.held and not is_kept_open(call):
        return False
    if spec.having and not any(text in given for text in spec.having):
        return False
    made = call.module.outline.binding(dotted(call.call.func).partition(".")[0]) if spec.lacking else ()
    if any(text in written for written in (given, *map(call.module.facts.text, made)) for text in spec.lacking):
        return False
    if not spec.mode:
        return True
    place = 0 if ")." in call.path else 1
    positional = call.call.args[place : place + 1]
    modes = [*positional, *(keywords[name] for name in ("mode", "filemode") if name in keywords)]
    if spec.reads and not modes:
        return True
    return any(isinstance(each, ast.Constant) and str(each.value).startswith(spec.mode) for each in modes)


def _is_on(value: ast.expr | None) -> bool:
    return value is not None and not (isinstance(value, ast.Constant) and not value.value)


def _is_caught(error: str, call: CallAtImport) -> bool:
    """Whether code around the call expects the error."""
    name = error.partition(":")[0].rpartition(".")[2]
    kind = getattr(builtins, name, Exception)
    names = {each.__name__ for each in kind.__mro__} if isinstance(kind, type) else {name}
    return not call.known.caught.isdisjoint(names | {name} | _ALWAYS_CAUGHT)


def _acted_on(call: CallAtImport) -> list[ast.expr]:
    """The object whose method a call is, and its first argument."""
    return [each for each in (receiver_of(call.call.func, call.path), *call.call.args[:1]) if each is not None]


def _is_absent(call: CallAtImport) -> bool:
    """Whether a call acts on a file that is not there: workers find the one that the main process has made."""
    return any(written_as(each) in call.known.absent for each in _acted_on(call)[:1])


def _is_used_elsewhere(call: CallAtImport, linker: Linker, asker: str) -> bool:
    """Whether functions, or what stands under a main guard, use what a call acts on (see `_acted_on`), or what keeps
    its result; of a file that is written as a whole, whether they may do more than read it."""
    module, acted_on = call.module, _acted_on(call)
    forms = [form for form in (_form_of(each, module) for each in acted_on) if form is not None]
    forms += [rf"(?<![\w.'\"]){re.escape(name)}\b" for name in call.kept]
    if not forms:
        return False
    form, may_be_read = re.compile("|".join(forms)), is_written_whole(call, linker)
    for found in form.finditer(module.code):
        block = module.outline.block_at(found.start())
        is_elsewhere = block is not None and block.span != call.block and runs_later(block, module)
        if is_elsewhere and not (may_be_read and is_only_read_elsewhere(module, *found.span())):
            return True
    names = {each.id for each in acted_on if isinstance(each, ast.Name)} | set(call.kept)
    others = linker.first_party.naming_in_text(Words(names), asker, form) if names else ()
    return any(_imports(other, name, module, linker) for other in others if other is not module for name in names)


def _imports(other: Module, name: str, module: Module, linker: Linker) -> bool:
    """Whether a name of a module stands for the same in another one, which imports it."""
    return any(home is module for home, _ in linker.own_places.of_name(other, name))


def _form_of(node: ast.expr, module: Module) -> str | None:
    """How code is written that uses what an expression stands for: a name of the module, or a text that begins with the
    same."""
    match node:
        case ast.Name() | ast.Attribute():
            written = written_as(node)
            is_own = bool(module.outline.binding(written.partition(".")[0]))
            return rf"(?<![\w.'\"]){re.escape(written)}\b" if is_own else None
        case ast.Constant(value=str(text)) if text:
            return rf"['\"]{re.escape(text.rstrip('/'))}(?!\w)"
        case ast.Call(args=[first, *_]):
            return _form_of(first, module)
        case _:
            return None
