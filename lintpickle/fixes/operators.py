"""What replaces a lambda exactly: `operator`, `functools.partial`, a builtin type, the function called."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterable

from msgspec import Struct

from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Edit, Span
from lintpickle.fixes.imports import import_edit
from lintpickle.fixes.names import analyse
from lintpickle.fixes.syntax import SourceTree, source_tree

_BINARY = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "MatMult": "matmul",
    "Div": "truediv",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "Pow": "pow",
    "LShift": "lshift",
    "RShift": "rshift",
    "BitAnd": "and_",
    "BitOr": "or_",
    "BitXor": "xor",
    "Eq": "eq",
    "NotEq": "ne",
    "Lt": "lt",
    "LtE": "le",
    "Gt": "gt",
    "GtE": "ge",
    "Is": "is_",
    "IsNot": "is_not",
}
_UNARY = {"USub": "neg", "UAdd": "pos", "Invert": "invert", "Not": "not_"}
_FALSE_BY_TYPE = (bool, int, float, complex, str, bytes)


class StableNames(Struct, frozen=True):
    """The names that mean the same at the lambda and whenever it is called. `plain` may be used as they are
    (functions, classes, what imports bind, builtins); `modules` also as the start of `module.function`."""

    plain: frozenset[str] = BUILTINS
    modules: frozenset[str] = frozenset()


def known_names(text: str, before: int, among: Collection[str] | None = None) -> StableNames:
    """The names that module-level statements ending before the offset `before` bind once and for all (`among`: those
    that are asked about; by default all of them), and builtins."""
    names = analyse(text)
    if names is None:
        return StableNames(frozenset(), frozenset())
    plain: set[str] = set()
    modules: set[str] = set()
    for name in names.bound_names if among is None else among:
        statement = names.bound_once(name, before)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            plain.add(name)
        if isinstance(statement, ast.Import):
            modules.add(name)
    return StableNames(names.builtins.union(plain), frozenset(modules))


def operator_for_lambda(lambda_source: str, known: StableNames | None = None) -> tuple[str, str] | None:
    """An expression that does exactly what the lambda does when called with positional arguments only.

    Returns the module to import and the expression (`("operator", "operator.itemgetter(0)")`); the module is
    "" when none is needed. `known` says which names may be used; without it, only builtins, so that
    `lambda x: f(x)` gives None. Not for lambdas that are methods: these do not bind to the instance.
    """
    needed: list[str] = []

    def spell(dotted: str) -> str:
        needed.append(dotted)
        return dotted

    expression = _expression(lambda_source, known or StableNames(), spell)
    if expression is None:
        return None
    return (needed[0].partition(".")[0] if needed else "", expression)


def replace_lambda(text: str, lambda_span: Span) -> tuple[Edit, ...] | None:
    """The sorted edits that replace the lambda at `lambda_span` by its exact equivalent, with the import that
    it needs. None if there is no equivalent, or the lambda is a method (`f = lambda self: …` in a class)."""
    source = source_tree(text)
    node = source.find_lambda(lambda_span) if source else None
    if source is None or node is None or _is_method(source, node) or _is_called_by_keyword(source, node):
        return None
    span = source.span(node)
    edits: set[Edit] = set()

    def spell(dotted: str) -> str:
        module, _, function = dotted.partition(".")
        present = import_edit(text, module, function, before=span.start)
        if present is not None and present[0] is None:
            return present[1]
        # The module rather than the function: one import then serves all replacements of the file.
        added = import_edit(text, module, None, before=span.start)
        if added is None:
            return dotted
        if added[0] is not None:
            edits.add(added[0])
        return f"{added[1]}.{function}"

    read = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    expression = _expression(source.segment(span), known_names(text, span.start, read), spell)
    if expression is None:
        return None
    return (*sorted(edits), source.replacement(span, expression))


def _is_called_by_keyword(source: SourceTree, node: ast.Lambda) -> bool:
    """Whether a call of the file, other than those in the lambda, names a parameter of it: what replaces the lambda
    takes no names."""
    names = {each.arg for each in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]}
    calls = [call for name in names for call in source.calls_by_keyword.get(name, ())]
    return bool(calls) and not set(ast.walk(node)).issuperset(calls)


def _is_method(source: SourceTree, node: ast.Lambda) -> bool:
    return node in source.class_values


def _expression(lambda_source: str, known: StableNames, spell: Callable[[str], str]) -> str | None:
    source = source_tree(f"({lambda_source}\n)")
    match source and source.tree.body:
        case [ast.Expr(value=ast.Lambda() as node)] if source is not None:
            return _Replacement(source, known, spell).of(node)
    return None


class _Replacement(Struct, frozen=True):
    source: SourceTree
    known: StableNames
    spell: Callable[[str], str]

    def of(self, node: ast.Lambda) -> str | None:
        args = node.args
        if args.kwonlyargs or args.defaults:
            return None
        names = [each.arg for each in [*args.posonlyargs, *args.args]]
        if args.vararg or args.kwarg:
            return self.forwarded(node, names)
        match names:
            case []:
                return self.of_nothing(node.body)
            case [name]:
                return self.of_one(node.body, name) or self.forwarded(node, names)
            case [first, second]:
                return self.of_two(node.body, first, second) or self.forwarded(node, names)
        return self.forwarded(node, names)

    def of_nothing(self, body: ast.expr) -> str | None:
        match body:
            case ast.Constant(value=value) if type(value) in _FALSE_BY_TYPE and not value:
                return self.builtin(type(value).__name__)
            case ast.List(elts=[]):
                return self.builtin("list")
            case ast.Tuple(elts=[]):
                return self.builtin("tuple")
            case ast.Dict(keys=[]):
                return self.builtin("dict")
            case ast.Call(func=func, args=args, keywords=keywords):
                function = self.function(func)
                arguments = self.joined(args, keywords, self.argument)
                if function is None or arguments is None:
                    return None
                return f"{self.spell('functools.partial')}({function}, {arguments})" if arguments else function
        return None

    def of_one(self, body: ast.expr, name: str) -> str | None:
        match body:
            case ast.UnaryOp(op=op, operand=ast.Name(id=operand)) if operand == name:
                return self.spell(f"operator.{_UNARY[type(op).__name__]}")
            case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=method), args=args, keywords=keywords) if (
                owner == name and not _is_mangled(method)
            ):
                arguments = self.joined(args, keywords, self.constant)
                if arguments is None:
                    return None
                called = [f'"{method}"', arguments] if arguments else [f'"{method}"']
                return f"{self.spell('operator.methodcaller')}({', '.join(called)})"
            case ast.Tuple(elts=[_, _, *_] as parts):
                pass
            case _:
                parts = [body]
        keys = [self.item(part, name) for part in parts]
        if all(keys):
            return f"{self.spell('operator.itemgetter')}({', '.join(map(str, keys))})"
        paths = [_attribute_path(part, name) for part in parts]
        if all(paths):
            return f"{self.spell('operator.attrgetter')}({', '.join(map(str, paths))})"
        return None

    def of_two(self, body: ast.expr, first: str, second: str) -> str | None:
        function: str | None = None
        match body:
            case ast.BinOp(left=ast.Name(id=left), op=op, right=ast.Name(id=right)):
                if (left, right) == (first, second):
                    function = _BINARY.get(type(op).__name__)
            case ast.Compare(left=ast.Name(id=left), ops=[ast.In()], comparators=[ast.Name(id=right)]):
                if (left, right) == (second, first):
                    function = "contains"
            case ast.Compare(left=ast.Name(id=left), ops=[comparison], comparators=[ast.Name(id=right)]):
                if (left, right) == (first, second):
                    function = _BINARY.get(type(comparison).__name__)
            case ast.Subscript(value=ast.Name(id=left), slice=ast.Name(id=right)):
                if (left, right) == (first, second):
                    function = "getitem"
        return self.spell(f"operator.{function}") if function else None

    def forwarded(self, node: ast.Lambda, names: Iterable[str]) -> str | None:
        """The function to which the lambda hands exactly its own arguments."""
        if not isinstance(node.body, ast.Call):
            return None
        handed = [ast.unparse(each) for each in node.body.args]
        handed += [f"{f'{each.arg}=' if each.arg else '**'}{ast.unparse(each.value)}" for each in node.body.keywords]
        expected = list(names)
        if node.args.vararg:
            expected.append(f"*{node.args.vararg.arg}")
        if node.args.kwarg:
            expected.append(f"**{node.args.kwarg.arg}")
        root = node.body.func
        while isinstance(root, ast.Attribute):
            root = root.value
        if handed != expected or (isinstance(root, ast.Name) and root.id in {e.lstrip("*") for e in expected}):
            return None
        return self.function(node.body.func)

    def item(self, node: ast.expr, name: str) -> str | None:
        match node:
            case ast.Subscript(value=ast.Name(id=owner), slice=key) if owner == name:
                return self.key(key)
        return None

    def key(self, node: ast.expr) -> str | None:
        match node:
            case ast.Tuple(elts=parts) if parts:
                keys = [self.key(part) for part in parts]
                return f"({', '.join(map(str, keys))}{',' if len(keys) == 1 else ''})" if all(keys) else None
            case ast.Slice(lower=lower, upper=upper, step=step) if self.builtin("slice"):
                ends = [lower, upper, step] if step else [lower, upper]
                bounds = ["None" if each is None else self.constant(each) for each in ends]
                return f"slice({', '.join(map(str, bounds))})" if all(bounds) else None
        return self.constant(node)

    def function(self, node: ast.expr) -> str | None:
        match node:
            case ast.Name(id=name):
                return name if name in self.known.plain else None
            case ast.Attribute(attr=attribute) if not _is_mangled(attribute):
                root: ast.expr = node
                while isinstance(root, ast.Attribute):
                    root = root.value
                if isinstance(root, ast.Name) and root.id in self.known.modules:
                    return ast.unparse(node)
        return None

    def argument(self, node: ast.expr) -> str | None:
        """A value that is the same whenever it is computed."""
        if isinstance(node, ast.Lambda):
            return self.of(node)
        return self.constant(node) or self.function(node)

    def constant(self, node: ast.expr) -> str | None:
        match node:
            case ast.Constant() | ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
                return self.source.segment(self.source.span(node))
        return None

    def joined(
        self, args: list[ast.expr], keywords: list[ast.keyword], text_of: Callable[[ast.expr], str | None]
    ) -> str | None:
        """The arguments of a call as text: "" if there are none, None if one has no text."""
        parts = [text_of(each) for each in args]
        for keyword in keywords:
            value = text_of(keyword.value) if keyword.arg else None
            parts.append(value and f"{keyword.arg}={value}")
        return ", ".join(map(str, parts)) if all(parts) else None

    def builtin(self, name: str) -> str | None:
        return name if name in self.known.plain else None


def _attribute_path(node: ast.expr, name: str) -> str | None:
    path: list[str] = []
    while isinstance(node, ast.Attribute) and not _is_mangled(node.attr):
        path.insert(0, node.attr)
        node = node.value
    return f'"{".".join(path)}"' if path and isinstance(node, ast.Name) and node.id == name else None


def _is_mangled(identifier: str) -> bool:
    return identifier.startswith("__") and not identifier.endswith("__")
