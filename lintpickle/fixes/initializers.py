"""Having workers do what the main process did before it started them: an `initializer`, or a `worker_init_fn`."""

from __future__ import annotations

import ast
from collections.abc import Callable

from msgspec import Struct

from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.imports import import_edit
from lintpickle.fixes.names import NameUses, analyse
from lintpickle.fixes.repeating import Repeatable, Repeating
from lintpickle.fixes.statement_order import StatementOrder
from lintpickle.parsing.syntax import arguments_of, last_name

_STARTS = {"Pool": ("initializer", 1), "ProcessPoolExecutor": ("initializer", 2), "DataLoader": ("worker_init_fn", 10)}
"""What starts workers, by its name: the argument for a function that each of them calls first, and its place."""
_OTHERS = frozenset({"Process", "ProcessPool", "Parallel", "spawn", "start_processes"})
"""What starts others, of which such a function knows nothing."""
_ROUNDS = 4


class Initializer(Struct, frozen=True):
    """The sorted edits that let workers repeat a statement, by a function that the argument of that name receives, or
    received before."""

    edits: tuple[Edit, ...]
    function: str
    argument: str
    is_given: bool = False


def initializer_for(
    text: str, made: int, sets: Callable[[str], bool], alike: Callable[[str], bool]
) -> Initializer | None:
    """Let the workers that `text` starts repeat the statement at the offset `made`, and others beside it that make the
    same setting or change the same object.

    Returns None unless that is exact: the statements have always run when workers start, they do the same in every
    process and however often they run, there are no others, and one place alone starts workers. `sets` and `alike` are
    as for `Repeating`. Simple values of local variables are sent along.
    """
    names = analyse(text)
    places = StatementOrder(names) if names is not None else None
    statement = places.statement_at(made) if places is not None else None
    if names is None or places is None or statement is None:
        return None
    start = _only_start(names)
    if start is None or places.runs_on_import(start):
        return None
    repeating = Repeating(places, sets, alike)
    first, covered = statement, set[ast.AST | None]()
    for _ in range(_ROUNDS):
        if places.precedes(statement, start):
            others = [each for each in repeating.all_alike(first) if places.function_of(each) not in covered]
            group = sorted({statement, *others}, key=lambda each: each.lineno)
            if all(each in places.source.siblings[statement] and places.precedes(each, start) for each in group):
                return _Writer(places, repeating, start).edits(group)
            return None
        function = places.function_of(statement)
        covered.add(function)
        call = places.only_call(function) if function is not None else None
        above = next(places.above(call), None) if call is not None else None
        if not isinstance(above, ast.Expr):
            return None
        statement = above
    return None


def _only_start(names: NameUses) -> ast.Call | None:
    calls = [each for each in names.source.nodes if isinstance(each, ast.Call)]
    starts = [each for each in calls if last_name(each.func) in {*_STARTS, *_OTHERS}]
    return starts[0] if len(starts) == 1 and last_name(starts[0].func) in _STARTS else None


def _parsed(statement: ast.stmt) -> Repeatable | None:
    """For a global that gets the parsed command line: its value is sent."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(attr="parse_args"), args=[])):
            return Repeatable((name,), (name,))
        case _:
            return None


class _Writer:
    def __init__(self, places: StatementOrder, repeating: Repeating, start: ast.Call) -> None:
        self._places = places
        self._names = places.names
        self._source = places.source
        self._repeating = repeating
        self._start = start
        self._argument, self._place = _STARTS[last_name(start.func)]
        self._is_loader = self._argument == "worker_init_fn"

    def edits(self, statements: list[ast.stmt]) -> Initializer | None:
        """The edits that let workers repeat statements of one block."""
        needs = _parsed(statements[0]) if len(statements) == 1 else None
        needs = needs or self._needs(statements)
        function = self._places.function_of(statements[0])
        if needs is None or (needs.sent and function is not self._places.function_of(self._start)):
            return None
        given = next((each.value for each in self._start.keywords if each.arg == self._argument), None)
        if given is not None:
            return self._added(given, statements, needs)
        if any(isinstance(each, ast.Starred) for each in self._start.args) or len(self._start.args) > self._place:
            return None
        if any(each.arg is None or each.arg == "initargs" for each in self._start.keywords):
            return None
        return self._direct(statements) or self._defined(statements, needs)

    def _needs(self, statements: list[ast.stmt]) -> Repeatable | None:
        found = [self._repeating.of(each) for each in statements]
        each = [needs for needs in found if needs is not None]
        if len(each) < len(found):
            return None
        global_names = dict.fromkeys(name for needs in each for name in needs.global_names)
        sent = dict.fromkeys(name for needs in each for name in needs.sent)
        return Repeatable(tuple(global_names), tuple(sent))

    def _direct(self, statements: list[ast.stmt]) -> Initializer | None:
        """Pass the function itself that the one statement calls."""
        called = self._repeating.called(statements[0])
        match statements:
            case [ast.Expr(value=ast.Call(args=args, keywords=[]))] if called is not None and not self._is_loader:
                values = [self._source.segment(self._source.span(each)) for each in args]
                passed = _passing(self._argument, called.name, values)
                edit = self._argument_edit(passed)
                return Initializer((edit,), called.name, self._argument) if edit is not None else None
            case _:
                return None

    def _defined(self, statements: list[ast.stmt], needs: Repeatable) -> Initializer | None:
        """Define a function that repeats the statements, and pass it."""
        where = self._source.insertion_point(self._source.span(self._places.top_of(self._start)).start)
        name = self._names.free_name("init_worker")
        sent = list(needs.sent)
        parameters = ["value"] if needs.global_names and needs.sent == needs.global_names else sent
        body = self._body(statements, needs, parameters)
        if where is None or body is None:
            return None
        newline = self._source.newline
        above = newline * max(0, 2 - self._source.blank_rows_before(where))
        heading = ", ".join([*parameters, "worker_id"] if self._is_loader else parameters)
        rows = [f"def {name}({heading}):", *body, "", "", ""]
        definition = Edit(Span(where, where), above + newline.join(rows))
        imports, passed = None, _passing(self._argument, name, sent)
        if self._is_loader and sent:
            found = import_edit(self._source.text, "functools", "partial", before=where)
            if found is None:
                return None
            imports, partial = found
            passed = f"{self._argument}={partial}({', '.join([name, *sent])})"
        edit = self._argument_edit(passed if not self._is_loader or sent else f"{self._argument}={name}")
        if edit is None:
            return None
        edits = tuple(sorted(each for each in (imports, definition, edit) if each is not None))
        return Initializer(edits, name, self._argument)

    def _added(self, given: ast.expr, statements: list[ast.stmt], needs: Repeatable) -> Initializer | None:
        """Repeat the statements at the end of the function that is passed already, if it is for nothing else."""
        found = self._names.bound_once(given.id, len(self._source.text)) if isinstance(given, ast.Name) else None
        if not isinstance(found, ast.FunctionDef) or found.decorator_list or needs.sent:
            return None
        uses = [use for use in self._names.named(found.name) if not use.binds]
        used = {use.name for node in ast.walk(found) for use in self._names.of(node)}
        is_one_line = found.body[0].lineno == found.lineno
        has_ways_out = any(isinstance(each, ast.Return | ast.Yield | ast.Raise) for each in ast.walk(found))
        body = self._body(statements, needs, [])
        if len(uses) != 1 or used & self._set_by(statements, needs) or is_one_line or has_ways_out or body is None:
            return None
        nodes = [node for statement in statements for node in ast.walk(statement)]
        inner = {use.name for node in nodes for use in self._names.of(node) if not use.binds}
        if inner & {each.arg for each in ast.walk(found) if isinstance(each, ast.arg)}:
            return None
        end = self._source.span(found.body[-1]).end
        white = self._source.indentation(found.body[-1].lineno - 1)
        rows = [white + row.removeprefix(self._source.indent) for row in body]
        last = self._source.text[end - 1]
        edit = Edit(Span(end - 1, end), self._source.newline.join([last, *rows]))
        return Initializer((edit,), found.name, self._argument, is_given=True)

    def _set_by(self, statements: list[ast.stmt], needs: Repeatable) -> set[str]:
        """The globals that statements set, also in functions that they call."""
        called = filter(None, map(self._repeating.called, statements))
        declared = (each for function in called for each in ast.walk(function) if isinstance(each, ast.Global))
        return {*needs.global_names, *(name for each in declared for name in each.names)}

    def _body(self, statements: list[ast.stmt], needs: Repeatable, parameters: list[str]) -> list[str] | None:
        if needs.sent and needs.sent == needs.global_names:
            rows = [f"{needs.sent[0]} = {parameters[0]}"]
        else:
            spans = [self._source.span(each) for each in statements]
            if any(self._source.rows_in_strings(span) for span in spans):
                return None
            white = self._source.indentation(statements[0].lineno - 1)
            rows = [row.removeprefix(white) for span in spans for row in self._source.segment(span).splitlines()]
        declared = [f"global {', '.join(needs.global_names)}"] if needs.global_names else []
        return [self._source.indent + row for row in (*declared, *rows)]

    def _argument_edit(self, passed: str) -> Edit | None:
        """Replaces the last character of the call's arguments, or its closing bracket, so that two such edits are in
        each other's way."""
        end = self._source.span(self._start).end
        placed = arguments_of(self._start)
        if not placed:
            return Edit(Span(end - 1, end), f"{passed})")
        last = max(self._source.span(each).end for each in placed)
        gap = self._source.text[last : end - 1]
        if gap.strip(" \t\r\n,") and not gap.lstrip(" \t,").startswith("#"):
            return None
        newline = self._source.newline
        row = self._source.row(last - 1)
        own_row = self._source.row(end - 1) > row and row > self._start.lineno - 1
        between = f",{newline}{self._source.indentation(row)}" if own_row else ", "
        return Edit(Span(last - 1, last), f"{self._source.text[last - 1]}{between}{passed}")


def _passing(argument: str, function: str, values: list[str]) -> str:
    """The arguments for an initializer that is called with values."""
    if not values:
        return f"{argument}={function}"
    return f"{argument}={function}, initargs=({', '.join(values)}{',' * (len(values) == 1)})"
