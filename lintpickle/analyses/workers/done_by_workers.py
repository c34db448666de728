"""What workers do, too, when main changes a thing of a module: by a method of the class that they run themselves
(`Table.install(rows)`, their initializer), or by one that the constructor of the object calls as the module is imported
(`TABLE.load()`, where `Table.__init__` loads)."""

from __future__ import annotations

import re

from lintpickle.analyses.calls_and_values.stored_by_methods import changing_method, methods_storing
from lintpickle.analyses.main_state.global_setters import setters_of
from lintpickle.analyses.main_state.read_objects import Owner
from lintpickle.analyses.workers.runs_elsewhere import runs_beside_main
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts
from lintpickle.facts.values import Attribute, Parameter
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CALLED = re.compile(r"[\w.]+\.(\w+)\s*\(")
_WITHOUT_ARGUMENTS = re.compile(r"[\w.]+\(\s*\)")
_MAKES = "__init__"


def is_done_by_workers(root: RootFrame, span: Span, owner: Owner, code: WorkerCode, linker: Linker) -> bool:
    """Whether a class is changed by the call of a method of its own that workers run, too, or which only has such
    methods change it (`Registry.names()`, which calls `cls.load()`), or an object by one that its constructor has
    called."""
    module = root.frame.module
    called = _CALLED.match(module.code, span.start, span.end)
    method = changing_method(called[1], owner, linker) if called is not None else None
    if called is None or method is None:
        return False
    if isinstance(owner.value, ClassValue):
        storing = methods_storing(called[1], owner, linker) or [method]
        return runs_beside_main(method, owner.module, code, linker) or all(
            runs_beside_main(each, owner.module, code, linker) for each in storing
        )
    return _is_done_by_constructor(method, span, module, owner, linker, code.root.site.module.path)


def _is_done_by_constructor(
    method: FunctionFacts, place: Span, module: Module, owner: Owner, linker: Linker, asker: str
) -> bool:
    """Whether a call of a method of an object, at a place of a module, does what the constructor has done, from what
    all processes have: nobody sets an attribute of the object, or a global that the method reads; and what it keeps is
    made anew."""
    is_plain = _WITHOUT_ARGUMENTS.fullmatch(module.code, place.start, place.end) is not None
    if not is_plain or not isinstance(owner.value, InstanceValue):
        return False
    making = linker.classes.find_method(owner.value, _MAKES)
    if making is None or not _calls(making[1], method):
        return False
    home = making[0].module
    stored = re.compile(rf"\b{re.escape(owner.name)}\s*\.\s*\w[\w.\[\]\"']*\s*(?:[-+*/|&%]|//|\*\*)?=(?!=)")
    return not (
        any(setters_of(name, home) or len(home.outline.binding(name)) > 1 for name in method.reads)
        or _adds(method, home)
        or linker.first_party.is_anywhere(Words({owner.name}), asker, stored)
    )


def _calls(making: FunctionFacts, method: FunctionFacts) -> bool:
    """Whether a constructor calls a method of the object without arguments, whatever else it does."""
    me = making.parameters[0].name if making.parameters else None
    for event in making.events:
        match event:
            case Called(conditional=False, call=call) if not call.arguments:
                match call.function:
                    case Attribute(base=Parameter(name=name), name=called) if name == me and called == method.name:
                        return True
                    case _:
                        pass
            case _:
                pass
    return False


def _adds(method: FunctionFacts, home: Module) -> bool:
    """Whether a method adds to what its object has kept so far: it counts, or appends to a list that it does not make
    itself."""
    me = re.escape(method.parameters[0].name)
    text = home.code[method.header.end : method.span.end]
    added = re.findall(rf"\b{me}\.(\w+)\s*(?:(?:[-+*/|&%]|//|\*\*)=|\.(?:append|extend|insert|appendleft)\()", text)
    return any(re.search(rf"\b{me}\.{name}\s*=(?!=)", text) is None for name in added)
