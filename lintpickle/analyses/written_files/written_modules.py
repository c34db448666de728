"""Whole torch modules among what is written to a file, and the scripts that write it."""

from __future__ import annotations

import ast
import re

from lintpickle.analyses.calls_and_values.annotations import class_named_for
from lintpickle.analyses.pickle_hooks.record_fields import put_into_field
from lintpickle.analyses.written_files.written import WrittenPart
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, before_puts, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, AbstractValue, ContainerValue, ExternalResult, InstanceValue
from lintpickle.interpreter.slots import MODULE_CONTAINERS, MODULE_KINDS
from lintpickle.parsing.main_guard import text_from_guard
from lintpickle.parsing.syntax import expression_in
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_MODEL_NAME = re.compile(r"(?:\w+\.)*_?(?:model|net|network|netG|netD|encoder|decoder|backbone)(?:\.module)?")

_OF_MODULES = r"(?:state_dict|parameters|named_parameters|named_modules|eval)\(\)"
_IN_PLACE = r"(?:cpu|cuda|to|half)\([^\n]*\)[ \t]*$"
"""Methods that change a module, and give a new tensor."""


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
    argument of an unknown caller, and for the field of a named tuple that gets the state of a model."""
    value = without_narrowing(part.value)
    if isinstance(value, Parameter) or _is_state(value):
        return None
    if isinstance(value, Attribute) and any(map(_is_state, put_into_field(value.name, part.frame.module))):
        return None
    if any(traced.value is not UNKNOWN for traced in linker.evaluate(part.value, part.frame)):
        return None
    name = _object_name(call)
    return name if _MODEL_NAME.fullmatch(name) else None


def used_as_module(call: BoundaryCall, part: WrittenPart, linker: Linker) -> str | None:
    """An unknown object in the call that writes it, as the code names it (`state["model"]`), if the function that does
    so also calls what only modules have, or moves it to a device in place; None if it may be a state."""
    if any(map(_is_state, before_puts(part.value))):
        return None
    if any(traced.value is not UNKNOWN for traced in linker.evaluate(part.value, part.frame)):
        return None
    written = _object_written(call)
    if not isinstance(written, (ast.Name, ast.Attribute, ast.Subscript)):
        return None
    name, body = ast.unparse(written), call.frame.function.span
    code = call.frame.module.code[body.start : body.end].replace('"', "'")
    named = rf"(?<![\w.]){re.escape(name)}\."
    if re.search(rf"(?<![\w.]){re.escape(name)}\s*=[^=\n]*state_dict\(", code):
        return None
    uses = re.compile(rf"{named}{_OF_MODULES}|^\s*{named}{_IN_PLACE}", re.MULTILINE)
    return name if uses.search(code) else None


def _object_name(call: BoundaryCall) -> str:
    """The dotted name that is written in the call as the object to write; "" if it is no name."""
    written = _object_written(call)
    return ast.unparse(written) if isinstance(written, (ast.Name, ast.Attribute)) else ""


def _object_written(call: BoundaryCall) -> ast.expr | None:
    tree = expression_in(call.site.module.document.text[call.site.span.start : call.site.span.end])
    if not isinstance(tree, ast.Call):
        return None
    return tree.args[0] if tree.args else next((k.value for k in tree.keywords if k.arg == "obj"), None)


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


def _is_state(value: Expr) -> bool:
    match without_narrowing(value):
        case Call(function=Attribute(name="state_dict")):
            return True
        case _:
            return False
