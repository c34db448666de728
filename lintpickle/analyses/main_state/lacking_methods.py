"""Methods that only the main process gives a class of the program, which has none of that name by itself: workers that
call them on objects of the class get an AttributeError."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.main_state.attribute_setters import AttributeOwner, is_stored_on_objects
from lintpickle.analyses.main_state.main_setters import Met, Setter, Setting, is_called, of_the_program, set_by
from lintpickle.analyses.main_state.read_objects import Reading
from lintpickle.facts.records import Called, FunctionFacts, Store
from lintpickle.facts.values import Attribute, Call, Expr, Parameter, ending_name, uncalled, without_narrowing
from lintpickle.interpreter.abstract_values import UNKNOWN, ClassValue, FunctionValue, InstanceValue
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode, WorkerFunction
from lintpickle.prefilter.words import Words

_GIVEN = re.compile(r"""(?<!\bself)\.([^\W\d]\w*)[ \t]*=(?!=)|\bsetattr\(\s*[\w.]+\s*,\s*["'](\w+)["']""")
_ADDS_NO_METHODS = frozenset({"dataclass", "total_ordering", "final"})
"""Decorators that give a class no methods but those with names of their own (`__eq__`)."""


def methods_lacking(code: WorkerCode, linker: Linker) -> Iterator[tuple[WorkerFunction, Reading, Setting]]:
    """The methods that functions of workers call, each once, with how the main process alone gives them to a class. For
    `migrate`."""
    if linker.moving_to is None:
        return
    given = linker.remembered("attributes given", lambda: _names_given(linker))
    told: set[str] = set()
    for function in code.functions:
        if not function.module.first_party or function.module.document.cells is not None:
            continue
        for event in function.facts.events if given else ():
            match event:
                case Called(call=Call(function=Attribute(name=name) as called)) if name in given and name not in told:
                    for class_ in classes_given(name, code, linker):
                        owner = _owner_called(called, class_, function, linker)
                        setting = _setting(name, owner, class_, code, linker) if owner else None
                        if setting is not None and owner:
                            told.add(name)
                            yield function, Reading(f"{class_.facts.name}.{name}", called.span, False), setting
                case _:
                    pass


def _names_given(linker: Linker) -> frozenset[str]:
    """The names under which modules that are judged store something on what is not `self`."""
    found = (each for module in linker.scope for each in _GIVEN.finditer(module.code))
    return frozenset(each[1] or each[2] for each in found)


def _setting(name: str, owner: str, class_: ClassValue, code: WorkerCode, linker: Linker) -> Setting | None:
    error = f"AttributeError: {owner} has no attribute '{name}'"
    setters = [each for given, each in _given_to(name, code, linker) if given.facts is class_.facts]
    return set_by(of_the_program(setters, code, linker), Met(error, error=error), linker, code.root.site.module.path)


def classes_given(name: str, code: WorkerCode, linker: Linker) -> list[ClassValue]:
    """The classes of the program that are given an attribute of that name, and whose objects lack it otherwise; none if
    another class has a method of that name."""
    classes = {id(class_.facts): class_ for class_, _ in _given_to(name, code, linker)}
    lacking = [each for each in classes.values() if _lacks(name, each, linker)]
    return lacking if lacking and not _is_method(name, code, linker) else []


def _given_to(name: str, code: WorkerCode, linker: Linker) -> tuple[tuple[ClassValue, Setter], ...]:
    """The classes of the program that are given an attribute of that name, each with a place that does so."""
    asker = code.root.site.module.path
    return linker.remembered(("given to classes", name, asker), lambda: tuple(_find(name, linker, asker)))


def _find(name: str, linker: Linker, asker: str) -> Iterator[tuple[ClassValue, Setter]]:
    word = re.escape(name)
    form = re.compile(rf"""(?<!\bself)\.{word}[ \t]*=(?!=)|["']{word}["']\s*,""")
    for root in linker.activations_with({name}, form, asker):
        for event in root.function.events:
            match event:
                case Store(target=target, attribute=attribute) if attribute == name:
                    inner = without_narrowing(target)
                    if isinstance(inner, Parameter) and inner.name != root.instance_name:
                        yield from _handed_over(inner.name, root, linker, asker)
                    else:
                        certain = is_called(root.function, root.frame.module, linker, asker)
                        setter = Setter(root.frame.module, root.function, event.span, certain)
                        values = (each.value for each in linker.evaluate(inner, root.frame))
                        yield from ((each, setter) for each in values if isinstance(each, ClassValue))
                case _:
                    pass


def _handed_over(parameter: str, helper: RootFrame, linker: Linker, asker: str) -> Iterator[tuple[ClassValue, Setter]]:
    """The classes that calls give to a function as the parameter whose attribute it sets."""
    facts, module = helper.function, helper.frame.module
    place = next((at for at, each in enumerate(facts.parameters) if each.name == parameter), -1)
    calling = re.compile(rf"(?<!def )\b{re.escape(facts.name)}\(")
    for root in linker.activations_with({facts.name}, calling, asker):
        for event in root.function.events:
            given = event.call.argument(parameter, place) if isinstance(event, Called) else None
            if not isinstance(event, Called) or given is None or not _calls(event.call, facts, root, linker):
                continue
            for each in linker.evaluate(given, root.frame):
                if isinstance(each.value, ClassValue):
                    certain = is_called(root.function, root.frame.module, linker, asker)
                    yield each.value, Setter(root.frame.module, root.function, event.span, certain)
                    yield each.value, Setter(module, facts, facts.header, False)


def _calls(call: Call, facts: FunctionFacts, root: RootFrame, linker: Linker) -> bool:
    values = (each.value for each in linker.evaluate(call.function, root.frame))
    return any(isinstance(each, FunctionValue) and each.bound is None and each.facts is facts for each in values)


def _lacks(name: str, class_: ClassValue, linker: Linker) -> bool:
    """Whether a class and its bases, all of the program, are seen to have nothing of that name for their objects."""
    for each in linker.classes.mro(class_):
        if not isinstance(each, ClassValue):
            return False
        facts, block = each.facts, each.module.outline.block_at(each.facts.span.start)
        is_plain = all(_decorator_name(decorator) in _ADDS_NO_METHODS for decorator in facts.decorators)
        if not each.module.first_party or block is None or not block.is_class or not is_plain or facts.keywords:
            return False
        if name in facts.methods or name in facts.body or "__getattr__" in facts.methods:
            return False
        if is_stored_on_objects(name, AttributeOwner(each.module, block)):
            return False
    return True


def _decorator_name(decorator: Expr) -> str | None:
    return ending_name(uncalled(decorator))


def _is_method(name: str, code: WorkerCode, linker: Linker) -> bool:
    """Whether a class of the program has a method of that name."""
    defines = re.compile(rf"^[ \t]+(?:async[ \t]+)?def[ \t]+{re.escape(name)}\b", re.MULTILINE)
    for module in linker.first_party.naming_in_text(Words({name}), code.root.site.module.path, defines):
        blocks = (module.outline.block_at(found.start()) for found in defines.finditer(module.code))
        if any(block is not None and block.is_class for block in blocks):
            return True
    return False


def _owner_called(called: Attribute, class_: ClassValue, function: WorkerFunction, linker: Linker) -> str | None:
    """What the error calls the object whose method is called, if that can be the class or an object of it. Of what is
    not known, it can if the module of the function names the class."""
    name = class_.facts.name
    values = [each.value for each in linker.evaluate(called.base, function.frame)]
    for value in values:
        match value:
            case ClassValue(facts=facts) if facts is class_.facts:
                return f"type object '{name}'"
            case InstanceValue() if linker.classes.derives(value, class_):
                return f"'{name}' object"
            case _:
                pass
    outline = function.module.outline
    is_named = name in outline.imports or bool(outline.binding(name))
    return f"'{name}' object" if is_named and values and all(each is UNKNOWN for each in values) else None
