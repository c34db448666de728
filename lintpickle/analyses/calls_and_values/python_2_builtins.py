"""Places to which only Python 2 gets, where nothing spawns: before them, a builtin is called that Python 3 has not
(`xrange`), or the modules of their program call such builtins again and again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from lintpickle.control_flow.paths import Paths
from lintpickle.diagnostics import Span
from lintpickle.facts.methods import method_spans
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.outline import Block
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CALLED = re.compile(r"^[^#\n\"']*(?<![\w.])(?P<name>xrange|raw_input|unichr|execfile|unicode)[ \t]*\(", re.MULTILINE)
_BOUND = r"(?<![\w.]){0}[ \t]*[=,:](?!=)|\b(?:def|class|import|as|global)\s+{0}\b|[\"']{0}[\"']"
_FOR_BOTH = re.compile(r"\bNameError\b|\bversion_info\b|\bsys\.version\b|\bsix\b|\bPY[23]\b|\b__builtins?__\b|\bpast\b")
"""What stands in modules that both Pythons run."""
_MAKES = re.compile(r"\s*(?:async )?def __(?:init|new|post_init)__\b")
_MAKING = re.compile(r"^(?=[^\s#@])[^#\n]*?(?<![\w.])(?P<name>[^\W\d]\w*)\(", re.MULTILINE)
"""A call in a statement of the module itself."""
_WORDS = Words({"xrange", "raw_input", "unichr", "execfile", "unicode"})
_OTHERS = 2
"""In how many other modules such builtins are called, in a program that Python 3 never ran. One may be left over."""
_CHOOSING = ("if ", "if(", "try", "while ", "with ")


def is_of_python_2_only(site: Site, linker: Linker) -> bool:
    """Whether Python 3 fails before it gets to a place, or before the constructor ends in which that stands."""
    module = site.module
    if not module.first_party or module.document.cells is not None:
        return False
    around = _function_around(site.span.start, module)
    if around is None:
        return _fails_at_import(site, linker)
    return any(_fails_in(around, call, site) for call in _calls(module, linker))


def is_of_python_2_program(module: Module, linker: Linker) -> bool:
    """Whether a module calls builtins that Python 3 has not, in whatever function, and others of the program do so."""
    if not module.first_party or module.document.cells is not None or not _calls(module, linker):
        return False
    others = linker.first_party.naming_in_text(_WORDS, module.path, _CALLED)
    found = (each for each in others if each is not module and _calls(each, linker))
    return len([*islice(found, _OTHERS)]) == _OTHERS


def _calls(module: Module, linker: Linker) -> tuple[int, ...]:
    """Where a module calls a builtin that only Python 2 has, and that nothing in it makes."""

    def found() -> Iterator[int]:
        for call in _CALLED.finditer(module.code) if not module.has(_FOR_BOTH) else ():
            name = call["name"]
            bound = re.compile(_BOUND.format(name))
            if not module.has(bound) and not linker.evaluator.names.may_come_by_star(module, name):
                yield call.start("name")

    return module.remembered("calls of builtins of Python 2", lambda: tuple(found())) if module.has(_CALLED) else ()


def _fails_in(function: Span, call: int, site: Site) -> bool:
    """Whether a function makes a call on every way to a place of it; of a constructor, also behind that."""
    if not function.start <= call < function.end:
        return False
    paths, place = Paths(site.module, function), site.span.start
    return paths.precedes(call, place) or _is_always_made(call, function, site.module)


def _is_always_made(call: int, function: Span, module: Module) -> bool:
    """Whether a constructor makes a call whatever it is given."""
    is_constructor = _MAKES.match(module.code, function.start) is not None
    return is_constructor and function.start <= call < function.end and not Paths(module, function).steps(call)


def _fails_at_import(site: Site, linker: Linker) -> bool:
    """Whether the import of a module fails before it gets to a place outside of functions: at a call of its own, or
    when it makes an object of a class whose constructor does."""
    module, place = site.module, site.span.start
    if any(call < place and _is_run(call, module) for call in _calls(module, linker)):
        return True
    for made in _MAKING.finditer(module.code, 0, place):
        name = made["name"]
        if name in module.outline.imports and _is_run(made.start("name"), module):
            for home, block in linker.own_places.of_name(module, name):
                calls = _calls(home, linker) if block.is_class else ()
                if any(_is_always_made(call, span, home) for span in _methods(block, home) for call in calls):
                    return True
    return False


def _is_run(call: int, module: Module) -> bool:
    """Whether the import of a module makes a call whatever comes: in a statement of its own, or in the head of a
    loop."""
    block = module.outline.block_at(call)
    if block is None or block.defines_function or block.is_class:
        return False
    row = module.code.rfind("\n", 0, call) + 1
    return not module.code[row].isspace() and not module.code.startswith(_CHOOSING, row)


def _function_around(place: int, module: Module) -> Span | None:
    """The function of a module, or the method of a class, around a place."""
    block = module.outline.block_at(place)
    if block is None or not (block.defines_function or block.is_class):
        return None
    if block.defines_function:
        return block.span
    return next((span for span in _methods(block, module) if span.start <= place < span.end), None)


def _methods(block: Block, module: Module) -> Iterator[Span]:
    facts = module.facts_of(block)
    for class_ in facts.body.classes if facts is not None else ():
        yield from method_spans(class_)
