"""Visitors that turn libcst expressions into records (`lintpickle.facts.values.Expr`), in order of evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst
from msgspec.structs import replace

from lintpickle.facts.bindings import cst_target_names
from lintpickle.facts.contexts import what_is_awaited
from lintpickle.facts.filtered_items import filtered_items
from lintpickle.facts.filtered_loops import left_by_key
from lintpickle.facts.guards import tests_of
from lintpickle.facts.literals import NOT_AS_WRITTEN
from lintpickle.facts.noted_calls import CallVisitor
from lintpickle.facts.operations import binary_operation, unary_operation
from lintpickle.facts.records import Lambda, NestedClass, NestedFunction
from lintpickle.facts.scopes import join
from lintpickle.facts.tested_items import as_tested, note_tested
from lintpickle.facts.unpacking import bind_element, columns_of
from lintpickle.facts.values import (
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Constant,
    Data,
    Expr,
    Imported,
    Item,
    Mapping,
    Super,
    narrowed,
)
from lintpickle.parsing.walk import Dispatch, cst_children

if TYPE_CHECKING:
    from lintpickle.facts.records import FunctionFacts

TEMPLATE_STRING = "Template"
"""The kind of a t-string: a `string.templatelib.Template` holds the values that are put in, and is pickled with them
(measured with Python 3.14.8)."""
_MOST_PARTS = 4
"""How many parts a text may have that names something: longer ones are for people."""
_CONSTANT_NAMES = {"None": None, "True": True, "False": False}
_ASKING = (cst.Is, cst.IsNot, cst.In, cst.NotIn)
"""Comparisons that return True or False for all operands. (`==` of two arrays is an array.)"""


class ExpressionVisitor(CallVisitor):
    """Reads the expressions of one parsed block. Names are looked up, and events recorded, in `scope`."""

    def lower(self, node: cst.BaseExpression) -> Expr:
        """The record of an expression. Calls inside it are recorded as events."""
        visit = _dispatch[type(node)]
        value: Expr = visit(self, node) if visit is not None else Expr(self.span(node))
        return value

    def visit_BaseExpression(self, node: cst.BaseExpression) -> Expr:
        for child in cst_children(node):
            self._lower_inside(child)
        return Expr(self.span(node))

    def _lower_inside(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.BaseExpression):
            self.lower(node)
            return
        for child in cst_children(node):
            self._lower_inside(child)

    def visit_Name(self, node: cst.Name) -> Expr:
        if node.value in _CONSTANT_NAMES:
            return Constant(self.span(node), _CONSTANT_NAMES[node.value])
        value = self.scope.env.get(node.value)
        if value is None:
            return self.scope.read(node.value, self.span(node))
        if isinstance(value, (NestedFunction, NestedClass, Imported)):
            return replace(value, span=self.span(node))
        return value

    def visit_UnaryOperation(self, node: cst.UnaryOperation) -> Expr:
        return unary_operation(self.span(node), node.operator, self.lower(node.expression))

    def visit_ConcatenatedString(self, node: cst.ConcatenatedString) -> Expr:
        parts = tuple(_strings_of(node))
        if all(isinstance(part, cst.SimpleString) for part in parts):
            return self.text(node)
        lowered = [self.lower(part) for part in parts]
        held = [element for part in lowered if isinstance(part, Collection) for element in part.elements]
        if any(isinstance(part, cst.TemplatedString) for part in parts):
            return Collection(self.span(node), TEMPLATE_STRING, tuple(held))
        return self.data(node, "str")

    def visit_Attribute(self, node: cst.Attribute) -> Expr:
        read = self._attribute(node)
        self.note_read(read)
        return read

    def _attribute(self, node: cst.Attribute) -> Attribute:
        return Attribute(self.span(node), self.lower(node.value), node.attr.value)

    def visit_Call(self, node: cst.Call) -> Expr:
        if type(node.func) is cst.Name and node.func.value == "super":
            owner = self.scope.enclosing_class()
            if owner is not None:
                for argument in node.args:
                    self.lower(argument.value)
                return Super(self.span(node), owner)
        function = self._attribute(node.func) if isinstance(node.func, cst.Attribute) else self.lower(node.func)
        given = [Argument(self.lower(a.value), a.keyword.value if a.keyword else None, a.star) for a in node.args]
        arguments = tuple(argument for each in given for argument in columns_of(each))
        call = Call(self.span(node), function, arguments)
        self.note_call(call)
        return call

    def visit_Subscript(self, node: cst.Subscript) -> Expr:
        base = self.lower(node.value)
        if len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Index):
            key = self.lower(node.slice[0].slice.value)
            self.note_implied(base, "__getitem__", self.span(node), (Argument(key),))
            return as_tested(node, Item(self.span(node), base, key), self.scope)
        for element in node.slice:
            self._lower_inside(element.slice)
        whole = Constant(self.span(node), ...) if len(node.slice) == 1 else None
        return Item(self.span(node), base, whole)

    def visit_Lambda(self, node: cst.Lambda) -> Expr:
        return Lambda(self.span(node), self.read_lambda(node))

    def read_lambda(self, node: cst.Lambda) -> FunctionFacts:
        """Read a lambda as a function. The definition visitor implements this."""
        raise NotImplementedError

    def visit_IfExp(self, node: cst.IfExp) -> Expr:
        self.lower(node.test)
        self.conditional += 1
        first = self._lower_knowing(node.body, self.tested(node.test, True))
        second = self._lower_knowing(node.orelse, self.tested(node.test, False))
        self.conditional -= 1
        joined = join((first, second))
        return Choice(self.span(node), joined.options) if isinstance(joined, Choice) else joined

    def tested(self, test: cst.BaseExpression, answer: bool) -> dict[str, Expr]:
        """The local variables about which a condition with this result says something, with what they hold then."""
        env = self.scope.env
        found: dict[str, Expr] = {}
        for each in tests_of(test, answer):
            before = found.get(each.name) or (env.get(each.name) if each.item is None else self._item_tested(each.item))
            if before is None or each.name in ("self", "cls") or (each.kind == "true" and each.holds):
                continue
            if each.kind == "none":
                found[each.name] = Constant(before.span, None) if each.holds else before
            else:
                operands = tuple(self.lower(operand) for operand in each.operands)
                found[each.name] = narrowed(before, each.kind, operands, each.holds)
        found.update(left_by_key(test, answer, {**env, **found}, self.lower))
        return {name: value for name, value in found.items() if value is not env.get(name)}

    def _lower_knowing(self, node: cst.BaseExpression, known: dict[str, Expr]) -> Expr:
        """The record of an expression that is evaluated where local variables hold what `known` says."""
        if not known:
            return self.lower(node)
        before = self.scope.env
        self.scope.env = {**before, **known}
        value = self.lower(node)
        after, self.scope.env = self.scope.env, before
        before.update((name, held) for name, held in after.items() if held is not known.get(name))
        return value

    def _item_tested(self, node: cst.Subscript) -> Expr:
        """An item of which the type is tested, with what earlier tests have said of it, if that is still true."""
        key = self.lower(cst.ensure_type(node.slice[0].slice, cst.Index).value)
        base = self._attribute(node.value) if isinstance(node.value, cst.Attribute) else self.lower(node.value)
        item = Item(self.span(node), base, key)
        return note_tested(node, item, self.scope)

    def visit_BooleanOperation(self, node: cst.BooleanOperation) -> Expr:
        left = self.lower(node.left)
        self.conditional += 1
        right = self.lower(node.right)
        self.conditional -= 1
        is_and = isinstance(node.operator, cst.And)
        joined = join((narrowed(left, "true", (), False) if is_and else left, right))
        return Choice(self.span(node), joined.options) if isinstance(joined, Choice) else joined

    def visit_BinaryOperation(self, node: cst.BinaryOperation) -> Expr:
        left, right = self.lower(node.left), self.lower(node.right)
        return binary_operation(self.span(node), node.operator, left, right)

    def visit_Tuple(self, node: cst.Tuple) -> Expr:
        return self._collection("tuple", node)

    def visit_List(self, node: cst.List) -> Expr:
        return self._collection("list", node)

    def visit_Set(self, node: cst.Set) -> Expr:
        return self._collection("set", node)

    def _collection(self, kind: str, node: cst.Tuple | cst.List | cst.Set) -> Expr:
        elements: list[Expr] = []
        for element in node.elements:
            value = self.lower(element.value)
            starred = isinstance(element, cst.StarredElement)
            elements.append(Item(value.span, value, None, is_starred=True) if starred else value)
        return Collection(self.span(node), kind, tuple(elements))

    def visit_Dict(self, node: cst.Dict) -> Expr:
        items: list[tuple[Expr | None, Expr]] = []
        for element in node.elements:
            if isinstance(element, cst.DictElement):
                items.append((self.lower(element.key), self.lower(element.value)))
            else:
                items.append((None, self.lower(element.value)))
        return Mapping(self.span(node), tuple(items))

    def visit_NamedExpr(self, node: cst.NamedExpr) -> Expr:
        value = self.lower(node.value)
        for name in cst_target_names(node.target):
            self.scope.bind(name, value)
        return value

    def visit_ListComp(self, node: cst.ListComp) -> Expr:
        return self._comprehension("list", node.for_in, (node.elt,), node)

    def visit_SetComp(self, node: cst.SetComp) -> Expr:
        return self._comprehension("set", node.for_in, (node.elt,), node)

    def visit_GeneratorExp(self, node: cst.GeneratorExp) -> Expr:
        return self._comprehension("generator", node.for_in, (node.elt,), node)

    def visit_DictComp(self, node: cst.DictComp) -> Expr:
        made = self._comprehension("dict", node.for_in, (node.key, node.value), node)
        return filtered_items(node, made, self.lower, self.span(node))

    def _comprehension(
        self, kind: str, for_in: cst.CompFor, parts: Sequence[cst.BaseExpression], node: cst.BaseExpression
    ) -> Expr:
        before = dict(self.scope.env)
        clause: cst.CompFor | None = for_in
        while clause is not None:
            iterable = self.lower(clause.iter)
            self.note_iteration(iterable, is_async=clause.asynchronous is not None)
            bind_element(clause.target, iterable, self.scope.env)
            for condition in clause.ifs:
                self.lower(condition.test)
                self.scope.env.update(self.tested(condition.test, True))
            clause = clause.inner_for_in
        self.conditional += 1
        values = [self.lower(part) for part in parts]
        self.conditional -= 1
        self.scope.env = before
        return Comprehension(self.span(node), kind, values[-1])

    def visit_Yield(self, node: cst.Yield) -> Expr:
        self.scope.is_generator = True
        if isinstance(node.value, cst.From):
            value = self.lower(node.value.item)
            self.note_implied(value, "__iter__", value.span)
            self.scope.yields.append(Item(value.span, value, None))
        elif node.value is not None:
            self.scope.yields.append(self.lower(node.value))
        return Expr(self.span(node))

    def visit_Await(self, node: cst.Await) -> Expr:
        return what_is_awaited(self.lower(node.expression))

    def visit_Comparison(self, node: cst.Comparison) -> Expr:
        self.lower(node.left)
        for comparison in node.comparisons:
            holder = self.lower(comparison.comparator)
            if isinstance(comparison.operator, (cst.In, cst.NotIn)):
                self.note_implied(holder, "__contains__", self.span(node), (Argument(Expr(holder.span)),))
        asks = all(isinstance(comparison.operator, _ASKING) for comparison in node.comparisons)
        return self.data(node, "bool") if asks else Expr(self.span(node))

    def visit_FormattedString(self, node: cst.FormattedString) -> Expr:
        parts: list[Expr] = []
        is_plain = True
        for part in node.parts:
            if isinstance(part, cst.FormattedStringExpression):
                parts.append(self.lower(part.expression))
                self.note_implied(parts[-1], "__str__", self.span(part.expression))
                self._read_format(part.format_spec or ())
                is_plain = is_plain and part.format_spec is None and part.conversion is None
            elif isinstance(part, cst.FormattedStringText):
                parts.append(Constant(self.span(node), part.value))
                is_plain = is_plain and not NOT_AS_WRITTEN.search(part.value) and "{" not in part.value
        return Data(self.span(node), "str", tuple(parts) if is_plain and len(parts) <= _MOST_PARTS else ())

    def _read_format(self, parts: Sequence[cst.BaseFormattedStringContent]) -> None:
        """Read what a format names: `f"{share:.{DIGITS}f}"`."""
        for part in parts:
            if isinstance(part, cst.FormattedStringExpression):
                self.lower(part.expression)

    def visit_TemplatedString(self, node: cst.TemplatedString) -> Expr:
        expressions = (part.expression for part in node.parts if isinstance(part, cst.TemplatedStringExpression))
        return Collection(self.span(node), TEMPLATE_STRING, tuple(map(self.lower, expressions)))


def _strings_of(node: cst.ConcatenatedString) -> Iterator[cst.BaseString]:
    """The adjacent strings of which a string consists."""
    yield node.left
    if isinstance(node.right, cst.ConcatenatedString):
        yield from _strings_of(node.right)
    else:
        yield node.right


_dispatch = Dispatch(ExpressionVisitor)
