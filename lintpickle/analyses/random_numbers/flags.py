"""Code behind flags of the command line, which are off until a user turns them on."""

from __future__ import annotations

import ast
import re

from lintpickle.control_flow.claims import tests_in
from lintpickle.diagnostics import Span
from lintpickle.interpreter.abstract_values import Frame
from lintpickle.payload.linker import Linker

_FLAG = r"\.add_argument\(\s*(?:['\"]-\w+['\"]\s*,\s*)?['\"]--{0}['\"][^()]*['\"]store_true['\"]"


def is_behind_flag(place: Span, frame: Frame, linker: Linker) -> bool:
    """Whether a place of a function is reached only if an attribute is true that the module reads from a flag of the
    command line: `add_argument("--random", action="store_true")`."""
    for test, holds in linker.conditions.tests_before(place, frame):
        for part, answer in tests_in(test, holds):
            match part:
                case ast.Attribute(value=ast.Name(), attr=name) if answer:
                    option = re.escape(name).replace("_", "[-_]")
                    if frame.module.has(re.compile(_FLAG.format(option))):
                        return True
                case _:
                    pass
    return False
