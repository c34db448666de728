"""Globals that a module makes anew in each process that imports it: ids, temporary folders, times, random numbers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.at_import.import_statements import Placing, names_given, path_called, statements_at_import
from lintpickle.analyses.at_import.run_statements import written_as
from lintpickle.catalog import Catalog, FreshSpec
from lintpickle.diagnostics import Span
from lintpickle.parsing.names_read import children
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module

_NONE = re.compile(r"(?!)")
_ORDER_OF_SET = "<order of a set>"
_TEXT = re.compile(r"f?['\"]|\.split\(|\bstr\(")
"""How an expression is written that gives texts, whose hashes differ from process to process."""
_COARSE = frozenset({"year", "month", "day", "date", "weekday", "isoweekday", "tzinfo"})
"""What of a time hardly ever differs while a program runs."""
_FINE = re.compile(r"%[-#]?[HIMSfTXcs]")
_KEEPING = ("builtins.", "os.path.", "pathlib.", "numpy.array", "numpy.asarray", "torch.tensor", "torch.as_tensor")
"""What begins the paths of functions whose results tell of their arguments."""
_TO_TEXT = frozenset({"builtins.str", "builtins.hex", "builtins.format", "strftime", "isoformat", "format"})
_LONGEST = 40
_DEEPEST = 60
_LOSING = frozenset({"builtins.len", "builtins.isinstance", "builtins.type", "builtins.bool", "builtins.print"})
_ORDERED = frozenset({"builtins.list", "builtins.tuple", "builtins.enumerate"})


class Fresh(Struct, frozen=True):
    """What each process makes anew: the call that does so, as it is written, and its place."""

    spec: FreshSpec
    written: str
    span: Span
    is_doubted: bool = False
    """Whether that is only so for some values."""
    is_text: bool = False
    """Whether it is a part of a text: as a rule a name of something."""


def fresh_values(module: Module, linker: Linker) -> Mapping[str, Fresh]:
    """The globals of a module that each process makes anew, by their names; attributes of its classes, too
    (`Config.RUN`), and for `migrate`, of objects that it makes of these (`CONFIG.run`)."""
    return linker.remembered(
        ("fresh values", module.path), lambda: _Reader(module, linker.catalog, linker.moving_to is not None).read()
    )


def is_fresh(node: ast.expr, module: Module, linker: Linker) -> bool:
    """Whether an expression of module-level code has another value in each process."""
    reader = _Reader(module, linker.catalog, False)
    reader.found.update(fresh_values(module, linker))
    return reader.origin(node, lambda part: Span(0, 0)) is not None


class _Reader:
    """Reads the module-level code of one module."""

    def __init__(self, module: Module, catalog: Catalog, with_objects: bool) -> None:
        self._module = module
        self._with_objects = with_objects
        self._specs = catalog.fresh()
        self._depth = 0
        self._made: dict[str, dict[str, Fresh]] = {}
        """What constructors of classes of the module make anew, by the names of the classes and of the attributes."""
        self.found: dict[str, Fresh] = {}

    def read(self) -> Mapping[str, Fresh]:
        """What is fresh when the import has ended."""
        form = _form(tuple(self._specs))
        if self._module.has(form):
            for statement, place in statements_at_import(self._module, form):
                self._read(statement, place)
        return {name: fresh for name, fresh in self.found.items() if not self._is_constant(name, fresh)}

    def _is_constant(self, name: str, fresh: Fresh) -> bool:
        """Whether the module gives a constant to the name later."""
        bound = self._module.outline.binding(name)
        return any(block.bare and block.span.start > fresh.span.start for block in bound)

    def _read(self, statement: ast.stmt, place: Placing) -> None:
        for names, value in names_given(statement):
            self._bind(names, value, place)
        match statement:
            case ast.Expr(value=ast.Call(args=[ast.Name(id=changed), *_]) as value):
                spec = self._spec_of(value)
                if spec is not None and spec.changes:
                    self.found[changed] = Fresh(spec, written_as(value), place(value))
            case ast.ClassDef(name=name, body=body):
                for inner in body:
                    match inner:
                        case ast.Assign(targets=[ast.Name(id=attribute)], value=value):
                            self._bind([f"{name}.{attribute}"], value, place)
                        case ast.FunctionDef(name="__init__", args=ast.arguments(args=[me, *_]), body=statements) if (
                            self._with_objects
                        ):
                            self._made[name] = dict(self._stored(me.arg, statements, place))
                        case _:
                            pass
            case ast.Assign(targets=[ast.Attribute(value=ast.Name(id=owner), attr=attribute)], value=value):
                self._bind([f"{owner}.{attribute}"], value, place)
            case _:
                pass

    def _stored(self, me: str, statements: list[ast.stmt], place: Placing) -> Iterator[tuple[str, Fresh]]:
        """What a constructor surely stores on its object that is fresh."""
        for statement in statements:
            match statement:
                case ast.Assign(
                    targets=[ast.Attribute(value=ast.Name(id=name), attr=attribute)], value=value
                ) | ast.AnnAssign(
                    ast.Attribute(value=ast.Name(id=name), attr=attribute), value=ast.expr() as value
                ) if name == me:
                    origin = self.origin(value, place)
                    if origin is not None:
                        yield attribute, origin
                case _:
                    pass

    def _bind(self, names: Iterable[str], value: ast.expr, place: Placing) -> None:
        origin = self.origin(value, place)
        class_ = value.func.id if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) else ""
        for name in names:
            self.found.pop(name, None)
            if origin is not None:
                self.found[name] = origin
            self.found.update((f"{name}.{attribute}", made) for attribute, made in self._made.get(class_, {}).items())

    def origin(self, node: ast.expr, place: Placing) -> Fresh | None:
        """What makes an expression fresh; None if it is not, or if it is nested too deep to be read."""
        self._depth += 1
        found = self._origin(node, place) if self._depth <= _DEEPEST else None
        self._depth -= 1
        return found

    def _origin(self, node: ast.expr, place: Placing) -> Fresh | None:
        match node:
            case ast.Name(id=name):
                return self.found.get(name)
            case ast.Attribute(value=base, attr=name):
                return self.origin(base, place) if name not in _COARSE else None
            case ast.FormattedValue(format_spec=ast.expr() as form) if _is_coarse(written_as(form)):
                return None
            case ast.FormattedValue(value=value):
                return _as_text(self.origin(value, place))
            case ast.Call():
                return self._of_call(node, place)
            case ast.Compare() | ast.Lambda() | ast.Dict() | ast.Set() | ast.SetComp() | ast.GeneratorExp():
                return None
            case ast.ListComp(generators=[ast.comprehension(iter=iterable), *_]) if self._is_set(iterable):
                return self._of_set(iterable, node, place)
            case ast.DictComp(generators=[ast.comprehension(iter=iterable), *_]):
                return self.origin(iterable, place)
            case _:
                return self._first(_parts(node), place)

    def _of_call(self, call: ast.Call, place: Placing) -> Fresh | None:
        path = path_called(call.func, self._module)
        spec = self._spec_of(call)
        if spec is not None and not spec.changes:
            return Fresh(spec, _shown(call), place(call))
        if path in _ORDERED and call.args and self._is_set(call.args[0]):
            return self._of_set(call.args[0], call, place)
        method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        known = self._specs.get(path)
        is_other = known is not None and not known.relative
        if is_other or path in _LOSING or (method == "strftime" and _is_coarse(written_as(call))):
            return None
        if path in _TO_TEXT or method in _TO_TEXT:
            return _as_text(self._first((call.func, *call.args) if method else call.args, place))
        is_method = isinstance(call.func, ast.Attribute) and not path.startswith(_KEEPING)
        if is_method and isinstance(call.func, ast.Attribute):
            return self.origin(call.func, place)
        return self._first(call.args, place) if path.startswith(_KEEPING) else None

    def _spec_of(self, call: ast.Call) -> FreshSpec | None:
        spec = self._specs.get(path_called(call.func, self._module))
        if spec is not None and spec.relative:
            return spec if _is_relative(call) else None
        if spec is None or not spec.having:
            return spec
        given = written_as(call.args[0]) if call.args else ""
        return spec if any(text in given for text in spec.having) else None

    def _is_set(self, node: ast.expr) -> bool:
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        return isinstance(node, ast.Call) and path_called(node.func, self._module) == "builtins.set" and bool(node.args)

    def _of_set(self, made: ast.expr, whole: ast.expr, place: Placing) -> Fresh | None:
        """The order of a set's items, which is another one in each process if they are texts."""
        spec = self._specs.get(_ORDER_OF_SET)
        if spec is None:
            return None
        is_of_texts = _TEXT.search(written_as(made)) is not None or self._names_texts(made)
        return Fresh(spec, _shown(whole), place(whole), not is_of_texts)

    def _names_texts(self, made: ast.expr) -> bool:
        """Whether what a set is made of is a name of the module for texts."""
        named = [each.id for each in ast.walk(made) if isinstance(each, ast.Name)]
        for statement, _ in statements_at_import(self._module, _NONE):
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() | ast.ListComp() | ast.Tuple() as value):
                    if name in named and _TEXT.match(written_as(_element(value))):
                        return True
                case _:
                    pass
        return False

    def _first(self, nodes: Iterable[ast.expr], place: Placing) -> Fresh | None:
        return next((found for each in nodes if (found := self.origin(each, place)) is not None), None)


def _is_relative(call: ast.Call) -> bool:
    """Whether a call is given, or that which makes its object, a path that is written out and is not absolute."""
    made = call.func.value if isinstance(call.func, ast.Attribute) else None
    while isinstance(made, ast.BinOp):
        made = made.left
    if isinstance(made, ast.Call) and not made.args:
        return True
    given = made.args if isinstance(made, ast.Call) else call.args
    first = given[0] if given else None
    while isinstance(first, ast.Call) and isinstance(first.func, ast.Attribute) and first.func.attr == "join":
        first = first.args[0] if first.args else None
    text = first.value if isinstance(first, ast.Constant) else None
    return isinstance(text, str) and not text.startswith(("/", "~")) and ":" not in text


def _is_coarse(form: str) -> bool:
    """Whether a format tells a day, and no time."""
    return "%" in form and _FINE.search(form) is None


def _as_text(fresh: Fresh | None) -> Fresh | None:
    return replace(fresh, is_text=True) if fresh is not None else None


def _element(value: ast.List | ast.ListComp | ast.Tuple) -> ast.expr:
    if isinstance(value, ast.ListComp):
        return value.elt
    return value.elts[0] if value.elts else value


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    for child in children(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.comprehension):
            yield child.iter


@lru_cache(maxsize=8)
def _form(paths: tuple[str, ...]) -> re.Pattern[str]:
    """What stands in every module that makes something fresh."""
    names = sorted({re.escape(path.rpartition(".")[2]) for path in paths if path != _ORDER_OF_SET})
    return re.compile(rf"\b(?:{'|'.join(names)})\s*\(|\b(?:list|tuple|enumerate)\(\s*(?:set\s*\(|\{{)|\bin\s+set\s*\(")


def _shown(node: ast.expr) -> str:
    text = written_as(node)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
