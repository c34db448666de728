"""The names that a function body binds. They must be known before the body is read, because a binding anywhere in a
function makes the name local everywhere in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from lintpickle.parsing.walk import Dispatch, cst_children


def bound_names(body: cst.BaseSuite, has_walrus: bool) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names bound by the statements of `body` (nested scopes excluded), and those declared global and nonlocal.
    Expressions are visited only if the source contains a walrus."""
    visitor = _BindingVisitor(has_walrus)
    stack: list[cst.CSTNode] = list(body.body)
    while stack:
        node = stack.pop()
        visit = _dispatch[type(node)]
        if visit is None or visit(visitor, node):
            stack += cst_children(node)
    return frozenset(visitor.bound), frozenset(visitor.global_names), frozenset(visitor.nonlocal_names)


def has_break(body: cst.BaseSuite) -> bool:
    """Whether the loop around `body` can be left by a `break` of its own."""
    stack: list[cst.CSTNode] = [*body.body]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Break):
            return True
        if isinstance(node, (cst.For, cst.While)):
            stack += node.orelse.body.body if node.orelse is not None else ()
        elif not isinstance(node, (cst.BaseExpression, cst.FunctionDef, cst.ClassDef)):
            stack += cst_children(node)
    return False


class _BindingVisitor:
    """Records what a node itself binds. Each visitor returns whether the node's children must be visited too."""

    def __init__(self, has_walrus: bool) -> None:
        self._has_walrus = has_walrus
        self.bound: set[str] = set()
        self.global_names: set[str] = set()
        self.nonlocal_names: set[str] = set()

    def visit_FunctionDef(self, node: cst.FunctionDef | cst.ClassDef) -> bool:
        self.bound.add(node.name.value)
        return False

    visit_ClassDef = visit_FunctionDef

    def visit_Lambda(self, node: cst.Lambda) -> bool:
        return False

    def visit_BaseExpression(self, node: cst.BaseExpression) -> bool:
        return self._has_walrus

    def visit_Assign(self, node: cst.Assign) -> bool:
        for target in node.targets:
            self.bound.update(cst_target_names(target.target))
        return self._has_walrus

    def visit_AnnAssign(self, node: cst.AnnAssign | cst.AugAssign | cst.NamedExpr) -> bool:
        self.bound.update(cst_target_names(node.target))
        return self._has_walrus

    visit_AugAssign = visit_NamedExpr = visit_AnnAssign

    def visit_For(self, node: cst.For) -> bool:
        self.bound.update(cst_target_names(node.target))
        return True

    def visit_AsName(self, node: cst.AsName) -> bool:
        self.bound.update(cst_target_names(node.name))
        return self._has_walrus

    def visit_Import(self, node: cst.Import) -> bool:
        self.bound.update(_imported(node.names))
        return False

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        if not isinstance(node.names, cst.ImportStar):
            self.bound.update(_imported(node.names))
        return False

    def visit_Global(self, node: cst.Global) -> bool:
        self.global_names.update(item.name.value for item in node.names)
        return False

    def visit_Nonlocal(self, node: cst.Nonlocal) -> bool:
        self.nonlocal_names.update(item.name.value for item in node.names)
        return False

    def visit_MatchAs(self, node: cst.MatchAs | cst.MatchStar) -> bool:
        if node.name is not None:
            self.bound.add(node.name.value)
        return True

    visit_MatchStar = visit_MatchAs

    def visit_Expr(self, node: cst.Expr | cst.Return | cst.Raise | cst.Assert | cst.Del) -> bool:
        return self._has_walrus

    visit_Return = visit_Raise = visit_Assert = visit_Del = visit_Expr


_dispatch = Dispatch(_BindingVisitor)


def cst_target_names(target: cst.CSTNode) -> Iterator[str]:
    """The plain names that an assignment target binds."""
    if type(target) is cst.Name:
        yield target.value
    elif type(target) is cst.Tuple or type(target) is cst.List:
        for element in target.elements:
            yield from cst_target_names(element.value)
    elif type(target) is cst.StarredElement:
        yield from cst_target_names(target.value)


def _imported(names: Sequence[cst.ImportAlias]) -> Iterator[str]:
    for alias in names:
        if alias.asname is not None:
            yield from cst_target_names(alias.asname.name)
        else:
            node: cst.BaseExpression = alias.name
            while isinstance(node, cst.Attribute):
                node = node.value
            yield from cst_target_names(node)
