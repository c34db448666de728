"""The modules that a process runs when it imports some."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial

from lintpickle.diagnostics import Span
from lintpickle.imports.module_finder import ModuleFinder
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.syntax import with_owners
from lintpickle.payload.listed_modules import listed_modules
from lintpickle.payload.protocols import LinkedProgram
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_DOTTED_IMPORT = re.compile(r"^import +((?:\w+\.)+\w+)", re.MULTILINE)
"""An import of which the map keeps the first part alone."""
_STATEMENT = re.compile(
    r"(?:^(?P<indent>[ \t]*)|;[ \t]*)(?P<text>(?:from[ \t]+[.\w]+[ \t]+)?import\b[ \t]*(?:\([^()]*\)|[^\n#;(]+))",
    re.MULTILINE,
)
"""An import statement. One that is indented stands in a function, or under a condition."""

_LISTS_FOLDER = re.compile(r"\b(?:scandir|listdir|glob|iglob|iterdir|iter_modules|walk_packages)\s*\(")
_PUTS_NAME_BEFORE = re.compile(
    r"\bimport_module\(\s*(?:f[\"'](?:\{__(?:name|package)__\})?\.\{|__(?:name|package)__\s*\+|[\"']\.[\"']\s*\+)"
)
"""What stands in a package that imports modules of its own by names that it lists, or puts its own name before."""


def imported_with(modules: Iterable[Module], linker: LinkedProgram) -> tuple[Module, ...]:
    """The modules and all that a process runs when it imports them: the packages around them, the first-party
    modules that they import at module level, and so on."""
    first = tuple(dict.fromkeys(modules))
    return linker.remembered(
        ("imported with", *(module.path for module in first)), lambda: tuple(_imported_with(first, linker))
    )


def imported_directly(modules: Iterable[Module], linker: LinkedProgram) -> tuple[Module, ...]:
    """The modules, the packages around them, and the first-party modules that they import at module level, but not what
    these import in turn."""
    first = tuple(dict.fromkeys(modules))
    return tuple(dict.fromkeys((*first, *(each for module in first for each in _imports(module, linker)))))


def imported_by_functions(modules: Iterable[Module], linker: LinkedProgram) -> tuple[Module, ...]:
    """The first-party modules that the functions of some modules import as they run."""
    found = (
        each
        for module in modules
        for each in linker.remembered(("imports of functions", module.path), partial(_runs_later, module, linker))
    )
    return tuple(dict.fromkeys(found))


def _runs_later(module: Module, linker: LinkedProgram) -> tuple[Module, ...]:
    names = _names_written(module, linker.program.finder, is_indented=True) if module.first_party else ()
    found = (linker.program.find(name, module) for name in dict.fromkeys(names))
    return tuple(dict.fromkeys(each for each in found if each is not None and each.first_party))


def _imports(module: Module, linker: LinkedProgram) -> tuple[Module, ...]:
    return linker.remembered(("imports", module.path), partial(_runs_first, module, linker.program))


def _imported_with(modules: Iterable[Module], linker: LinkedProgram) -> Iterator[Module]:
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        module = waiting.pop()
        if module.path not in seen:
            seen.add(module.path)
            waiting += _imports(module, linker)
            yield module


def _runs_first(module: Module, program: Program) -> tuple[Module, ...]:
    """The modules that importing a module imports by itself."""
    found: list[Module] = []
    names: tuple[str, ...] = ()
    if module.first_party:
        finder = program.finder
        names = (*_imports_of(module, finder), *_listed_by(module, program))
    for name in dict.fromkeys(part for full in (module.name, *names) for part in with_owners(full)):
        imported = program.find(name, module)
        if imported is not None and (imported.first_party or module.name.startswith(f"{name}.")):
            found.append(imported)
    return tuple(found)


def _imports_of(module: Module, finder: ModuleFinder) -> Iterator[str]:
    """The dotted names of modules imported at module level, and of imported names, which may be modules."""
    outline = module.outline
    imported = (each for name in outline.imports for each in outline.importing(name))
    for target in (*imported, *outline.stars):
        source = module.absolute(target, finder)
        if source is not None:
            yield f"{source}.{target.name}" if target.name else source
    for line in _DOTTED_IMPORT.finditer(module.code):
        yield line.group(1)


def _listed_by(module: Module, program: Program) -> tuple[str, ...]:
    return (*_found_in_folder(module, program.finder), *listed_modules(module, program))


def _found_in_folder(module: Module, finder: ModuleFinder) -> tuple[str, ...]:
    """The modules of a package that imports what it finds in its own folder."""
    if not module.file.is_package or "import_module" not in module.code:
        return ()
    places = (found.start() for found in _PUTS_NAME_BEFORE.finditer(module.code))
    is_listed = module.has(_LISTS_FOLDER) or any(_may_run_at_import(place, module) for place in places)
    return finder.submodules(module.name) if is_listed else ()


def _may_run_at_import(place: int, module: Module) -> bool:
    """Whether the import of a module may run a place: not if it stands in a function that the module itself names
    nowhere else."""
    block = module.outline.block_at(place)
    if block is None or not block.defines_function or any(name.startswith("__") for name in block.names):
        return True
    named = re.compile(rf"\b(?:{'|'.join(map(re.escape, block.names))})\b")
    span = block.span
    return named.search(module.code, 0, span.start) is not None or named.search(module.code, span.end) is not None


def lists_module(importing: Module, imported: Module, linker: LinkedProgram) -> bool:
    """Whether a module imports another one as it is imported itself, because it lists those of its package."""
    question = ("listed by", importing.path)
    return imported.name in linker.remembered(question, partial(_listed_by, importing, linker.program))


def imports_module(importing: Module, imported: Module, program: Program) -> bool:
    """Whether a module imports another one anywhere, in its functions too: by a statement, or by its name in quotes
    (`import_module("jobs")`, `"tools.jobs:main"`)."""
    for name in _imported_names(importing, program.finder):
        file = program.file_of(name, importing)
        if file is not None and file.path == imported.path:
            return True
    name = re.escape(imported.name)
    by_name = rf"(?:import_module|__import__)\(\s*[\"']{name}[\"']|[\"'](?:[^\"'\n]*[\s=])?{name}:\w"
    if "." in imported.name:
        by_name += rf"|[\"']{name}[.\"']"
    return re.search(by_name, importing.code) is not None


def imported_anywhere(module: Module, program: Program) -> Iterator[Module]:
    """The first-party modules that the import statements of a module name, in its functions too, and the packages
    around them."""
    for name in _imported_names(module, program.finder):
        found = program.find(name, module)
        if found is not None and found.first_party:
            yield found


def _imported_names(module: Module, finder: ModuleFinder) -> Iterator[str]:
    """The dotted names that the import statements of a module name, of imported names also, which may be modules, and
    of the packages around them."""
    full = dict.fromkeys(_names_written(module, finder))
    yield from dict.fromkeys(part for each in full for part in with_owners(each))


def _names_written(module: Module, finder: ModuleFinder, is_indented: bool = False) -> Iterator[str]:
    """The dotted names that import statements of a module name, in file order, each behind those of the names that are
    imported from it, which may be modules; with `is_indented`, only of those that are."""
    for targets in imports_written(module, is_indented):
        yield from names_imported(targets or (), module, finder)


def names_imported(targets: Iterable[ImportedName], module: Module, finder: ModuleFinder) -> Iterator[str]:
    """The dotted names of what one import statement of a module names, as above."""
    for target in targets:
        source = module.absolute(target, finder)
        if source is not None:
            yield from (f"{source}.{target.name}", source) if target.name else (source,)


def imports_written(module: Module, is_indented: bool = False) -> Iterator[tuple[ImportedName, ...] | None]:
    """What the import statements of a module name, in file order, as it is written (`a.b` of `import a.b`); None for
    one that cannot be read. With `is_indented`, only those in functions and under conditions."""
    for found in _STATEMENT.finditer(module.code):
        if found["indent"] or not is_indented:
            yield _targets(found["text"])


def import_places(module: Module) -> Iterator[tuple[Span, tuple[ImportedName, ...] | None]]:
    """The import statements of a module, in functions too, each with its place and what it names, as `imports_written`
    has it."""
    for found in _STATEMENT.finditer(module.code):
        start = found.start("text")
        yield Span(start, start + len(found["text"].rstrip())), _targets(found["text"])


@lru_cache(maxsize=4096)
def _targets(statement: str) -> tuple[ImportedName, ...] | None:
    try:
        node = ast.parse(statement).body[0]
    except SyntaxError:
        return None
    match node:
        case ast.Import(names=names):
            return tuple(ImportedName(each.name) for each in names)
        case ast.ImportFrom(module=source, names=names, level=level):
            return tuple(ImportedName(source or "", each.name, level) for each in names)
        case _:
            return ()
