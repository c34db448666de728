"""LP211: records of workers that only a handler of the main process would write."""

from __future__ import annotations

import pytest

from tests.support import lint

LEDGER = """\
import logging
import logging.handlers
import sys
from concurrent.futures import ProcessPoolExecutor

{logger}


def setup(path):
    {setup}


def check(entry):
    {record}
    return entry


def begin():
    {begin}


def main():
    setup("audit.log")
    with ProcessPoolExecutor(2, initializer=begin) as executor:
        print(sum(executor.map(check, [1, 2])))


if __name__ == "__main__":
    main()
"""
LOGGER = 'audit = logging.getLogger("ledger.audit")'
ADDED = "handler = logging.FileHandler(path)\n    audit.addHandler(handler)\n    audit.setLevel(logging.INFO)"
RECORD = 'audit.info("entry %s", entry)'
INLINE = "audit.addHandler(logging.StreamHandler(sys.stdout))\n    audit.setLevel({level})"


def found(setup: str = ADDED, record: str = RECORD, *, logger: str = LOGGER, begin: str = "pass") -> list[str]:
    source = LEDGER.format(setup=setup, record=record, logger=logger, begin=begin)
    return [each.code for each in lint(source).diagnostics if each.code == "LP211"]


@pytest.mark.parametrize(
    ("setup", "record", "logger"),
    [
        (ADDED, RECORD, LOGGER),
        (INLINE.format(level="logging.DEBUG"), RECORD, LOGGER),
        (INLINE.format(level='"INFO"'), RECORD, LOGGER),
        (INLINE.format(level="20"), RECORD, LOGGER),
        ("audit.addHandler(logging.FileHandler(path))", 'audit.warning("entry %s", entry)', LOGGER),
        ("audit.addHandler(logging.handlers.RotatingFileHandler(path))", 'audit.error("entry %s", entry)', LOGGER),
        (ADDED, RECORD.replace("audit", "detail"), LOGGER + '\ndetail = logging.getLogger("ledger.audit.detail")'),
        (
            "root = logging.getLogger()\n    root.addHandler(logging.FileHandler(path))\n"
            "    root.setLevel(logging.INFO)",
            RECORD,
            "audit = logging.getLogger(__name__)",
        ),
        (ADDED.split("\n    audit.setLevel")[0], RECORD, LOGGER + "\naudit.setLevel(logging.INFO)"),
        (ADDED + "\n    handler.setLevel(logging.INFO)\n    audit.propagate = False", RECORD, LOGGER),
    ],
)
def test_a_record_that_the_handler_of_main_would_write(setup: str, record: str, logger: str) -> None:
    assert found(setup, record, logger=logger) == ["LP211"]


@pytest.mark.parametrize(
    ("setup", "record", "begin"),
    [
        pytest.param(ADDED, RECORD, 'setup("audit.log")', id="workers add it, too"),
        pytest.param(ADDED, RECORD, "logging.basicConfig(level=logging.INFO)", id="workers have another one"),
        pytest.param(ADDED, 'audit.debug("entry %s", entry)', "pass", id="below the level"),
        pytest.param(ADDED.replace("INFO", "ERROR"), RECORD, "pass", id="not shown by main either"),
        pytest.param(ADDED.replace("logging.INFO", "LEVELS[path]"), RECORD, "pass", id="a level that is not known"),
        pytest.param(ADDED + "\n    handler.setLevel(logging.ERROR)", RECORD, "pass", id="the handler shows errors"),
        pytest.param(
            "audit.addHandler(logging.StreamHandler())",
            'audit.warning("entry %s", entry)',
            "pass",
            id="shown on stderr",
        ),
        pytest.param(
            ADDED.replace("logging.FileHandler(path)", "logging.NullHandler()"), RECORD, "pass", id="writes nothing"
        ),
        pytest.param(ADDED, 'logging.getLogger("other").info("entry %s", entry)', "pass", id="of another logger"),
        pytest.param(ADDED, 'logging.getLogger("ledger").info("entry %s", entry)', "pass", id="of one above"),
        pytest.param(ADDED, "print(entry)", "pass", id="no record"),
    ],
)
def test_records_that_are_shown_or_wanted_nowhere(setup: str, record: str, begin: str) -> None:
    assert found(setup, record, begin=begin) == []


def test_a_handler_that_the_module_adds_at_import() -> None:
    logger = LOGGER + '\naudit.addHandler(logging.FileHandler("all.log"))'
    assert found(logger=logger) == []


def test_a_logger_that_the_worker_asks_for_by_its_name() -> None:
    # gap: a call of `logging.getLogger(…).info` is not seen to depend on the configuration
    assert found(record=RECORD.replace("audit", 'logging.getLogger("ledger.audit")')) == []


_EITHER = "logging.DEBUG if path else logging.INFO"


@pytest.mark.parametrize("level", [_EITHER, '"INFO" if path else "DEBUG"', "10 if path.endswith('x') else 20"])
def test_one_of_two_levels_that_both_show_it(level: str) -> None:
    assert found(INLINE.format(level=level)) == ["LP211"]


@pytest.mark.parametrize(
    ("level", "record"),
    [
        pytest.param("logging.INFO if path else logging.WARNING", RECORD, id="one of them hides it"),
        pytest.param(_EITHER, RECORD.replace("info", "debug"), id="one of them hides what is below it"),
        pytest.param("logging.INFO if path else sys.flags.verbose", RECORD, id="one of them is not known"),
        pytest.param(_EITHER, "print(entry)", id="no record"),
    ],
)
def test_one_of_two_levels_that_may_hide_it(level: str, record: str) -> None:
    assert found(INLINE.format(level=level), record) == []
