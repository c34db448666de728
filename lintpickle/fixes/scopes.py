"""Which name means what: the scopes of a module by Python's own rules."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from msgspec import Struct, field


class Use(Struct, frozen=True, eq=False):
    """One place at which a scope reads or binds a name. `target` is what an import binds it to, dotted.
    A star import binds the name `*`."""

    name: str
    node: ast.AST
    scope: NameScope
    binds: bool
    target: str | None = None


class NameScope(Struct, eq=False):
    """A module, class, function (also lambda, comprehension) or annotation scope (type parameters)."""

    node: ast.AST
    kind: str
    parent: NameScope | None
    uses: list[Use] = field(default_factory=list)
    bound: set[str] = field(default_factory=set)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)

    def resolve(self, name: str) -> NameScope:
        """The scope whose variable `name` means here; the module for globals, builtins and unknown names."""
        if name in self.bound and name not in self.global_names | self.nonlocal_names:
            return self
        if self.parent is None:
            return self
        scope, child = self.parent, self
        if name in self.global_names:
            return self.module()
        while scope.parent is not None:
            # Class variables are seen by the class body itself and by annotation scopes directly in it.
            if scope.kind != "class" or child.kind == "annotation":
                if name in scope.global_names:
                    return self.module()
                if name in scope.bound and name not in scope.nonlocal_names:
                    return scope
            scope, child = scope.parent, scope
        return scope

    def module(self) -> NameScope:
        """The scope of the module around this one."""
        return self if self.parent is None else self.parent.module()

    def ancestors(self) -> Iterator[NameScope]:
        """The enclosing scopes, the innermost first."""
        scope = self.parent
        while scope is not None:
            yield scope
            scope = scope.parent


def build_scopes(tree: ast.Module) -> list[NameScope]:
    """All scopes of a module, its own first. Raises RecursionError for code that is nested too deeply."""
    return _Builder(tree).scopes


class _Builder(ast.NodeVisitor):
    def __init__(self, tree: ast.Module) -> None:
        self.scope = NameScope(tree, "module", None)
        self.scopes = [self.scope]
        self.generic_visit(tree)

    def _enter(self, node: ast.AST, kind: str) -> NameScope:
        outer, self.scope = self.scope, NameScope(node, kind, self.scope)
        self.scopes.append(self.scope)
        return outer

    def _bind(self, name: str | None, node: ast.AST, target: str | None = None) -> None:
        if name is not None:
            self.scope.bound.add(name)
            self.scope.uses.append(Use(name, node, self.scope, True, target))

    def _visit_all(self, nodes: list[ast.expr] | list[ast.stmt] | list[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def visit_Name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Load):
            self.scope.uses.append(Use(node.id, node, self.scope, False))
        else:
            self._bind(node.id, node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        inner = self.scope
        while isinstance(self.scope.node, _COMPREHENSIONS) and self.scope.parent is not None:
            self.scope = self.scope.parent
        self.visit(node.target)
        self.scope = inner

    def _visit_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._bind(node.name, node)
        self._visit_all(node.decorator_list)
        self._visit_defaults(node.args)
        outer = self._enter_type_parameters(node)
        for arg in _all_args(node.args):
            if arg.annotation is not None:
                self.visit(arg.annotation)
        if node.returns is not None:
            self.visit(node.returns)
        inner = self._enter(node, "function")
        self._bind_args(node.args)
        self._visit_all(node.body)
        self.scope = outer or inner

    visit_FunctionDef = visit_AsyncFunctionDef = _visit_function

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_defaults(node.args)
        outer = self._enter(node, "function")
        self._bind_args(node.args)
        self.visit(node.body)
        self.scope = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._bind(node.name, node)
        self._visit_all(node.decorator_list)
        outer = self._enter_type_parameters(node)
        self._visit_all(node.bases)
        for each in node.keywords:
            self.visit(each)
        inner = self._enter(node, "class")
        self._visit_all(node.body)
        self.scope = outer or inner

    def visit_TypeAlias(self, node: ast.AST) -> None:
        self.visit(node.name)  # type: ignore[attr-defined]  # Python 3.12
        outer = self._enter_type_parameters(node)
        inner = self._enter(node, "annotation")
        self.visit(node.value)  # type: ignore[attr-defined]
        self.scope = outer or inner

    def _enter_type_parameters(self, node: ast.AST) -> NameScope | None:
        parameters: list[ast.AST] = getattr(node, "type_params", [])
        if not parameters:
            return None
        outer = self._enter(node, "annotation")
        for parameter in parameters:
            self._bind(parameter.name, node)  # type: ignore[attr-defined]
            self.generic_visit(parameter)
        return outer

    def _visit_comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp) -> None:
        self.visit(node.generators[0].iter)
        outer = self._enter(node, "function")
        for index, generator in enumerate(node.generators):
            if index:
                self.visit(generator.iter)
            self.visit(generator.target)
            self._visit_all(generator.ifs)
        self._visit_all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self.scope = outer

    visit_ListComp = visit_SetComp = visit_GeneratorExp = visit_DictComp = _visit_comprehension

    def _visit_defaults(self, args: ast.arguments) -> None:
        self._visit_all(args.defaults)
        self._visit_all([each for each in args.kw_defaults if each is not None])

    def _bind_args(self, args: ast.arguments) -> None:
        for arg in _all_args(args):
            self._bind(arg.arg, arg)

    def visit_Global(self, node: ast.Global) -> None:
        self.scope.global_names.update(node.names)

    def visit_Nonlocal(self, node: ast.Nonlocal) -> None:
        self.scope.nonlocal_names.update(node.names)
        for name in node.names:
            self.scope.uses.append(Use(name, node, self.scope, True))

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            head = alias.name.partition(".")[0]
            self._bind(alias.asname or head, alias, alias.name if alias.asname else head)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        prefix = "." * node.level + (node.module + "." if node.module else "")
        for alias in node.names:
            self._bind(alias.asname or alias.name, alias, prefix + alias.name)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        self._bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self._bind(node.name, node)
        self.generic_visit(node)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self._bind(node.name, node)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self._bind(node.rest, node)
        self.generic_visit(node)


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def _all_args(args: ast.arguments) -> list[ast.arg]:
    extra = [each for each in (args.vararg, args.kwarg) if each is not None]
    return [*args.posonlyargs, *args.args, *args.kwonlyargs, *extra]
