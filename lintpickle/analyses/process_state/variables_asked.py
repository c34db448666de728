"""Variables of the environment that the main process sets, and what workers ask for under their names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lintpickle.analyses.main_state.main_setters import Setter
from lintpickle.analyses.process_state.setting_uses import Dependence
from lintpickle.catalog import SettingSpec
from lintpickle.interpreter.abstract_values import Site

_NAMED = re.compile(r"""["'](?P<name>\w+)["']""")
"""The name of a variable of the environment, where it is written out."""
_BY_CONSTANT = re.compile(r"\benviron\s*\[\s*(?:\w+\.)*(?P<name>[A-Z][A-Z0-9_]*)\s*\]")
"""The same of a constant that has the name, where that is put into the environment."""
_BY_NAME = re.compile(r"""[\[(]\s*["']\w+["']\s*[\],)]""")
_ASKING = re.compile(r"\b(?:environ|getenv)\b")
_ASKED_BY_NAME = re.compile(r"""\b(?:environ(?:\s*\.\s*get)?|getenv)\s*[\[(]\s*["']\w+["']\s*[\],)]""")
_UPDATED = re.compile(r"(?:\w+\.)*environ\.update\(")
_PUT_BY_NAME = re.compile(r"""(?:\w+\.)?(?:putenv|unsetenv)\(\s*["'](?P<name>\w+)["']""")


def is_by_name(spec: SettingSpec) -> bool:
    """Whether a setting is one of many that have names: a variable of the environment."""
    return "os.environ[]" in spec.by


def by_variable(
    setters: Sequence[Setter], asked: Sequence[Dependence], first: Dependence
) -> Iterator[tuple[list[Setter], Dependence]]:
    """The places that set variables, those of each variable that something asks for by its name, with what does so
    first; then those that may set any others, with the `first` use of variables, unless all uses name others."""
    groups: dict[str, tuple[list[Setter], Dependence]] = {}
    rest: list[Setter] = []
    for setter in setters:
        site = Site(setter.module, setter.span)
        asking = next((each for each in asked if is_asked_by_name(each, site)), None)
        if asking is None:
            rest.append(setter)
        else:
            groups.setdefault(_written(setter), ([], asking))[0].append(setter)
    yield from groups.values()
    are_others = all(map(_asks_by_names_alone, asked)) and all(_BY_NAME.search(_text_of(each)) for each in rest)
    if not groups or (rest and not are_others):
        yield rest, first


def _asks_by_names_alone(dependence: Dependence) -> bool:
    """Whether a function asks for no variable whose name is not written out."""
    code, end = dependence.function.module.code, dependence.function.facts.span.end
    place = dependence.span.start
    return len(_ASKING.findall(code, place, end)) == len(_ASKED_BY_NAME.findall(code, place, end))


def _text_of(setter: Setter) -> str:
    return setter.module.code[setter.span.start : setter.span.end]


def _written(setter: Setter) -> str:
    """What a place writes for the variable: its name in quotes, if that is seen, or all."""
    text = _text_of(setter)
    named = _NAMED.search(text) or _BY_CONSTANT.search(text)
    return named.group() if named is not None else text


def asks_for_others(dependence: Dependence, site: Site) -> bool:
    """Whether a function asks for variables by names that are written out, and the one that is set there is another."""
    put = _PUT_BY_NAME.match(site.module.code, site.span.start)
    if put is None:
        return False
    asked = _variables_named_by(dependence)
    return bool(asked) and put["name"] not in asked


def is_asked_by_name(dependence: Dependence, site: Site) -> bool:
    """Whether a function asks for the very variable that is set: both name it in quotes, or where the setting is given
    a dict (`os.environ.update(values)`), a key of the module that does so is named like that; or by one constant."""
    function, home = dependence.function, site.module.code
    for form, edge in ((_NAMED, "[\"']"), (_BY_CONSTANT, r"\b")):
        set_here = form.search(home, site.span.start, site.span.end)
        if set_here is not None:
            named = re.compile(f"{edge}{set_here['name']}{edge}")
            return named.search(function.module.code, dependence.span.start, function.facts.span.end) is not None
    if _UPDATED.match(home, site.span.start) is None:
        return False
    asked = _variables_named_by(dependence)
    return any(re.search(rf"""["']{name}["']\s*:|\b{name}\s*=(?!=)""", home) for name in asked)


def _variables_named_by(dependence: Dependence) -> set[str]:
    """The names in quotes from where a function depends on a setting."""
    code, end = dependence.function.module.code, dependence.function.facts.span.end
    return {each["name"] for each in _NAMED.finditer(code, dependence.span.start, end)}
