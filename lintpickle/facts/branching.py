"""Visitors for statements with branches: what local variables hold in each branch, and where branches meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from lintpickle.facts.bindings import bound_names, cst_target_names, has_break
from lintpickle.facts.converted_items import converted_mappings, is_converted
from lintpickle.facts.definitions import DefinitionVisitor
from lintpickle.facts.filled_iterables import is_filled
from lintpickle.facts.guards import absent_chains, is_guard_node, on_each_version
from lintpickle.facts.scopes import join, join_environments
from lintpickle.facts.tested_items import forget_items
from lintpickle.facts.unpacking import bind_element
from lintpickle.facts.values import Attribute, Constant, Expr, Imported, Item, Name, Narrowed, Without


class BranchVisitor(DefinitionVisitor):
    """Reads conditions, loops, `try` and `match`. Each `visit_…` method returns True if control cannot go on after the
    statement."""

    def read_suite(self, suite: cst.BaseSuite) -> bool:
        """Read the body of a compound statement."""
        return self.read_block(suite.body)

    def visit_If(self, node: cst.If) -> bool:
        test = self.lower(node.test)
        chains = absent_chains(node.test)
        main_before, self.main_guard = self.main_guard, self.main_guard or is_guard_node(node.test)
        always = isinstance(test, Constant) and isinstance(node.test, cst.Name)
        holding, failing = self.tested(node.test, True), self.tested(node.test, False)
        of_version = on_each_version(node.test)
        always = always or of_version is True or is_guard_node(node.test)
        before = self.scope.stored() if of_version is False else None
        first, first_ends = self._branch(node.body, chains, unconditional=always, known=holding)
        self.scope.variables = self.scope.variables if before is None else before
        self.main_guard = main_before
        second, second_ends = {**self.scope.env, **failing}, False
        before = self.scope.stored() if of_version is True else None
        if isinstance(node.orelse, cst.If):
            second, second_ends = self._nested_branch(node.orelse, failing)
        elif node.orelse is not None:
            second, second_ends = self._branch(node.orelse.body, (), known=failing)
        self.scope.variables = self.scope.variables if before is None else before
        if of_version is not None:
            self.scope.env = first if of_version else second
            return first_ends if of_version else second_ends
        self._take_out(node, first, second)
        for name, made in list(converted_mappings(first, second, failing)):
            first[name] = second[name] = made
        if not (first_ends or second_ends):
            self._forget_tests(holding, first, failing, second)
        if first_ends or second_ends:
            self.scope.env = second if first_ends else first
        else:
            self.scope.env = join_environments(first, second)
        return first_ends and second_ends

    def _take_out(self, node: cst.If, first: dict[str, Expr], second: dict[str, Expr]) -> None:
        """Read what takes something out of a mapping if it is there as if it did so always: `if key in values: del
        values[key]`."""
        match node:
            case cst.If(
                test=cst.Comparison(
                    left=cst.Name() | cst.SimpleString() as left,
                    comparisons=[cst.ComparisonTarget(operator=cst.In(), comparator=cst.Name(value=name))],
                ),
                orelse=None,
            ):
                pass
            case _:
                return
        match first.get(name):
            case Without(held=held, keys=(key,)) as value if second.get(name) is held:
                asked = self.lower(left)
                is_same = isinstance(asked, Constant) and isinstance(key, Constant) and asked.value == key.value
                if key is asked or is_same:
                    second[name] = value
            case _:
                pass

    def _forget_tests(
        self, holding: dict[str, Expr], first: dict[str, Expr], failing: dict[str, Expr], second: dict[str, Expr]
    ) -> None:
        """Drop what the tests of a condition said of variables that neither branch has changed."""
        for name in {**holding, **failing}:
            before = self.scope.env.get(name)
            if before is None:  # An item
                continue
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
        self.note_iteration(iterable, is_async=node.asynchronous is not None)
        self._forget_changed(node.body)
        bind_element(node.target, iterable, self.scope.env)
        self._loop(node.body, (), surely_runs=is_filled(iterable), iterable=iterable)
        if node.orelse is not None:
            self.read_suite(node.orelse.body)
        return False

    def visit_While(self, node: cst.While) -> bool:
        self._forget_changed(node.body)
        test = self.lower(node.test)
        is_endless = isinstance(test, Constant) and bool(test.value)
        self._loop(node.body, absent_chains(node.test), surely_runs=is_endless)
        if node.orelse is not None:
            self.read_suite(node.orelse.body)
        return is_endless and not has_break(node.body)

    def _forget_changed(self, body: cst.BaseSuite) -> None:
        """Prepare variables for a loop: at the start of its body, a variable that the body binds holds its first value
        or anything, and so do items."""
        forget_items(self.scope)
        bound, _, _ = bound_names(body, self._has_walrus)
        for name in bound:
            before = self.scope.env.get(name)
            if before is not None:
                self.scope.env[name] = join((before, Expr(before.span)))

    def _loop(
        self, body: cst.BaseSuite, guards: Sequence[str], surely_runs: bool = False, iterable: Expr | None = None
    ) -> None:
        """Read the body of a loop, which may be left early, and may not run at all unless it surely does."""
        self.scope.exits.append([])
        after, ends = self._branch(body, guards)
        left = [*self.scope.exits.pop(), *(() if ends else (after,))]
        if surely_runs and left:
            self.scope.env = left.pop()
        elif iterable is not None and left:
            self.scope.env.update(_done_to_all(iterable, self.scope.env, left))
        for environment in left:
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
            known = self._caught(handler)
            after, handler_ends = self._branch(handler.body, (), known=known)
            for name in known:
                after.pop(name, None)  # as Python does
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

    def _caught(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> dict[str, Expr]:
        """What the name of a handler stands for in its body, if it catches classes by their names."""
        if handler.name is None or handler.type is None or isinstance(handler, cst.ExceptStarHandler):
            return {}
        given = handler.type
        types = [each.value for each in given.elements] if isinstance(given, cst.Tuple) else [given]
        classes = [self._class_named(each) for each in types]
        known = tuple(each for each in classes if each is not None)
        span, names = self.span(handler.name.name), cst_target_names(handler.name.name)
        value = Narrowed(span, Expr(span), "caught", known, True)
        return dict.fromkeys(names, value) if len(known) == len(classes) else {}

    def _class_named(self, node: cst.BaseExpression) -> Expr | None:
        """A class by its name or path, which no variable of the function holds."""
        match node:
            case cst.Name(value=name):
                return Name(self.span(node), name) if name not in self.scope.env else None
            case cst.Attribute(value=base, attr=cst.Name(value=name)):
                owner = self._class_named(base)
                return Attribute(self.span(node), owner, name) if owner is not None else None
            case _:
                return None

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


def _done_to_all(
    iterable: Expr, before: dict[str, Expr], left: Sequence[dict[str, Expr]]
) -> Iterator[tuple[str, Expr]]:
    """The variables with mappings out of which a loop takes what stands under each element of the iterable, however
    many these are (`for name in names: values.pop(name, None)`), or where it replaces what is of some type."""
    first, *others = left
    for name, held in before.items():
        value = first.get(name)
        inner = value
        while isinstance(inner, Without) and all(_is_element(key, iterable) for key in inner.keys):
            inner = inner.held
        is_done = (value is not held and inner is held) or is_converted(value, held, iterable)
        if value is not None and is_done and all(each.get(name) is value for each in others):
            yield name, value


def _is_element(key: Expr, iterable: Expr) -> bool:
    """Whether an expression is an element of an iterable, or a part of one."""
    while isinstance(key, Item):
        if key.base is iterable:
            return key.key is None
        key = key.base
    return False


def _takes_all(case: cst.MatchCase) -> bool:
    """Whether a case matches every value: `case _:`, `case other:`."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, cst.MatchAs) and pattern.pattern is None
