"""Module-level bindings: what is found for a name, and the place where a module binds it."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.diagnostics import Span
from lintpickle.facts.records import BlockFacts, ClassFacts, FunctionFacts
from lintpickle.facts.values import Constant, Expr
from lintpickle.program.module import Module


class Binding(Struct, frozen=True):
    """The place where a module binds a name. `always` says that it is bound whenever the module runs; `imports` that an
    import binds it. A `fallback` only runs if another import of the name fails. One is `chosen` where another import of
    the name is left out (`thread_stand_ins`)."""

    module: Module
    span: Span
    always: bool
    imports: bool = False
    fallback: bool = False
    chosen: bool = False


class ModuleBinding(Struct, frozen=True):
    """A module-level binding that was found: exactly one of the four is set.

    `value` is an assigned expression in the module body of `block`; `path` is the dotted name of something that is
    not read (a library, a builtin, a module). `bound` is where the module that was asked binds it, if that matters: of
    names that one import alone binds, it does not. With `set_by`, that function stores the value (`global name`).
    """

    module: Module | None = None
    function: FunctionFacts | None = None
    class_: ClassFacts | None = None
    value: Expr | None = None
    block: BlockFacts | None = None
    path: str | None = None
    is_module: bool = False
    bound: Binding | None = None
    set_by: FunctionFacts | None = None

    @property
    def is_fallback(self) -> bool:
        """Whether it is an import that only runs if another import of the name fails."""
        return self.bound is not None and self.bound.fallback

    @property
    def is_chosen(self) -> bool:
        """Whether it is an import beside which another one is left out."""
        return self.bound is not None and self.bound.chosen

    @property
    def is_none(self) -> bool:
        """Whether the name is bound to the literal None."""
        return isinstance(self.value, Constant) and self.value.value is None
