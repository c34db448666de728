"""Objects that scripts fill which a program runs by their paths: `runpy.run_path(path)`, `loader.exec_module(made)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from lintpickle.analyses.at_import.guarded_imports import imported_by_workers
from lintpickle.analyses.at_import.import_time import functions_of, outside_comments
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.main_state.sure_failures import failing_empty
from lintpickle.facts.methods import owns
from lintpickle.interpreter.abstract_values import ContainerValue, ExternalValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

RUNS_SCRIPT = r"\brun_(?:path|module)\(|\bexec\(\s*(?:compile|open)\(|\.(?:exec|load)_module\("
"""What stands where a module is run by its path, as a regular expression."""
_RUNS = re.compile(RUNS_SCRIPT)
_WORDS = Words({"run_path", "run_module", "exec", "exec_module", "load_module"})
_WITHOUT_SCRIPTS = Met("there it lacks what the scripts add", "filled")
_DICT = "builtins.dict"


def may_run_scripts(code: WorkerCode) -> bool:
    """Whether a function of the workers runs a module by its path: that may change whatever it imports."""
    return any(
        _RUNS.search(each.module.code, each.facts.header.end, each.facts.span.end) is not None
        for each in code.functions
    )


def filled_by_scripts(
    owner: Owner,
    written: str,
    function: WorkerFunction,
    code: WorkerCode,
    linker: Linker,
    filling: Sequence[Module] = (),
) -> Setting | None:
    """How an object gets what it has where modules of the program use it when they are run, which workers do not
    import, and a function runs what it finds. `filling` are modules that do so by functions of its own module. For
    `migrate`."""
    asker = code.root.site.module
    if linker.moving_to is None or not linker.first_party.is_anywhere(_WORDS, asker.path, _RUNS):
        return None
    there = imported_by_workers((function.module, asker), linker)
    scripts = [module for module in (*_using(owner, asker.path, linker), *filling) if module not in there]
    if not scripts:
        return None
    setting = set_by(of_the_program(_running(asker.path, linker), code, linker), _WITHOUT_SCRIPTS, linker, asker.path)
    if setting is None:
        return None
    text = "{}" if _is_dict(owner, linker) else ""
    return replace(setting, met=failing_empty(setting.met, written, text, function, linker))


def _running(asker: str, linker: Linker) -> Iterator[Setter]:
    for module in linker.first_party.naming_in_text(_WORDS, asker, _RUNS):
        for facts in functions_of(module, _RUNS, lambda facts: True):
            place = outside_comments(_RUNS, module.code, facts.span.start, facts.span.end)
            if place is not None and owns(facts, place.start):
                yield setter_at(module, facts, place, linker, asker)


def _using(owner: Owner, asker: str, linker: Linker) -> Iterator[Module]:
    """The modules that use the object as a decorator, or in a statement of their own."""
    name = rf"(?:\w+\.)?{re.escape(owner.name)}"
    form = re.compile(rf"^@?{name}[.\[][^=\n]*(?:\(|=)", re.MULTILINE)
    for module in linker.first_party.naming_in_text(Words({owner.name}), asker, form):
        if module is owner.module:
            continue
        used = form.search(module.code)
        written = re.match(name, module.code[used.start() :].lstrip("@")) if used is not None else None
        places = linker.own_places.of_name(module, written[0]) if written is not None else ()
        if any(home is owner.module and block is owner.block for home, block in places):
            yield module


def _is_dict(owner: Owner, linker: Linker) -> bool:
    """Whether the object is an empty dictionary, or of a class of its own that derives from that alone."""
    match owner.value:
        case ContainerValue(kind="dict", slots=()):
            return True
        case InstanceValue() as instance:
            own = (linker.classes.find_method(instance, name) for name in ("__missing__", "__getitem__"))
            line = linker.classes.mro(instance)
            return all(each is None for each in own) and any(
                isinstance(each, ExternalValue) and each.path == _DICT for each in line
            )
        case _:
            return False
