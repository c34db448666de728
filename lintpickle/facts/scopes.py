"""Scopes during the reading of a parsed block: which names are local, and what they hold at this point."""

from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Span
from lintpickle.facts.records import ClassFacts, Event, FunctionFacts, NestedClass, NestedFunction
from lintpickle.facts.values import Captured, Choice, Expr, Name, Unfollowed, options_of
from lintpickle.limits import CHOICES


class Scope:
    """The scope of a module, class or function body that is being read. It is mutable; the facts are made from it at
    the end."""

    def __init__(self, kind: str, qualname: str, parent: Scope | None, local_names: frozenset[str]) -> None:
        self.kind = kind
        self.qualname = qualname
        self.parent = parent
        self.local_names = local_names
        self.env: dict[str, Expr] = {}
        self.variables: dict[str, list[Expr]] = {}
        self.captures: set[str] = set()
        self.reads: dict[str, Span] = {}
        self.globals_declared: set[str] = set()
        self.nonlocals_declared: set[str] = set()
        self.events: list[Event] = []
        self.returns: list[Expr] = []
        self.return_places: list[Span] = []
        self.yields: list[Expr] = []
        self.functions: list[FunctionFacts] = []
        self.classes: list[ClassFacts] = []
        self.is_generator = False
        self.may_give_none = False
        self.items_tested: dict[str, int] = {}
        """The items of which the type was tested (as `guards.item_name` writes them), with how many events there had
        been by then. What they hold stands in `env`."""
        self.exits: list[list[dict[str, Expr]]] = []
        """For each loop around: what variables held where it was left, or begun anew."""

    def child_qualname(self, name: str) -> str:
        """Python's qualified name of a function or class that is defined in this scope."""
        if self.kind == "module":
            return name
        if self.kind == "class":
            return f"{self.qualname}.{name}"
        if name in self.globals_declared:
            return name
        return f"{self.qualname}.<locals>.{name}"

    def enclosing_class(self) -> str | None:
        """The qualified name of the innermost class around, which may be this scope itself."""
        scope: Scope | None = self
        while scope is not None:
            if scope.kind == "class":
                return scope.qualname
            scope = scope.parent
        return None

    def read(self, name: str, span: Span) -> Expr:
        """What the name holds at this point of this scope."""
        if name in self.env:
            return self.env[name]
        if self.kind == "function" and name in self.local_names and name not in self.globals_declared:
            return Expr(span)
        scope = self if self.kind == "module" else self.parent
        inner = [self]
        while scope is not None and scope.kind != "module":
            if scope.kind == "function" and (name in scope.local_names or name in scope.env):
                for reader in inner:
                    reader.captures.add(name)
                return Captured(span, name, scope.qualname)
            if scope.kind == "function":
                inner.append(scope)
            scope = scope.parent
        self.reads.setdefault(name, span)
        return Name(span, name)

    def bind(self, name: str, value: Expr) -> None:
        """Store a value in a local variable (or, at module level, in a module-level name). Of names that the scope
        declares global, it is known what they hold behind a definition; of names of a module, what they hold that were
        targets of a loop."""
        self.variables.setdefault(name, []).append(value)
        is_definition = isinstance(value, (NestedClass, NestedFunction))
        if self.kind == "module":
            if name in self.env:
                self.env[name] = value
        elif is_definition or name not in self.globals_declared:
            self.env[name] = value
        else:
            self.env.pop(name, None)

    def stored(self) -> dict[str, list[Expr]]:
        """A copy of what was stored in variables so far, for a branch that no Python runs."""
        return {name: list(values) for name, values in self.variables.items()}

    def joined_variables(self) -> dict[str, Expr]:
        """Each variable with all values that were stored in it."""
        return {name: join(values) for name, values in self.variables.items()}


def join(values: Iterable[Expr]) -> Expr:
    """The expression that can be any of `values` (at least one), without repetitions."""
    flat: list[Expr] = []
    for value in values:
        for option in options_of(value):
            if not any(option is known for known in flat):
                flat.append(option)
    if len(flat) == 1:
        return flat[0]
    if len(flat) > CHOICES.most:
        flat[CHOICES.most - 1 :] = [Unfollowed(flat[0].span, CHOICES.name)]
    return Choice(flat[0].span, tuple(flat))


def join_environments(first: dict[str, Expr], second: dict[str, Expr]) -> dict[str, Expr]:
    """What variables hold where two branches meet. What was tested of an item is forgotten there."""
    result = {name: value for name, value in first.items() if not name.endswith("]") or second.get(name) is value}
    for name, value in second.items():
        known = result.get(name)
        if known is None and name.endswith("]"):
            continue
        if known is None:
            result[name] = value
        elif known is not value:
            result[name] = join((known, value))
    return result
