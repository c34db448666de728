"""How a program reads files of pickled objects: whether it calls `torch.load`, and what it lets it read."""

from __future__ import annotations

import ast
import re

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.main_guard import has_guard
from lintpickle.payload.file_purposes import is_program
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module
from lintpickle.source.file_kinds import PlaceKind

_GIVEN = r"""(?:\s*=|["']\s*(?:\]\s*=|[:,]))"""
"""Behind the name of an argument, what gives it a value: in a call (`name=`), or in a dict of arguments that is passed
on (`options["name"] =`, `{"name": …}`, `options.setdefault("name", …)`)."""
_TRUST_WORDS = Words({"weights_only", "safe_globals", "add_safe_globals", "torch_load", "pickle_module"})
_TRUSTING = re.compile(
    rf"\bweights_only{_GIVEN}\s*False\b|\b(?:add_)?safe_globals\s*\("
    r"|\bultralytics\.utils\.patches\s+import\b.*\btorch_load\b"
    r"|\btorch\s*\.\s*load\((?:[^()]|\([^()]*\))*\bpickle_module\s*=(?!\s*None\b)"
)
"""Ways in which a program lets `torch.load` read more than weights. `ultralytics.utils.patches.torch_load` passes
`weights_only=False` itself (ultralytics 8.3, `utils/patches.py`), and `torch.load` with a `pickle_module` is not
restricted (torch 2.13, `_default_to_weights_only`)."""
_LOAD = Words({"torch.load("})
_DECIDING = Words(
    {
        "weights_only",
        "safe_globals",
        "add_safe_globals",
        "pickle_module",
        "TORCH_FORCE_WEIGHTS_ONLY_LOAD",
        "TORCH_FORCE_NO_WEIGHTS_ONLY_LOAD",
    }
)
_DECIDES = re.compile(
    rf"\bweights_only{_GIVEN}(?!\s*True\b)|\b(?:add_)?safe_globals\b|\bpickle_module{_GIVEN}|"
    r"TORCH_FORCE_(?:NO_)?WEIGHTS_ONLY_LOAD"
)
_FILE_NAME = re.compile(r"""([\w.-]+\.\w+)["']""")
"""The name of a file at the end of a literal."""
_SAVED = r"\bsave\w*\((?:[^()]|\([^()]*\)|\()*{name}"
"""A call that saves something, up to a name that is among its arguments."""
_LOAD_NAME = Words({"torch.load"})
_TORCH_LOAD = re.compile(r"\btorch\.load\(")
_TRUSTS = re.compile(rf"\bweights_only{_GIVEN}\s*False\b|\bsafe_globals\b")
_READS_BACK = re.compile(r"\b(?:pickle|joblib|pkl)\.(?:load|Unpickler)\(|\bread_pickle\(")


_RENAMES_MAIN = re.compile(r"\bdef\s+find_class\b[^\n]*\n(?:[ \t]+[^\n]*\n){0,9}?[ \t]+[^\n]*[\"']__main__[\"']")
"""An unpickler's method that gives names of `__main__` a meaning of its own."""


class Readers(Struct, frozen=True):
    """How the project reads checkpoints: whether it calls `torch.load`, and whether it sets `weights_only` anywhere."""

    load: bool
    decide: bool

    @classmethod
    def of(cls, asking: Module, linker: Linker) -> Readers:
        """The readers of the whole program, for a rule that judges the module `asking`."""
        path = asking.path
        load = linker.first_party.is_anywhere(_LOAD, path)
        return cls(load, linker.first_party.is_anywhere(_DECIDING, path, _DECIDES))


def loads_modules(asker: str, linker: Linker) -> bool:
    """Whether the program loads whole objects on purpose: it lets `torch.load` read more than weights."""
    return linker.first_party.is_anywhere(_TRUST_WORDS, asker, _TRUSTING)


def is_read_again(call: BoundaryCall, linker: Linker) -> bool:
    """Whether a program that reads files may read the one that is written: unless the call names it
    (`"training_args.bin"`), and nothing else in the program does but what saves it, too. Another script that saves a
    file of that name reads its own. This is asked of files without weights."""
    module = call.site.module
    names = _FILE_NAME.findall(module.code[call.site.span.start : call.site.span.end])
    if not names:
        return True
    name = re.escape(names[-1])
    saved = re.compile(_SAVED.format(name=name))
    is_script = has_guard(module.code)
    for path, text in linker.first_party.texts_naming(Words({names[-1]}), module.path):
        saving = len(saved.findall(text))
        reads_own = path != module.path and saving and is_script and has_guard(text)
        if len(re.findall(name, text)) > saving and not reads_own:
            return True
    return False


def is_surely_read(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the module that writes a file loads files too; if the call names the file, that one. A module that is not
    run itself may leave that to others."""
    module = call.site.module
    names = _FILE_NAME.findall(module.code[call.site.span.start : call.site.span.end])
    if not names:
        return module.has(_TORCH_LOAD)
    loads = re.compile(rf"\bload\w*\(.*{re.escape(names[-1])}")
    if linker.purposes.is_run_itself(module.path, module.code):
        return loads.search(module.code) is not None
    return linker.first_party.is_anywhere(Words({names[-1]}), module.path, loads)


def refusing_load(call: BoundaryCall, linker: Linker) -> Site | None:
    """Where `torch.load` is called, in a program that says nowhere that it may read more than weights: in the module
    that writes a file, if it loads any, or else in another one, preferably of the library; where one names the file as
    the call does, there. None if nothing calls it."""
    module = call.site.module
    others = (each for each in linker.first_party.naming(_LOAD_NAME, module.path, _TORCH_LOAD) if each is not module)
    inside = sorted(others, key=lambda other: (not linker.purposes.is_library(other.path), other.path))
    names = _FILE_NAME.findall(module.code[call.site.span.start : call.site.span.end])
    of_file = [re.compile(rf"{_TORCH_LOAD.pattern}(?=.*[\"'/]{re.escape(names[-1])}[\"'])")] if names else []
    for form in (*of_file, _TORCH_LOAD):
        for each in (module, *inside):
            place = _call_written(form, each.code)
            if place is not None:
                return Site(each, place)
    return None


def _call_written(form: re.Pattern[str], code: str) -> Span | None:
    """The first call of a form, which begins as the call does; what comments and texts say of it is none."""
    source = source_tree(code)
    if source is None:
        return outside_comments(form, code, 0, len(code))
    calls = {source.span(node).start for node in source.nodes if isinstance(node, ast.Call)}
    return next((Span(*found.span()) for found in form.finditer(code) if found.start() in calls), None)


def is_of_test(call: BoundaryCall, linker: Linker) -> bool:
    """Whether a test writes a file, for itself, and more than tests was asked for."""
    purposes, path = linker.purposes, call.frame.module.path
    return purposes.kind(path) is PlaceKind.TESTS and not purposes.is_library(path)


def is_read_back_here_alone(script: Module, linker: Linker) -> bool:
    """Whether the script is the only one that loads what `torch.save` wrote, and loads whole objects."""
    return script.has(_TRUSTS) and _is_only_reader(script, linker)


def is_refused_here_alone(script: Module, linker: Linker) -> bool:
    """Whether the script is the only one that loads what `torch.save` wrote, and loads no more than weights."""
    return not script.has(_TRUSTS) and _is_only_reader(script, linker)


def _is_only_reader(script: Module, linker: Linker) -> bool:
    if not script.has(_TORCH_LOAD):
        return False
    loading = linker.first_party.which(_LOAD_NAME, script.path, _TORCH_LOAD)
    return all(path == script.path for path in loading)


def reads_pickles(script: Module) -> bool:
    """Whether a script reads pickled files itself."""
    return script.has(_READS_BACK)


def is_read_by_namesakes(script: Module, name: str, linker: Linker) -> bool:
    """Whether another program reads pickled files, and has a class or function of that name in its own `__main__`."""
    word = re.escape(name)
    form = re.compile(rf"^(?:(?:class|def)\s+{word}\b|from\s[^\n]*\bimport\b[^\n]*\b{word}\b)", re.MULTILINE)
    return any(
        each is not script and (reads_pickles(each) or each.has(_TORCH_LOAD)) and is_program(each.code)
        for each in linker.first_party.naming(Words({name}), script.path, form)
    )


def renames_main(module: Module) -> bool:
    """Whether an unpickler of the module looks names of `__main__` up elsewhere."""
    return module.has(_RENAMES_MAIN)
