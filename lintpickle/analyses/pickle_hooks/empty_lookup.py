"""What an attribute lookup does on an object that has no state yet, for the rule about `__getattr__`.

Pickle and copy create an object without calling `__init__`, and look up `__setstate__` before it has any state. The
method is interpreted statement by statement, and only certain outcomes count: anything unknown ends the interpretation.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, auto
from types import MappingProxyType

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import node_of
from lintpickle.analyses.pickle_hooks.filled_before_state import FindMethod
from lintpickle.analyses.pickle_hooks.lookup_handlers import caught_by, may_fail
from lintpickle.analyses.pickle_hooks.lookup_truth import LookupTruth

ASKED = "__setstate__"


class End(Enum):
    """How a piece of code ends; GOES_ON if it continues."""

    GOES_ON = auto()
    ANSWERS = auto()
    REFUSES = auto()
    """It raises AttributeError, as it should."""
    FAILS = auto()
    UNCLEAR = auto()


class _Failure(Struct, frozen=True):
    """The expression that reads the attribute, and the error."""

    node: ast.expr
    attribute: str
    error: str


def _none(name: str) -> None:
    return None


_NOTHING: Mapping[str, str] = MappingProxyType({})
_CATCH_ALL = frozenset({"Exception", "BaseException", "RuntimeError", "RecursionError"})


class EmptyLookup:
    """Runs `__getattr__` on an object without attributes, or a method that it asks for the same name, if there is a
    `caller`. `is_missing(name)` says whether the class lacks a name."""

    def __init__(
        self,
        method: ast.FunctionDef,
        is_missing: Callable[[str], bool],
        own: FindMethod = _none,
        texts: Mapping[str, str] = _NOTHING,
        caller: EmptyLookup | None = None,
    ) -> None:
        arguments = [*method.args.posonlyargs, *method.args.args]
        self._method = method
        self._me, self._name = (arguments[0].arg, arguments[1].arg) if len(arguments) == 2 else ("", "")
        self._stored: set[str] = caller._stored if caller is not None else set()
        """The attributes that the lookup itself has given the object."""
        self._is_missing_in_class = is_missing
        self._own = own
        self._texts = texts
        self._tests = LookupTruth(self._me, self._name, self._is_missing)
        self._caller = caller
        self._asked: list[str] = caller._asked if caller is not None else []
        self._called: list[tuple[str, str]] = caller._called if caller is not None else []
        """The methods that have been called on the way here, each with what was asked for."""
        self.failure: _Failure | None = None

    def _is_missing(self, name: str) -> bool:
        return name not in self._stored and self._is_missing_in_class(name)

    def run(self, asked: str = ASKED) -> End:
        """Look up `asked`. Returns how the lookup ends."""
        if self._caller is not None:
            return self._of(self._caller, self._caller.run(asked))
        if not self._me:
            return End.UNCLEAR
        self._asked.append(asked)
        end = self._block(self._method.body)
        self._asked.pop()
        return End.ANSWERS if end is End.GOES_ON else end

    def _of(self, other: EmptyLookup, end: End) -> End:
        self.failure = other.failure
        return end

    def _call(self, name: str, call: ast.expr) -> End:
        """Call a method of the object with the name that is asked for."""
        found, called = self._own(name), (name, self._asked[-1])
        method = node_of(found[0].module, found[1]) if found is not None and not found[1].is_generator else None
        if method is None or method[1].decorator_list or called in self._called:
            return End.UNCLEAR
        inner = EmptyLookup(method[1], self._is_missing, self._own, self._texts, self)
        if not inner._me:
            return End.UNCLEAR
        self._called.append(called)
        end = inner._block(method[1].body)
        self._called.pop()
        if end is End.FAILS and inner.failure is not None:
            is_private = inner.failure.attribute.startswith("__")  # Its name depends on the class of the method.
            self.failure = inner.failure if is_private else replace(inner.failure, node=call)
        return End.GOES_ON if end is End.ANSWERS else end

    def _block(self, statements: Iterable[ast.stmt]) -> End:
        for statement in statements:
            end = self._statement(statement)
            if end is not End.GOES_ON:
                return end
        return End.GOES_ON

    def _statement(self, statement: ast.stmt) -> End:
        match statement:
            case ast.Pass() | ast.Import() | ast.ImportFrom() | ast.Global():
                return End.GOES_ON
            case ast.Expr(value=value):
                return self._expression(value)
            case ast.Return(value=value):
                return self._then(value, End.ANSWERS)
            case ast.Raise(exc=exception):
                name = exception.func if isinstance(exception, ast.Call) else exception
                refuses = isinstance(name, ast.Name) and name.id == "AttributeError"
                if isinstance(name, ast.Name) and name.id == "KeyError" and self._asked[-1] != ASKED:
                    return self._fail(name, self._asked[-1], "KeyError")
                return self._then(exception, End.REFUSES if refuses else End.UNCLEAR)
            case ast.Assign(targets=targets, value=value):
                return self._stores(value, targets)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                return self._stores(value, [target])
            case ast.AugAssign(target=target, value=value):
                end = self._expression(target)
                return end if end is not End.GOES_ON else self._stores(value, [target])
            case ast.If(test=test, body=body, orelse=orelse):
                end = self._expression(test)
                if end is not End.GOES_ON:
                    return end
                return self._branches(self._tests.truth(test, self._asked[-1]), body, orelse)
            case ast.Try():
                return self._try(statement)
            case ast.With(items=[ast.withitem(context_expr=context)]):
                return self._then(context, End.UNCLEAR)
            case ast.For(iter=iterable):
                return self._then(iterable, End.UNCLEAR)
            case _:
                return End.UNCLEAR

    def _then(self, value: ast.expr | None, after: End) -> End:
        end = self._expression(value) if value is not None else End.GOES_ON
        return after if end is End.GOES_ON else end

    def _stores(self, value: ast.expr, targets: Iterable[ast.expr]) -> End:
        """Evaluate a value, and store it in each target."""
        end = self._expression(value)
        for target in targets:
            end = self._store(target) if end is End.GOES_ON else end
        return end

    def _store(self, target: ast.expr) -> End:
        match target:
            case ast.Name(id=name):
                return End.UNCLEAR if name in (self._me, self._name) else End.GOES_ON
            case ast.Attribute(value=ast.Name(id=me), attr=attribute) if me == self._me:
                is_known = attribute in self._stored or self._is_missing(attribute)
                if self._own is _none or self._own("__setattr__") is not None or not is_known:
                    return End.UNCLEAR
                self._stored.add(attribute)
                return End.UNCLEAR if self._asks_dict else End.GOES_ON
            case ast.Subscript(value=held, slice=key) if not (isinstance(held, ast.Name) and held.id == self._me):
                end = self._then(held, self._expression(key))
                return end if end is not End.GOES_ON or isinstance(held, ast.Name) else End.UNCLEAR
            case ast.Attribute(value=held):
                return self._then(held, End.UNCLEAR)
            case _:
                return End.UNCLEAR

    def _branches(self, truth: bool | None, body: list[ast.stmt], orelse: list[ast.stmt]) -> End:
        if truth is None:
            first, second = self._block(body), self._block(orelse)
            return first if first is second else End.UNCLEAR
        return self._block(body if truth else orelse)

    def _try(self, statement: ast.Try) -> End:
        end = self._block(statement.body)
        caught = [name for handler in statement.handlers for name in caught_by(handler)]
        if end is End.FAILS:
            is_key = self.failure is not None and self.failure.error.startswith("KeyError")
            met = _CATCH_ALL & set(caught) or (is_key and {"KeyError", "LookupError"} & set(caught))
            return End.UNCLEAR if met else end
        if end is End.REFUSES:
            for handler in statement.handlers:
                if {"AttributeError", "Exception", "BaseException"} & set(caught_by(handler)):
                    return self._block(handler.body)
            return end
        if end is End.GOES_ON and may_fail(statement.body):
            handled = {self._block(handler.body) for handler in statement.handlers}
            if handled - {End.GOES_ON}:
                return End.UNCLEAR
        return self._block(statement.orelse) if end is End.GOES_ON else end

    def _expression(self, node: ast.expr) -> End:
        """Evaluate, in Python's order; GOES_ON if nothing happens."""
        match node:
            case ast.Attribute(value=ast.Name(id=me), attr=attribute) if me == self._me:
                return self._lookup(node, attribute)
            case ast.Subscript(value=held, slice=ast.Constant(value=str() as key)) if self._tests.is_dict(held):
                return self._fail(node, key, f"KeyError: '{key}'") if self._is_missing(key) else End.UNCLEAR
            case ast.Call(func=ast.Name(id="getattr" | "hasattr" as ask), args=[ast.Name(id=me), asked, *default]) if (
                me == self._me
            ):
                named = self._named(asked)
                if named is not None:
                    end = self._lookup(node, named)
                    return End.GOES_ON if end is End.REFUSES and (default or ask == "hasattr") else end
                return End.UNCLEAR
            case ast.Call(func=ast.Name(id="getattr"), args=[owner, asked]) if self._is_name(asked):
                return self._then(owner, End.UNCLEAR)  # What has no such attribute refuses first.
            case ast.Call(func=ast.Attribute(value=held, attr=method)) if self._is_parents(held):
                return End.REFUSES if method in ("__getattribute__", "__getattr__") else End.UNCLEAR
            case ast.Call(func=ast.Attribute(value=ast.Name(id=me), attr=method), args=args) if me == self._me:
                is_asked = len(args) == 1 and self._is_name(args[0]) and not node.keywords
                return self._call(method, node) if is_asked else End.UNCLEAR
            case ast.Subscript(value=ast.Name(id=me), slice=asked, ctx=ast.Load()) if (
                me == self._me and self._is_name(asked) and self._own("__getitem__") is not None
            ):
                return self._call("__getitem__", node)
            case ast.BoolOp(op=op, values=[first, *others]):
                end, truth = self._expression(first), self._tests.truth(first, self._asked[-1])
                if end is not End.GOES_ON or truth is isinstance(op, ast.Or):
                    return end
                if truth is None:
                    return End.UNCLEAR if any(self._asks(other) for other in others) else End.GOES_ON
                return self._expression(others[0] if len(others) == 1 else ast.BoolOp(op, others))
            case ast.IfExp(test=test, body=body, orelse=orelse):
                end, truth = self._expression(test), self._tests.truth(test, self._asked[-1])
                if end is not End.GOES_ON or truth is None:
                    return end if end is not End.GOES_ON else End.UNCLEAR
                return self._expression(body if truth else orelse)
            case ast.Lambda():
                return End.GOES_ON
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                return self._then(node.generators[0].iter, End.UNCLEAR)
            case ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return End.UNCLEAR
            case _:
                for child in ast.iter_child_nodes(node):
                    inner = child.value if isinstance(child, ast.keyword) else child
                    end = self._expression(inner) if isinstance(inner, ast.expr) else End.GOES_ON
                    if end is not End.GOES_ON:
                        return end
                return End.GOES_ON

    def _named(self, asked: ast.expr) -> str | None:
        """The name that `getattr` is given: written out, or as an attribute of the class."""
        match asked:
            case ast.Constant(value=str() as name):
                return name
            case ast.Attribute(value=ast.Name(id=me), attr=attribute) if me == self._me:
                return self._texts.get(attribute)
            case _:
                return None

    def _asks(self, node: ast.expr) -> bool:
        return any(isinstance(each, ast.Name) and each.id == self._me for each in ast.walk(node))

    def _lookup(self, node: ast.expr, attribute: str) -> End:
        if attribute in ("__dict__", "__class__") or attribute in self._stored:
            return End.GOES_ON
        if not self._is_missing(attribute):
            return End.UNCLEAR
        if attribute in self._asked:
            return self._fail(node, attribute, "RecursionError: maximum recursion depth exceeded")
        end = self.run(attribute)
        return End.GOES_ON if end is End.ANSWERS else end

    @property
    def _asks_dict(self) -> bool:
        return any(self._tests.is_dict(each) for each in ast.walk(self._method) if isinstance(each, ast.expr))

    def _fail(self, node: ast.expr, attribute: str, error: str) -> End:
        self.failure = _Failure(node, attribute, error)
        return End.FAILS

    def _is_name(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self._name

    def _is_parents(self, node: ast.expr) -> bool:
        match node:
            case ast.Call(func=ast.Name(id="super")):
                return True
            case ast.Name(id="object"):
                return True
            case _:
                return False
