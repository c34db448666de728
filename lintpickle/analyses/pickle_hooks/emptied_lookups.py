"""Attributes that the main process fills and `__getstate__` empties, and in which workers look something up: they find
nothing there. (For all start methods under which the object is pickled; for what only `migrate` tells, see
`emptied_state`.)

A cache is emptied on purpose. So nothing is told if anything that runs in workers fills the attribute, asks whether it
holds anything, or computes what it has not found there."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_time import outside_comments
from lintpickle.analyses.calls_and_values.hierarchies import is_me, node_of
from lintpickle.analyses.main_state.main_setters import Met, Setting, of_the_program, set_by, setter_at
from lintpickle.analyses.pickle_hooks.dropped_state import function_calling, sets_anything
from lintpickle.analyses.pickle_hooks.emptied_state import EMPTY_CONTAINER, Emptied, emptied_attributes
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Call
from lintpickle.interpreter.abstract_values import ClassValue, Hop, Site
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_PICKLING = frozenset({"__getstate__", "__setstate__", "__del__"})
_CACHE = re.compile(r"cache|memo", re.IGNORECASE)
_NOTHING = rf"None\b|(?:\(\s*\)|{EMPTY_CONTAINER})\s*(?:[,)}}\n#;]|\Z)"
_CHANGE = r"(?:[-+*/|&]|//|\*\*)"
_FILLS = (
    rf"\.\s*<name>\s*(?:(?::[^=\n]+)?=(?!=)(?!\s*(?:{_NOTHING}))|\[[^\n]*\]\s*{_CHANGE}?=(?!=)|{_CHANGE}=(?!=)"
    r"|(?:\[[^\n]*\])?\s*\.\s*(?:append|appendleft|add|update|setdefault|extend|insert)\s*\()"
)
_DICT = re.compile(r"\{|(?:\w+\.)*(?:dict|OrderedDict)\(")
_SEQUENCE = re.compile(r"(?:\w+\.)*(?P<kind>\[|list|tuple|deque)")
_NONE = "None"
_CONDITIONS = (ast.If, ast.IfExp, ast.BoolOp, ast.Try, ast.Match, ast.While)
_CATCHING = frozenset({"KeyError", "IndexError", "LookupError", "Exception", "BaseException"})


class EmptiedLookup(Struct, frozen=True):
    """Where a method that workers run looks something up in an attribute that arrives empty, how that ends (None if
    nothing fails), and how the main process has filled it."""

    emptied: Emptied
    reader: FunctionFacts
    read: Site
    hops: tuple[Hop, ...]
    error: str | None
    setting: Setting


class _Run(Struct, frozen=True):
    """A method of the class that runs in workers, and the way to it there."""

    owner: ClassValue
    method: FunctionFacts
    hops: tuple[Hop, ...]


def emptied_lookups(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[EmptiedLookup]:
    """What workers look up in attributes of a class that arrive empty, once for each attribute."""
    line = tuple(each for each in linker.classes.mro(class_) if isinstance(each, ClassValue))
    arriving = [each.facts.methods["__setstate__"] for each in line if "__setstate__" in each.facts.methods]
    if any(map(sets_anything, arriving)):
        return
    runs = list[_Run]()
    for emptied in emptied_attributes(class_, linker):
        name = emptied.attribute
        if _CACHE.search(name) or any(name in each.facts.methods for each in line):
            continue
        runs = runs or list(_run_methods(class_, line, code, linker))
        found = _lookup(emptied, line, runs)
        if found is None or _is_filled_by(code, runs, name):
            continue
        setting = _filling(emptied, line, code, linker)
        if setting is not None:
            run, span, error = found
            yield EmptiedLookup(emptied, run.method, Site(run.owner.module, span), run.hops, error, setting)


def _run_methods(class_: ClassValue, line: tuple[ClassValue, ...], code: WorkerCode, linker: Linker) -> Iterator[_Run]:
    """The methods of a class that workers run: those that are seen to be, and those that are called on what a worker is
    given, with what they call on their own object."""
    running = {id(each.facts): each for each in (*code.functions, *code.by_value)}
    seen = set[int]()
    for owner in line:
        for method in owner.facts.methods.values():
            run = running.get(id(method))
            waiting = [_Run(owner, method, run.hops)] if run is not None else []
            calling = function_calling(code, method.name, class_, linker) if run is None else None
            if calling is not None and linker.classes.find_method(class_, method.name) == (owner, method):
                waiting.append(_Run(owner, method, calling.hops))
            while waiting:
                each = waiting.pop()
                if id(each.method) in seen or each.method.name in _PICKLING or not each.method.parameters:
                    continue
                seen.add(id(each.method))
                yield each
                for event in each.method.events:
                    match event:
                        case Called(call=Call(function=Attribute(base=base, name=name))) if is_me(base, each.method):
                            found = linker.classes.find_method(class_, name)
                            waiting += [_Run(*found, each.hops)] if found is not None else []
                        case _:
                            pass


def _fills(name: str) -> re.Pattern[str]:
    return re.compile(_FILLS.replace("<name>", re.escape(name)))


def _is_filled_by(code: WorkerCode, runs: list[_Run], name: str) -> bool:
    """Whether a function that workers run fills an attribute of that name."""
    form = _fills(name)
    bodies = [(each.module.code, each.facts) for each in (*code.functions, *code.by_value)]
    bodies += [(each.owner.module.code, each.method) for each in runs]
    return any(form.search(text, facts.header.end, facts.span.end) is not None for text, facts in bodies)


def _filling(emptied: Emptied, line: tuple[ClassValue, ...], code: WorkerCode, linker: Linker) -> Setting | None:
    """How the main process alone fills the attribute: by methods of the class, of which workers name none."""
    form, asker = _fills(emptied.attribute), code.root.site.module.path
    setters = list[tuple[ClassValue, FunctionFacts, Span]]()
    for each in line:
        for method in each.facts.methods.values():
            place = outside_comments(form, each.module.code, method.header.end, method.span.end)
            if place is not None and method.name not in _PICKLING:
                setters.append((each, method, place))
    names = {method.name for _, method, _ in setters if not method.name.startswith("__")}
    called = re.compile(rf"\.\s*(?:{'|'.join(map(re.escape, names))})\s*\(")
    for function in code.functions if names else ():
        if called.search(function.module.code, function.facts.header.end, function.facts.span.end):
            return None
    met = Met(f"there it is `{emptied.left}`", "filled")
    found = [setter_at(each.module, method, place, linker, asker) for each, method, place in setters]
    return set_by(of_the_program(found, code, linker), met, linker, asker)


def _is_asked_for_none(emptied: Emptied, line: tuple[ClassValue, ...]) -> bool:
    methods = (node_of(each.module, method) for each in line for method in each.facts.methods.values())
    nodes = (found[1] for found in methods if found is not None and found[1].args.args)
    return any(_Reading(emptied, node.args.args[0].arg, node).is_asked for node in nodes)


def _lookup(emptied: Emptied, line: tuple[ClassValue, ...], runs: list[_Run]) -> tuple[_Run, Span, str | None] | None:
    """Where a method that workers run looks something up in the attribute; None if one asks what is in it first, or
    any method of its class asks whether it is None."""
    if emptied.left == _NONE and _is_asked_for_none(emptied, line):
        return None
    first: tuple[_Run, Span, str | None] | None = None
    for run in runs:
        found = node_of(run.owner.module, run.method)
        if found is None:
            continue
        source, node = found
        reading = _Reading(emptied, run.method.parameters[0].name, node)
        if reading.is_asked:
            return None
        if first is None and reading.lookup is not None:
            first = run, source.span(reading.lookup), reading.error
    return first


class _Reading:
    """How one method uses the attribute of its object."""

    def __init__(self, emptied: Emptied, me: str, method: ast.FunctionDef) -> None:
        self._name, self._left, self._me, self._method = emptied.attribute, emptied.left, me, method
        self._nodes = list(ast.walk(method))
        self._caught = {id(each) for node in self._nodes for each in _protected(node)}
        self.lookup: ast.expr | None = None
        self.error: str | None = None
        self.is_asked = any(map(self._asks, self._nodes))
        """Whether it asks if anything is there, has something to do if not, or gives the attribute away."""
        if emptied.left == _NONE:
            self._find_use_of_none()
        else:
            self._find_lookup()

    def _asks(self, node: ast.AST) -> bool:
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                return self._is_truth(test)
            case ast.BoolOp(values=values):
                return any(map(self._is_truth, values))
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()]):
                return self._is_it(left)
            case ast.Assign(value=held) | ast.AnnAssign(value=ast.expr() as held):
                return self._is_it(held)
            case ast.Call(args=args, keywords=keywords):
                return any(self._is_it(given) for given in (*args, *(each.value for each in keywords)))
            case _:
                return False

    def _find_lookup(self) -> None:
        is_member_asked = False
        for node in self._nodes:
            match node:
                case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[held]) if self._is_it(held):
                    is_member_asked = True
                    self._found(node, None)
                case ast.Subscript(value=held, slice=key, ctx=ast.Load()) if self._is_it(held):
                    if not isinstance(key, ast.Slice) and id(node) not in self._caught:
                        self._found(node, _error(self._left))
                case ast.Call(func=ast.Attribute(value=held, attr="get"), args=[_, instead]) if self._is_it(held):
                    if _is_plain(instead):
                        self._found(node, None)
                case _:
                    pass
        if is_member_asked:
            self.error = None
            self.is_asked |= self._computes()

    def _find_use_of_none(self) -> None:
        """Find what fails with None. Under a condition, it may be what only the main process does."""
        if any(isinstance(node, _CONDITIONS) for node in self._nodes):
            return
        for node in self._nodes:
            match node:
                case ast.Attribute(value=held, attr=name, ctx=ast.Load()) if self._is_it(held):
                    self._found(node, f"AttributeError: 'NoneType' object has no attribute '{name}'")
                case ast.Subscript(value=held) if self._is_it(held):
                    self._found(node, "TypeError: 'NoneType' object is not subscriptable")
                case ast.Call(func=held) if self._is_it(held):
                    self._found(node, "TypeError: 'NoneType' object is not callable")
                case ast.withitem(context_expr=held) if self._is_it(held):
                    self._found(held, "TypeError: 'NoneType' object does not support the context manager protocol")
                case _:
                    pass

    def _found(self, node: ast.expr, error: str | None) -> None:
        if self.lookup is None:
            self.lookup, self.error = node, error

    def _is_it(self, node: ast.expr) -> bool:
        match node:
            case ast.Attribute(value=ast.Name(id=me), attr=name):
                return me == self._me and name == self._name
            case _:
                return False

    def _is_truth(self, test: ast.expr) -> bool:
        match test:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._is_truth(operand)
            case _:
                return self._is_it(test)

    def _computes(self) -> bool:
        """Whether it calls anything but methods of the attribute, in statements that do not only prepare the lookup:
        what is not found may be computed there."""
        statements = self._method.body
        asking = (
            place
            for place, each in enumerate(statements)
            if any(isinstance(node, ast.expr) and self._is_it(node) for node in ast.walk(each))
        )
        first = next(asking, 0)
        nodes = (node for statement in statements[first:] for node in ast.walk(statement))
        holds_values = any(
            isinstance(node, ast.Subscript) and self._is_it(node.value) for node in ast.walk(self._method)
        )
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        return holds_values and any(
            not (isinstance(each.func, ast.Attribute) and self._is_it(each.func.value)) for each in calls
        )


def _protected(node: ast.AST) -> Iterator[ast.AST]:
    """What stands where the error of a lookup is caught."""
    if (isinstance(node, ast.Try) and any(_catches(handler.type) for handler in node.handlers)) or (
        isinstance(node, ast.With) and any("suppress" in ast.unparse(item.context_expr) for item in node.items)
    ):
        yield from (inner for statement in node.body for inner in ast.walk(statement))


def _error(empty: str) -> str | None:
    """How it ends to take an item out of what is written so, as Python 3.11 says it; None if that gives one."""
    sequence = _SEQUENCE.match(empty)
    if sequence is not None:
        kind = sequence["kind"]
        return f"IndexError: {'list' if kind == '[' else kind} index out of range"
    return "KeyError" if _DICT.match(empty) else None


def _catches(types: ast.expr | None) -> bool:
    names = {node.id for node in ast.walk(types) if isinstance(node, ast.Name)} if types is not None else _CATCHING
    return not _CATCHING.isdisjoint(names)


def _is_plain(instead: ast.expr) -> bool:
    """Whether what a lookup gives where it finds nothing is ready made: what is computed, or is None or empty, may be
    meant for that."""
    match instead:
        case ast.Constant(value=value):
            return value is not None
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()) | ast.Name() | ast.Attribute():
            return True
        case _:
            return False
