"""Hashes of texts that workers take: each process that is not forked has a seed of its own for them.

Source: Python's documentation of `object.__hash__` and of PYTHONHASHSEED; measured under all start methods with CPython
3.11: numbers have the same hash everywhere, texts, bytes and what is made of them have another one."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.at_import.import_time import functions_of
from lintpickle.analyses.calls_and_values.annotations import annotation_of
from lintpickle.analyses.calls_and_values.seen_texts import TEXT_METHODS, is_seen_text
from lintpickle.analyses.calls_and_values.texts_given import is_given_text
from lintpickle.analyses.main_state.calls_of_main import calls_by_main
from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.analyses.main_state.properties_read import is_read_by_others
from lintpickle.analyses.pickle_hooks.kept_hashes import own_hashes_kept
from lintpickle.analyses.process_state.hashes_as_keys import are_own_keys
from lintpickle.analyses.process_state.hashes_compared import is_compared_with_given
from lintpickle.analyses.results.results_sent_back import is_sent_back
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Collection, Expr, Name, ending_name, rooted
from lintpickle.interpreter.abstract_values import ClassValue, FunctionValue, InstanceValue, is_indefinite
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.names_read import within
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_HASH = "builtins.hash"
_TAKING = re.compile(r"(?<![\w.])hash\s*\(")
_OWN_HASH = "__hash__"
_TEXT_FUNCTIONS = frozenset({"builtins.str", "builtins.repr", "builtins.bytes", "builtins.ascii", "builtins.format"})
_NUMBER_FUNCTIONS = frozenset({"builtins.int", "builtins.len", "builtins.float", "builtins.bool", "builtins.ord"})
_SHOWING = frozenset({"print", "debug", "info", "warning", "error", "exception", "critical", "log"})
_TEXT_TYPES = frozenset({"str", "bytes"})
_NUMBER_TYPES = frozenset({"int", "float", "bool"})


class HashTaken(Struct, frozen=True):
    """A place at which a function of workers takes the hash of what may be a text."""

    function: WorkerFunction
    span: Span
    is_of_text: bool
    """Whether it surely is one, or has one in it."""
    is_in_both: bool
    """Whether code of the main process takes hashes, too."""
    is_by_what_crosses: bool
    """Whether a method takes it of what it is given, for an object that crosses, or for one that workers make and send
    back: hashes of the other side may be in that."""
    is_to_choose: bool
    """Whether workers choose by it among what several of them get."""


def hashes_taken(code: WorkerCode, linker: Linker) -> Iterator[HashTaken]:
    """The first hash that each function of the workers takes of what is no number; not by how objects hash themselves:
    that serves the sets and dicts of one process; nor for a message, or for keys of what the module keeps."""
    for function in code.functions:
        module, facts = function.module, function.facts
        if not module.first_party or facts.name == _OWN_HASH:
            continue
        taking = [*_TAKING.finditer(module.code, facts.header.end, facts.span.end)]
        if not taking or len(taking) == _kept_for_itself(function, linker):
            continue
        found = next((each for each in taking if not _is_shown(function.frame.paths.statement(each.start()))), None)
        if found is None or are_own_keys(function):
            continue
        kinds = {_is_text(hashed, function) for hashed in _hashed(function)} - {False}
        if kinds:
            span = Span(found.start(), found.end() - 1)
            is_shared, is_to_choose = (
                _is_main_calling(function, code, linker),
                is_compared_with_given(function, code, linker),
            )
            is_of_text = (
                True in kinds
                or ((is_shared or is_to_choose) and _are_seen_texts(function, code, linker))
                or (
                    is_shared
                    and (is_to_choose or is_sent_back(function, code))
                    and _is_given_text_by_main(function, code, linker)
                )
            )
            is_in_both = is_shared or _does_main_take_hashes(code, linker)
            is_by_it = _is_by_what_crosses(function, linker) or _is_by_what_returns(function, code, linker)
            yield HashTaken(function, span, is_of_text, is_in_both, is_by_it, is_to_choose)


def _are_seen_texts(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether what a function takes hashes of is seen to be texts where the function is called."""
    calls = (event.call for event in function.facts.events if isinstance(event, Called))
    given = [each for call in calls if _is_hash(call.function) for each in (call.positional() or ())[:1]]
    hashed = [part for each in given for part in (each.elements if isinstance(each, Collection) else (each,))]
    return bool(hashed) and any(is_seen_text(each, function.frame, linker, code) for each in hashed)


def _is_given_text_by_main(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function takes the hash of a parameter for which the main process gives it texts."""
    named = {each.id for each in _hashed(function) if isinstance(each, ast.Name)} - function.facts.variables.keys()
    return any(is_given_text(name, function.facts, code, linker) for name in sorted(named))


def _kept_for_itself(function: WorkerFunction, linker: Linker) -> int:
    """How many hashes a function takes by which its object then hashes itself."""
    me = _object_of(function)
    return own_hashes_kept(me.class_, function.facts, linker) if me is not None else 0


def _object_of(function: WorkerFunction) -> InstanceValue | None:
    """The object whose method a function is."""
    facts = function.facts
    me = function.frame.bindings.get(facts.parameters[0].name) if facts.parameters and not facts.is_local else None
    return me.value if me is not None and isinstance(me.value, InstanceValue) else None


def _is_by_what_crosses(function: WorkerFunction, linker: Linker) -> bool:
    me = _object_of(function)
    if me is None:
        return False
    return _takes_of_given(function, 1) and linker.is_shared("entered", me.class_, function.module)


def _takes_of_given(function: WorkerFunction, first: int) -> bool:
    """Whether a function takes the hash of one of its parameters from the first on."""
    given = {each.name for each in function.facts.parameters[first:]}
    named = {each.id for hashed in _hashed(function) for each in ast.walk(hashed) if isinstance(each, ast.Name)}
    return bool(given & named)


def _is_by_what_returns(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether a method that workers call of an object takes the hash, itself or by a function, which comes back from
    them, and the main process calls another method of its class that does so, too: it fills a table, and that looks
    things up there."""
    asker = code.root.site.module.path
    if not _takes_of_given(function, 0):
        return False
    running = {id(each.facts) for each in code.functions}
    taking = re.compile(rf"(?<!def )\b{re.escape(function.facts.name)}\s*\(")
    for class_ in _classes_returned(code, linker):
        methods = [*class_.facts.methods.values()]
        filling = [each for each in methods if id(each) in running]
        code_of = class_.module.code
        if function.facts in filling or any(taking.search(code_of, m.span.start, m.span.end) for m in filling):
            calls = calls_by_main(function.facts, code, linker, asker)
            if any(
                root.function in methods and is_called(root.function, root.frame.module, linker, asker)
                for root, _ in calls
            ):
                return True
    return False


def _classes_returned(code: WorkerCode, linker: Linker) -> Iterator[ClassValue]:
    """The classes of the objects that workers send back, or of which they send back a part."""
    for function in code.functions:
        for value in function.facts.returns if function.is_begun_with else ():
            for traced in linker.evaluate(rooted(value)[0], function.frame):
                if isinstance(traced.value, InstanceValue):
                    yield traced.value.class_


def _is_shown(statement: ast.stmt | None) -> bool:
    """Whether a statement only prints or logs something."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _SHOWING
        case _:
            return False


def _hashed(function: WorkerFunction) -> Iterator[ast.expr]:
    nodes = [*within(function.frame.paths.tree)]
    shown = {id(inner) for node in nodes if isinstance(node, ast.stmt) and _is_shown(node) for inner in ast.walk(node)}
    for node in nodes:
        if id(node) in shown:
            continue
        match node:
            case ast.Call(func=called, args=[hashed]) if path_called(called, function.module) == _HASH:
                yield hashed
            case _:
                pass


def _is_text(node: ast.expr, function: WorkerFunction) -> bool | None:
    """Whether an expression is a text or has one in it; None if that is not known."""
    match node:
        case ast.JoinedStr():
            return True
        case ast.Constant(value=value):
            return isinstance(value, (str, bytes))
        case ast.Name(id=name):
            return _is_annotated(name, function)
        case ast.Tuple(elts=parts):
            kinds = [_is_text(part, function) for part in parts]
            return True if True in kinds else None if None in kinds else False
        case ast.BinOp(left=left, right=right):
            kinds = [_is_text(part, function) for part in (left, right)]
            return True if True in kinds else None if None in kinds else False
        case ast.Call(func=ast.Attribute(attr=method)) if method in TEXT_METHODS:
            return True
        case ast.Call():
            path = path_called(node.func, function.module)
            return True if path in _TEXT_FUNCTIONS else False if path in _NUMBER_FUNCTIONS else None
        case _:
            return None


def _is_annotated(name: str, function: WorkerFunction) -> bool | None:
    """What the annotation of a parameter says of it."""
    annotation = annotation_of(name, function.frame)
    kind = annotation.id if isinstance(annotation, ast.Name) else ""
    return True if kind in _TEXT_TYPES else False if kind in _NUMBER_TYPES else None


def _is_main_calling(function: WorkerFunction, code: WorkerCode, linker: Linker) -> bool:
    """Whether code that no worker runs calls the function."""
    asker = code.root.site.module.path
    calls = calls_by_main(function.facts, code, linker, asker)
    if any(is_called(root.function, root.frame.module, linker, asker) for root, _ in calls):
        return True
    running = {id(each.facts) for each in code.functions}
    if is_read_by_others(function.facts, running, linker, asker):
        return True
    return any(_is_called_on_any(each, running, linker, asker) for each in _leading_to(function, code, linker))


def _leading_to(function: WorkerFunction, code: WorkerCode, linker: Linker) -> list[WorkerFunction]:
    """A function of workers and the methods of theirs that call it, by others or themselves: who calls one of these
    takes the hash, too."""
    found, others = [function], [each for each in code.functions if each is not function and each.module.first_party]
    for callee in found:
        found += [each for each in others if each not in found and _calls(each, callee, linker)]
    return found


def _calls(function: WorkerFunction, callee: WorkerFunction, linker: Linker) -> bool:
    """Whether a method calls another function by its name."""
    if "." not in function.facts.qualname or callee.facts.name not in function.module.code:
        return False
    return any(
        isinstance(traced.value, FunctionValue) and traced.value.facts is callee.facts
        for event in function.facts.events
        if isinstance(event, Called) and ending_name(event.call.function) == callee.facts.name
        for traced in linker.evaluate(event.call.function, function.frame)
    )


def _does_main_take_hashes(code: WorkerCode, linker: Linker) -> bool:
    """Whether code that no worker runs takes hashes where the workers start."""
    running = {id(each.facts) for each in code.functions}
    return any(
        _takes_hashes(each)
        for module in imported_with((site.module for site in code.way), linker)
        if module.first_party and _TAKING.search(module.code) is not None
        for each in functions_of(module, _TAKING, lambda facts: id(facts) not in running)
        if each.name != _OWN_HASH
    )


def _is_called_on_any(function: WorkerFunction, running: Container[int], linker: Linker, asker: str) -> bool:
    """Whether code that no worker runs calls a method of that name on an object of which nothing is known, and the
    program has one method of that name."""
    facts = function.facts
    name = re.escape(facts.name)
    defining, calling = re.compile(rf"\bdef\s+{name}\b"), re.compile(rf"\.\s*{name}\s*\(")
    if "." not in facts.qualname or facts.is_local:
        return False
    defined = linker.first_party.naming_in_text(Words({facts.name}), asker, defining)
    if sum(len(defining.findall(module.code)) for module in defined) != 1:
        return False
    return any(
        _calls_unknown(facts.name, root, linker) and is_called(root.function, root.frame.module, linker, asker)
        for root in linker.activations_with({facts.name}, calling, asker)
        if id(root.function) not in running
    )


def _calls_unknown(name: str, root: RootFrame, linker: Linker) -> bool:
    calls = (event.call.function for event in root.function.events if isinstance(event, Called))
    return any(
        isinstance(called, Attribute)
        and called.name == name
        and all(is_indefinite(each.value) for each in linker.evaluate(called.base, root.frame))
        for called in calls
    )


def _takes_hashes(function: FunctionFacts) -> bool:
    return any(_is_hash(event.call.function) for event in function.events if isinstance(event, Called))


def _is_hash(called: Expr) -> bool:
    return isinstance(called, Name) and called.name == "hash"
