"""What the names of a module are used for, and which of them a piece of code depends on."""

from __future__ import annotations

import ast
import keyword
import re
from functools import cached_property, lru_cache

from lintpickle.builtin_names import BUILTINS
from lintpickle.diagnostics import Span
from lintpickle.fixes.scopes import Use, build_scopes
from lintpickle.fixes.syntax import FunctionOrClass, SourceTree, source_tree


class NameUses:
    """All uses of names in a source, by scope."""

    def __init__(self, source: SourceTree) -> None:
        self.source = source
        self.scopes = build_scopes(source.tree)
        self.module = self.scopes[0]
        self.uses = [use for scope in self.scopes for use in scope.uses]
        self._bindings: dict[str, list[Use]] = {}
        for use in self.uses:
            if use.binds:
                self._bindings.setdefault(use.name, []).append(use)
        self._of_nodes: dict[ast.AST, list[Use]] = {}
        self._named: dict[str, list[Use]] = {}
        for use in self.uses:
            self._of_nodes.setdefault(use.node, []).append(use)
            self._named.setdefault(use.name, []).append(use)
        self.identifiers = frozenset(
            {use.name for use in self.uses}
            | {name for scope in self.scopes for name in scope.global_names | scope.nonlocal_names}
        )

    def bindings(self, name: str) -> list[Use]:
        """Every place in any scope that binds `name`."""
        return self._bindings.get(name, [])

    def named(self, name: str) -> list[Use]:
        """Every place in any scope that reads or binds `name`."""
        return self._named.get(name, [])

    def of(self, node: ast.AST) -> list[Use]:
        """The uses that a node itself is."""
        return self._of_nodes.get(node, [])

    @cached_property
    def _binding_statements(self) -> dict[ast.AST, ast.stmt]:
        """The top-level statements by the nodes by which they bind names, whatever else runs."""
        return {node: statement for statement in self.source.tree.body for node in _own_bindings(statement)}

    @cached_property
    def _before_a_star(self) -> frozenset[Use]:
        """The uses in the module's own scope that a star import follows."""
        uses = self.module.uses
        last = max((index for index, use in enumerate(uses) if use.name == "*"), default=-1)
        return frozenset(uses[: last + 1])

    @cached_property
    def bound_names(self) -> frozenset[str]:
        """The names that the module's own scope binds."""
        return frozenset(use.name for use in self.module.uses if use.binds)

    @cached_property
    def builtins(self) -> frozenset[str]:
        """The builtins whose names can mean nothing else, everywhere in the module."""
        return frozenset(filter(self.is_builtin, BUILTINS))

    def bound_once(self, name: str, before: int) -> ast.stmt | None:
        """The one statement that binds the module's `name`, if it is at top level, ends before the offset
        `before` and no other scope has a variable of that name."""
        bindings = self.bindings(name)
        if len(bindings) != 1 or bindings[0].scope is not self.module or bindings[0] in self._before_a_star:
            return None
        statement = self._binding_statements.get(bindings[0].node)
        return statement if statement is not None and self.source.span(statement).end <= before else None

    def is_builtin(self, name: str) -> bool:
        """Whether `name` can mean nothing but the builtin, everywhere in the module."""
        return name in BUILTINS and not self.bindings(name) and not self.bindings("*")

    def available(self, node: ast.AST, before: int) -> bool:
        """Whether all names that `node` reads mean the same at module level, at the offset `before`."""
        inside = set(ast.walk(node))
        return all(
            self.bound_once(use.name, before) is not None or self.is_builtin(use.name) or use.scope.node in inside
            for each in inside
            for use in self.of(each)
            if not use.binds
        )

    def free_name(self, hint: str) -> str:
        """A name for a new module-level function that nothing in the module uses: `_hint`, `_hint_2`, …"""
        stem = re.sub(r"\W+", "_", hint).strip("_") or "function"
        stem = stem if stem.isidentifier() else f"function_{stem}"
        name, number = f"_{stem}", 1
        while name in self.identifiers or name in BUILTINS or keyword.iskeyword(name):
            number += 1
            name = f"_{stem}_{number}"
        return name


@lru_cache(maxsize=8)
def analyse(text: str) -> NameUses | None:
    """The scopes of `text`, or None when this Python cannot read it."""
    source = source_tree(text)
    if source is None:
        return None
    try:
        return NameUses(source)
    except RecursionError:
        return None


def captured_names(text: str, node_span: Span) -> frozenset[str]:
    """The names by which the code at `node_span` depends on the functions and classes around it.

    The span is that of any expression or definition. Names bound within it, globals and builtins are not
    captured; `__class__` is, when zero-argument `super()` or `__class__` needs the class around. A nested
    function that calls itself captures its own name. When the text cannot be parsed, every word in the span
    counts as captured.
    """
    names = analyse(text)
    if names is None:
        return frozenset(re.findall(r"[^\W\d]\w*", text[node_span.start : node_span.end]))
    inside = _nodes_within(names.source, node_span)
    captured: set[str] = set()
    for use in (use for node in inside if not isinstance(node, FunctionOrClass) for use in names.of(node)):
        home = use.scope.resolve(use.name)
        if home.parent is not None and home.node not in inside:
            captured.add(use.name)
        if use.name in ("super", "__class__") and home.parent is None:
            owner = next((each for each in [use.scope, *use.scope.ancestors()] if each.kind == "class"), None)
            if owner is not None and owner.node not in inside:
                captured.add("__class__")
    return frozenset(captured)


def _nodes_within(source: SourceTree, span: Span) -> set[ast.AST]:
    """The outermost nodes in the span and all below them, whose own positions may be wrong (f-strings before
    Python 3.12)."""
    inside: set[ast.AST] = set()
    for node in source.nodes_within(span):
        if node not in inside:
            inside.update(ast.walk(node))
    return inside


def _own_bindings(statement: ast.stmt) -> set[ast.AST]:
    """Nodes by which an unconditional top-level statement binds names."""
    match statement:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return {statement}
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            return set(aliases)
        case ast.Assign(targets=targets):
            return {target for target in targets if isinstance(target, ast.Name)}
        case ast.AnnAssign(target=ast.Name() as target, value=ast.expr()):
            return {target}
    return set()
