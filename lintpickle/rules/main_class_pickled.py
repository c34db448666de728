from __future__ import annotations

from collections.abc import Iterable

from lintpickle.diagnostics import Severity
from lintpickle.rules._shared.main_classes import main_classes_written
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Linker, Rule


class MainClassPickled(Rule):
    """An object written to a file by the script that defines its class, so that the file refers to `__main__.Class`."""

    code = "LP502"
    name = "main-class-pickled"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    of_what_is_written = True
    message = (
        "`{name}` is defined in this script and written to a file as `__main__.{name}`, which no other program "
        "can load: {error}"
    )
    help = "define it in a module that the script imports, or write plain data"
    words = frozenset({"__main__"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        return main_classes_written(call, linker)
