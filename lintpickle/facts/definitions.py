"""Visitors for definitions that open a scope: functions, lambdas and classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import libcst as cst

from lintpickle.diagnostics import Span
from lintpickle.facts.bindings import bound_names
from lintpickle.facts.expressions import ExpressionVisitor
from lintpickle.facts.methods import Methods, ReadMethod
from lintpickle.facts.records import (
    MODULE_BODY,
    ClassFacts,
    FieldFacts,
    FunctionFacts,
    NestedClass,
    NestedFunction,
    ParameterFacts,
)
from lintpickle.facts.scopes import Scope
from lintpickle.facts.values import Argument, Call, Expr, Imported, Name, parameter_value, rooted
from lintpickle.parsing.members import ACCESSORY_DECORATORS, Member
from lintpickle.parsing.parsed_blocks import Spans


class DefinitionVisitor(ExpressionVisitor):
    """Opens a scope for a definition, reads its body in it, and binds the result in the enclosing scope. `members` of
    the parsed block's class are not part of the tree; `read_member` reads one of them."""

    def __init__(
        self,
        spans: Spans,
        scope: Scope,
        has_walrus: bool,
        members: tuple[Member, ...] = (),
        read_member: Callable[[Member], ReadMethod] | None = None,
    ) -> None:
        self._members = members
        self._read_member = read_member
        self.spans = spans
        self._has_walrus = has_walrus
        self.scope = scope
        self.conditional = 0
        self.guards: tuple[str, ...] = ()
        self.main_guard = False
        self.tried: frozenset[str] = frozenset()
        """Names for which imports have failed, where a handler is read."""
        self._fields: list[FieldFacts] = []
        self._keyword_only = False

    def read_block(self, statements: Sequence[cst.CSTNode]) -> bool:
        """Read statements in order; True if control cannot reach the end of the block."""
        raise NotImplementedError

    def define_function(self, node: cst.FunctionDef) -> FunctionFacts:
        """Read a function and bind its name."""
        decorators = tuple(self.lower(decorator.decorator) for decorator in node.decorators)
        parameters = self._parameters(node.params)
        local_names, global_names, _ = bound_names(node.body, self._has_walrus)
        scope = self._open(node.name.value, parameters, local_names)
        scope.globals_declared.update(global_names)
        outer = self._enter(scope)
        if not self.read_block(node.body.body):
            scope.may_give_none = True
        self._leave(outer)
        facts = self._function(
            scope,
            node.name.value,
            self.span(node),
            self._header(node),
            parameters,
            decorators,
            node.asynchronous is not None,
        )
        self.scope.functions.append(facts)
        if self.scope.kind == "function":
            self.scope.bind(node.name.value, NestedFunction(self.span(node.name), facts))
            self._note_decorating(decorators, NestedFunction(self.span(node.name), facts))
        elif self.scope.kind == "class":
            self.scope.env.pop(node.name.value, None)
        return facts

    def _note_decorating(self, decorators: Iterable[Expr], function: NestedFunction) -> None:
        """Record that an object which the surrounding function has, or is given, gets the function by a method of its
        own: `@signal.connect`."""
        for decorator in decorators:
            root, names = rooted(decorator)
            if names and not isinstance(root, (Name, Imported)):
                span = Span(decorator.span.start, function.span.end)
                self.note_call(Call(span, decorator, (Argument(function),)))

    def read_lambda(self, node: cst.Lambda) -> FunctionFacts:
        """Read a lambda as a function that returns its body."""
        parameters = self._parameters(node.params)
        scope = self._open("<lambda>", parameters, frozenset())
        outer = self._enter(scope)
        scope.returns.append(self.lower(node.body))
        self._leave(outer)
        facts = self._function(scope, "<lambda>", self.span(node), self.span(node), parameters, (), False)
        self.scope.functions.append(facts)
        return facts

    def finish(self, span: Span) -> FunctionFacts:
        """The module-level code that was read, as a function."""
        return self._function(self.scope, MODULE_BODY, span, Span(span.start, span.start), (), (), False)

    def _open(self, name: str, parameters: Iterable[ParameterFacts], local_names: frozenset[str]) -> Scope:
        qualname = self.scope.child_qualname(name)
        values = {each.name: parameter_value(each.name, qualname, each.kind == "**") for each in parameters}
        scope = Scope("function", qualname, self.scope, local_names | frozenset(values))
        scope.env.update(values)
        return scope

    def _enter(self, scope: Scope) -> tuple[Scope, int, tuple[str, ...], bool]:
        outer = (self.scope, self.conditional, self.guards, self.main_guard)
        self.scope, self.conditional, self.guards, self.main_guard = scope, 0, (), False
        return outer

    def _leave(self, outer: tuple[Scope, int, tuple[str, ...], bool]) -> None:
        self.scope, self.conditional, self.guards, self.main_guard = outer

    def _function(
        self,
        scope: Scope,
        name: str,
        span: Span,
        header: Span,
        parameters: tuple[ParameterFacts, ...],
        decorators: tuple[Expr, ...],
        is_async: bool,
    ) -> FunctionFacts:
        return FunctionFacts(
            name=name,
            qualname=scope.qualname,
            span=span,
            header=header,
            parameters=parameters,
            decorators=decorators,
            events=tuple(scope.events),
            returns=tuple(scope.returns),
            return_places=tuple(scope.return_places),
            yields=tuple(scope.yields),
            captures=tuple(sorted(scope.captures)),
            variables=scope.joined_variables(),
            globals_declared=tuple(sorted(scope.globals_declared)),
            functions=tuple(scope.functions),
            classes=tuple(scope.classes),
            is_generator=scope.is_generator,
            is_async=is_async,
            main_guard=self.main_guard,
            reads=scope.reads,
            may_give_none=scope.may_give_none,
        )

    def _parameters(self, node: cst.Parameters) -> tuple[ParameterFacts, ...]:
        found: list[ParameterFacts] = []
        for kind, params in (("positional-only", node.posonly_params), ("positional", node.params)):
            found.extend(self._parameter(param, kind) for param in params)
        if isinstance(node.star_arg, cst.Param):
            found.append(self._parameter(node.star_arg, "*"))
        found.extend(self._parameter(param, "keyword-only") for param in node.kwonly_params)
        if node.star_kwarg is not None:
            found.append(self._parameter(node.star_kwarg, "**"))
        return tuple(found)

    def _parameter(self, node: cst.Param, kind: str) -> ParameterFacts:
        default = self.lower(node.default) if node.default is not None else None
        return ParameterFacts(node.name.value, kind, default)

    def define_class(self, node: cst.ClassDef) -> ClassFacts:
        """Read a class and bind its name."""
        bases = tuple(self.lower(base.value) for base in node.bases if not base.star)
        keywords = tuple((k.keyword.value, self.lower(k.value)) for k in node.keywords if k.keyword is not None)
        decorators = tuple(self.lower(decorator.decorator) for decorator in node.decorators)
        scope = Scope("class", self.scope.child_qualname(node.name.value), self.scope, frozenset())
        outer, outer_fields = self._enter(scope), (self._fields, self._keyword_only)
        self._fields, self._keyword_only = [], False
        self.read_block(node.body.body)
        fields, (self._fields, self._keyword_only) = tuple(self._fields), outer_fields
        self._leave(outer)
        facts = ClassFacts(
            name=node.name.value,
            qualname=scope.qualname,
            span=self.span(node),
            header=self._header(node),
            bases=bases,
            keywords=keywords,
            decorators=decorators,
            methods=self._methods(scope),
            body=scope.joined_variables(),
            fields=fields,
            classes=tuple(scope.classes),
            main_guard=self.main_guard,
        )
        self.scope.classes.append(facts)
        if self.scope.kind == "function":
            self.scope.bind(node.name.value, NestedClass(self.span(node.name), facts))
        return facts

    def _methods(self, scope: Scope) -> Mapping[str, FunctionFacts]:
        """The methods of the class whose body was read in the scope."""
        eager = {f.name: f for f in scope.functions if f.name != "<lambda>" and not _is_setter(f)}
        if self._read_member is None or not self._members or self.scope.kind != "module":
            return eager
        return Methods(eager, self._members, self._read_member)

    def note_field(self, name: str, default: Expr | None, annotation: cst.Annotation) -> None:
        """Record an annotated name of a class body as a field. A `ClassVar` is a plain class attribute; fields after
        `_: KW_ONLY` can only be passed by keyword."""
        type_ = _type_name(annotation.annotation)
        if type_ == "ClassVar":
            if default is not None:
                self.scope.bind(name, default)
        elif type_ == "KW_ONLY":
            self._keyword_only = True
        else:
            self._fields.append(FieldFacts(name, default, type_ != "InitVar", self._keyword_only))

    def _header(self, node: cst.FunctionDef | cst.ClassDef) -> Span:
        """The span from `def` or `class` to the end of the name, which trails point at."""
        name = self.span(node.name)
        whole = self.span(node)
        return Span(min(whole.start, name.start) if not node.decorators else name.start, name.end)


def _type_name(annotation: cst.BaseExpression) -> str | None:
    """The last part of an annotation's type, without its arguments (`InitVar` for `"InitVar[int]"`)."""
    match annotation:
        case cst.SimpleString():
            return annotation.raw_value.partition("[")[0].rpartition(".")[2].strip()
        case cst.Subscript(value=inner):
            return _type_name(inner)
        case cst.Attribute(attr=cst.Name(value=name)) | cst.Name(value=name):
            return name
        case _:
            return None


def _is_setter(function: FunctionFacts) -> bool:
    return function.decorated_by(*ACCESSORY_DECORATORS)
