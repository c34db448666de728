"""The dotted paths of what code names, calls and stores, as the catalog writes those that make settings."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.facts.records import BlockFacts
from lintpickle.facts.values import Attribute, Call, Expr, Name, chain, without_narrowing
from lintpickle.program.module import Module


def dotted_path_of(value: Expr, module: Module, asked: frozenset[str] = frozenset()) -> str:
    """The path of an expression; of a call, that of the function with "()"; of a method of whatever, its name. Of a
    global, it is that of what the module calls to make it, unless that is `asked` for: it is made of itself."""
    inner = without_narrowing(value)
    if isinstance(inner, Name) and inner.name not in asked:
        asked |= {inner.name}
        made = [facts.values[inner.name] for facts in _binding(inner.name, module) if inner.name in facts.values]
        inner = made[0] if len(made) == 1 and isinstance(made[0], Call) else inner
    if isinstance(inner, Call):
        return f"{dotted_path_of(inner.function, module, asked)}()"
    parts = chain(inner)
    path = imported_path(parts, module) if parts is not None else None
    if path is not None:
        return path
    return f".{inner.name}" if isinstance(inner, Attribute) else "?"


def _binding(name: str, module: Module) -> Iterator[BlockFacts]:
    """The facts of the blocks that bind a name at module level."""
    for block in module.outline.binding(name):
        facts = module.facts_of(block)
        if facts is not None:
            yield facts


def imported_path(parts: tuple[str, ...], module: Module) -> str | None:
    """The dotted path of a name that an import at module level binds ("numpy.random.seed" of `np.random.seed`)."""
    imported = module.outline.imports.get(parts[0])
    if imported is None or imported.level:
        return None
    return ".".join(part for part in (imported.module, imported.name, *parts[1:]) if part)
