"""How a function of the main process gets at what a worker has sent back: `future.result()`, `outcome["job"]`.

A *form* says which steps lead from what an expression is to the object that came back: () if it is that object,
("each",) for a list of such objects, ("each", "handle", ".job") for a list of futures whose results have it as an
attribute. Here, forms are followed through one function. Source: the documentation of `multiprocessing.pool`,
`concurrent.futures` and `asyncio` for CPython 3.11 to 3.14.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from lintpickle.analyses.results.forms_made import (
    IN_EACH,
    KEY,
    SOME,
    VALUE,
    ResultForm,
    form_made,
    form_of_each,
    form_of_part,
    is_place,
    led_to,
)
from lintpickle.control_flow.steps import SCOPES
from lintpickle.diagnostics import Span
from lintpickle.fixes.syntax import SourceTree
from lintpickle.parsing.syntax import PUTTING_METHODS

HANDLE = "handle"
"""What a future or an `AsyncResult` gives, when it is asked for its result or awaited."""
PAIR = "pair"
"""What `concurrent.futures.wait` gives: those that are done, and the others."""
_PART = re.compile(r"\.\w+|\[[^\]]*\]")
_ASKS = frozenset({"result", "get"})
_TAKES = frozenset({"pop", "popleft", "popitem", "get", "get_nowait", "__next__"})
_SAME = frozenset({"copy", "keys"})

_Asked: TypeAlias = Callable[[ast.Call, "ResultForms"], "ResultForm | None"]
"""What a call gives that the function itself does not tell."""


def parts_of_path(path: str) -> ResultForm:
    """The steps of a part of a result, as trails write it: `.job`, `['job']`, `[0]`."""
    return tuple(_PART.findall(path))


class _Binding(Struct, frozen=True):
    """What a name is given, from one place to another: a value, or (`is_each`) what going through it gives."""

    start: int
    end: int
    value: ast.expr | None
    is_each: bool = False
    step: str = ""
    form: ResultForm | None = None


class ResultForms:
    """The forms of the expressions of one function. `given` are those of its parameters, and of attributes of these, as
    they are written; `asked` tells those of calls."""

    def __init__(self, source: SourceTree, span: Span, given: Mapping[str, ResultForm], asked: _Asked) -> None:
        self.source = source
        self.nodes = tuple(source.nodes_within(span))
        self._given = given
        self._asked = asked
        self._span = span
        self._bindings: dict[str, list[_Binding]] = {}
        self._put: dict[str, list[tuple[ResultForm, ast.expr]]] = {}
        self._known: dict[int, ResultForm | None] = {}
        self._scopes = [(source.span(each), each) for each in self.nodes if isinstance(each, SCOPES)]
        first = self.nodes[0] if self.nodes else None
        is_own = isinstance(first, SCOPES) and source.span(first).end == span.end
        self._own = first if is_own else None
        for node in self.nodes:
            self._note(node)

    def of(self, node: ast.expr) -> ResultForm | None:
        """The form of an expression; None if nothing that came back is got from it, as far as is known."""
        if id(node) not in self._known:
            self._known[id(node)] = None
            self._known[id(node)] = self._of(node)
        return self._known[id(node)]

    def is_first(self, step: str, node: ast.expr) -> bool:
        """Whether what came back is got from an expression by that step first."""
        return (self.of(node) or ())[:1] == (step,)

    def calls(self) -> Iterator[ast.Call]:
        """The calls that the function makes."""
        return (each for each in self.nodes if isinstance(each, ast.Call))

    def within(self, owner: str) -> dict[str, ResultForm]:
        """The forms of what is written as a name or an attribute of it, each by what is written behind the name."""
        if not owner:
            return {}
        names = {each for each in (*self._given, *self._put) if each == owner or each.startswith(f"{owner}.")}
        found = ((each, self._chain(each)) for each in sorted(names))
        return {each.removeprefix(owner): form for each, form in found if form is not None}

    def returned(self) -> ResultForm | None:
        """The form of what the function gives its callers."""
        inner = [scope for scope, each in self._scopes if each is not self._own]
        for node in self.nodes:
            if not isinstance(node, ast.Return | ast.Yield | ast.YieldFrom) or node.value is None:
                continue
            place = self.source.span(node)
            if any(scope.start < place.start and place.end <= scope.end for scope in inner):
                continue
            form = self.of(node.value)
            if form is not None and isinstance(node, ast.YieldFrom):
                form = form_of_each(form)
            if form is not None:
                return form if isinstance(node, ast.Return) else (IN_EACH, *form)
        return None

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value, self._from(node))
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
                self._bind(target, value, self._from(node))
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._bind(target, value, self._from(value), is_each=True)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                where = self.source.span(node)
                for each in node.generators:
                    self._bind(each.target, each.iter, where, is_each=True)
            case ast.With(items=items) | ast.AsyncWith(items=items):
                for item in items:
                    if item.optional_vars is not None:
                        self._forget(item.optional_vars, self._from(item.context_expr))
            case ast.FunctionDef(args=arguments) | ast.AsyncFunctionDef(args=arguments) | ast.Lambda(args=arguments):
                self._parameters(node, arguments)
            case ast.Call(
                func=ast.Attribute(value=held, attr="add_done_callback"),
                args=[ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name), *_])) as called],
            ):
                where = self.source.span(called)
                self._bindings.setdefault(name, []).append(_Binding(where.start, where.end, held))
            case ast.Call(
                func=ast.Name(id="filter" | "map"),
                args=[ast.Lambda(args=ast.arguments(args=[ast.arg(arg=name)])) as called, items],
            ):
                where = self.source.span(called)
                self._bindings.setdefault(name, []).append(_Binding(where.start, where.end, items, is_each=True))
            case ast.Call(func=ast.Attribute(value=held, attr=method), args=[*_, value]) if method in PUTTING_METHODS:
                self._put.setdefault(ast.unparse(held), []).append(((IN_EACH,), value))
            case ast.Call(func=ast.Attribute(value=held, attr="extend" | "update"), args=[value]):
                self._put.setdefault(ast.unparse(held), []).append(((), value))
            case _:
                pass

    def _parameters(self, node: ast.AST, arguments: ast.arguments) -> None:
        """Bind the parameters: of a function inside, to what nobody knows."""
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        whole = self.source.span(node)
        others = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
        for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, *others):
            form = self._given.get(each.arg) if node is self._own else None
            self._bindings.setdefault(each.arg, []).append(_Binding(whole.start, whole.end, None, form=form))

    def _from(self, node: ast.expr | ast.stmt) -> Span:
        """From the end of a node to that of the function in which it stands."""
        place = self.source.span(node)
        around = [scope.end for scope, _ in self._scopes if scope.contains(place)]
        return Span(place.end, min(around, default=self._span.end))

    def _bind(self, target: ast.expr, value: ast.expr, where: Span, is_each: bool = False, step: str = "") -> None:
        match target:
            case ast.Name(id=name):
                self._bindings.setdefault(name, []).append(_Binding(where.start, where.end, value, is_each, step))
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                for place, (inner, given) in enumerate(
                    zip(elements, _in_parallel(value, elements, is_each), strict=True)
                ):
                    if given is None:
                        self._bind(inner, value, where, is_each, step or f"[{place}]")
                    else:
                        self._bind(inner, given[0], where, is_each, given[1])
            case ast.Subscript(value=held) if not is_each:
                self._put.setdefault(ast.unparse(held), []).append(((VALUE,), value))
                self._put[ast.unparse(held)].append(((KEY,), target.slice))
            case ast.Attribute() if not is_each:
                self._put.setdefault(ast.unparse(target), []).append(((), value))
            case _:
                self._forget(target, where)

    def _forget(self, target: ast.expr, where: Span) -> None:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                self._bindings.setdefault(node.id, []).append(_Binding(where.start, where.end, None))

    def _of(self, node: ast.expr) -> ResultForm | None:
        match node:
            case ast.Name(id=name):
                return self._name(name, self.source.span(node).start)
            case ast.Attribute(value=base, attr=name):
                return _first(_attribute(self.of(base), name), lambda: self._chain(ast.unparse(node)))
            case ast.Subscript(value=base, slice=key):
                return _item(self.of(base), key)
            case ast.Await(value=value):
                return _asked(self.of(value))
            case ast.Starred(value=value) | ast.NamedExpr(value=value):
                return self.of(value)
            case ast.IfExp(body=body, orelse=other):
                return self._first((), (body, other))
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                return led_to((IN_EACH,), self.of(element))
            case ast.DictComp(key=key, value=value):
                return _first(led_to((KEY,), self.of(key)), lambda: led_to((VALUE,), self.of(value)))
            case ast.List(elts=elements) | ast.Set(elts=elements):
                return self._first((IN_EACH,), elements)
            case ast.Tuple(elts=elements):
                found = (led_to((f"[{place}]",), self.of(each)) for place, each in enumerate(elements))
                return next((each for each in found if each is not None), None)
            case ast.Call():
                return self._call(node)
            case _:
                return None

    def _call(self, node: ast.Call) -> ResultForm | None:
        if isinstance(node.func, ast.Attribute):
            form, method = self.of(node.func.value), node.func.attr
            match form:
                case ("handle", *rest) if method in _ASKS:
                    return tuple(rest)
                case ("key", *rest) if method == "items":
                    return (IN_EACH, "[0]", *rest)
                case ("each" | "key", *rest) if method in _TAKES:
                    return tuple(rest)
                case (("each" | "key" | "value"), *_) if method in _SAME:
                    return form
                case (str(), *_) if (got := form_of_part(form, method, node.args)) is not None:
                    return got
                case _:
                    pass
        return _first(self._asked(node, self), lambda: form_made(node, self.of))

    def _first(self, before: ResultForm, values: Sequence[ast.expr]) -> ResultForm | None:
        found = (led_to(before, self.of(each)) for each in values)
        return next((each for each in found if each is not None), None)

    def _name(self, name: str, place: int) -> ResultForm | None:
        """What a name has at a place: what it was given last before, and what has been put into that."""
        bindings = [each for each in self._bindings.get(name, ()) if each.start <= place < each.end]
        if not bindings:
            return self._chain(name)
        last = max(bindings, key=lambda each: each.start)
        if last.value is None:
            return last.form if last.form is not None else self._chain(name)
        form = self.of(last.value)
        if form is None and not last.is_each:
            return self._chain(name)
        if last.is_each:
            form = form_of_each(form)
        return _part(form, last.step) if last.step else form

    def _chain(self, written: str) -> ResultForm | None:
        """What something has by what is put into it, or stored there, anywhere in the function."""
        given = self._given.get(written)
        if given is not None:
            return given
        found = (led_to(before, self.of(each)) for before, each in self._put.get(written, ()))
        return next((each for each in found if each is not None), None)


def _in_parallel(value: ast.expr, elements: Sequence[ast.expr], is_each: bool) -> list[tuple[ast.expr, str] | None]:
    """The expressions whose values, or whose elements, the parts of a target are given one by one."""
    match value:
        case ast.Tuple(elts=values) if not is_each and len(values) == len(elements):
            return [(each, "") for each in values]
        case ast.Call(func=ast.Name(id="zip"), args=values) if is_each and len(values) == len(elements):
            return [(each, "") for each in values]
        case ast.Call(func=ast.Name(id="enumerate"), args=[values, *_]) if is_each and len(elements) == 2:
            return [None, (values, "")]
        case _:
            return [None] * len(elements)


def _first(form: ResultForm | None, other: Callable[[], ResultForm | None]) -> ResultForm | None:
    return form if form is not None else other()


def _attribute(form: ResultForm | None, name: str) -> ResultForm | None:
    if form and (form[0] == f".{name}" or (form[0] == PAIR and name in ("done", "not_done"))):
        return form[1:]
    return None


def _part(form: ResultForm | None, step: str) -> ResultForm | None:
    if not form:
        return None
    is_any = form[0] in (IN_EACH, SOME) and is_place(step)
    is_it = form[0] == step or (form[0] == PAIR and step in ("[0]", "[1]"))
    return form[1:] if is_any or is_it else None


def _item(form: ResultForm | None, key: ast.expr) -> ResultForm | None:
    if not form:
        return None
    if isinstance(key, ast.Slice):
        return form if form[0] == IN_EACH else None
    if form[0] in (IN_EACH, VALUE, SOME):
        return form[1:]
    return _part(form, f"[{ast.unparse(key)}]")


def _asked(form: ResultForm | None) -> ResultForm | None:
    return form[1:] if form and form[0] == HANDLE else None
