"""The modules that a module imports as it is imported itself, because it lists those of a package: `for info in
pkgutil.iter_modules(readers.__path__): import_module(f"{readers.__name__}.{info.name}")`, or calls a function that does
so and names the package (`import_dir("app/readers", "app.readers")`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.imports.module_finder import ModuleFinder
from lintpickle.parsing.outline import Block
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_OWN = r"__name__|__package__"
_IMPORTS = r"\bimport_module\(\s*"
_IMPORTING = re.compile(_IMPORTS)
_OF_PACKAGE = re.compile(
    rf"\b(?:iter_modules|walk_packages)\(\s*(?:path\s*=\s*)?(\w+)\.__path__"
    rf"|{_IMPORTS}f[\"']\{{(\w+)\.__name__\}}\.\{{"
    rf"|{_IMPORTS}(\w+)\.__name__\s*\+\s*[\"']\.[\"']"
)
"""How code lists the modules of a package that it has imported, or puts their names together."""
_BELOW = re.compile(
    rf"{_IMPORTS}f[\"']\{{(?:{_OWN})\}}\.([\w.]+)\.\{{"
    rf"|{_IMPORTS}(?:{_OWN})\s*\+\s*[\"']\.([\w.]+)\.[\"']"
    rf"|{_IMPORTS}f[\"']\.([\w.]+)\.\{{[^{{}}]*\}}[\"']\s*,\s*(?:package\s*=\s*)?(?:{_OWN})"
)
"""The same of a package below its own."""
_LISTS = re.compile(r"\b(?:iter_modules|walk_packages|listdir|scandir|glob|iglob|rglob|iterdir)\(")
_NAMING_CALL = re.compile(
    rf"^(?:(\w+)\.)?(\w+)\(((?:[^()\n]*[\s,=(])?(?:[\"'][\w.]+[\"']|{_OWN})\s*(?:,[^()\n]*)?)\)", re.MULTILINE
)
"""A call at module level that is given a name of a package, among others perhaps."""
_PACKAGE = re.compile(rf"(?<![\w.])(?:[\"']([A-Za-z_][\w.]*)[\"']|{_OWN})(?![\w.])")


def listed_modules(module: Module, program: Program) -> Iterator[str]:
    """The dotted names of the modules that a module imports so, at module level or in functions that it calls there."""
    yield from _listed_by_helpers(module, program)
    if "import_module" in module.code:
        yield from _listed_by_itself(module, program.finder)


def _listed_by_helpers(module: Module, program: Program) -> Iterator[str]:
    """Those that functions import which it calls at module level with the name of a package."""
    for call in _NAMING_CALL.finditer(module.code):
        owner, function, arguments = call.groups()
        if _imports_what_it_lists(owner or function, function, module, program):
            for named in _PACKAGE.finditer(arguments):
                yield from program.finder.submodules(named.group(1) or module.name)


def _imports_what_it_lists(name: str, function: str, module: Module, program: Program) -> bool:
    """Whether a function, which a module reads by a name or from what the name stands for, imports modules that it
    lists."""
    imported = module.outline.imports.get(name)
    if imported is None:
        home = module if name == function else None
    else:
        source = module.absolute(imported, program.finder)
        parent = source if name == function else f"{source}.{imported.name}" if imported.name else source
        home = program.find(parent, module) if source is not None and parent is not None else None
    if home is None or "import_module" not in home.code:
        return False
    blocks = (each for each in home.outline.blocks if function in each.names and each.defines_function)
    return any(_has(_LISTS, each, home) and _has(_IMPORTING, each, home) for each in blocks)


def _has(form: re.Pattern[str], block: Block, home: Module) -> bool:
    return form.search(home.code, block.span.start, block.span.end) is not None


def _listed_by_itself(module: Module, finder: ModuleFinder) -> Iterator[str]:
    for found in _OF_PACKAGE.finditer(module.code):
        name = next(filter(None, found.groups()))
        imported = module.outline.imports.get(name)
        source = module.absolute(imported, finder) if imported is not None and _is_run(found.start(), module) else None
        if imported is not None and source is not None:
            yield from finder.submodules(f"{source}.{imported.name}" if imported.name else source)
    around = module.name if module.file.is_package else module.name.rpartition(".")[0]
    for found in _BELOW.finditer(module.code):
        if _is_run(found.start(), module):
            yield from finder.submodules(f"{around}.{next(filter(None, found.groups()))}")


def _is_run(place: int, module: Module) -> bool:
    """Whether the import of a module runs a place: it stands at module level, or in a function that is called there."""
    block = module.outline.block_at(place)
    if block is None or block.is_class:
        return False
    if not block.defines_function:
        return True
    called = "|".join(map(re.escape, block.names))
    return re.search(rf"^(?:\w+\s*=\s*)?(?:{called})\(", module.code, re.MULTILINE) is not None
