"""Which test cases a test runner runs."""

from __future__ import annotations

from lintpickle.analyses.at_import.import_fillings import deriving
from lintpickle.interpreter.abstract_values import ClassValue
from lintpickle.payload.linker import Linker

_TEST = "test"
"""How `unittest.TestLoader.testMethodPrefix` begins the names of tests; a class without any has `runTest`."""
_ONLY_TEST = "runTest"


def may_be_run(class_: ClassValue, linker: Linker, asker: str) -> bool:
    """Whether a test runner may make objects of a test case: it has a test, or another class is derived
    from it. `asker` is the path of the module that is judged."""
    own = (each.facts for each in linker.classes.mro(class_) if isinstance(each, ClassValue))
    if any(name.startswith(_TEST) or name == _ONLY_TEST for facts in own for name in (*facts.methods, *facts.body)):
        return True
    return any(deriving((class_.facts.name,), linker, asker))
