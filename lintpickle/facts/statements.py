"""Visitors for statements: they track what local variables hold, and record what happens to objects."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.branching import BranchVisitor
from lintpickle.facts.contexts import ENTER, ENTER_ASYNC, what_is_entered
from lintpickle.facts.effects import EffectVisitor
from lintpickle.facts.records import Raised
from lintpickle.facts.unpacking import any_element, any_item, unpacked_parts
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Collection,
    Constant,
    Expr,
    Imported,
    Item,
    Name,
    Sum,
    without_narrowing,
)
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.walk import Dispatch

_ADDING = (cst.AddAssign, cst.BitOrAssign)
_IN_PLACE: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "__iadd__",
    cst.SubtractAssign: "__isub__",
    cst.MultiplyAssign: "__imul__",
    cst.MatrixMultiplyAssign: "__imatmul__",
    cst.DivideAssign: "__itruediv__",
    cst.FloorDivideAssign: "__ifloordiv__",
    cst.ModuloAssign: "__imod__",
    cst.PowerAssign: "__ipow__",
    cst.BitAndAssign: "__iand__",
    cst.BitOrAssign: "__ior__",
    cst.BitXorAssign: "__ixor__",
    cst.LeftShiftAssign: "__ilshift__",
    cst.RightShiftAssign: "__irshift__",
}
"""The special methods that assignments with an operator call."""


class StatementVisitor(EffectVisitor, BranchVisitor):
    """Reads blocks of statements in the current scope."""

    def read_block(self, statements: Sequence[cst.CSTNode]) -> bool:
        """Read statements in order; True if control cannot reach the end of the block."""
        for statement in statements:
            visit = _dispatch[type(statement)]
            if visit is not None and visit(self, statement):
                return True
        return False

    def visit_SimpleStatementLine(self, node: cst.SimpleStatementLine) -> bool:
        return self.read_block(node.body)

    def visit_FunctionDef(self, node: cst.FunctionDef) -> bool:
        self.define_function(node)
        return False

    def visit_ClassDef(self, node: cst.ClassDef) -> bool:
        self.define_class(node)
        return False

    def visit_Expr(self, node: cst.Expr) -> bool:
        value = self.lower(node.value)
        if isinstance(value, Call):
            self._note_effect(value)
            return _never_returns(value)
        return False

    def visit_Assign(self, node: cst.Assign) -> bool:
        value = self.lower(node.value)
        self._note_default(value)
        for target in node.targets:
            self._assign(target.target, value, self.span(node))
        return False

    def visit_AnnAssign(self, node: cst.AnnAssign) -> bool:
        value = self.lower(node.value) if node.value is not None else None
        if self.scope.kind == "class" and isinstance(node.target, cst.Name):
            self.note_field(node.target.value, value, node.annotation)
        elif value is not None:
            self._assign(node.target, value, self.span(node))
        return False

    def visit_AugAssign(self, node: cst.AugAssign) -> bool:
        value = self.lower(node.value)
        if isinstance(node.target, cst.Name):
            before = self.lower(node.target)
            self.note_implied(before, _IN_PLACE[type(node.operator)], self.span(node), (Argument(value),))
            parts = (before, value) if isinstance(node.operator, _ADDING) else (before,)
            self.scope.bind(node.target.value, Sum(value.span, parts))
        else:
            added = any_item(value) if isinstance(node.operator, cst.BitOrAssign) else any_element(value)
            self._note_item(self.lower(node.target), None, added, self.span(node))
        return False

    def _assign(self, target: cst.BaseExpression, value: Expr, span: Span) -> None:
        match target:
            case cst.Name(value=name):
                self.scope.bind(name, value)
            case cst.Attribute(value=base, attr=attr):
                self._note_store(self.lower(base), attr.value, value, span)
            case cst.Subscript():
                place = without_narrowing(self.lower(target))
                if isinstance(place, Item):
                    self._note_added(place.base, place.key, value, span)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                for element, part in zip(elements, unpacked_parts(value, elements), strict=True):
                    self._assign(element.value, part, span)
            case _:
                pass

    def visit_Del(self, node: cst.Del) -> bool:
        if isinstance(node.target, (cst.Tuple, cst.List)):
            for element in node.target.elements:
                self._delete(element.value, self.span(node))
        else:
            self._delete(node.target, self.span(node))
        return False

    def _delete(self, target: cst.BaseExpression, span: Span) -> None:
        match target:
            case cst.Attribute(value=base, attr=attr):
                self._note_delete(self.lower(base), attr.value, span)
            case cst.Subscript():
                item = without_narrowing(self.lower(target))
                if isinstance(item, Item) and item.key is not None:
                    self._shrink(item.base, item.key)
                match item:
                    case Item(base=Attribute(base=owner, name="__dict__"), key=Constant(value=str() as name)):
                        self._note_delete(owner, name, span)
                    case Item(base=holder, key=Constant(value=str() as name)):
                        self._note_delete(holder, f"[{name}]", span)
                    case Item(base=holder, key=Item(base=Collection(elements=elements))):
                        for element in elements:
                            if isinstance(element, Constant):
                                self._note_delete(holder, f"[{element.value}]", span)
                    case Item(base=holder, key=Expr() as key) if not isinstance(key, Constant):
                        self.note_call(Call(span, Attribute(span, holder, "__delitem__"), (Argument(key),)))
                    case _:
                        pass
            case cst.Name(value=name):
                self.scope.env.pop(name, None)
            case _:
                pass

    def visit_Return(self, node: cst.Return) -> bool:
        if node.value is not None:
            value = self.lower(node.value)
            self._note_default(value)
            self.scope.returns.append(value)
            self.scope.return_places.append(self.span(node))
        else:
            self.scope.may_give_none = True
        return True

    def visit_Raise(self, node: cst.Raise) -> bool:
        if node.exc is not None:
            value = self.lower(node.exc)
            self.scope.events.append(Raised(self.span(node), self.conditional > 0, self.guards, value))
        return True

    def visit_Continue(self, node: cst.Continue | cst.Break) -> bool:
        if self.scope.exits:
            self.scope.exits[-1].append(dict(self.scope.env))
        return True

    visit_Break = visit_Continue

    def visit_Assert(self, node: cst.Assert) -> bool:
        self.lower(node.test)
        self.scope.env.update(self.tested(node.test, True))
        return False

    def visit_Import(self, node: cst.Import) -> bool:
        if self.scope.kind == "module":
            return False
        for alias in node.names:
            target = ImportedName(alias.evaluated_name)
            if alias.asname is None:
                target = ImportedName(alias.evaluated_name.split(".")[0])
            name = alias.evaluated_alias or target.module
            self._import(name, target, self.span(alias))
        return False

    visit_LazyImport = visit_Import

    def visit_ImportFrom(self, node: cst.ImportFrom) -> bool:
        if self.scope.kind == "module" or isinstance(node.names, cst.ImportStar):
            return False
        module = cst.Module([]).code_for_node(node.module) if node.module is not None else ""
        for alias in node.names:
            name = alias.evaluated_alias or alias.evaluated_name
            target = ImportedName(module, alias.evaluated_name, len(node.relative))
            self._import(name, target, self.span(alias))
        return False

    visit_LazyImportFrom = visit_ImportFrom

    def _import(self, name: str, target: ImportedName, span: Span) -> None:
        self.scope.bind(name, Imported(span, target, name in self.tried))

    def visit_With(self, node: cst.With) -> bool:
        for item in node.items:
            value = self.lower(item.item)
            method = ENTER if node.asynchronous is None else ENTER_ASYNC
            self.note_implied(value, method, self.span(item.item))
            if item.asname is not None:
                self._assign(item.asname.name, what_is_entered(value, method), self.span(item.item))
        return self.read_suite(node.body)

    def visit_Global(self, node: cst.Global) -> bool:
        self.scope.globals_declared.update(item.name.value for item in node.names)
        return False


def _never_returns(call: Call) -> bool:
    """Whether the program ends with a call."""
    match call.function:
        case Attribute(base=Name(name="sys"), name="exit") | Attribute(base=Name(name="os"), name="_exit" | "abort"):
            return True
        case Name(name="exit" | "quit"):
            return True
        case _:
            return False


_dispatch = Dispatch(StatementVisitor)
