"""The modules that a module imports as it is imported itself, because it lists those of a package: `for info in
pkgutil.iter_modules(readers.__path__): import_module(f"{readers.__name__}.{info.name}")`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.imports.module_finder import ModuleFinder
from lintpickle.program.module import Module

_OWN = r"__name__|__package__"
_IMPORTS = r"\bimport_module\(\s*"
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


def listed_modules(module: Module, finder: ModuleFinder) -> Iterator[str]:
    """The dotted names of the modules that a module imports so, at module level or in functions that it calls there."""
    if "import_module" not in module.code:
        return
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
