"""The parts of an object that is written to a file."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.annotations import class_named_for
from lintpickle.analyses.hierarchies import is_me
from lintpickle.analyses.picked_keys import is_picked
from lintpickle.analyses.returned_values import returned_expression
from lintpickle.analyses.written_when import WrittenWhen
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Choice,
    Collection,
    Comprehension,
    Expr,
    Item,
    Mapping,
    Name,
    Parameter,
    Sum,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    UNKNOWN,
    AbstractValue,
    Bound,
    ClassValue,
    ContainerValue,
    ExternalResult,
    Frame,
    FunctionValue,
    InstanceValue,
    PlainValue,
    Site,
    is_indefinite,
)
from lintpickle.interpreter.frames import Arguments
from lintpickle.interpreter.slots import MODULE_CONTAINERS, MODULE_KINDS, OBJECT_DICT
from lintpickle.limits import SAVED_DEPTH, SAVED_PARTS
from lintpickle.parsing.main_guard import text_from_guard
from lintpickle.parsing.syntax import BrokenSyntax, parse_expression
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

TORCH_SAVE = frozenset({"torch.save", "torch.serialization.save"})


REFUSES_BY_DEFAULT = (2, 6)
"""The version of torch since which `torch.load` reads only weights by default."""


_GONE_WORDS = Words({"_six"})
_IMPORTS_GONE = re.compile(r"^(?:from\s+torch\._six\s+import|import\s+torch\._six)\b", re.MULTILINE)
"""An import that fails since torch 2.0 and is not in a `try`."""
_MODEL_NAME = re.compile(r"(?:\w+\.)*_?(?:model|net|network|netG|netD|encoder|decoder|backbone)(?:\.module)?")


def never_refuses(asker: str, linker: Linker) -> bool:
    """Whether the program cannot run with a torch that reads only weights by default: its requirements exclude those
    versions, or its library imports names that they lack."""
    if linker.declared.is_before("torch", REFUSES_BY_DEFAULT):
        return True
    return any(map(linker.purposes.is_library, linker.first_party.which(_GONE_WORDS, asker, _IMPORTS_GONE)))


class WrittenPart(Struct, frozen=True):
    """Something that is pickled into a file by itself or in plain containers.

    `value` is its expression in `frame`; `site` is where it is put into the saved object (the key of a dict display),
    or the call that saves it; `label` is the way to it ("['args']"), empty for the object itself. `is_chosen` says that
    it is put in under a key that is drawn from something: code may put in only what stands under some keys. `is_one_of`
    says that an attribute may be something else instead. `display` is the innermost display of a dict in which it
    stands.
    """

    value: Expr
    frame: Frame
    site: Site
    label: str = ""
    is_chosen: bool = False
    is_one_of: bool = False
    display: Site | None = None


def parts(call: BoundaryCall, linker: Linker) -> Iterator[WrittenPart]:
    """The object that a call writes, and the contents of its dicts, lists, tuples and sets."""
    role = call.spec.payload[0] if call.spec.payload else ""
    bound = call.arguments.get(role)
    if bound is None:
        return
    for count, part in enumerate(
        _Taker(call, linker).of_bound(bound, WrittenPart(call.call, call.frame, call.site), 0)
    ):
        if count >= SAVED_PARTS.most:
            linker.evaluator.cuts.note(SAVED_PARTS)
            return
        yield part


class _Taker:
    """Takes containers apart."""

    def __init__(self, call: BoundaryCall, linker: Linker) -> None:
        self._linker = linker
        self._when = WrittenWhen(call, linker.evaluator)

    def of_bound(self, bound: Bound, whole: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """The parts of what a parameter is bound to."""
        if bound.expr is not None and bound.frame is not None:
            yield from self._apart(WrittenPart(bound.expr, bound.frame, whole.site, whole.label), depth)

    def _apart(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        value, frame = without_narrowing(part.value), part.frame
        if depth > SAVED_DEPTH.most:
            self._linker.evaluator.cuts.note(SAVED_DEPTH)
            return
        if value is not part.value and self._is_excluded(part):
            return
        match value:
            case Parameter(name=name, owner=owner):
                home = frame.enclosing(owner)
                bound = home.bindings.get(name) if home is not None else None
                if bound is not None and bound.expr is not None:
                    yield from self.of_bound(bound, part, depth + 1)
                else:
                    yield part
            case Name(name=name) if bindings := self._bindings(name, value, frame):
                for value, frame in bindings:
                    yield from self._apart(WrittenPart(value, frame, part.site, part.label), depth + 1)
            case Choice(options=values) | Sum(parts=values):
                for each in values:
                    if isinstance(value, Choice) and self._when.excludes(each, frame):
                        continue
                    yield from self._apart(WrittenPart(each, frame, part.site, part.label), depth + 1)
            case Mapping(items=items):
                for key, item in items:
                    if key is not None and is_picked(key, item, frame, self._linker.evaluator):
                        continue
                    site = Site(frame.module, _key_span(key, value)) if key is not None else part.site
                    is_chosen = key is not None and isinstance(without_narrowing(key), Item)
                    given = WrittenPart(item, frame, site, part.label + _label(key, frame))
                    inner = self._held(given, depth) if key is None else self._apart(given, depth + 1)
                    display = Site(frame.module, value.span) if key is not None else None
                    for taken in inner:
                        where = taken.display or display
                        yield replace(taken, is_chosen=is_chosen or taken.is_chosen, display=where)
            case Call(function=Name(name="dict"), arguments=arguments):
                for argument in arguments:
                    label = f"['{argument.keyword}']" if argument.keyword else ""
                    given = WrittenPart(argument.value, frame, part.site, part.label + label)
                    yield from self._apart(given, depth + 1) if argument.keyword else self._held(given, depth)
            case Collection(elements=elements):
                for index, element in enumerate(elements):
                    yield from self._apart(WrittenPart(element, frame, part.site, f"{part.label}[{index}]"), depth + 1)
            case Attribute(base=base, name=name):
                yield part
                if name == "__dict__":
                    yield from self._attributes(part, depth)
                for stored, home in self._stored(base, name, frame):
                    yield from self._apart(WrittenPart(stored, home, part.site, part.label), depth + 1)
            case Comprehension(kind="list" | "set" | "dict", element=element):
                yield from self._apart(WrittenPart(element, frame, part.site, f"{part.label}[…]"), depth + 1)
            case Call() if (returned := self._when.returned(value, frame)) is not None:
                for value, frame in returned:
                    yield from self._apart(WrittenPart(value, frame, part.site, part.label), depth + 1)
            case Call() | Item():
                yield part
                evaluator = self._linker.evaluator
                found = returned_expression(value, frame, evaluator) if self._may_be_data(value, frame) else None
                if found is not None:
                    yield from self._apart(WrittenPart(*found, part.site, part.label), depth + 1)
                else:
                    yield from self._attributes(part, depth)
            case _:
                yield part

    def _attributes(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """What stands in the dict of an object, as `vars(args)` gives it."""
        for traced in self._linker.evaluator.evaluate(part.value, part.frame):
            if isinstance(traced.value, ContainerValue) and traced.value.kind == OBJECT_DICT:
                for slot in traced.value.slots:
                    held = WrittenPart(slot.value, slot.frame, part.site, part.label + slot.key.label)
                    inner = self._apart(held, depth + 1)
                    is_one_of = isinstance(slot.value, Choice)
                    yield from (replace(each, is_one_of=True) for each in inner) if is_one_of else inner

    def _may_be_data(self, value: Expr, frame: Frame) -> bool:
        """Whether nothing but data or containers is known of a value."""
        return all(
            is_indefinite(traced.value) or isinstance(traced.value, (ContainerValue, PlainValue))
            for traced in self._linker.evaluator.evaluate(value, frame)
        )

    def _held(self, part: WrittenPart, depth: int) -> Iterator[WrittenPart]:
        """What a container holds that is not kept itself."""
        return (each for each in self._apart(part, depth + 1) if each.label != part.label)

    def _is_excluded(self, part: WrittenPart) -> bool:
        """Whether a test before ("is it a dict?") leaves nothing of all that is known of a value."""
        evaluator, frame = self._linker.evaluator, part.frame
        if any(not is_indefinite(traced.value) for traced in evaluator.evaluate(part.value, frame)):
            return False
        return any(
            not is_indefinite(traced.value) for traced in evaluator.evaluate(without_narrowing(part.value), frame)
        )

    def _stored(self, base: Expr, name: str, frame: Frame) -> Iterator[tuple[Expr, Frame]]:
        """The calls whose results the methods of an object store in an attribute."""
        evaluator = self._linker.evaluator
        for traced in evaluator.evaluate(base, frame):
            if not isinstance(traced.value, InstanceValue):
                continue
            line = (each for each in self._linker.classes.mro(traced.value) if isinstance(each, ClassValue))
            for owner in line:
                for method in owner.facts.methods.values():
                    for event in method.events:
                        if isinstance(event, Store) and event.attribute == name and is_me(event.target, method):
                            called = FunctionValue(owner.module, method, owner.frame, traced.value)
                            home = evaluator.activate(called, Arguments((), {}, True), 1)
                            if home is not None and isinstance(without_narrowing(event.value), Call):
                                yield event.value, home

    def _bindings(self, name: str, value: Expr, frame: Frame) -> list[tuple[Expr, Frame]]:
        """What a global variable of the module is bound to by its own code, where it is read."""
        evaluator = self._linker.evaluator
        found: list[tuple[Expr, Frame]] = []
        for definition in evaluator.named(name, frame, Site(frame.module, value.span)):
            if definition.value is not None and definition.module is not None and definition.block is not None:
                found.append((definition.value, evaluator.module_frame(definition.module, definition.block.body)))
        return found


def _key_span(key: Expr, mapping: Mapping) -> Span:
    """Where a key stands in a dict display; the whole of what is put in, if the key comes from elsewhere (from the
    header of a loop, say)."""
    span = mapping.span
    return key.span if span.start <= key.span.start and key.span.end <= span.end else span


def _label(key: Expr | None, frame: Frame) -> str:
    if key is None:
        return "[…]"
    text = frame.module.document.text[key.span.start : key.span.end]
    return f"[{text}]".replace('"', "'") if len(text) <= 40 and "\n" not in text else "[…]"


def module_path(part: WrittenPart, linker: Linker) -> str | None:
    """The class path of a part that is a whole torch module, preferably not that of a container or wrapper; None if it
    is not known to be one."""
    values = [traced.value for traced in linker.evaluate(part.value, part.frame)]
    names = (_module_name(abstract, linker) for abstract in values)
    wrappers = (
        abstract.kind
        for abstract in values
        if isinstance(abstract, ContainerValue) and abstract.kind in MODULE_CONTAINERS
    )
    return next((name for name in (*names, *wrappers) if name is not None), None)


def _module_name(abstract: AbstractValue, linker: Linker) -> str | None:
    match abstract:
        case InstanceValue(class_=class_) if linker.classes.kind(abstract) in MODULE_KINDS:
            return class_.facts.name
        case ExternalResult(path=path) if linker.catalog.kind_of_class(path) in MODULE_KINDS:
            return path.rpartition(".")[2]
        case _:
            return None


def annotated_module(part: WrittenPart, linker: Linker) -> str | None:
    """The name of the class of torch modules that the annotation of a parameter names, if nothing else is known of the
    part."""
    if not isinstance(part.value, Parameter):
        return None
    if any(traced.value is not UNKNOWN for traced in linker.evaluate(part.value, part.frame)):
        return None
    name = class_named_for(part.value, part.frame)
    is_module = bool(name) and linker.headers.kind_of_name(part.frame.module, name) in MODULE_KINDS
    return name.rpartition(".")[2] if is_module else None


def model_name(call: BoundaryCall, part: WrittenPart, linker: Linker) -> str | None:
    """The name of an unknown object in the call that writes it, if it is a name used only for models; None for the
    argument of an unknown caller."""
    match without_narrowing(part.value):
        case Parameter() | Call(function=Attribute(name="state_dict")):
            return None
    if any(traced.value is not UNKNOWN for traced in linker.evaluate(part.value, part.frame)):
        return None
    name = _object_name(call)
    return name if _MODEL_NAME.fullmatch(name) else None


def _object_name(call: BoundaryCall) -> str:
    """The dotted name that is written in the call as the object to write; "" if it is no name."""
    text = call.site.module.document.text[call.site.span.start : call.site.span.end]
    try:
        tree = parse_expression(text)
    except BrokenSyntax:
        return ""
    if not isinstance(tree, ast.Call):
        return ""
    written = tree.args[0] if tree.args else next((k.value for k in tree.keywords if k.arg == "obj"), None)
    return ast.unparse(written) if isinstance(written, (ast.Name, ast.Attribute)) else ""


def runs_as_main(module: Module, asking: Module, linker: Linker) -> bool:
    """Whether a module is a script: it has a main guard or is a notebook, and nothing in the project imports it.
    `asking` is the module being judged."""
    guarded = text_from_guard(module.code)
    if module.document.cells is None and guarded is None:
        return False
    stem = module.name.rpartition(".")[2]
    imports = re.compile(rf"^\s*(?:from|import)\b[^#\n]*\b{re.escape(stem)}\b", re.MULTILINE)
    itself = re.compile(
        rf"^\s*(?:from\s+[\w.]*\b{re.escape(stem)}\s+import|import\s+[\w.]*\b{re.escape(stem)}\b)", re.M
    )
    if guarded is not None and itself.search(guarded):
        return False  # It imports itself anew, to run what that defines.
    return not any(path != module.path for path in linker.first_party.which(Words({stem}), asking.path, imports))
