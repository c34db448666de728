"""Attributes that the hooks of a class leave out and set back to what a new object has, though the main process has
changed them. For `migrate`: where an object is inherited, it keeps what it has."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.caller_frames import frame_of_method
from lintpickle.analyses.calls_and_values.hierarchies import REDUCERS, defines, is_me, node_of, plain_ancestors
from lintpickle.analyses.lost_changes.attribute_changes import AttributeChange, changes_of
from lintpickle.analyses.main_state.main_setters import (
    Met,
    Setter,
    Setting,
    changes_written,
    of_the_program,
    set_by,
    setter_at,
)
from lintpickle.analyses.pickle_hooks.emptied_state import (
    EMPTY_CONTAINER,
    Emptied,
    EmptyRead,
    first_read,
    is_made_anew,
)
from lintpickle.analyses.pickle_hooks.left_out_of_state import first_worker_read
from lintpickle.analyses.pickle_hooks.own_state import CONSTRUCTION
from lintpickle.analyses.workers.given_at_start import methods_of_given
from lintpickle.facts.records import FunctionFacts, Store
from lintpickle.facts.values import Attribute, Collection, Constant, Expr, Mapping, Parameter, without_narrowing
from lintpickle.interpreter.abstract_values import ClassValue, InstanceValue, Site
from lintpickle.interpreter.hook_runs import Fate
from lintpickle.interpreter.pickling_hooks import Shipped
from lintpickle.parsing.syntax import dotted
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_SENDING, _ARRIVING, _MAKING = "__getstate__", "__setstate__", "__init__"
_NOTHING = re.compile(rf"None|{EMPTY_CONTAINER}")
_CONTAINERS = frozenset(
    {"dict", "list", "set", "tuple", "frozenset", "OrderedDict", "Counter", "deque", "copy", "deepcopy"}
)
"""What makes a container of what it is given."""
_DATA = (Parameter, Constant, Collection, Mapping)
_LONGEST = 50
"""Characters of a value that a message quotes."""


def reset_read(class_: ClassValue, code: WorkerCode, linker: Linker) -> Iterator[tuple[EmptyRead, Setting]]:
    """The attributes of a class that workers read and find as they are in a new object, each once, with how the main
    process changes them."""
    asker = code.root.site.module.path
    line = tuple(each for each in linker.classes.mro(class_) if isinstance(each, ClassValue))
    given = methods_of_given(class_, code, linker)
    running = {id(each.facts): each for each in (*given, *code.functions, *code.by_value)}
    for reset in _reset_attributes(class_, linker):
        read = first_worker_read(reset.attribute, line, running) or first_read(reset.attribute, code)
        if read is None:
            continue
        setters = [*_by_methods(reset, line, linker, asker), *_from_outside(reset, linker, asker)]
        shown = reset.left if len(reset.left) <= _LONGEST and "\n" not in reset.left else None
        met = Met(f"there it is `{shown}`" if shown is not None else "there it is as in a new one", "changed")
        setting = set_by(of_the_program(setters, code, linker), met, linker, asker)
        if setting is not None:
            yield EmptyRead(reset, *read), setting


def _reset_attributes(class_: ClassValue, linker: Linker) -> Iterator[Emptied]:
    classes = linker.classes
    sending, arriving = (classes.find_method(class_, name) for name in (_SENDING, _ARRIVING))
    line = plain_ancestors(class_, classes)
    if sending is None or arriving is None or line is None:
        return
    if defines(line, *REDUCERS, "__getattr__", "__getattribute__", "__setattr__"):
        return
    making = classes.find_method(class_, _MAKING)
    hook = making if is_made_anew(*arriving) and making is not None else arriving
    given = _given(arriving, hook)
    if given is None:
        return
    instance = linker.activations.instance(class_)
    shipped = Shipped(instance, linker.evaluator)
    for name, value in _plain_stores(*hook, given, linker):
        written = ast.unparse(value)
        if shipped.fate(name) is Fate.LEFT_OUT and _NOTHING.fullmatch(written) is None:
            yield Emptied(class_, name, written, Site(hook[0].module, hook[1].header))


def _given(arriving: tuple[ClassValue, FunctionFacts], hook: tuple[ClassValue, FunctionFacts]) -> set[str] | None:
    """The parameters of what restores an object with which it is told something: those of `__init__` that
    `__setstate__` passes, or its own; None if that is not seen."""
    found = node_of(arriving[0].module, arriving[1])
    making = node_of(hook[0].module, hook[1])
    if found is None or making is None:
        return None
    names = [each.arg for each in (*making[1].args.posonlyargs, *making[1].args.args)][1:]
    if hook is arriving:
        return set(names)
    calls = [statement.value for statement in found[1].body if isinstance(statement, ast.Expr)]
    made = [each for each in calls if isinstance(each, ast.Call) and dotted(each.func).endswith(f".{_MAKING}")]
    if len(made) != 1 or any(isinstance(each, ast.Starred) for each in made[0].args):
        return None
    keywords = [each.arg for each in made[0].keywords]
    return {*names[: len(made[0].args)], *(each for each in keywords if each)} if None not in keywords else None


def _plain_stores(
    owner: ClassValue, method: FunctionFacts, given: set[str], linker: Linker
) -> Iterator[tuple[str, ast.expr]]:
    """What a method stores on its object on every way through it, once, if that does not depend on what it is given."""
    found = node_of(owner.module, method)
    if found is None or not found[1].args.args:
        return
    me = found[1].args.args[0].arg
    stored = [
        node.attr for node in ast.walk(found[1]) if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    ]
    for statement in found[1].body:
        match statement:
            case ast.Assign(targets=[target], value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                pass
            case _:
                continue
        match target:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == me and stored.count(attribute) == 1:
                if _is_plain(value, given, me) or _is_new_record(attribute, value, given, (owner, method), linker):
                    yield attribute, value
            case _:
                pass


def _is_plain(value: ast.expr, given: set[str], me: str) -> bool:
    """Whether a value is data that is written there, or a copy of such data."""
    for node in ast.walk(value):
        match node:
            case ast.Name(id=name) if name in given or name == me:
                return False
            case ast.Call(func=function) if dotted(function).rpartition(".")[2] not in _CONTAINERS:
                return False
            case ast.Lambda() | ast.Await() | ast.NamedExpr() | ast.Yield() | ast.YieldFrom():
                return False
            case _:
                pass
    return True


def _is_new_record(
    attribute: str, value: ast.expr, given: set[str], hook: tuple[ClassValue, FunctionFacts], linker: Linker
) -> bool:
    """Whether a method stores a new object of a class of the program which holds nothing but data that are written
    there, or those with which it is made."""
    me = hook[1].parameters[0].name
    if not isinstance(value, ast.Call) or not all(_is_plain(each, given, me) for each in _arguments(value)):
        return False
    frame = frame_of_method(hook, linker.activations.instance(hook[0]), linker)
    stored = [each.value for each in hook[1].events if isinstance(each, Store) and each.attribute == attribute]
    found = [each.value for each in linker.evaluate(stored[0], frame)] if frame is not None and stored else []
    match found:
        case [InstanceValue(class_=class_) as made] if class_.module.first_party:
            is_read = plain_ancestors(class_, linker.classes) is not None
            held = linker.classes.states.state(made) if is_read else ()
            return bool(held) and all(isinstance(without_narrowing(each.value), _DATA) for each in held)
        case _:
            return False


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    yield from call.args
    yield from (each.value for each in call.keywords)


def _by_methods(reset: Emptied, line: tuple[ClassValue, ...], linker: Linker, asker: str) -> Iterator[Setter]:
    for owner in line:
        for method in owner.facts.methods.values():
            if method.name in {*CONSTRUCTION, _SENDING, _ARRIVING}:
                continue
            for change in changes_of(method):
                holder = _holder(change, reset.attribute)
                if holder is not None and is_me(holder, method) and not _is_same(change.event, reset, owner):
                    yield setter_at(owner.module, method, change.event.span, linker, asker)


def _from_outside(reset: Emptied, linker: Linker, asker: str) -> Iterator[Setter]:
    form = re.compile(rf"\.\s*{re.escape(reset.attribute)}\b")
    for root in linker.activations_with({reset.attribute}, form, asker):
        for change in changes_of(root.function):
            holder = _holder(change, reset.attribute)
            if holder is None or is_me(holder, root.function):
                continue
            found = [each.value for each in linker.evaluate(holder, root.frame)]
            if any(isinstance(each, InstanceValue) and each.class_.facts is reset.class_.facts for each in found):
                yield setter_at(root.frame.module, root.function, change.event.span, linker, asker)


def _holder(change: AttributeChange, attribute: str) -> Expr | None:
    """The object of which a change replaces an attribute, or changes what that holds; None for others."""
    if change.attribute == attribute:
        return change.target
    match without_narrowing(change.target):
        case Attribute(base=base, name=name) if name == attribute:
            return base
        case _:
            return None


def _is_same(event: object, reset: Emptied, owner: ClassValue) -> bool:
    """Whether a method sets an attribute to what a new object has."""
    return isinstance(event, Store) and not changes_written(event.value, reset.left, owner.module)
