"""The errors that a function is sure to meet where a global is still as at import."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.asked_globals import asks_if_set, questions
from lintpickle.analyses.main_state.main_setters import Met, constant_in
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.waiting.waits import WORKER_WAITS, definitions_in, never_ends
from lintpickle.control_flow.attempts import is_ready_for
from lintpickle.control_flow.paths import Paths
from lintpickle.facts.records import FunctionFacts
from lintpickle.facts.values import says_none
from lintpickle.interpreter.abstract_values import InstanceValue
from lintpickle.parsing.names_read import children
from lintpickle.parsing.syntax import FUNCTIONS, Function, dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerFunction
from lintpickle.program.module import Module

_ASKING = (ast.If, ast.IfExp, ast.While, ast.BoolOp, ast.Try, ast.Match, ast.Lambda, ast.ClassDef, ast.comprehension)
_EMPTY_DICTS, _EMPTY_LISTS = ("{}", "dict()"), ("[]", "list()")
_LOOKUP_ERRORS = frozenset({"KeyError", "IndexError", "LookupError", "Exception", "BaseException"})

_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Pow: "** or pow()"}
"""The operators that None has none of, whatever the other operand is: `"%s" % None` and `int | None` are fine."""
_NOT_ITERABLE = "TypeError: 'NoneType' object is not iterable"
_GOING_OVER = frozenset(
    {"all", "any", "dict", "enumerate", "frozenset", "iter", "list", "set", "sorted", "sum", "tuple"}
)
"""Functions of `builtins` that go over their first argument at once."""
_OF_FUNCTIONS = {
    "len": "TypeError: object of type 'NoneType' has no len()",
    "int": "TypeError: int() argument must be a string, a bytes-like object or a real number, not 'NoneType'",
    "float": "TypeError: float() argument must be a string or a real number, not 'NoneType'",
}
"""How those end that do something else with it."""
_ORDERS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def failing(met: Met, written: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same with the error that the function meets, if it uses the global so whenever it runs. For `migrate`."""
    if linker.moving_to is None or met.error is not None:
        return met
    uses = used_at_once(written, function.frame.paths.tree)
    error = next((found for use in uses if (found := _of_none(use, written)) is not None), None)
    return Met(met.outcome, met.how, error) if error is not None else met


def failing_in_object(met: Met, owner: Owner, written: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same for an object of which an attribute is None at import, which the function uses as something else
    (`settings.options.retries`)."""
    if linker.moving_to is None or met.error is not None or not isinstance(owner.value, InstanceValue):
        return met
    held = linker.classes.states.state(owner.value)
    for attribute in dict.fromkeys(each.attribute for each in held if each.direct and says_none(each.value)):
        is_none = all(says_none(each.value) for each in held if each.attribute == attribute and each.direct)
        if is_none and not asks_if_set(f"{written}.{attribute}", function):
            found = failing(met, f"{written}.{attribute}", function, linker)
            if found.error is not None:
                return found
    return met


def insists(written: str, constant: str, function: WorkerFunction, linker: Linker) -> bool:
    """Whether a function asks for something only to raise an error where it is as at import, which is a constant: `if
    job is None: raise RuntimeError("no job")`. To those who move to another start method, whatever it raises counts."""
    found = questions(written, function.frame.paths.tree)
    value = ast.literal_eval(constant)
    is_any = linker.moving_to is not None
    return bool(found) and all(_raises_where(each, written, value, is_any) for each in found)


def _raises_where(asking: ast.AST, written: str, value: object, is_any: bool) -> bool:
    match asking:
        case ast.Assert(test=test):
            return is_any or _is_so(ast.UnaryOp(ast.Not(), test), written, value)
        case ast.If(test=test, body=[ast.Raise(), *_]):
            return is_any or _is_so(test, written, value)
        case _:
            return False


def insisting(met: Met, written: str, given: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same with the error that the function raises at once where something still is the constant that it is given
    at import: `if not ready: raise RuntimeError("not ready")`; or that it waits for ever for another value: `while not
    ready: sleep(1)`."""
    constant = constant_in(given)
    if met.error is not None or constant is None:
        return met
    error = insisted(written, ast.literal_eval(constant), function.frame.paths.tree)
    return Met(met.outcome, met.how, error) if error is not None else met


def insisted(written: str, value: object, tree: ast.Module) -> str | None:
    """The error that a function raises at once where something has that value, or the wait that never ends then. `tree`
    is that of the function; of `__getattr__`, what it does for special names does not count."""
    for definition in definitions_in(tree):
        for statement in _unless_caught([*_run_for_plain_names(definition)]):
            match statement:
                case ast.If(test=test, body=[ast.Raise(exc=ast.expr() as raised), *_]) if _is_so(test, written, value):
                    return _error(raised)
                case ast.While() if never_ends(statement, lambda test: _is_so(test, written, value)):
                    return WORKER_WAITS
                case ast.Assert(test=test) if _is_so(ast.UnaryOp(ast.Not(), test), written, value):
                    return "AssertionError"
                case ast.Return() | ast.Raise() | ast.For():
                    return None
                case _ if isinstance(statement, _ASKING):
                    return None
                case _:
                    pass
    return None


def _unless_caught(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements, with those in a `try` all of whose handlers end by raising again in its place."""
    for statement in body:
        match statement:
            case ast.Try(body=tried, handlers=handlers) if all(_raises_again(each) for each in handlers):
                yield from _unless_caught(tried)
            case _:
                yield statement


def _raises_again(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def only_raised(facts: FunctionFacts, module: Module) -> str | None:
    """The error with which a function ends whatever it is given, if it does nothing else."""
    for definition in definitions_in(Paths(module, facts.span).tree):
        match [each for each in definition.body if not isinstance(each, ast.Expr)]:
            case [ast.Raise(exc=ast.expr() as raised)]:
                return _error(raised)
            case _:
                pass
    return None


def _is_so(test: ast.expr, written: str, value: object) -> bool:
    """Whether a condition holds for sure where a name has that value."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(left=left, ops=[ast.IsNot()], comparators=[other])):
            return _is_so(ast.Compare(left, [ast.Is()], [other]), written, value)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as operand):
            return dotted(operand) == written and not value
        case ast.Name() | ast.Attribute():
            return dotted(test) == written and bool(value)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=other)]):
            is_it = isinstance(left, (ast.Name, ast.Attribute)) and dotted(left) == written
            return is_it and repr(other) == repr(value)
        case _:
            return False


def _error(raised: ast.expr) -> str:
    """An error as a traceback shows it, as far as it is written out."""
    match raised:
        case ast.Call(func=ast.Name() | ast.Attribute() as named, args=[ast.Constant(value=str(said))]):
            return f"{dotted(named)}: {said}"
        case ast.Call(func=ast.Name() | ast.Attribute() as named):
            return dotted(named)
        case ast.Name() | ast.Attribute():
            return dotted(raised)
        case _:
            return "an error"


def failing_empty(met: Met, written: str, text: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same for an empty container, by the text that makes it."""
    if linker.moving_to is None or met.error is not None:
        return met
    error = error_of_empty(written, text, function)
    if error is None and text in _EMPTY_DICTS + _EMPTY_LISTS:
        error = _error_of_lookup(written, function.frame.paths.tree)
    return Met(met.outcome, met.how, error) if error is not None else met


def _error_of_lookup(written: str, tree: ast.Module) -> str | None:
    """The error of its own that a function raises for what it does not find in a global: where the lookup fails, where
    it has asked first, or where it got None."""
    got: set[str] = set()
    for statement in (each for definition in definitions_in(tree) for each in _run_for_plain_names(definition)):
        match statement:
            case ast.Try(body=body, handlers=handlers) if any(_takes_item(written, each) for each in body):
                ending = [each.body[-1] for each in handlers if _catches_lookup(each.type)]
                return _raised(ending[0]) if ending else None
            case ast.If(test=ast.Compare(ops=[ast.NotIn()], comparators=[table]), body=body) if (
                dotted(table) == written
            ):
                return _raised(body[-1])
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Attribute(value=table, attr="get"), args=[_])
            ) if dotted(table) == written:
                got.add(name)
            case ast.If(test=test, body=body) if any(_is_so(test, name, None) for name in got):
                return _raised(body[-1])
            case _ if isinstance(statement, (*_ASKING, ast.Return, ast.Raise)):
                return None
            case _:
                pass
    return None


def _takes_item(written: str, statement: ast.stmt) -> bool:
    return any(
        isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load) for each in _taken(written, statement)
    )


def _catches_lookup(kind: ast.expr | None) -> bool:
    caught = kind.elts if isinstance(kind, ast.Tuple) else [kind] if kind is not None else []
    return kind is None or any(dotted(each) in _LOOKUP_ERRORS for each in caught)


def _raised(statement: ast.stmt) -> str | None:
    """The error that a statement raises that it makes itself."""
    return _error(statement.exc) if isinstance(statement, ast.Raise) and statement.exc is not None else None


def error_of_empty(written: str, text: str, function: WorkerFunction) -> str | None:
    """The error that a function meets whenever it runs, because it takes an item of a global which is an empty dict or
    list. `text` makes that."""
    is_dict, is_list = text in _EMPTY_DICTS, text in _EMPTY_LISTS
    for use in used_at_once(written, function.frame.paths.tree) if is_dict or is_list else ():
        if isinstance(use, ast.Subscript) and isinstance(use.ctx, ast.Load) and not isinstance(use.slice, ast.Slice):
            key = f": {use.slice.value!r}" if isinstance(use.slice, ast.Constant) else ""
            return f"KeyError{key}" if is_dict else "IndexError: list index out of range"
    return None


def failing_without_key(met: Met, written: str, name: str | None, function: WorkerFunction, linker: Linker) -> Met:
    """The same for a context variable without a default: `get()` raises an error where it has no value. It calls itself
    by a name that is not known if it is None."""
    if linker.moving_to is None or met.error is not None:
        return met
    tree, named = function.frame.paths.tree, repr(name) if name is not None else "…"
    asking = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and not node.args}
    for use in used_at_once(written, tree):
        match use:
            case ast.Attribute(attr="get") if id(use) in asking and not is_ready_for("LookupError", tree, use.lineno):
                return Met("there it has no value", met.how, f"LookupError: <ContextVar name={named} at 0x…>")
            case _:
                pass
    return met


def failing_in_thread(met: Met, written: str, setter: str, function: WorkerFunction, linker: Linker) -> Met:
    """The same for what each thread has for itself, which has no attributes before it is given them; `setter` is the
    text of what gives it some."""
    if linker.moving_to is None or met.error is not None:
        return met
    tree = function.frame.paths.tree
    for use in used_at_once(written, tree):
        match use:
            case ast.Attribute(attr=name, ctx=ast.Load()) if re.search(rf"\.\s*{re.escape(name)}\s*=(?!=)", setter):
                if not is_ready_for("AttributeError", tree, use.lineno):
                    error = f"AttributeError: '_thread._local' object has no attribute '{name}'"
                    return Met("there it has no such attribute", met.how, error)
            case _:
                pass
    return met


def _of_none(use: ast.AST, written: str) -> str | None:
    """The error of a use of None; of an operator after something else, what the text is depends on that."""
    match use:
        case ast.Attribute(attr=name) if not name.startswith("__"):
            return f"AttributeError: 'NoneType' object has no attribute '{name}'"
        case ast.Subscript():
            return "TypeError: 'NoneType' object is not subscriptable"
        case ast.Call(func=called) if _is(called, written):
            return "TypeError: 'NoneType' object is not callable"
        case ast.Call(func=ast.Name(id=name)):
            return _OF_FUNCTIONS.get(name, _NOT_ITERABLE)
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return "TypeError: argument of type 'NoneType' is not iterable"
        case ast.BinOp(left=left, op=operator):
            return (
                "TypeError"
                if not _is(left, written)
                else f"TypeError: unsupported operand type(s) for {_SIGNS[type(operator)]}"
            )
        case ast.Compare(ops=[operator]):
            return f"TypeError: '{_ORDERS[type(operator)]}' not supported between instances"
        case ast.For() | ast.comprehension():
            return _NOT_ITERABLE
        case _:
            return None


def used_at_once(written: str, tree: ast.Module) -> Iterator[ast.AST]:
    """The expressions that take an attribute or item of the global, call it, reckon with it or go over it, whenever the
    function runs. None if the function itself gives it a value. `tree` is that of the function."""
    if any(isinstance(node, ast.Global) and written in node.names for node in ast.walk(tree)):
        return
    for definition in definitions_in(tree):
        for statement in _run_for_plain_names(definition):
            yield from _taken(written, statement)
            if isinstance(statement, _ASKING) and _may_end(statement):
                return


def _run_for_plain_names(definition: Function) -> Iterator[ast.stmt]:
    """The statements of a function; of `__getattr__`, without those that turn away special names, for which no code
    asks: `if name.startswith("__"): raise AttributeError(name)`."""
    given = definition.args.args[-1:] if definition.name == "__getattr__" else []
    for statement in definition.body:
        match statement:
            case ast.If(test=test, orelse=[]) if given and _is_of_special_name(test, given[0].arg):
                pass
            case _:
                yield statement


def _is_of_special_name(test: ast.expr, name: str) -> bool:
    """Whether a test asks for no other names than those that begin and end with two underscores."""
    match test:
        case ast.BoolOp(values=values):
            return all(_is_of_special_name(each, name) for each in values)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=asked), attr="startswith" | "endswith"),
            args=[ast.Constant(value=part)],
        ):
            return asked == name and str(part).startswith("__")
        case ast.Compare(left=ast.Name(id=asked), ops=[ast.Eq() | ast.In()], comparators=[other]):
            named = other.elts if isinstance(other, (ast.Tuple, ast.Set, ast.List)) else [other]
            texts = [each.value for each in named if isinstance(each, ast.Constant)]
            return asked == name and len(texts) == len(named) and all(str(each).startswith("__") for each in texts)
        case _:
            return False


def _may_end(statement: ast.stmt) -> bool:
    """Whether a function may have ended with a statement."""
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Return, ast.Raise)):
            return True
        stack += [each for each in ast.iter_child_nodes(node) if not isinstance(each, (*FUNCTIONS, ast.Lambda))]
    return False


def _taken(written: str, root: ast.AST) -> Iterator[ast.AST]:
    """The expressions in a statement that do so, of what is evaluated whenever it runs."""
    stack = [root]
    while stack:
        node = stack.pop()
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                stack.append(test)
            case ast.BoolOp(values=[first, *_]):
                stack.append(first)
            case ast.Try(body=body, handlers=handlers) if all(
                isinstance(each.body[-1], ast.Raise) for each in handlers
            ):
                stack += reversed(body)  # Whatever error is met, it ends in one.
            case _ if isinstance(node, (*_ASKING, *FUNCTIONS)):
                pass
            case (
                ast.ListComp(generators=[first, *_])
                | ast.SetComp(generators=[first, *_])
                | ast.DictComp(generators=[first, *_])
                | ast.GeneratorExp(generators=[first, *_])
            ):
                if _is(first.iter, written):
                    yield first
                stack.append(first.iter)
            case _:
                if any(_is(each, written) for each in _operands(node)):
                    yield node
                stack += reversed([*children(node)])


def _operands(node: ast.AST) -> tuple[ast.expr, ...]:
    """What must not be None, or be something else that lacks what an expression or loop takes of it."""
    match node:
        case ast.Attribute(value=base) | ast.Subscript(value=base):
            return (base,)
        case ast.Call(func=called):
            return (called, *_needed(node))
        case ast.BinOp(left=left, right=right, op=operator) if type(operator) in _SIGNS:
            return (left, right)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if type(operator) in _ORDERS:
            return (left, right)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[container]):
            return (container,)
        case ast.For(iter=iterated):
            return (iterated,)
        case _:
            return ()


def _needed(call: ast.Call) -> tuple[ast.expr, ...]:
    """The arguments of a function of `builtins` that must not be None."""
    match call:
        case ast.Call(func=ast.Name(id="zip"), args=arguments):
            return tuple(arguments)
        case ast.Call(func=ast.Name(id="map" | "filter"), args=[_, *iterated]):
            return tuple(iterated)
        case ast.Call(func=ast.Name(id="max" | "min" | "len" | "int" | "float"), args=[only]):
            return (only,)
        case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _GOING_OVER:
            return (first,)
        case _:
            return ()


def _is(expression: ast.expr, written: str) -> bool:
    if not isinstance(expression, (ast.Name, ast.Attribute)):
        return False
    return dotted(expression) == written or ("(" in written and ast.unparse(expression) == written)
