"""Which modules run in the programs that start from a script."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lintpickle.parsing.main_guard import has_guard
from lintpickle.payload.imported_modules import imported_anywhere
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.remembering import Remembering


class ProgramsOfScripts(Remembering):
    """Answers for the modules of one run."""

    def __init__(self, program: Program) -> None:
        super().__init__()
        self._program = program

    def may_run_with(self, script: str, module: Module) -> bool:
        """Whether code of a module may run in one program with that of a script, given by its path: not if the module
        is a script too, and imports lead from neither to the other. What is no script may run in any program."""
        return self.remembered(("may run with", script, module.path), lambda: self._may_run_with(script, module))

    def _may_run_with(self, script: str, module: Module) -> bool:
        if module.path == script or not has_guard(module.code):
            return True
        if script in self._reached_from(module):
            return True
        start = self._program.load(script)
        return isinstance(start, Module) and module.path in self._reached_from(start)

    def _reached_from(self, start: Module) -> frozenset[str]:
        """The paths of a module and of those to which import statements lead from it."""
        return self.remembered(("reached", start.path), lambda: frozenset(self._reached(start)))

    def _reached(self, start: Module) -> Iterator[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            module = waiting.pop()
            if module.path not in seen:
                seen.add(module.path)
                waiting += self.remembered(("imports", module.path), partial(self._imports, module))
                yield module.path

    def _imports(self, module: Module) -> tuple[Module, ...]:
        return tuple(dict.fromkeys(imported_anywhere(module, self._program)))
