"""The outline of one file: where things are, never what they mean. Made by `ast` from the code that runs at module
level."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.builtin_names import BUILTINS, REBOUND_BY_STAR
from lintpickle.diagnostics import Span
from lintpickle.parsing.blocks import Skeleton, skeleton, whole
from lintpickle.parsing.import_alternatives import ImportWay, import_ways
from lintpickle.parsing.imports import ImportedName
from lintpickle.parsing.names_read import names_run
from lintpickle.parsing.syntax import (
    BrokenSyntax,
    dotted,
    filled_names,
    in_scope,
    names_bound,
    parse,
    rows,
    target_names,
    touched_names,
)

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
_ASSIGNMENTS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


class ClassHeader(Struct, frozen=True):
    """The header of a class: the dotted names of its bases and decorators, as far as they are names; "()" stands for a
    call whose attribute a base is."""

    name: str
    bases: tuple[str, ...]
    decorators: tuple[str, ...]


class Block(Struct, frozen=True):
    """Top-level statements that share lines: the unit that libcst parses as a parsed block.

    `span` covers whole lines, decorators included. `names` are what it binds at module level. `bare` says that
    it holds nothing but imports, a docstring or names for constants: no visitor would learn anything from it.
    `classes` are the classes that it defines at module level; `is_class` says that it is one class and nothing else,
    `defines_function` that it is a function.
    `always_binds` says that it is one statement that binds its names whenever the module is run.
    `fills` are the names into whose objects it puts something, by attributes, items or methods as `append`; `touches`
    those whose objects it may change by calls: of their methods, or of functions that are given them.
    `runs` are the dotted names that it reads when the module is run as a worker runs it, without what a main guard
    protects; None if that is not known here: of definitions, and of statements with imports in them.
    """

    span: Span
    names: tuple[str, ...]
    bare: bool
    classes: tuple[ClassHeader, ...] = ()
    is_class: bool = False
    defines_function: bool = False
    runs: tuple[str, ...] | None = None
    fills: tuple[str, ...] = ()
    always_binds: bool = False
    touches: tuple[str, ...] = ()


class Outline(Struct, frozen=True, dict=True):
    """The outline of a module. Statements that neither bind a name nor hold anything (imports, docstrings) have no
    block. `imports` maps the names that imports bind at module level (also in `if` and `try`) to what they import;
    later imports win. If a name has several imports, or other bindings too, `import_ways` holds its imports. `stars`
    are the modules imported with `*`. `exports` is a literal `__all__`, if there is one. `lambdas` are the module-level
    names bound to lambdas."""

    blocks: tuple[Block, ...]
    imports: dict[str, ImportedName]
    stars: tuple[ImportedName, ...]
    exports: tuple[str, ...] | None
    lambdas: frozenset[str] = frozenset()
    import_ways: dict[str, tuple[ImportWay, ...]] = {}

    def importing(self, name: str) -> tuple[ImportedName, ...]:
        """What the name can stand for by the imports of the module."""
        ways = self.import_ways.get(name)
        if ways is not None:
            return tuple(way.imported for way in ways)
        imported = self.imports.get(name)
        return (imported,) if imported is not None else ()

    def is_builtin(self, name: str) -> bool:
        """Whether a name stands for the builtin at module level: the module does not bind it, and imports all names of
        no module that is known to have another thing of that name."""
        if name not in BUILTINS or name in self.imports or self.binding(name):
            return False
        return not any(name in REBOUND_BY_STAR.get(each.module, ()) for each in self.stars if not each.level)

    def binding(self, name: str) -> tuple[Block, ...]:
        """The blocks that bind `name` at module level, in file order."""
        return self._binding.get(name, ())

    def filling(self, name: str) -> tuple[Block, ...]:
        """The blocks that add something to what `name` holds at module level, in file order."""
        return self._filling.get(name, ())

    def filled_at(self, place: Span) -> tuple[str, ...]:
        """The names that the block around an offset binds, and to which some block adds something."""
        block = self.block_at(place.start) if self._filling else None
        return tuple(name for name in block.names if name in self._filling) if block is not None else ()

    def touching(self, name: str) -> tuple[Block, ...]:
        """The blocks that put something into what `name` holds at module level or may change it by calls, in file
        order."""
        return self._touching.get(name, ())

    def touched_at(self, place: Span) -> tuple[str, ...]:
        """The names that are bound by the block around a place, and whose objects some block may change."""
        block = self.block_at(place.start) if self._touching else None
        return tuple(name for name in block.names if name in self._touching) if block is not None else ()

    def block_at(self, offset: int) -> Block | None:
        """The block around an offset in the file."""
        index = bisect_right(self.blocks, offset, key=lambda block: block.span.start) - 1
        return self.blocks[index] if index >= 0 and offset < self.blocks[index].span.end else None

    @cached_property
    def bound(self) -> frozenset[str]:
        """The names that the module binds, including imports but not star imports."""
        return frozenset((*self.imports, *self._binding))

    @cached_property
    def _binding(self) -> dict[str, tuple[Block, ...]]:
        return _by_name((name, block) for block in self.blocks for name in block.names)

    @cached_property
    def _filling(self) -> dict[str, tuple[Block, ...]]:
        return _by_name((name, block) for block in self.blocks for name in block.fills)

    @cached_property
    def _touching(self) -> dict[str, tuple[Block, ...]]:
        return _by_name(
            (name, block) for block in self.blocks for name in dict.fromkeys((*block.fills, *block.touches))
        )


def _by_name(found: Iterable[tuple[str, Block]]) -> dict[str, tuple[Block, ...]]:
    named: dict[str, list[Block]] = {}
    for name, block in found:
        named.setdefault(name, []).append(block)
    return {name: tuple(blocks) for name, blocks in named.items()}


def outline(text: str) -> Outline:
    """The outline of the text of a file. Raises `BrokenSyntax`, and nothing else, for any text; not for an error in the
    body of a class or function whose end is easy to find."""
    found = skeleton(text)
    if found is not None:
        try:
            return _mapped(found)
        except BrokenSyntax:
            pass
    return _mapped(whole(text))


def _mapped(skeleton: Skeleton) -> Outline:
    body = parse(skeleton.text).body
    stars: list[ImportedName] = []
    for node in in_scope(body):
        match node:
            case ast.ImportFrom(module=module, names=[ast.alias(name="*")], level=level):
                stars.append(ImportedName(module or "", None, level))
            case _:
                pass
    blocks = tuple(_blocks(body, skeleton))
    ways = import_ways(body, skeleton.span)
    bound_otherwise = {name for block in blocks for name in block.names}
    return Outline(
        blocks,
        {name: replace(each[-1].imported) for name, each in ways.items()},
        tuple(stars),
        _exports(body),
        frozenset(_lambda_names(body)),
        {name: each for name, each in ways.items() if len(each) > 1 or name in bound_otherwise},
    )


def _blocks(body: Sequence[ast.stmt], skeleton: Skeleton) -> Iterator[Block]:
    groups: list[tuple[int, int, list[ast.stmt]]] = []
    for statement in body:
        first, last = rows(statement)
        if groups and first <= groups[-1][1]:
            start, _, together = groups[-1]
            groups[-1] = (start, max(last, groups[-1][1]), [*together, statement])
        else:
            groups.append((first, last, [statement]))
    for first, last, together in groups:
        block = _block(together, skeleton.span(first, last))
        if block.names or not block.bare:
            yield block


def _block(statements: list[ast.stmt], span: Span) -> Block:
    match statements:
        case [ast.ClassDef(name=name) as class_]:
            return Block(span, (name,), False, (_header(class_),), is_class=True)
        case [ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name)]:
            return Block(span, (name,), False, defines_function=True)
        case _:
            return _block_of_others(statements, span)


def _block_of_others(statements: list[ast.stmt], span: Span) -> Block:
    """The block of statements other than a single definition."""
    names = tuple(dict.fromkeys(name for statement in statements for name in names_bound(statement)))
    always = len(statements) == 1 and isinstance(statements[0], _ASSIGNMENTS)
    if all(_is_bare(statement) for statement in statements):
        return Block(span, names, True, always_binds=always)
    running = list(in_scope(statements))
    headers = tuple(_header(statement) for statement in running if isinstance(statement, ast.ClassDef))
    is_function = any(isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) for statement in statements)
    fills = tuple(dict.fromkeys(name for statement in running for name in filled_names(statement)))
    touches = tuple(dict.fromkeys(name for statement in running for name in touched_names(statement) if name))
    return Block(span, names, False, headers, False, is_function, _runs(statements), fills, always, touches)


def _runs(statements: list[ast.stmt]) -> tuple[str, ...] | None:
    if any(isinstance(statement, _DEFINITIONS) for statement in statements):
        return None
    if any(isinstance(node, _IMPORTS) for statement in statements for node in _nested(statement)):
        return None
    return tuple(sorted(names_run(ast.Module(statements, []))))


def _nested(statement: ast.stmt) -> Iterator[ast.AST]:
    """A statement and, if it is compound, everything in it."""
    return ast.walk(statement) if hasattr(statement, "body") or hasattr(statement, "cases") else iter((statement,))


def _lambda_names(body: Sequence[ast.stmt]) -> Iterator[str]:
    for statement in in_scope(body):
        match statement:
            case ast.Assign(targets=targets, value=ast.Lambda()):
                for target in targets:
                    yield from target_names(target)
            case _:
                pass


def _base(base: ast.expr) -> str:
    """The dotted name of a base; "()" stands for the call whose attribute it is: `get_context("spawn").Process`."""
    match base:
        case ast.Attribute(value=ast.Call(), attr=name):
            return f"().{name}"
        case _:
            return dotted(base)


def _header(class_: ast.ClassDef) -> ClassHeader:
    bases = (_base(base) for base in class_.bases)
    decorators = (dotted(d.func if isinstance(d, ast.Call) else d) for d in class_.decorator_list)
    return ClassHeader(class_.name, tuple(b for b in bases if b), tuple(d for d in decorators if d))


def _is_bare(statement: ast.stmt) -> bool:
    match statement:
        case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Assign(targets=targets, value=ast.Constant()):
            return not any(isinstance(target, (ast.Attribute, ast.Subscript)) for target in targets)
        case _:
            return type(statement).__name__ == "TypeAlias"  # worked out when somebody asks for it


def _exports(body: Sequence[ast.stmt]) -> tuple[str, ...] | None:
    found: list[str] | None = None
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=ast.List(elts=items) | ast.Tuple(elts=items)):
                found = [item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)]
            case ast.AugAssign(target=ast.Name(id="__all__"), value=ast.List(elts=items)) if found is not None:
                found += [
                    item.value for item in items if isinstance(item, ast.Constant) and isinstance(item.value, str)
                ]
            case ast.AugAssign(target=ast.Name(id="__all__")):
                return None
            case _:
                pass
    return None if found is None else tuple(found)
