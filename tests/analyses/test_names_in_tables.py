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
