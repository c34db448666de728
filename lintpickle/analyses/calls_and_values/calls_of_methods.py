"""How often the methods of an object are called, by their names in the text of the program."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.rounds import rounds_around
from lintpickle.fixes.syntax import SourceTree, source_tree
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import FUNCTIONS
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


def is_called_once(method: str, home: Module, asker: str, linker: Linker) -> bool:
    """Whether code calls a method of a class of `home` once: at one place there, or, if at none, at no more than one
    place of each function of the modules that import it; and nowhere in a loop. `asker` is as for
    `OwnModules.search`."""
    source = source_tree(home.code)
    here = [*_calls(method, source)] if source is not None else []
    if source is None or here:
        return source is not None and len(here) == 1 and not _is_repeated(here[0], home, source)
    form = re.compile(rf"\.\s*{re.escape(method)}\s*\(")
    seen = set[tuple[str, int]]()
    for module in linker.first_party.naming_in_text(Words({method}), asker, form):
        other = source_tree(module.code) if home in imported_with([module], linker) else None
        for call in _calls(method, other) if other is not None else ():
            assert other is not None
            place = (module.path, _start_of_function(call, other))
            if place in seen or _is_repeated(call, module, other):
                return False
            seen.add(place)
    return bool(seen)


def _calls(method: str, source: SourceTree) -> Iterator[ast.Call]:
    """The calls of a method of that name, of anything but a module."""
    imports = (each for each in source.imports if isinstance(each, ast.Import))
    modules = {(alias.asname or alias.name).partition(".")[0] for each in imports for alias in each.names}
    for node in source.nodes:
        match node:
            case ast.Call(func=ast.Attribute(value=base, attr=name)) if name == method:
                if not (isinstance(base, ast.Name) and base.id in modules):
                    yield node
            case _:
                pass


def _start_of_function(call: ast.Call, source: SourceTree) -> int:
    """Where the innermost function around a call begins."""
    place = source.span(call).start
    spans = (source.span(each) for each in source.nodes if isinstance(each, FUNCTIONS))
    return max((span.start for span in spans if span.start <= place < span.end), default=-1)


def _is_repeated(call: ast.Call, module: Module, source: SourceTree) -> bool:
    return rounds_around(Site(module, source.span(call))) != ()
