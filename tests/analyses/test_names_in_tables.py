"""LP210: functions of a module that main replaces by what a table has under their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_NORMALISE = """\
def clean_postcode(text):
    return text.strip()


def clean_city(text):
    return text.title()


def clean(address):
    city, postcode = address
    return clean_city(city), clean_postcode(postcode)
"""
_COUNTRIES = """\
import json

import normalise


def postcode(text):
    return text.upper()


RULES = {rules}


def install(country):
    {loop}
        setattr(normalise, name, rule)
"""
_MAIN = """\
from concurrent.futures import ProcessPoolExecutor

import countries
import normalise


def prepare():
    countries.install("gb")


def main():
    countries.install("gb")
    with ProcessPoolExecutor(2{initializer}) as executor:
        print(list(executor.map(normalise.clean, [("london", "sw1a")])))


if __name__ == "__main__":
    main()
"""
_ONE = "{'gb': {'clean_postcode': postcode}}"
_GETS = "for name, rule in RULES.get(country, {}).items():"


def _found(folder: Path, rules: str, loop: str, initializer: str = "", pedantic: bool = False) -> list[str]:
    (folder / "normalise.py").write_text(_NORMALISE)
    (folder / "countries.py").write_text(_COUNTRIES.format(rules=rules, loop=loop))
    (folder / "main.py").write_text(_MAIN.format(initializer=initializer))
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"pedantic": pedantic})
    found = lint_paths([str(folder)], resolver=resolver).diagnostics
    return sorted(each.message.split("`")[3] for each in found if each.code == "LP210")


@pytest.mark.parametrize(
    ("rules", "loop"),
    [
        pytest.param(_ONE, _GETS, id="get"),
        pytest.param(_ONE, "for name, rule in RULES[country].items():", id="item"),
        pytest.param("{'clean_postcode': postcode}", "for name, rule in RULES.items():", id="one table"),
        pytest.param("{'gb': {'clean_postcode': postcode}, 'plain': {}}", _GETS, id="or nothing"),
    ],
)
@pytest.mark.parametrize("pedantic", [False, True])
def test_a_function_that_the_table_has(tmp_path: Path, rules: str, loop: str, pedantic: bool) -> None:
    assert _found(tmp_path, rules, loop, pedantic=pedantic) == ["clean_postcode"]


@pytest.mark.parametrize(
    ("rules", "loop", "initializer", "perhaps"),
    [
        pytest.param("{'gb': {'clean_street': postcode}}", _GETS, "", [], id="of no function"),
        pytest.param(_ONE, _GETS, ", initializer=prepare", [], id="in workers, too"),
        pytest.param(
            "{'gb': {'clean_postcode': postcode}, 'fr': {'clean_city': postcode}}",
            _GETS,
            "",
            ["clean_city", "clean_postcode"],
            id="one or the other",
        ),
        pytest.param(
            "json.load(open('rules'))", _GETS, "", ["clean_city", "clean_postcode"], id="a table that is not known"
        ),
    ],
)
def test_functions_that_the_table_may_not_have(
    tmp_path: Path, rules: str, loop: str, initializer: str, perhaps: list[str]
) -> None:
    assert _found(tmp_path, rules, loop, initializer) == []
    assert _found(tmp_path, rules, loop, initializer, pedantic=True) == perhaps


_TOKENIZER = """\
import json
from multiprocessing import Pool


class Tokenizer:
    least = 1
    most = 9
    name = "plain"

    @classmethod
    def configure(cls, **options):
        for name, value in options.items():
            setattr(cls, name, value)

    def tokens(self, text):
        return [word for word in text.split() if len(word) >= self.least]


PROFILES = {profiles}


def activate(name):
    Tokenizer.configure(**{given})


def count(text):
    return len(Tokenizer().tokens(text))


def main(name):
    activate(name)
    with Pool(2{initializer}) as pool:
        print(pool.map(count, ["a bc", "def"]))


if __name__ == "__main__":
    main("search")
"""
_SEARCH = "{'plain': {}, 'search': {'least': 3}}"


def _configured(folder: Path, profiles: str, given: str = "PROFILES[name]", initializer: str = "") -> list[str]:
    text = _TOKENIZER.format(profiles=profiles, given=given, initializer=initializer)
    (folder / "main.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver(isolated=True, cwd=folder)).diagnostics
    return [each.code for each in found]


@pytest.mark.parametrize(
    ("profiles", "given"),
    [
        pytest.param(_SEARCH, "PROFILES[name]", id="one that may be empty"),
        pytest.param("{'short': {'least': 2, 'most': 5}, 'search': {'least': 3}}", "PROFILES[name]", id="each has it"),
        pytest.param(_SEARCH, "PROFILES.get(name, {})", id="get"),
        pytest.param("{'least': 3}", "PROFILES", id="the table itself"),
    ],
)
def test_a_class_that_gets_its_attributes_from_a_table(tmp_path: Path, profiles: str, given: str) -> None:
    assert _configured(tmp_path, profiles, given) == ["LP210"]


@pytest.mark.parametrize(
    ("profiles", "initializer"),
    [
        pytest.param("{'search': {'most': 3}}", "", id="what workers do not read"),
        pytest.param("{'search': {'least': 3}, 'long': {'most': 20}}", "", id="one or the other"),
        pytest.param("{'plain': {}}", "", id="nothing"),
        pytest.param("json.load(open('profiles'))", "", id="not known"),
        pytest.param(_SEARCH, ", activate, ('search',)", id="in workers, too"),
    ],
)
def test_a_class_that_may_get_other_attributes(tmp_path: Path, profiles: str, initializer: str) -> None:
    assert _configured(tmp_path, profiles, initializer=initializer) == []
