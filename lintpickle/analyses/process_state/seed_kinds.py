"""How a value depends on the seed that a process has for the hashes of texts: expression by expression.

Measured with CPython 3.11: sets go through their elements in the order of the hashes, and so do unions and other sets
made of them; dicts keep the order in which they were filled."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from enum import IntEnum

from msgspec import Struct

from lintpickle.parsing.syntax import arguments_of, target_names


class SeedKind(IntEnum):
    """How a value depends on the seed; of several, the greatest counts."""

    FREE = 0
    """Not at all, as far as is seen."""
    SET = 1
    """It is a set of what may be texts: equal in all processes, but in another order."""
    KEYED = 2
    """It is a mapping that was filled in the order of such a set, and is equal otherwise."""
    ORDERED = 3
    """Its elements are the same, in another order."""
    VARYING = 4
    """It is another value."""


class SeedScope(Struct):
    """What is known where an expression stands; `kinds` are those of the variables, `numbers` those that are numbers or
    hold nothing else. `called` tells the kind of what a call of the program gives with arguments of such kinds, `read`
    that of a name of the module or of an attribute, `path` the path of what is called."""

    kinds: dict[str, SeedKind]
    numbers: set[str]
    called: Callable[[ast.Call, list[SeedKind], SeedScope], SeedKind | None]
    read: Callable[[ast.expr], SeedKind]
    path: Callable[[ast.expr], str]

    def inner(self) -> SeedScope:
        """One for what binds variables of its own."""
        return SeedScope(dict(self.kinds), set(self.numbers), self.called, self.read, self.path)


FREE, SET, KEYED, ORDERED, VARYING = SeedKind
_SETS = frozenset({"builtins.set", "builtins.frozenset"})
_NUMBERS = frozenset(
    {"builtins.int", "builtins.len", "builtins.float", "builtins.ord", "builtins.bool", "builtins.abs"}
)
_EQUAL = frozenset(
    {"builtins.len", "builtins.any", "builtins.all", "builtins.isinstance", "builtins.type", "builtins.id"}
)
_SORTING = frozenset({"builtins.sorted", "builtins.min", "builtins.max", "heapq.nsmallest", "heapq.nlargest"})
_MAPPINGS = frozenset({"builtins.dict", "collections.Counter", "collections.OrderedDict", "dict.fromkeys"})
_SHOWING = frozenset({"builtins.str", "builtins.repr", "builtins.format", "builtins.next", "builtins.enumerate"}) | {
    f"itertools.{name}" for name in ("islice", "combinations", "permutations", "accumulate", "cycle", "zip_longest")
}
"""What shows the order of what it is given in each value."""
_KEEPING = frozenset(
    {"builtins.list", "builtins.tuple", "builtins.iter", "builtins.map", "builtins.filter", "collections.deque"}
    | {"itertools.chain", "itertools.chain.from_iterable", "numpy.array", "numpy.fromiter", "torch.tensor"}
)
"""What gives the elements of what it is given in their order."""
_WHOLE = frozenset({"str", "repr", "int", "float", "abs"})
"""Keys by which two different elements of a set are hardly equal."""
_SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference"})
_SAME = frozenset({"copy", "keys", "values", "items"})
_TAKING = frozenset({"pop", "popitem"})
_BY_PLACE = frozenset({"pop", "index", "popleft"})
_JOIN, _ENCODING = "join", ("json.dumps", "pickle.dumps", "pprint.pformat")
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def kind_of(node: ast.expr | None, scope: SeedScope) -> SeedKind:
    """How what an expression gives depends on the seed."""
    match node:
        case None | ast.Constant() | ast.Lambda():
            return FREE
        case ast.Name(id=name):
            return scope.kinds[name] if name in scope.kinds else scope.read(node)
        case ast.Attribute(value=base):
            return max(scope.read(node), _if_varying(base, scope))
        case ast.Set(elts=elements):
            return _collected([kind_of(each, scope) for each in elements], are_numbers(elements, scope))
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return max((_inside(each, scope) for each in elements), default=FREE)
        case ast.Dict(keys=keys, values=values):
            return _of_mapping(keys, values, scope)
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
            return _of_comprehension(node, scope)
        case ast.Call():
            return _of_call(node, scope)
        case ast.Subscript(value=base, slice=key):
            kinds = kind_of(base, scope), kind_of(key, scope)
            return VARYING if VARYING in kinds or kinds[0] == ORDERED else FREE
        case ast.BinOp(left=left, op=op, right=right):
            return _of_operation(kind_of(left, scope), op, kind_of(right, scope))
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _of_comparison(left, ops, others, scope)
        case ast.BoolOp(values=values):
            return max(kind_of(each, scope) for each in values)
        case ast.IfExp(test=test, body=body, orelse=other):
            return max(_if_varying(test, scope), kind_of(body, scope), kind_of(other, scope))
        case ast.UnaryOp(operand=operand):
            return _if_varying(operand, scope)
        case ast.JoinedStr(values=values):
            return VARYING if any(kind_of(each, scope) for each in values) else FREE
        case ast.FormattedValue(value=value) | ast.Starred(value=value) | ast.Await(value=value):
            return kind_of(value, scope)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            scope.kinds[name] = kind_of(value, scope)
            return scope.kinds[name]
        case _:
            return FREE


def is_number(node: ast.expr, scope: SeedScope) -> bool:
    """Whether an expression surely gives a number, which has one hash in all processes."""
    match node:
        case ast.Constant(value=value):
            return value is None or isinstance(value, (int, float, complex))
        case ast.Name(id=name):
            return name in scope.numbers
        case ast.Call(func=function):
            return scope.path(function) in _NUMBERS
        case ast.BinOp(left=left, op=op, right=right):
            return not isinstance(op, ast.Mod) and is_number(left, scope) and is_number(right, scope)
        case ast.UnaryOp(operand=operand):
            return is_number(operand, scope)
        case ast.Tuple(elts=parts):
            return are_numbers(parts, scope)
        case _:
            return False


def are_numbers(nodes: Iterable[ast.expr], scope: SeedScope) -> bool:
    """Whether all of them give numbers; a starred one holds them."""
    return all(
        holds_numbers(each.value, scope) if isinstance(each, ast.Starred) else is_number(each, scope) for each in nodes
    )


def holds_numbers(node: ast.expr, scope: SeedScope) -> bool:
    """Whether all elements of what an expression gives are surely numbers."""
    match node:
        case ast.Name(id=name):
            return name in scope.numbers
        case ast.List(elts=elements) | ast.Set(elts=elements) | ast.Tuple(elts=elements):
            return bool(elements) and are_numbers(elements, scope)
        case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
            inner = scope.inner()
            for each in node.generators:
                bind_loop(each.target, each.iter, inner)
            return is_number(element, inner)
        case ast.Call(func=function, args=args):
            path = scope.path(function)
            if path == "builtins.map" and args:
                return scope.path(args[0]) in _NUMBERS
            is_same = path in _SETS | _KEEPING | _SORTING and bool(args)
            return path == "builtins.range" or (is_same and holds_numbers(args[0], scope))
        case _:
            return False


def bind_loop(target: ast.expr, iterated: ast.expr, scope: SeedScope) -> SeedKind:
    """Binds the variables of a loop to what it goes through, of which the kind is given back."""
    kind = kind_of(iterated, scope)
    for name in target_names(target):
        scope.kinds[name] = VARYING if kind == VARYING else FREE
        scope.numbers.discard(name)
    if isinstance(iterated, ast.Call) and scope.path(iterated.func) == "builtins.enumerate" and kind != FREE:
        return VARYING
    if holds_numbers(iterated, scope):
        scope.numbers.update(target_names(target))
    return kind


def _collected(kinds: Iterable[SeedKind], is_of_numbers: bool) -> SeedKind:
    """The kind of a set of elements of some kinds."""
    if VARYING in kinds:
        return VARYING
    return FREE if is_of_numbers else SET


def _inside(element: ast.expr, scope: SeedScope) -> SeedKind:
    """The kind of a list with an element: what stands in it with its order makes it another one."""
    kind = kind_of(element, scope)
    if isinstance(element, ast.Starred):
        return ORDERED if FREE < kind < ORDERED else kind
    return VARYING if kind >= ORDERED else FREE


def _of_mapping(keys: Iterable[ast.expr | None], values: Iterable[ast.expr], scope: SeedScope) -> SeedKind:
    found = [kind_of(key, scope) for key in keys if key is not None]
    spread = [kind_of(value, scope) for key, value in zip(keys, values, strict=True) if key is None]
    inside = [_inside(value, scope) for key, value in zip(keys, values, strict=True) if key is not None]
    return max([VARYING if VARYING in found else FREE, *inside, *spread])


def _of_comprehension(node: ast.expr, scope: SeedScope) -> SeedKind:
    assert isinstance(node, _COMPREHENSIONS)
    inner, order = scope.inner(), FREE
    for each in node.generators:
        order = max(order, bind_loop(each.target, each.iter, inner), *(_if_varying(test, inner) for test in each.ifs))
    parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
    if order == VARYING or any(kind_of(part, inner) >= ORDERED for part in parts):
        return VARYING
    if isinstance(node, ast.SetComp):
        return _collected((), are_numbers(parts, inner))
    if isinstance(node, ast.DictComp):
        return KEYED if order else FREE
    return ORDERED if order else FREE


def _of_call(node: ast.Call, scope: SeedScope) -> SeedKind:
    kinds = [kind_of(each, scope) for each in arguments_of(node)]
    own = scope.called(node, kinds, scope)
    if own is not None:
        return own
    first, path, most = (kinds or [FREE])[0], scope.path(node.func), max(kinds, default=FREE)
    if path == "builtins.hash":
        return FREE if first == FREE and is_number(arguments_of(node)[0], scope) else VARYING
    if path in _SETS:
        return FREE if node.args and holds_numbers(node.args[0], scope) else _collected(kinds, False)
    if path in _EQUAL:
        return FREE
    if path == "builtins.sum":
        return VARYING if most == VARYING else FREE
    if path in _SORTING:
        return _of_sorting(node, most, scope)
    if path in _MAPPINGS or (isinstance(node.func, ast.Attribute) and node.func.attr == "fromkeys"):
        return most if most in (FREE, VARYING) else KEYED
    if path in _SHOWING or path == "builtins.zip":
        return VARYING if most else FREE
    if path in _ENCODING:
        is_sorted = any(each.arg == "sort_keys" for each in node.keywords)
        return VARYING if most and not (is_sorted and most == KEYED) else FREE
    if path in _KEEPING:
        return most if most in (FREE, VARYING) else ORDERED
    if isinstance(node.func, ast.Attribute):
        return _of_method(node.func, kinds, scope)
    return VARYING if most >= ORDERED else FREE


def sorts_by_hash(node: ast.Call, scope: SeedScope) -> bool:
    """Whether a call sorts, or chooses, by the hash of the elements."""
    keys = (each.value for each in node.keywords if each.arg == "key")
    return any(scope.path(key) == "builtins.hash" or _calls_hash(key, scope) for key in keys)


def _calls_hash(key: ast.expr, scope: SeedScope) -> bool:
    return isinstance(key, ast.Lambda) and kind_of(key.body, scope) == VARYING


def _of_sorting(node: ast.Call, most: SeedKind, scope: SeedScope) -> SeedKind:
    """Two elements that are equal by their key stay in the order in which they come."""
    if most == VARYING or sorts_by_hash(node, scope):
        return VARYING
    return VARYING if most and not keys_tell_apart(node) else FREE


def keys_tell_apart(node: ast.Call) -> bool:
    """Whether a call that sorts does so by the whole elements, or by keys that are hardly equal for two of them."""
    return all(_tells_apart(each.value) for each in node.keywords if each.arg == "key")


def _tells_apart(key: ast.expr) -> bool:
    """Whether a key is hardly equal for two elements: it is the whole of them, or has several parts."""
    match key:
        case ast.Name(id=name):
            return name in _WHOLE
        case ast.Lambda(args=ast.arguments(args=[ast.arg(arg=given)]), body=body):
            match body:
                case ast.Tuple() | ast.Subscript(slice=ast.Constant(value=0)):
                    return True
                case ast.Name(id=name):
                    return name == given
                case _:
                    return False
        case ast.Constant(value=None):
            return True
        case _:
            return False


def _of_method(function: ast.Attribute, kinds: list[SeedKind], scope: SeedScope) -> SeedKind:
    base, name, most = kind_of(function.value, scope), function.attr, max(kinds, default=FREE)
    if base == VARYING or most == VARYING:
        return VARYING
    if name == _JOIN or (name == "format" and most):
        return VARYING if most else FREE
    if base in (SET, KEYED) and name in _TAKING:
        return VARYING
    if base == ORDERED and name in _BY_PLACE:
        return VARYING
    if base == SET and name in _SET_METHODS:
        return SET
    if name in _SAME:
        return base
    return VARYING if most >= ORDERED else FREE


def _of_operation(left: SeedKind, op: ast.operator, right: SeedKind) -> SeedKind:
    most = max(left, right)
    if isinstance(op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)) and most < ORDERED:
        return most if isinstance(op, ast.BitOr) else SET if most else FREE
    return VARYING if isinstance(op, ast.Mod) and most else most


def _of_comparison(left: ast.expr, ops: list[ast.cmpop], others: list[ast.expr], scope: SeedScope) -> SeedKind:
    if all(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in ops):
        return _if_varying(left, scope)
    return VARYING if any(kind_of(each, scope) >= ORDERED for each in (left, *others)) else FREE


def _if_varying(node: ast.expr, scope: SeedScope) -> SeedKind:
    return VARYING if kind_of(node, scope) == VARYING else FREE
