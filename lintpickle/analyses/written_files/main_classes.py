"""Classes that a script defines and writes to a file, which then refers to `__main__.Class`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.written_files.loading import (
    is_read_back_here_alone,
    is_read_by_namesakes,
    reads_pickles,
    renames_main,
)
from lintpickle.analyses.written_files.written import TORCH_SAVE, WrittenPart, parts
from lintpickle.analyses.written_files.written_modules import module_path, runs_as_main
from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, Frame, FunctionValue, InstanceValue
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module


class MainClass(Struct, frozen=True):
    """A part of a written object whose class or function, of this qualified name, the script defines. `is_certain`: the
    script is run as the main program, and something in the program names the function that writes."""

    part: WrittenPart
    name: str
    is_certain: bool


def main_classes(call: BoundaryCall, linker: Linker) -> Iterator[MainClass]:
    """What a call writes to a file under the name of the script's `__main__`."""
    if call.spec.path not in TORCH_SAVE and not call.spec.path.endswith(".dump"):
        return
    if call.spec.kind not in ("save", "pickle"):
        return
    if _is_known_elsewhere(call, linker):
        return
    start = call.hops[0].site.module if call.hops else call.site.module
    is_torch = call.spec.path in TORCH_SAVE
    if is_torch and is_read_back_here_alone(start, linker):
        return
    if not is_torch and (reads_pickles(start) or any(map(renames_main, (call.frame.module, start)))):
        return
    is_script = linker.purposes.is_run_itself(start.path, start.code) and _is_named(call.frame, start.path, linker)
    for part in parts(call, linker):
        if call.spec.path in TORCH_SAVE and module_path(part, linker) is not None:
            continue
        for traced in linker.evaluate(part.value, part.frame):
            found = defined_in(traced.value)
            if found is not None and found[0] is start and runs_as_main(start, call.frame.module, linker):
                if not is_read_by_namesakes(start, found[1], linker):
                    yield MainClass(part, found[1], is_script)
                break


def _is_known_elsewhere(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the code checks a class's module first, and writes only objects not defined in the script: `if
    self.__module__ == "__main__": … else: pickle.dump(self, file)`."""
    return any(
        _asks_for_main(test) and holds is isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        for test, holds in linker.conditions.tests_before(call.call.span, call.frame)
        if isinstance(test, ast.Compare)
    )


def _is_named(writer: Frame, asker: str, linker: Linker) -> bool:
    """Whether a function that writes is named somewhere but where it is defined: a method that a library offers to its
    users writes no object of a script that leaves it alone."""
    function = writer.function
    if function.is_module_body or function.is_local or function.decorators or function.name.startswith("__"):
        return True
    named = re.compile(rf"(?<!def )\b{re.escape(function.name)}\b")
    return linker.first_party.is_anywhere(Words({function.name}), asker, named)


def _asks_for_main(test: ast.Compare) -> bool:
    sides = (test.left, *test.comparators)
    asks_module = any(isinstance(side, ast.Attribute) and side.attr == "__module__" for side in sides)
    return asks_module and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def defined_in(value: AbstractValue) -> tuple[Module, str] | None:
    """The module and qualified name by which pickle writes an instance, class or function; None if it cannot write the
    value by name."""
    match value:
        case InstanceValue(class_=ClassValue(module=module, facts=facts)) | ClassValue(module=module, facts=facts):
            return None if facts.is_local else (module, facts.qualname)
        case FunctionValue(module=module, facts=facts, bound=None, opaque=False):
            return None if facts.is_local or facts.name == "<lambda>" else (module, facts.qualname)
        case _:
            return None
