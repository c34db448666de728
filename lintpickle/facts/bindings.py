"""Which names a function body binds: needed before it is read, because binding decides scope in all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from lintpickle.source.walk import children


def bound_names(body: cst.BaseSuite, has_walrus: bool) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Names bound by the statements of `body` (nested scopes excluded), and those declared global and nonlocal.

    Expressions are only looked into if there is a walrus in the source at all.
    """
    bound: set[str] = set()
    global_names: set[str] = set()
    nonlocal_names: set[str] = set()
    stack: list[cst.CSTNode] = list(body.body)
    while stack:
        node = stack.pop()
        match node:
            case cst.FunctionDef(name=name) | cst.ClassDef(name=name):
                bound.add(name.value)
                continue
            case cst.Lambda():
                continue
            case cst.Assign(targets=targets):
                for target in targets:
                    bound.update(target_names(target.target))
            case cst.AnnAssign(target=target) | cst.AugAssign(target=target):
                bound.update(target_names(target))
            case cst.For(target=target):
                bound.update(target_names(target))
            case cst.NamedExpr(target=target):
                bound.update(target_names(target))
            case cst.AsName(name=name):
                bound.update(target_names(name))
            case cst.Import(names=names):
                bound.update(_imported(names))
            case cst.ImportFrom(names=names) if not isinstance(names, cst.ImportStar):
                bound.update(_imported(names))
            case cst.Global(names=items):
                global_names.update(item.name.value for item in items)
            case cst.Nonlocal(names=items):
                nonlocal_names.update(item.name.value for item in items)
            case cst.MatchAs(name=cst.Name(value=value)) | cst.MatchStar(name=cst.Name(value=value)):
                bound.add(value)
            case cst.BaseExpression() if not has_walrus:
                continue
            case _:
                pass
        stack.extend(children(node))
    return frozenset(bound), frozenset(global_names), frozenset(nonlocal_names)


def target_names(target: cst.CSTNode) -> Iterator[str]:
    """The plain names that an assignment target binds."""
    match target:
        case cst.Name(value=value):
            yield value
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            for element in elements:
                yield from target_names(element.value)
        case cst.StarredElement(value=value):
            yield from target_names(value)
        case _:
            pass


def _imported(names: Sequence[cst.ImportAlias]) -> Iterator[str]:
    for alias in names:
        if alias.asname is not None:
            yield from target_names(alias.asname.name)
        else:
            node: cst.BaseExpression = alias.name
            while isinstance(node, cst.Attribute):
                node = node.value
            yield from target_names(node)
