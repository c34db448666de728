"""What `migrate` says of tables that decorators fill which functions of the main process apply. Each verdict was
compared with what the program does under fork and spawn (CPython 3.11)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

RULES = """\
import multiprocessing

RULES = {{}}


def named(name):
    def register(function):
        RULES[name] = function
        return function

    return register


def rule(function):
    RULES[function.__name__] = function
    return function


def basic():
    {decorator}
    def positive(value):
        return value > 0


INSTALLERS = {{"basic": basic}}
{at_import}


def install(kind):
    INSTALLERS[kind]()


def work(value):
    {first}
    {work}


def main():
    {installs}
    with multiprocessing.Pool(2{options}) as pool:
        print(pool.map(work, [-1, 20]))


if __name__ == "__main__":
    main()
"""
GOES_OVER = "return [name for name, check in sorted(RULES.items()) if not check(value)]"
LOOKS_UP = 'return RULES["positive"](value)'
DECORATORS = ["@rule", '@named("positive")']
CALLS = ["basic()", 'INSTALLERS["basic"]()', "for each in (basic,):\n        each()", 'install("basic")']


def program(
    decorator: str, installs: str, work: str, first: str = "pass", at_import: str = "", options: str = ""
) -> str:
    return RULES.format(
        decorator=decorator, installs=installs, work=work, first=first, at_import=at_import, options=options
    )


@pytest.mark.parametrize("decorator", DECORATORS)
@pytest.mark.parametrize("installs", CALLS)
@pytest.mark.parametrize(
    ("work", "verdict"), [(GOES_OVER, Verdict.CHANGES), (LOOKS_UP, Verdict.BREAKS)], ids=["goes over", "looks up"]
)
def test_main_alone_applies_decorators(
    tmp_path: Path, decorator: str, installs: str, work: str, verdict: Verdict
) -> None:
    assert worst(migrated(tmp_path, program(decorator, installs, work))) is verdict


@pytest.mark.parametrize("decorator", DECORATORS)
@pytest.mark.parametrize(
    ("first", "at_import", "options"),
    [
        pytest.param("pass", "basic()", "", id="at import, too"),
        pytest.param("basic()", "", "", id="in the worker, too"),
        pytest.param("pass", "", ', install, ("basic",)', id="in the initializer, too"),
        pytest.param("pass", "", ", basic", id="as the initializer, too"),
    ],
)
def test_workers_apply_them_too(tmp_path: Path, decorator: str, first: str, at_import: str, options: str) -> None:
    code = program(decorator, "basic()", LOOKS_UP, first, at_import, options)
    assert worst(migrated(tmp_path, code)) is Verdict.READY


@pytest.mark.parametrize("decorator", DECORATORS)
def test_nobody_reads_the_table(tmp_path: Path, decorator: str) -> None:
    assert worst(migrated(tmp_path, program(decorator, "basic()", "return value > 0"))) is Verdict.READY
