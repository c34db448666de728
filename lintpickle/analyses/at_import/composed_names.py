"""Names of modules that code puts together to import them: `import_module(f"plugin_{name}")`, `"fmt_" + name`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from lintpickle.program.module import Module

_PUTS_IN = re.compile(
    r"""\bf(["'])(?P<f_first>[\w.]*)\{[^{}'"\n]+\}(?P<f_last>[\w.]*)\1"""
    r"""|(?<!\w)(["'])(?P<first>[\w.]+)\4[ \t]*\+[ \t]*[\w.\[\]]+(?:[ \t]*\+[ \t]*(["'])(?P<last>[\w.]+)\6)?"""
    r"""|(?<=[(=,])[ \t]*[\w.\[\]]+[ \t]*\+[ \t]*(["'])(?P<only_last>[\w.]+)\8"""
    r"""|(?<!\w)(["'])(?P<s_first>[\w.]*)(?:%s|\{\w*\})(?P<s_last>[\w.]*)\10[ \t]*(?:%|\.format\b)"""
)
"""What stands before and behind the part of a name that is put in as the program runs."""


def imports_by_name(module: Module) -> bool:
    """Whether a module may import others by names that it puts together or is given."""
    return "import_module" in module.code or "__import__" in module.code


def part_put_in(importing: Module, imported: Module) -> str | None:
    """The part of the name of a module that another one, which imports by name, may put in as it runs; None if it puts
    no such name together."""
    for first, last in importing.remembered(("names put together",), partial(_put_together, importing)):
        part = imported.name.removeprefix(first).removesuffix(last)
        if first + part + last == imported.name and part.isidentifier():
            return part
    return None


def is_put_together(importing: Module, imported: Module, *quoting: Module) -> bool:
    """Whether one of some modules has that part in quotes: `PLUGINS = ["csv", "json"]`."""
    part = part_put_in(importing, imported)
    return part is not None and any(re.search(rf"""["']{part}["']""", each.code) is not None for each in quoting)


def _put_together(module: Module) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys(_pairs(module.code))) if imports_by_name(module) else ()


def _pairs(code: str) -> Iterator[tuple[str, str]]:
    for found in _PUTS_IN.finditer(code):
        first = found["f_first"] or found["first"] or found["s_first"] or ""
        last = found["f_last"] or found["last"] or found["only_last"] or found["s_last"] or ""
        if first or last:
            yield first, last
