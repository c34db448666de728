"""The places in a function at which a module-level object is changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.at_import.import_time import is_guard
from lintpickle.analyses.calls_and_values.changed_arguments import changes_in_place
from lintpickle.analyses.calls_and_values.handed_out import handed_out
from lintpickle.analyses.calls_and_values.looked_up import looked_up
from lintpickle.analyses.calls_and_values.method_aliases import method_called
from lintpickle.analyses.calls_and_values.mock_patches import calls_in_force, is_patch, patched_by, patched_dict
from lintpickle.analyses.calls_and_values.own_containers import has_own_items
from lintpickle.analyses.calls_and_values.run_in_contexts import method_run
from lintpickle.analyses.calls_and_values.stored_by_call import stored_by_call
from lintpickle.analyses.calls_and_values.stored_by_methods import held_at_import, kept_by, stored_by, stored_by_name
from lintpickle.analyses.main_state.attribute_setters import is_option
from lintpickle.analyses.main_state.given_objects import set_where_given
from lintpickle.analyses.main_state.global_setters import places_set, setters_of
from lintpickle.analyses.main_state.library_state import holds_items, is_namespace, state_of
from lintpickle.analyses.main_state.read_objects import CONTEXT_VARIABLE, THREAD_LOCAL, Owner, path_of
from lintpickle.boundaries.mocks import SET_UP
from lintpickle.catalog import StateSpec
from lintpickle.diagnostics import Span
from lintpickle.facts.records import Called, FunctionFacts, ItemStore, Store
from lintpickle.facts.values import (
    Attribute,
    Call,
    Constant,
    Expr,
    Imported,
    Item,
    Name,
    Parameter,
    chain,
    ending_name,
    rooted,
    without_narrowing,
)
from lintpickle.interpreter.abstract_values import (
    AbstractValue,
    ClassValue,
    ContainerValue,
    ExternalResult,
    ExternalValue,
    FunctionValue,
    InstanceValue,
    PlainValue,
)
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.parsing.syntax import MERGING_METHODS, PUTTING_METHODS
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.words import Words
from lintpickle.program.module import Module

_CHANGING = re.compile(r"=(?!=)|\bpatch\(|\.\w+\(|\bsetattr\(|\bglobals\(|\bnext\(")
_CALLING = re.compile(r"=(?!=)|\w\(")
"""The same for `migrate`, which also looks at what functions do with what they are given."""

_SET = "set"
_SETS_ITEM = "__setitem__"
_PUTTING = frozenset({_SETS_ITEM, *PUTTING_METHODS, *MERGING_METHODS})
_PARSING = frozenset({"parse_args", "parse_known_args", "parse_intermixed_args"})
"""The methods of `argparse.ArgumentParser` that fill the namespace which they are given."""
_CHANGES_LIST = re.compile(
    r"_?bisect\.insort(?:_left|_right)?|_?heapq\.heap\w+|(?:numpy\.)?random\.(?:\w+\(\)\.)?shuffle"
)
"""The functions of the standard library, and of generators of random numbers, that change the list which is given to
them first."""


def changes_in(root: RootFrame, owner: Owner, linker: Linker) -> Iterator[tuple[Span, str | None]]:
    """Where a function changes the object, and which attribute of it, or of a part of it (`current.level`); None for
    the object itself."""
    module, facts = root.frame.module, root.function
    text = module.code[facts.span.start : facts.span.end]
    changing = _CHANGING if linker.moving_to is None else _CALLING
    if changing.search(text) is None and "@" not in text and not facts.decorators:
        return
    state = state_of(owner.value, linker)
    if module is owner.module and not facts.is_module_body:
        yield from ((span, None) for span in rebound(owner.name, facts, module))
    for event in facts.events:
        match event:
            case Store(target=target, attribute=attribute, span=span):
                yield from ((span, each) for each in _changed_by_store(target, attribute, owner, module, linker))
            case ItemStore(target=target, key=key, span=span):
                inner = without_narrowing(target)
                rest = path_within(inner.base if isinstance(inner, Item) else inner, owner, module, linker)
                if rest is not None and state is not None and state.stores:
                    yield span, None
                elif rest is not None and state is None and (rest or _holds_items(owner.value, linker)):
                    yield span, ".".join(rest) or None
                elif rest == () and key is not None and state is None and linker.moving_to is not None:
                    yield from ((span, each) for each in stored_by(_SETS_ITEM, owner, linker))
            case Called(call=call) if isinstance(call.function, Name):
                given = call.positional() if state is not None and call.function.name in state.functions else None
                if given and path_within(given[0], owner, module, linker) == ():
                    yield event.span, None
            case Called(call=call) if isinstance(call.function, Attribute):
                rest, method = path_within(call.function.base, owner, module, linker), call.function.name
                is_item_set = method == _SETS_ITEM and _holds_items(owner.value, linker)
                if rest == () and (is_item_set or _is_changed_by(method, owner.value, state)):
                    yield event.span, None
                elif rest is not None and state is None:
                    yield from ((event.span, each) for each in stored_by(method, owner, linker, rest))
                    named = stored_by_name(call, method, owner, linker) if not rest else ()
                    yield from ((event.span, each) for each in named)
            case _:
                pass
    for local in facts.functions:
        for decorator in local.decorators:
            method = decorator.name if isinstance(decorator, Attribute) else ""
            base = decorator.base if isinstance(decorator, Attribute) else decorator
            if _is_changed_by(method, owner.value, state) and path_within(base, owner, module, linker) == ():
                yield local.header, None
    if path_of(owner.value) == CONTEXT_VARIABLE:
        yield from ((span, None) for span in _set_in_context(facts, owner, module, linker))
    if linker.moving_to is not None:
        yield from _set_up_in(facts, owner, module)
        for event in facts.events:
            if isinstance(event, Called):
                yield from _changed_by_alias(event, owner, module, linker)
            if isinstance(event, Called) and _is_given(event.call, owner, root, linker):
                yield event.span, None
            elif isinstance(event, Called) and isinstance(owner.value, InstanceValue):
                yield from ((event.span, each) for each in _set_where_given(event.call, owner, root, linker))
            if isinstance(event, Called) and isinstance(owner.value, (InstanceValue, ClassValue)):
                yield from ((event.span, each) for each in _options_parsed_into(event.call, owner, module, linker))
            for each in stored_by_call(event.call, root, None, linker) if isinstance(event, Called) else ():
                changed = _changed_by_store(each.target, each.attribute, owner, module, linker)
                yield from ((event.span, attribute) for attribute in changed)
    for call in calls_in_force(facts):
        if _is_patched(call, owner, module, linker):
            yield call.span, None
        else:
            yield from _patched(call, owner, module, linker)


def _patched(call: Call, owner: Owner, module: Module, linker: Linker) -> Iterator[tuple[Span, str | None]]:
    """The attributes of the object that a call replaces as long as a context lasts, a test or what it decorates:
    `patch.object(Service, "lookup", f)`."""
    patched = patched_by(call, module)
    if patched is not None and patched.holder is not None:
        changed = _changed_by_store(patched.holder, patched.name, owner, module, linker)
        is_module = path_within(patched.holder, owner, module, linker) is None
        yield from ((call.span, each) for each in changed if not is_module)
    elif patched is not None and _is_changed_by_store(owner.value, (), patched.name, linker):
        is_it = patched.path == f"{owner.module.name}.{owner.name}"
        yield from [(call.span, patched.name)] if is_it else ()


def _changed_by_store(
    target: Expr, attribute: str, owner: Owner, module: Module, linker: Linker
) -> Iterator[str | None]:
    """What of the object changes as something is given an attribute: see `changes_in`."""
    rest, state = path_within(target, owner, module, linker), state_of(owner.value, linker)
    any_store = path_of(owner.value) == THREAD_LOCAL or (state is not None and state.stores)
    if rest is not None and any_store:
        yield None
    elif rest is not None and _is_changed_by_store(owner.value, rest, attribute, linker):
        yield attribute if is_namespace(owner.value) else ".".join((*rest, attribute))
        setter = linker.classes.find_setter(owner.value, attribute) if not rest else None
        yield from kept_by(setter[1]) if setter is not None else ()
    elif rest is None and attribute == owner.name and _is_module(target, owner, module, linker):
        yield None


def _set_in_context(facts: FunctionFacts, owner: Owner, module: Module, linker: Linker) -> Iterator[Span]:
    """Where a context is told to give a variable a value, in which something else runs later on."""
    for event in facts.events:
        method = method_run(event.call, module) if isinstance(event, Called) else None
        if method is not None and method.name == _SET and path_within(method.base, owner, module, linker) == ():
            yield event.span


def _set_up_in(facts: FunctionFacts, owner: Owner, module: Module) -> Iterator[tuple[Span, str]]:
    """Where a class method of a class of tests stores something on the class before these run, and in which
    attribute."""
    block = module.outline.block_at(facts.span.start)
    if facts.name in SET_UP and block is owner.block and facts.decorated_by("classmethod") and facts.parameters:
        for event in facts.events:
            match event:
                case Store(target=Parameter(name=name)) if name == facts.parameters[0].name:
                    yield event.span, event.attribute
                case _:
                    pass


def _is_changed_by(method: str, value: AbstractValue, state: StateSpec | None) -> bool:
    """Whether a method of a library changes the object."""
    if path_of(value) == CONTEXT_VARIABLE and method == _SET:
        return True
    if isinstance(value, FunctionValue) and method == "register":
        return value.facts.decorated_by("singledispatch")
    if isinstance(value, ClassValue) and method == "register":
        return method not in value.facts.methods and _is_abstract(value)
    return state is not None and method in state.methods


def _changed_by_alias(event: Called, owner: Owner, module: Module, linker: Linker) -> Iterator[tuple[Span, str | None]]:
    """What of the object changes where a method of it is called by another name: `remember(name, place)`."""
    method, state = method_called(event.call, owner, module, linker), state_of(owner.value, linker)
    if method is None:
        return
    is_put = state is None and method in _PUTTING and _holds_items(owner.value, linker)
    if is_put or _is_changed_by(method, owner.value, state):
        yield event.span, None
    elif state is None:
        yield from ((event.span, each) for each in stored_by(method, owner, linker))


def _holds_items(value: AbstractValue, linker: Linker) -> bool:
    """Whether what is put into an object is in it alone; for `migrate`, also an object of a class that derives from
    `dict` or the like."""
    return holds_items(value) or has_own_items(value, linker)


def _is_abstract(class_: ClassValue) -> bool:
    """Whether other classes can be registered as its subclasses."""
    given = (*class_.facts.bases, *(value for _, value in class_.facts.keywords))
    return any(ending_name(each) in ("ABC", "ABCMeta", "Protocol") for each in given)


def _is_given(call: Call, owner: Owner, root: RootFrame, linker: Linker) -> bool:
    """Whether a function changes the object that it is given."""
    if _is_parsed_into(call, owner, root.frame.module, linker):
        return True
    if isinstance(owner.value, ContainerValue) and _is_reordered(call, owner, root, linker):
        return True
    module, is_array = root.frame.module, isinstance(owner.value, PlainValue)
    return holds_items(owner.value) and changes_in_place(
        call, root.frame, lambda value: path_within(value, owner, module, linker) == (), is_array, linker
    )


def _set_where_given(call: Call, owner: Owner, root: RootFrame, linker: Linker) -> Iterator[str]:
    """The attributes of the object that a function sets which is given it."""
    module = root.frame.module
    return set_where_given(
        call,
        root.frame,
        lambda value: path_within(value, owner, module, linker) == (),
        lambda method, _: stored_by(method.name, owner, linker),
        linker,
    )


def _is_reordered(call: Call, owner: Owner, root: RootFrame, linker: Linker) -> bool:
    """Whether a function of a library puts something into the list that it is given, or sorts that anew."""
    given = call.positional()
    if not given or path_within(given[0], owner, root.frame.module, linker) != ():
        return False
    called = (traced.value for traced in linker.evaluate(call.function, root.frame))
    return any(isinstance(each, ExternalValue) and _CHANGES_LIST.fullmatch(each.path) for each in called)


def _is_parsed_into(call: Call, owner: Owner, module: Module, linker: Linker) -> bool:
    """Whether a parser fills the namespace that it is given: `parser.parse_args(namespace=OPTIONS)`."""
    return is_namespace(owner.value) and _is_given_to_parser(call, owner, module, linker)


def _is_given_to_parser(call: Call, owner: Owner, module: Module, linker: Linker) -> bool:
    filled = call.argument("namespace", 1) if ending_name(call.function) in _PARSING else None
    return filled is not None and path_within(filled, owner, module, linker) == ()


def _options_parsed_into(call: Call, owner: Owner, module: Module, linker: Linker) -> Iterator[str | None]:
    """The attributes of an object, or of a class, that a parser sets which is given it as its namespace: those that
    have the name of an option. None for an object that has no attributes but those."""
    if _is_given_to_parser(call, owner, module, linker):
        held = set(held_at_import(owner.value, linker))
        if isinstance(owner.value, InstanceValue) and isinstance(owner.value.class_, ClassValue):
            held |= held_at_import(owner.value.class_, linker)
        yield from (each for each in sorted(held) if is_option(each, linker, module.path))
        yield from () if held else (None,)


def _is_patched(call: Call, owner: Owner, module: Module, linker: Linker) -> bool:
    """Whether `mock.patch.object(module, "name", …)` or `mock.patch("package.module.name", …)` replaces the object, or
    `mock.patch.dict(module.name, …)` puts something into it."""
    table = patched_dict(call)
    if table is not None and path_within(table, owner, module, linker) == ():
        return True
    return is_patch(call, module, owner.module, owner.name, lambda holder: _is_module(holder, owner, module, linker))


def _is_changed_by_store(value: AbstractValue, rest: tuple[str, ...], attribute: str, linker: Linker) -> bool:
    """Whether to store an attribute changes an object. Constants of classes are the concern of `main_attributes`."""
    if isinstance(value, ClassValue):
        return bool(rest) or not isinstance(value.facts.body.get(attribute), Constant)
    if linker.moving_to is not None and isinstance(value, (ExternalResult, FunctionValue)):
        return True
    return is_namespace(value) or isinstance(value, InstanceValue)


def rebound(name: str, facts: FunctionFacts, module: Module) -> Iterator[Span]:
    """Where a function gives a global of its module another value."""
    if facts in setters_of(name, module):
        yield from places_set(name, facts, module)


def path_within(target: Expr, owner: Owner, module: Module, linker: Linker) -> tuple[str, ...] | None:
    """What of an object an expression is: () for itself, the attributes that lead on; None if it is something else."""
    parts = chain(target)
    if parts is None:
        found = handed_out(target, owner, module, linker, lambda value: path_within(value, owner, module, linker))
        return _looked_up(target, owner, module, linker) if found is None and linker.moving_to is not None else found
    if isinstance(without_narrowing(target), Parameter):
        return None
    parts = (*_under_guard(parts[0], module, linker), *parts[1:])
    for length in (1, 2):
        if len(parts) >= length and _may_name(parts[:length], owner, module):
            places = linker.own_places.of_name(module, ".".join(parts[:length]))
            if any(home is owner.module and block is owner.block for home, block in places):
                return parts[length:]
    return None


def _looked_up(target: Expr, owner: Owner, module: Module, linker: Linker) -> tuple[str, ...] | None:
    """The same for a part that is looked up by name, or what a function imports. For `migrate`."""
    part = looked_up(target)
    if part is not None:
        rest = path_within(part[0], owner, module, linker)
        return (*rest, *part[1]) if rest is not None else None
    root, names = rooted(target)
    if isinstance(root, Imported):
        for length, last in enumerate((root.target.name, *names[:2])):
            if last == owner.name:
                places = linker.own_places.imported(module, root.target, ".".join(names[:length]))
                if any(home is owner.module and block is owner.block for home, block in places):
                    return names[length:]
    return None


def _under_guard(name: str, module: Module, linker: Linker) -> tuple[str, ...]:
    """What a name stands for that only the main guard binds, to nothing but another name: `table = units.FACTORS`. For
    `migrate`."""
    blocks = module.outline.binding(name) if linker.moving_to is not None else ()
    if len(blocks) != 1 or not is_guard(blocks[0], module) or name in module.outline.imports:
        return (name,)
    value = module.value_bound(name)
    parts = chain(value) if value is not None else None
    return parts if parts is not None and parts[0] != name else (name,)


def _may_name(parts: tuple[str, ...], owner: Owner, module: Module) -> bool:
    """Whether a dotted name ends with that of an object, or is one under which a module imports that."""
    imported = module.outline.imports.get(parts[0]) if len(parts) == 1 else None
    return parts[-1] == owner.name or (imported is not None and imported.name == owner.name)


def aliases_of(owner: Owner, linker: Linker, asker: str) -> frozenset[str]:
    """The other names under which modules import an object: `from rules import ACTIVE as enabled`. Of a class or a
    function only for `migrate`."""
    if linker.moving_to is None and not isinstance(owner.value, (ContainerValue, InstanceValue)):
        return frozenset()
    renamed = re.compile(rf"\b{re.escape(owner.name)}\s+as\s+(\w+)")
    modules = linker.first_party.naming_in_text(Words({owner.name}), asker, renamed)
    return frozenset(found[1] for module in modules for found in renamed.finditer(module.code))


def _is_module(target: Expr, owner: Owner, module: Module, linker: Linker) -> bool:
    """Whether an expression is the module that holds the object."""
    parts = chain(target)
    if parts is None:
        return False
    places = linker.own_places.of_name(module, f"{'.'.join(parts)}.{owner.name}")
    return any(home is owner.module and block is owner.block for home, block in places)
