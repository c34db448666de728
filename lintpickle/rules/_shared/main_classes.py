"""Classes that a script defines and writes to a file, which then refers to `__main__.Class`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.written import TORCH_SAVE, module_path, parts, runs_as_main
from lintpickle.diagnostics import Confidence
from lintpickle.rules.authoring import (
    AbstractValue,
    BoundaryCall,
    ClassValue,
    FunctionValue,
    Hazard,
    InstanceValue,
    Linker,
    Module,
    Words,
)

_LOAD_WORDS = Words({"torch.load"})
_TORCH_LOAD = re.compile(r"\btorch\.load\(")
_TRUSTING = re.compile(r"\bweights_only\s*=\s*False\b|\bsafe_globals\b")
_READS_BACK = re.compile(r"\b(?:pickle|joblib|pkl)\.(?:load|Unpickler)\(|\bread_pickle\(")


def main_classes_written(call: BoundaryCall, linker: Linker) -> Iterator[Hazard]:
    """The classes of a script that a call writes to a file under the name of its `__main__`."""
    if call.spec.path not in TORCH_SAVE and not call.spec.path.endswith(".dump"):
        return
    if call.spec.kind not in ("save", "pickle"):
        return
    if _is_known_elsewhere(call, linker):
        return
    start = call.hops[0].site.module if call.hops else call.site.module
    is_torch = call.spec.path in TORCH_SAVE
    if is_torch and _is_read_back_here_alone(start, linker):
        return
    if not is_torch and start.has(_READS_BACK):
        return
    is_script = linker.purposes.is_run_itself(start.path, start.code)
    for part in parts(call, linker):
        if call.spec.path in TORCH_SAVE and module_path(part, linker) is not None:
            continue
        for traced in linker.evaluate(part.value, part.frame):
            found = defined_in(traced.value)
            if found is None or found[0] is not start or not runs_as_main(start, call.frame.module, linker):
                continue
            yield Hazard(
                site=part.site,
                noun="it is written",
                error=f"AttributeError: Can't get attribute '{found[1]}' on <module '__main__' from '…'>",
                data={"name": found[1]},
                rests_on=(part.frame.module,),
                confidence=None if is_script else Confidence.POSSIBLE,
            )
            break


def _is_known_elsewhere(call: BoundaryCall, linker: Linker) -> bool:
    """Whether the code checks a class's module first, and writes only objects not defined in the script: `if
    self.__module__ == "__main__": … else: pickle.dump(self, file)`."""
    return any(
        _asks_for_main(test) and holds is isinstance(test.ops[0], (ast.NotEq, ast.IsNot))
        for test, holds in linker.conditions.tests_before(call.call.span, call.frame)
        if isinstance(test, ast.Compare)
    )


def _asks_for_main(test: ast.Compare) -> bool:
    sides = (test.left, *test.comparators)
    asks_module = any(isinstance(side, ast.Attribute) and side.attr == "__module__" for side in sides)
    return asks_module and any(isinstance(side, ast.Constant) and side.value == "__main__" for side in sides)


def _is_read_back_here_alone(script: Module, linker: Linker) -> bool:
    """Whether the script is the only one that loads what `torch.save` wrote, and loads whole objects."""
    if not script.has(_TORCH_LOAD) or not script.has(_TRUSTING):
        return False
    loading = linker.first_party.which(_LOAD_WORDS, script.path, _TORCH_LOAD)
    return all(path == script.path for path in loading)


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
