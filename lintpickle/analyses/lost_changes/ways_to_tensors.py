"""How expressions of a function lead to the tensors, or the torch modules, that it shares with others."""

from __future__ import annotations

from msgspec import Struct

from lintpickle.analyses.lost_changes.shared_tensors import SharedKind, SharedPart
from lintpickle.facts.values import Attribute, Call, Constant, Expr, Item, Name, Parameter, without_narrowing

OF_THE_SAME = frozenset(
    {"parameters", "named_parameters", "buffers", "named_buffers", "modules", "children", "named_modules"}
    | {"named_children", "values", "items", "state_dict", "detach", "train", "eval", "requires_grad_"}
)
"""Methods that give the tensors of a module or dict, or what has the same storage."""
SAME_MEMORY = OF_THE_SAME | {
    *("view", "view_as", "numpy", "squeeze", "unsqueeze", "transpose", "t", "permute", "narrow", "select")
}
"""Methods of tensors and modules that give something of the same memory, or what holds it."""
GOING_THROUGH = frozenset({"zip", "enumerate", "list", "tuple", "reversed", "iter", "filter"})
"""What gives the elements of what it is given."""


class Shared(Struct, frozen=True, eq=False):
    """What is shared, as a function has it: the name of the parameter, or of the global, and the part of what that
    holds."""

    name: str
    part: SharedPart


class WayToTensor(Struct, frozen=True, eq=False):
    """How an expression gets at something: from which expression, by which attributes and methods."""

    root: Expr
    names: tuple[str, ...]
    methods: frozenset[str]
    is_item: bool

    def after(self, shared: Shared) -> tuple[str, ...] | None:
        """The attributes behind what is shared; None if it leads elsewhere."""
        path = shared.part.path
        is_it = isinstance(self.root, (Parameter, Name)) and self.root.name == shared.name
        return self.names[len(path) :] if is_it and self.names[: len(path)] == path else None


def part_given(value: Expr, shared: Shared) -> SharedPart | None:
    """What is shared of what an expression gives; None for nothing."""
    way = way_to(value)
    part, names = shared.part, way.names
    if not isinstance(way.root, (Parameter, Name)) or way.root.name != shared.name:
        return None
    if way.methods:
        return None
    if len(names) <= len(part.path) and names == part.path[: len(names)]:
        is_one = way.is_item and part.kind is SharedKind.TENSORS and len(names) == len(part.path)
        return SharedPart(part.path[len(names) :], SharedKind.TENSOR if is_one else part.kind, part.value)
    return None


def way_to(value: Expr) -> WayToTensor:
    names: list[str] = []
    methods: set[str] = set()
    is_item = False
    while True:
        value = without_narrowing(value)
        match value:
            case Item(base=base, key=key):
                is_item = True
                value = _gone_through(base, key)
            case Attribute(base=base, name=name):
                names.append(name)
                value = base
            case Call(function=Attribute(base=base, name=name)) if name in SAME_MEMORY:
                methods.add(name)
                value = base
            case _:
                return WayToTensor(value, tuple(reversed(names)), frozenset(methods), is_item)


def _gone_through(base: Expr, key: Expr | None) -> Expr:
    """What the items are of, where a loop goes through more than one thing: `for a, b in zip(first, second)`."""
    row = without_narrowing(base)
    loop = without_narrowing(row.base) if isinstance(row, Item) and row.key is None else row
    match loop:
        case Call(function=Name(name=name), arguments=arguments) if name in GOING_THROUGH and arguments:
            place = key.value if isinstance(key, Constant) and isinstance(key.value, int) else None
            if name == "zip":
                return arguments[place].value if place is not None and 0 <= place < len(arguments) else base
            return arguments[-1].value
        case _:
            return base
