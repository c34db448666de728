"""Places at which the main process asks the system for the times of its children, or which there are, where these are
workers: under forkserver, workers are children of the server.

Measured with CPython 3.11 and psutil 7: under forkserver, `resource.getrusage(resource.RUSAGE_CHILDREN)` and
`os.times().children_user` are zero when workers have ended, and `psutil.Process().children()` has the server, but no
worker; with `recursive=True` it has both.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct

from lintpickle.analyses.at_import.import_statements import path_called
from lintpickle.analyses.calls_and_values.common_callers import may_run_together
from lintpickle.analyses.main_state.main_setters import is_called
from lintpickle.analyses.workers.workers_started import is_before_all_workers
from lintpickle.control_flow.paths import Paths
from lintpickle.interpreter.abstract_values import Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.names_read import within
from lintpickle.payload.imported_modules import imported_with
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.program.module import Module

_ASKING = re.compile(r"\bRUSAGE_CHILDREN\b|\btimes\(\)|\.children\(\s*\)")
_WORDS = frozenset({"RUSAGE_CHILDREN", "times", "children"})
_USAGE, _OF_CHILDREN = "resource.getrusage", "resource.RUSAGE_CHILDREN"
_TIMES = "os.times"
_PROCESS, _OWN_NUMBER = "psutil.Process", "os.getpid"
_OTHER_CHILDREN = re.compile(
    r"\bfork(?:pty)?\(|\bPopen\(|\bposix_spawnp?\(|\bspawn[lv]p?e?\(|\bos\.(?:system|popen)\("
    r"|\bsubprocess\.(?:run|call|check_call|check_output|getoutput|getstatusoutput)\(|\bcreate_subprocess_\w+\("
)
"""What makes children that are no workers, and may be what is asked for."""


class ChildrenAsked(Struct, frozen=True):
    """A place where children are asked for; `is_for_times`: for the times of those that have ended. `is_elsewhere`: no
    function is seen that leads there, and to where the workers are started: they may be of another command."""

    site: Site
    is_for_times: bool
    is_elsewhere: bool


def children_counted(code: WorkerCode, linker: Linker) -> Iterator[ChildrenAsked]:
    """The places in code that no worker runs, in a program that starts processes and makes no other children."""
    if not code.root.site.module.first_party:
        return
    asker, running = code.root.site.module.path, {id(each.facts) for each in code.functions}
    roots = [each for each in linker.activations_with(_WORDS, _ASKING, asker) if id(each.function) not in running]
    there = imported_with([site.module for site in code.way], linker) if roots else ()
    if any(module.first_party and module.has(_OTHER_CHILDREN) for module in there):
        return
    for root in roots:
        module = root.frame.module
        if module not in there or not is_called(root.function, module, linker, asker):
            continue
        for node, is_for_times in _asked_in(root.frame.paths, module):
            place = root.frame.paths.span(node)
            asked = Site(module, place)
            is_in_workers = code.function_around(asked) is not None
            if not is_in_workers and not is_before_all_workers(place, root.function, module, linker):
                yield ChildrenAsked(asked, is_for_times, _is_elsewhere(root, code, linker))


def _is_elsewhere(root: RootFrame, code: WorkerCode, linker: Linker) -> bool:
    """Whether nothing is seen to lead to a function, and to the one that starts the workers."""
    if code.boundary is None:
        return False
    start = code.boundary.frame
    here, there = (root.function, root.frame.module), (start.function, start.module)
    return not may_run_together(here, there, linker, code.root.site.module.path)


def _asked_in(paths: Paths, module: Module) -> Iterator[tuple[ast.expr, bool]]:
    """The expressions by which a function asks for children, and whether for their times."""

    def gives(node: ast.expr, path: str) -> bool:
        made = paths.without_name(node)
        return isinstance(made, ast.Call) and path_called(made.func, module) == path

    for node in within(paths.tree):
        match node:
            case ast.Call(func=function, args=[of]) if path_called(function, module) == _USAGE:
                if path_called(of, module) == _OF_CHILDREN:
                    yield node, True
            case (
                ast.Attribute(value=times, attr="children_user" | "children_system")
                | ast.Subscript(value=times, slice=ast.Constant(value=2 | 3))
            ) if gives(times, _TIMES):
                yield node, True
            case ast.Call(func=ast.Attribute(value=process, attr="children"), args=[], keywords=[]):
                if gives(process, _PROCESS) and _is_own(paths.without_name(process), module):
                    yield node, False
            case _:
                pass


def _is_own(process: ast.expr, module: Module) -> bool:
    """Whether a call makes the object of the process that runs it."""
    match process:
        case ast.Call(args=[], keywords=[]):
            return True
        case ast.Call(args=[ast.Call(func=number)], keywords=[]):
            return path_called(number, module) == _OWN_NUMBER
        case _:
            return False
