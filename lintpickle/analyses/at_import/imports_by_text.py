"""Whether a module imports another one somewhere, as far as its text tells: by a statement, or by a name that is
written out or put together."""

from __future__ import annotations

import re

from lintpickle.analyses.at_import.composed_names import imports_by_name, is_put_together
from lintpickle.program.module import Module

_GOES_THROUGH = re.compile(r"\b(?:iter_modules|walk_packages)\(\s*(?:path\s*=\s*)?(?:([\w.]+)\.)?__path__")
"""What lists the modules of a package, and the name of that, where it is not the module's own."""
_PACKAGE_NAMED = re.compile(
    r"""__name__\s*\}\.|__name__\s*\+\s*["']\.|["']%s\.%s["']\s*%|["']\{\w*\}\.\{\w*\}["']\.format"""
)
"""How the name of the package comes before that of a module in it."""
_NAME_PUT_TOGETHER = re.compile(
    r"""\b(?:import_module|__import__)\(\s*(?:f["']\{\w+\}\.\{|\w+\s*\+\s*["']\.["']\s*\+|["']%s\.%s["']\s*%)"""
)
"""How the name of a module in a package is put together from both."""
_BEHIND_OWN_NAME = (
    r"""\bf["']\{__(?:name|package)__\}\.\{[^{}\n]+\}["']"""
    r"""|__(?:name|package)__\s*\+\s*["']\.["']\s*\+"""
    r"""|["'](?:%s\.%s["']\s*%|\{\w*\}\.\{\w*\}["']\.format)\s*\(\s*__(?:name|package)__\b"""
    r"""|(?:\bf["']\.\{[^{}\n]+\}["']|["']\.["']\s*\+[^,\n]+)\s*,\s*(?:package\s*=\s*)?__(?:name|package)__\b"""
)
"""How a package puts its own name before that of a module in it, which is known only as the program runs."""


def imports(importing: Module, imported: Module) -> bool:
    """Whether a module is seen to import another one somewhere, by a statement, or by its name in quotes, the last part
    of which may be put in as the program runs."""
    name = re.escape(imported.name)
    last = re.escape(imported.name.rpartition(".")[2])
    form = rf"\bimport\b[^\n#]*\b{last}\b" + (rf"|[\"']{name}[\"']" if imports_by_name(importing) else "")
    is_named = re.search(form, importing.code) is not None or _puts_name_in(importing, imported)
    is_named = is_named or is_put_together(importing, imported, importing)
    return is_named or _imports_all_of_package(importing, imported)


def _puts_name_in(importing: Module, imported: Module) -> bool:
    form = form_putting_in(importing, imported)
    return form is not None and form.search(importing.code) is not None


def _imports_all_of_package(importing: Module, imported: Module) -> bool:
    """Whether a module goes through a package, and imports what is in it: `for info in
    pkgutil.iter_modules(plugins.__path__): importlib.import_module(f"{plugins.__name__}.{info.name}")`, where a
    parameter may stand for the package."""
    package = imported.name.rpartition(".")[0]
    goes_through = _GOES_THROUGH.search(importing.code) if package and imports_by_name(importing) else None
    if goes_through is None:
        return False
    if _imports_by_given_name(importing, package, goes_through[1]):
        return True
    if not _PACKAGE_NAMED.search(importing.code):
        return False
    if goes_through[1] is None:
        return importing.name == package
    last = re.escape(package.rpartition(".")[2])
    is_bound = re.search(rf"\bimport\b[^\n#]*\b{last}\b", importing.code) is not None
    is_given = re.search(rf"\w\(\s*(?:[\w.]+\.)?{last}\s*[,)]", importing.code) is not None
    return is_bound and (is_given or re.fullmatch(rf"(?:[\w.]+\.)?{last}", goes_through[1]) is not None)


def _imports_by_given_name(importing: Module, package: str, listed: str | None) -> bool:
    """Whether a module has the name of the package in quotes, gets that by it, and puts the name before those of the
    modules in it: `parent = import_module(package)`, `import_module(f"{package}.{info.name}")`."""
    if listed is None or not re.search(rf"""["']{re.escape(package)}["']""", importing.code):
        return False
    got = re.search(rf"\b{re.escape(listed)}\s*=\s*(?:\w+\.)*(?:import_module|__import__)\(", importing.code)
    forms = (_NAME_PUT_TOGETHER, _PACKAGE_NAMED)
    return got is not None and any(form.search(importing.code) is not None for form in forms)


def form_putting_in(importing: Module, imported: Module) -> re.Pattern[str] | None:
    """What stands where a module that imports others by name puts the last part of the name of another one behind its
    package: `f"plugins.{name}"`, `"plugins." + name`, `"plugins.%s" % name`; in the package itself, behind its own
    name: `f"{__name__}.{name}"`."""
    package = imported.name.rpartition(".")[0]
    if not package or not imports_by_name(importing):
        return None
    before = rf"""["']{re.escape(package)}\."""
    named = rf"""\bf{before}\{{|(?<!\w){before}(?:["']\s*\+|%s["']|\{{\w*\}}["']\.format\b)"""
    is_own = importing.name == package and importing.file.is_package
    return re.compile(f"{named}|{_BEHIND_OWN_NAME}" if is_own else named)
