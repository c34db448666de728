"""Variables of the environment that a program sets and asks for through two functions of its own, which put the name
together alike: `Settings.put(K=5)`, then `Settings.get("K")`, both of `os.environ[cls.PREFIX + name]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.callers_by_name import calls_by_name
from lintpickle.analyses.main_state.main_setters import Setting
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.facts.records import FunctionFacts
from lintpickle.payload.linker import Linker
from lintpickle.payload.worker_side import WorkerCode

_KEY = re.compile(
    r"environ\s*(?:\.\s*(?:get|setdefault|pop)\s*\(|\[)\s*(?P<key>[^\n,\])]*)|getenv\(\s*(?P<asked>[^\n,)]*)"
)
_QUOTED = re.compile(r"[\"'](\w+)[\"']")
_KEYWORD = re.compile(r"[(,]\s*(\w+)\s*=(?!=)")


def is_asked_through_methods(dependence: Dependence, setting: Setting, code: WorkerCode, linker: Linker) -> bool:
    """Whether a function of workers asks for a variable by such a function, and the program sets the one of that name
    by the other one."""
    asking, setter, site = dependence.function, setting.setter, setting.site
    if setter is None or asking.module is not site.module or _owner(setter) != _owner(asking.facts):
        return False
    text = site.module.code
    kept = _KEY.search(text, site.span.start, site.span.end)
    asked = _KEY.search(text, dependence.span.start, asking.facts.span.end)
    if kept is None or asked is None or _key(kept) != _key(asked) or _is_literal(_key(kept)):
        return False
    names = set(_asked_names(asking.facts, code))
    return not names.isdisjoint(_names_set(setter, site.module.path, linker))


def _owner(function: FunctionFacts) -> str:
    return function.qualname.rpartition(".")[0]


def _key(found: re.Match[str]) -> str:
    return re.sub(r"\s+", "", found["key"] or found["asked"] or "")


def _is_literal(key: str) -> bool:
    return not key or (key[0] in "\"'" and key[-1] == key[0] and key.count(key[0]) == 2)


def _asked_names(asking: FunctionFacts, code: WorkerCode) -> Iterator[str]:
    """The names that workers give to the function that asks."""
    call = re.compile(rf"\b{re.escape(asking.name)}\(\s*[\"'](\w+)[\"']")
    for each in code.functions:
        for found in call.finditer(each.module.code, each.facts.header.end, each.facts.span.end):
            yield found[1]


def _names_set(setter: FunctionFacts, path: str, linker: Linker) -> Iterator[str]:
    """The names that the program gives to the function that sets: as texts, or as keywords."""
    for module, _, place in calls_by_name(setter, path, linker):
        end = module.code.find("\n", place.end)
        given = module.code[place.start : end if end >= 0 else None]
        yield from (*_QUOTED.findall(given), *_KEYWORD.findall(given))
