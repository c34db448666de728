"""Reads that workers do not get to, or whose value makes no difference to them: what is asked before has the answer
that it has at import, or the function itself puts in what the main process has set."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from lintpickle.analyses.at_import.import_time import guard_of, is_guard
from lintpickle.analyses.at_import.values_at_import import VALUE_WRITTEN, constant_at_import
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.main_setters import Setting, constant_in
from lintpickle.analyses.workers.runs_elsewhere import runs_elsewhere
from lintpickle.control_flow.claims import Claim
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Site
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_GIVEN = re.compile(rf"[\w.]+[ \t]*=[ \t]*(?P<value>{VALUE_WRITTEN}*?)[ \t]*(?:#.*)?$", re.MULTILINE)


def is_closed(written: str, setting: Setting, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether no read of a global, or of an attribute (`settings.path`), in a function of workers makes a difference
    that main sets it."""
    places = _reads(written, function)
    if bool(places) and all(_is_behind(place, function, code, linker) for place in places):
        return True
    return _is_replaced_by_the_same(written, setting, function)


def _reads(written: str, function: WorkerFunction) -> list[Span]:
    span = function.facts.span
    form = re.compile(rf"(?<![\w.\"']){re.escape(written)}\b(?![\"'])")
    return [Span(*found.span()) for found in form.finditer(function.module.code, function.facts.header.end, span.end)]


def _is_behind(place: Span, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a condition stands before a place that is true of what main has set only."""
    found = linker.evaluator.conditions.claims_before(place, function.frame)
    return any(_is_never_so(claim, function, code, linker) for claim in found)


def _is_never_so(claim: Claim, function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a claim is not true in workers, of a global or of an attribute."""
    asked = claim.test.left if isinstance(claim.test, ast.Compare) else claim.test
    name = dotted(asked)
    is_plain = name != "" and ast.unparse(asked) == name and ast.dump(asked) == claim.subject
    if not is_plain or name.partition(".")[0] not in function.facts.reads:
        return False
    if "." in name:
        return _is_made_so_by_main(name, claim, code, linker)
    module = function.module
    bound = [block for block in module.outline.binding(name) if not is_guard(block, module)]
    constant = constant_at_import(name, bound, module) if bound and name not in module.outline.imports else None
    if constant is None or claim.allows(ast.literal_eval(constant)):
        return False
    asker = code.root.site.module.path
    stored = re.compile(rf"\w\.{name}\s*(?:[-+*/|&%]|//|\*\*)?=(?!=)")
    return not (
        any(runs_elsewhere(each, module, linker, asker) for each in setters_of(name, module))
        or linker.first_party.is_anywhere(Words({name}), asker, stored)
    )


def _is_made_so_by_main(name: str, claim: Claim, code: WorkerCode, linker: Linker) -> bool:
    """Whether the main guard of the program gives an attribute a constant of which a claim is true, and no other
    statement gives it such a one."""
    attribute, asker = name.rpartition(".")[2], code.root.site.module.path
    starts = {site.module.path for site in code.way}
    stored = re.compile(rf"[\w.]*\.{re.escape(attribute)}[ \t]*=(?!=)[^\n]*")
    is_made = False
    for module in linker.first_party.naming_in_text(Words({attribute}), asker, stored):
        for found in stored.finditer(module.code):
            given = _constant_given(Site(module, Span(*found.span())))
            if given is None or not claim.allows(ast.literal_eval(given)):
                continue
            if guard_of(found.start(), module) is None:
                return False
            is_made = is_made or module.path in starts
    return is_made


def _is_replaced_by_the_same(written: str, setting: Setting, function: WorkerFunction) -> bool:
    """Whether a function keeps what it reads, asks at once whether that is anything, and otherwise takes the constant
    that main has set: `name = settings.name`, `if name is None: name = "top-5"`."""
    given = _constant_given(setting.site)
    if given is None:
        return False
    for body in _bodies(function.frame.paths.tree):
        for first, second in pairwise(body):
            match first, second:
                case (
                    ast.Assign(targets=[kept], value=read),
                    ast.If(test=test, body=[ast.Assign(targets=[other], value=ast.Constant(value=value))], orelse=[]),
                ) if dotted(read) == written and dotted(kept) == dotted(other) != "":
                    if _asks(dotted(kept), test) and value == ast.literal_eval(given):
                        return True
                case _:
                    pass
    return False


def _bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    parts = (getattr(node, part, None) for node in ast.walk(tree) for part in ("body", "orelse", "finalbody"))
    return [part for part in parts if isinstance(part, list)]


def _asks(name: str, test: ast.expr) -> bool:
    """Whether a test asks if something is not there: `if name is None`, `if not name`."""
    match test:
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            return dotted(left) == name
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return dotted(operand) == name
        case _:
            return False


def _constant_given(site: Site) -> str | None:
    """The constant, as written, that a place is, or that a statement there gives what it binds."""
    constant = constant_in(site.module.code[site.span.start : site.span.end])
    if constant is not None:
        return constant
    end = site.module.code.find("\n", site.span.start)
    found = _GIVEN.match(site.module.code, site.span.start, end if end >= 0 else len(site.module.code))
    return constant_in(found["value"]) if found is not None else None
