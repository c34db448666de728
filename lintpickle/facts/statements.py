"""Visitors for statements: they track what local variables hold, and record what happens to objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.bindings import bound_names, has_break
from lintpickle.facts.definitions import DefinitionVisitor
from lintpickle.facts.guards import absent_chains, is_guard_node
from lintpickle.facts.records import Delete, ItemStore, Raised, Store
from lintpickle.facts.scopes import join, join_environments
from lintpickle.facts.values import (
    UNNAMED,
    Argument,
    Attribute,
    Call,
    Choice,
    Collection,
    Constant,
    Expr,
    Imported,
    Item,
    Mapping,
    Name,
    Sum,
    without_narrowing,
)
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS
from lintpickle.parsing.walk import Dispatch

_ADDING = (cst.AddAssign, cst.BitOrAssign)
_IN_PLACE: dict[type[cst.BaseAugOp], str] = {
    cst.AddAssign: "__iadd__",
    cst.SubtractAssign: "__isub__",
    cst.MultiplyAssign: "__imul__",
    cst.BitOrAssign: "__ior__",
}
"""The special methods that assignments with an operator call."""


class StatementVisitor(DefinitionVisitor):
    """Reads blocks of statements in the current scope."""

    def read_block(self, statements: Sequence[cst.CSTNode]) -> bool:
        """Read statements in order; True if control cannot reach the end of the block."""
        for statement in statements:
            visit = _dispatch[type(statement)]
            if visit is not None and visit(self, statement):
                return True
        return False

    def read_suite(self, suite: cst.BaseSuite) -> bool:
        """Read the body of a compound statement."""
        return self.read_block(suite.body)

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
            self.note_implied(before, _IN_PLACE.get(type(node.operator), ""), self.span(node), (Argument(value),))
            parts = (before, value) if isinstance(node.operator, _ADDING) else (before,)
            self.scope.bind(node.target.value, Sum(value.span, parts))
        else:
            added = _any_item(value) if isinstance(node.operator, cst.BitOrAssign) else _element(value)
            self._note_item(self.lower(node.target), None, added, self.span(node))
        return False

    def _assign(self, target: cst.BaseExpression, value: Expr, span: Span) -> None:
        match target:
            case cst.Name(value=name):
                self.scope.bind(name, value)
            case cst.Attribute(value=base, attr=attr):
                self._note_store(self.lower(base), attr.value, value, span)
            case cst.Subscript():
                place = self.lower(target)
                if isinstance(place, Item):
                    self._note_added(place.base, place.key, value, span)
            case cst.Tuple(elements=elements) | cst.List(elements=elements):
                for element, part in zip(elements, _unpacked(value, elements), strict=True):
                    self._assign(element.value, part, span)
            case _:
                pass

    def _note_store(self, target: Expr, attribute: str, value: Expr, span: Span, key: Expr | None = None) -> None:
        event = Store(span, self.conditional > 0, self.guards, without_narrowing(target), attribute, value, key)
        self.scope.events.append(event)

    def _note_item(self, target: Expr, key: Expr | None, value: Expr, span: Span) -> None:
        target = without_narrowing(target)
        name = _attribute_name(key)
        match target:
            case Attribute(base=owner, name="__dict__") if name is not None:
                self._note_store(owner, name, value, span, key)
            case Call(function=Name(name="vars"), arguments=(Argument(value=owner),)) if name is not None:
                self._note_store(owner, name, value, span, key)
            case _:
                event = ItemStore(span, self.conditional > 0, self.guards, target, key, value)
                self.scope.events.append(event)

    def _note_effect(self, call: Call) -> None:
        """Record what a call stores, if it is one that stores: `setattr`, `__setattr__`, `.append`, `.update` …"""
        positional = call.positional() or ()
        match call.function, positional:
            case Name(name="setattr") | Attribute(base=Name(name="object"), name="__setattr__"), (owner, key, value):
                name = _attribute_name(key)
                if name is not None:
                    self._note_store(owner, name, value, call.span, key)
            case (
                Attribute(
                    base=Attribute(base=owner, name="__dict__")
                    | Call(function=Name(name="vars"), arguments=(Argument(value=owner),)),
                    name="update",
                ),
                _,
            ):
                for argument in call.arguments:
                    self._note_update(owner, argument, call.span)
            case Name(name="delattr"), (owner, Constant(value=str() as name)):
                self._note_delete(owner, name, call.span)
            case Attribute(base=holder, name="setdefault"), (key, value):
                self._note_added(holder, key, value, call.span)
            case Attribute(base=holder, name=method), _ if method in PUTTING_METHODS:
                index = PUTTING_METHODS[method]
                if len(positional) > index:
                    self._note_added(holder, None, positional[index], call.span)
            case Attribute(base=holder, name=method), (merged,) if method in MERGING_METHODS:
                added = _any_item(merged) if method == "update" else _element(merged)
                self._note_item(holder, None, added, call.span)
                self._grow(holder, merged if method == "update" else _elements(merged))
            case _:
                pass
        match call.function:
            case Attribute(base=holder, name="update"):
                for argument in call.arguments:
                    if argument.keyword is not None:
                        key = Constant(argument.value.span, argument.keyword)
                        self._note_added(holder, key, argument.value, call.span)
            case _:
                pass

    def _note_update(self, owner: Expr, argument: Argument, span: Span) -> None:
        if argument.keyword is not None:
            self._note_store(owner, argument.keyword, argument.value, span)
        elif isinstance(argument.value, Mapping):
            for key, value in argument.value.items:
                if key is None:
                    self._note_store(owner, UNNAMED, _any_item(value), span)
                elif (name := _attribute_name(key)) is not None:
                    self._note_store(owner, name, value, span, key)
        else:
            self._note_store(owner, UNNAMED, _any_item(argument.value), span)

    def _note_added(self, holder: Expr, key: Expr | None, value: Expr, span: Span) -> None:
        self._note_item(holder, key, value, span)
        added: Expr = Mapping(value.span, ((key, value),)) if key else Collection(value.span, "list", (value,))
        self._grow(holder, added)
        if isinstance(holder, Item) and holder.key is not None:
            self._grow(holder.base, Mapping(value.span, ((holder.key, added),)))

    def _grow(self, holder: Expr, added: Expr) -> None:
        """Record that a container receives the items of another one: from here on, variables that hold it hold both."""
        for name, held in list(self.scope.env.items()):
            if held is holder and isinstance(without_narrowing(held), (Collection, Mapping, Sum, Call, Choice)):
                self.scope.bind(name, Sum(held.span, (held, added)))

    def _note_delete(self, target: Expr, attribute: str, span: Span) -> None:
        self.scope.events.append(Delete(span, self.conditional > 0, self.guards, without_narrowing(target), attribute))

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
                match self.lower(target):
                    case Item(base=Attribute(base=owner, name="__dict__"), key=Constant(value=str() as name)):
                        self._note_delete(owner, name, span)
                    case Item(base=holder, key=Constant(value=str() as name)):
                        self._note_delete(holder, f"[{name}]", span)
                    case Item(base=holder, key=Item(base=Collection(elements=elements))):
                        for element in elements:
                            if isinstance(element, Constant):
                                self._note_delete(holder, f"[{element.value}]", span)
                    case _:
                        pass
            case cst.Name(value=name):
                self.scope.env.pop(name, None)
            case _:
                pass

    def visit_Return(self, node: cst.Return) -> bool:
        if node.value is not None:
            self.scope.returns.append(self.lower(node.value))
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

    def visit_If(self, node: cst.If) -> bool:
        test = self.lower(node.test)
        chains = absent_chains(node.test)
        main_before, self.main_guard = self.main_guard, self.main_guard or is_guard_node(node.test)
        always = isinstance(test, Constant) and isinstance(node.test, cst.Name)
        holding, failing = self.tested(node.test, True), self.tested(node.test, False)
        always = always or is_guard_node(node.test)
        first, first_ends = self._branch(node.body, chains, unconditional=always, known=holding)
        self.main_guard = main_before
        second, second_ends = {**self.scope.env, **failing}, False
        if isinstance(node.orelse, cst.If):
            second, second_ends = self._nested_branch(node.orelse, failing)
        elif node.orelse is not None:
            second, second_ends = self._branch(node.orelse.body, (), known=failing)
        if not (first_ends or second_ends):
            self._forget_tests(holding, first, failing, second)
        if first_ends or second_ends:
            self.scope.env = second if first_ends else first
        else:
            self.scope.env = join_environments(first, second)
        return first_ends and second_ends

    def _forget_tests(
        self, holding: dict[str, Expr], first: dict[str, Expr], failing: dict[str, Expr], second: dict[str, Expr]
    ) -> None:
        """Drop what the tests of a condition said of variables that neither branch has changed."""
        for name in {**holding, **failing}:
            before = self.scope.env[name]
            kept_first = first.get(name) is holding.get(name, before)
            if kept_first and second.get(name) is failing.get(name, before):
                first[name] = second[name] = before

    def _nested_branch(self, node: cst.If, known: dict[str, Expr]) -> tuple[dict[str, Expr], bool]:
        before = dict(self.scope.env)
        self.scope.env.update(known)
        self.conditional += 1
        ends = self.visit_If(node)
        self.conditional -= 1
        after, self.scope.env = self.scope.env, before
        return after, ends

    def _branch(
        self,
        suite: cst.BaseSuite,
        guards: Sequence[str],
        unconditional: bool = False,
        known: dict[str, Expr] | None = None,
    ) -> tuple[dict[str, Expr], bool]:
        """Read a branch, starting from the present environment and what is `known` in addition. Returns its final
        environment; the present one is restored."""
        before = dict(self.scope.env)
        self.scope.env.update(known or {})
        guards_before = self.guards
        self.guards = (*self.guards, *guards)
        self.conditional += not unconditional
        ends = self.read_suite(suite)
        self.conditional -= not unconditional
        self.guards = guards_before
        after, self.scope.env = self.scope.env, before
        return after, ends

    def visit_For(self, node: cst.For) -> bool:
        iterable = self.lower(node.iter)
        self.note_iteration(iterable)
        self._forget_changed(node.body)
        self.bind_element(node.target, iterable)
        self._loop(node.body, ())
        if node.orelse is not None:
            self.read_suite(node.orelse.body)
        return False

    def visit_While(self, node: cst.While) -> bool:
        self._forget_changed(node.body)
        test = self.lower(node.test)
        self._loop(node.body, absent_chains(node.test))
        if node.orelse is not None:
            self.read_suite(node.orelse.body)
        return isinstance(test, Constant) and bool(test.value) and not has_break(node.body)

    def _forget_changed(self, body: cst.BaseSuite) -> None:
        """Prepare variables for a loop: at the start of its body, a variable that the body binds holds its first value
        or anything."""
        bound, _, _ = bound_names(body, self._has_walrus)
        for name in bound:
            before = self.scope.env.get(name)
            if before is not None:
                self.scope.env[name] = join((before, Expr(before.span)))

    def _loop(self, body: cst.BaseSuite, guards: Sequence[str]) -> None:
        """Read the body of a loop, which may not run at all, or be left early."""
        self.scope.exits.append([])
        after, ends = self._branch(body, guards)
        for environment in (*self.scope.exits.pop(), *(() if ends else (after,))):
            self.scope.env = join_environments(environment, self.scope.env)

    def visit_Try(self, node: cst.Try | cst.TryStar) -> bool:
        before = dict(self.scope.env)
        ends = self.read_suite(node.body)
        if node.orelse is not None:
            ends = self.read_suite(node.orelse.body) or ends
        environments = [] if ends else [self.scope.env]
        tried_before = self.tried
        tried = ((name, held) for name, held in self.scope.env.items() if held is not before.get(name))
        self.tried |= {name for name, held in tried if isinstance(held, Imported)}
        for handler in node.handlers:
            self.scope.env = join_environments(before, self.scope.env)
            after, handler_ends = self._branch(handler.body, ())
            if not handler_ends:
                environments.append(after)
        self.tried = tried_before
        if environments:
            self.scope.env = environments[0]
            for environment in environments[1:]:
                self.scope.env = join_environments(self.scope.env, environment)
        finally_ends = self.read_suite(node.finalbody.body) if node.finalbody is not None else False
        return finally_ends or not environments

    visit_TryStar = visit_Try

    def visit_With(self, node: cst.With) -> bool:
        for item in node.items:
            value = self.lower(item.item)
            self.note_implied(value, "__enter__", self.span(item.item))
            if item.asname is not None:
                self._assign(item.asname.name, value, self.span(item.item))
        return self.read_suite(node.body)

    def visit_Match(self, node: cst.Match) -> bool:
        self.lower(node.subject)
        joined = dict(self.scope.env)
        is_left = True
        for case in node.cases:
            after, ends = self._branch(case.body, ())
            is_left = is_left and ends
            if not ends:
                joined = join_environments(joined, after)
        self.scope.env = joined
        return is_left and bool(node.cases) and _takes_all(node.cases[-1])

    def visit_Global(self, node: cst.Global) -> bool:
        self.scope.globals_declared.update(item.name.value for item in node.names)
        return False


def _attribute_name(key: Expr | None) -> str | None:
    """The name of the attribute that `setattr(owner, key, …)` stores; None if it cannot be one."""
    match key:
        case Constant(value=str() as name):
            return name
        case None | Constant():
            return None
        case _:
            return UNNAMED


def _never_returns(call: Call) -> bool:
    """Whether the program ends with a call."""
    match call.function:
        case Attribute(base=Name(name="sys"), name="exit") | Attribute(base=Name(name="os"), name="_exit" | "abort"):
            return True
        case Name(name="exit" | "quit"):
            return True
        case _:
            return False


def _takes_all(case: cst.MatchCase) -> bool:
    """Whether a case matches every value: `case _:`, `case other:`."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, cst.MatchAs) and pattern.pattern is None


def _element(value: Expr) -> Expr:
    """An element of an iteration over the value."""
    return Item(value.span, value, None)


def _any_item(value: Expr) -> Expr:
    """An item of the value under an unknown key."""
    return Item(value.span, value, Expr(value.span))


def _elements(value: Expr) -> Expr:
    """A list of the elements of an iteration over the value."""
    return Collection(value.span, "list", (Item(value.span, value, None, is_starred=True),))


def _unpacked(value: Expr, targets: Sequence[cst.BaseElement]) -> Iterator[Expr]:
    """What each of several targets gets when `value` is unpacked."""
    count = len(targets)
    star = next((index for index, each in enumerate(targets) if isinstance(each, cst.StarredElement)), None)
    if star is None:
        yield from (_part(value, index, count) for index in range(count))
        return
    elements = value.elements if isinstance(value, Collection) else ()
    rest = len(elements) - count + 1
    if rest < 0 or not elements:
        yield from (_elements(value) if index == star else _element(value) for index in range(count))
        return
    yield from elements[:star]
    yield Collection(value.span, "list", elements[star : star + rest])
    yield from elements[star + rest :]


def _part(value: Expr, index: int, count: int) -> Expr:
    """What the target at `index` of `count` gets when `value` is unpacked."""
    if isinstance(value, Collection) and len(value.elements) == count:
        return value.elements[index]
    if isinstance(value, Choice):
        return join(_part(option, index, count) for option in value.options)
    return Item(value.span, value, Constant(value.span, index))


_dispatch = Dispatch(StatementVisitor)
