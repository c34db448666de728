"""Objects whose `__del__` removes a file, a folder or shared memory, which copies of them do in workers, too.

Measured with CPython 3.11, under fork, spawn and forkserver: the copy that a task of a pool or executor gets is deleted
when the task is done, and its `__del__` runs; that of a `Process(args=…)` or of `initargs` is kept until the process
ends, and deleted only where that is a spawned one, whose interpreter ends as others do (those of a pool that its `with`
ends are killed). A copy of a `weakref.finalize` or of a `tempfile.TemporaryDirectory` removes nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, node_of
from lintpickle.analyses.workers.several_workers import loop_around
from lintpickle.boundaries.boundary_call import ITSELF
from lintpickle.facts.records import FunctionFacts
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site
from lintpickle.interpreter.held import mangled
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.parsing.assigned import variable_of
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import Linker

_DELETED = "__del__"
_OWN_COPY = ("__getstate__", "__setstate__", "__getattr__", "__getnewargs__", "__getnewargs_ex__", *REDUCERS)
"""Hooks by which a copy may be told from the object, or left empty."""
_REMOVING = frozenset(
    {"os.remove", "os.unlink", "os.rmdir", "os.removedirs", "shutil.rmtree", "remove", "unlink", "rmtree"}
)
_METHODS = frozenset({"unlink", "rmdir", "rmtree"})
_ASKING = frozenset({"exists", "isdir", "isfile", "is_dir", "is_file"})
_TELLS_APART = re.compile(r"getpid|current_process|parent_process|\breturn\b|\braise\b|\byield\b")
_KINDS, _ONE_TASK = frozenset({"pool", "executor"}), frozenset({"apply", "apply_async", "submit"})
_PROCESS = "process"
_DEEPEST = 2
"""Methods within each other that `__del__` calls on its object, and that are read."""


class Removal(Struct, frozen=True):
    """What surely removes the file, folder or shared memory that an attribute names, when an object is deleted."""

    attribute: str
    site: Site
    written: str
    is_at_end: bool = False
    """Whether it does so as the worker ends, which only a spawned one does, rather than when a task is done."""


def removal_by_copy(crossing: Crossing, made: InstanceValue, linker: Linker) -> Removal | None:
    """What the copy of an object removes in the worker, when its task is done or the process ends, that is used later;
    None if nothing."""
    spec = crossing.root.spec
    if spec is None or spec.kind not in (*_KINDS, _PROCESS) or spec.only_starts or spec.functions == ():
        return None
    if crossing.role == ITSELF and crossing.inside is None:
        return None
    removal = _removal_when_deleted(made, linker)
    if removal is None or mangled(removal.attribute, made.class_.facts.name) not in Shipped(made, linker.evaluator):
        return None
    is_process = spec.kind == _PROCESS
    is_used = _is_used_later(crossing, made, is_process or spec.name in _ONE_TASK)
    return replace(removal, is_at_end=is_process) if is_used else None


def _removal_when_deleted(made: InstanceValue, linker: Linker) -> Removal | None:
    found = linker.classes.find_method(made, _DELETED)
    line = tuple(each for each in linker.classes.mro(made.class_) if isinstance(each, ClassValue))
    if found is None or defines(line, *_OWN_COPY):
        return None
    return next(_removals(*found, made, linker), None)


def _removals(
    owner: ClassValue, method: FunctionFacts, made: InstanceValue, linker: Linker, depth: int = 0
) -> Iterator[Removal]:
    """What a method does for sure, itself or by the methods of its object that it calls."""
    module, parsed = owner.module, node_of(owner.module, method)
    text = module.code[method.span.start : method.span.end]
    if parsed is None or not method.parameters or _TELLS_APART.search(text) is not None:
        return
    source, node = parsed
    for call in _calls_done(node.body):
        removed = _removed(call)
        parts = removed.split(".") if removed is not None else []
        if len(parts) == 2 and parts[0] == method.parameters[0].name:
            yield Removal(parts[1], Site(module, source.span(call)), ast.unparse(call))
            continue
        match call:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=me), attr=name), args=[], keywords=[]):
                inner = linker.classes.find_method(made, name) if depth < _DEEPEST else None
                if me == method.parameters[0].name and inner is not None:
                    yield from _removals(*inner, made, linker, depth + 1)
            case _:
                pass


def _calls_done(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """The calls that are statements of a body, also of those in it that are done if what is removed is there."""
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call() as call):
                yield call
            case ast.Try(body=inner) | ast.With(body=inner):
                yield from _calls_done(inner)
            case ast.If(test=test, body=inner):
                asked = _asked(test)
                yield from (each for each in _calls_done(inner) if asked is not None and asked == _removed(each))
            case _:
                pass


def _removed(call: ast.Call) -> str | None:
    """What a call removes, as it is written: `self.root` in `shutil.rmtree(str(self.root))`."""
    match call:
        case ast.Call(func=function, args=[path, *_]) if dotted(function) in _REMOVING:
            return _path(path)
        case ast.Call(func=ast.Attribute(value=path, attr=name), args=[]) if name in _METHODS:
            return dotted(path)
        case _:
            return None


def _path(path: ast.expr) -> str | None:
    match path:
        case ast.Call(func=ast.Name(id="str"), args=[inner]):
            return dotted(inner)
        case _:
            return dotted(path)


def _asked(test: ast.expr) -> str | None:
    """What a condition asks for being there: `self.root` in `os.path.exists(self.root)`, `self.root is not None`."""
    match test:
        case ast.Call(func=ast.Attribute(attr=name), args=[path]) if name in _ASKING:
            return _path(path)
        case ast.Call(func=ast.Attribute(value=path, attr=name), args=[]) if name in _ASKING:
            return dotted(path)
        case ast.Compare(left=path, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return dotted(path)
        case _:
            return dotted(test)


def _is_used_later(crossing: Crossing, made: InstanceValue, is_one_task: bool) -> bool:
    """Whether other tasks get the object, or the function that makes it names it behind the start of the task."""
    if made.call is None or made.frame is None or made.copies:
        return False
    home, body, span = made.frame.module, made.frame.function, made.call.span
    around = loop_around(Site(home, span))
    task = loop_around(crossing.root.site)
    is_anew = around is not None and (crossing.root.site.module is not home or task == around)
    if not is_anew and around is None and (not is_one_task or task is not None):
        return True
    name = variable_of(home.code, span, 0 if body.is_module_body else body.span.start)
    places = [crossing.root.site, *(hop.site for hop in crossing.hops)]
    here = [
        each.span.end for each in places if each.module is home and body.span.start < each.span.end <= body.span.end
    ]
    if name is None or not here:
        return False
    end = len(home.code) if body.is_module_body else body.span.end
    return re.search(rf"(?<![\w.]){name}\b(?!\s*=[^=])", home.code[max(here) : end]) is not None
