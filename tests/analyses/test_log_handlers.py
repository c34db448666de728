"""What is set up at import for some logger does not show the records of workers; a handler that writes, and that the
record reaches, does."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.settings import SettingsResolver

MAIN = """\
import logging
import multiprocessing
import sys

from audit import checks


def set_up(path):
    {}


def main():
    set_up("audit.log")
    with multiprocessing.Pool(2) as pool:
        print(pool.map(checks.check, [640, 641]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
CHECKS = """\
import logging

log = logging.getLogger(__name__)


def check(width):
    if width % 8:
        log.info("%d is not a multiple of 8", width)
    return width % 8
"""
FILE = "logging.getLogger().addHandler(logging.FileHandler(path))\n    logging.getLogger().setLevel(logging.INFO)"
BASIC = "logging.basicConfig(filename=path, level=logging.INFO)"


def told(folder: Path, above: str, set_up: str) -> list[str]:
    (folder / "audit").mkdir()
    (folder / "audit" / "__init__.py").write_text(f"import logging\nimport sys\n\n{above}\n", encoding="utf-8")
    (folder / "audit" / "checks.py").write_text(CHECKS, encoding="utf-8")
    (folder / "main.py").write_text(MAIN.format(set_up), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return [finding.diagnostic.code for boundary in found for finding in boundary.findings]


@pytest.mark.parametrize("set_up", [FILE, BASIC], ids=["a handler", "basicConfig"])
@pytest.mark.parametrize(
    "above",
    [
        pytest.param("", id="nothing"),
        pytest.param("logging.getLogger(__name__).addHandler(logging.NullHandler())", id="the package says nothing"),
        pytest.param("silent = logging.NullHandler()\nlogging.getLogger('audit').addHandler(silent)", id="by name"),
        pytest.param("logging.getLogger('PIL').addHandler(logging.StreamHandler())", id="another logger"),
        pytest.param("logging.getLogger('audit').setLevel('INFO')", id="a level"),
        pytest.param("logging.getLogger('matplotlib').setLevel(logging.WARNING)", id="a level of another logger"),
    ],
)
def test_what_main_sets_up_is_missing(above: str, set_up: str, tmp_path: Path) -> None:
    assert told(tmp_path, above, set_up) == ["LP211"]


@pytest.mark.parametrize("set_up", [FILE, BASIC], ids=["a handler", "basicConfig"])
@pytest.mark.parametrize(
    "above",
    [
        pytest.param("logging.getLogger(__name__).addHandler(logging.StreamHandler())", id="the package writes"),
        pytest.param("logging.getLogger().addHandler(logging.StreamHandler(sys.stdout))", id="the root writes"),
        pytest.param("shown = logging.StreamHandler()\nlogging.getLogger('audit').addHandler(shown)", id="by name"),
        pytest.param("logging.basicConfig(level=logging.INFO)", id="basicConfig"),
    ],
)
def test_what_is_set_up_at_import_is_there(above: str, set_up: str, tmp_path: Path) -> None:
    assert told(tmp_path, above, set_up) == []


@pytest.mark.parametrize(
    "set_up",
    [
        pytest.param("logging.getLogger('PIL').addHandler(logging.FileHandler(path))", id="of another logger"),
        pytest.param("logging.getLogger('audit').addHandler(logging.NullHandler())", id="that writes nothing"),
    ],
)
def test_a_handler_of_main_that_gets_no_such_record(set_up: str, tmp_path: Path) -> None:
    assert told(tmp_path, "", set_up) == []


_OF = """logger = logging.getLogger({0!r})
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(logging.Formatter("%(message)s"))
    logger.setLevel(logging.INFO)
    logger.addHandler(handler)"""


@pytest.mark.parametrize("name", ["audit.report", "audit.checks.detail", "auditing"])
def test_a_logger_of_main_that_gets_no_such_record(name: str, tmp_path: Path) -> None:
    assert told(tmp_path, "", _OF.format(name)) == []


@pytest.mark.parametrize("name", ["", "audit", "audit.checks"])
def test_a_logger_of_main_that_gets_the_record(name: str, tmp_path: Path) -> None:
    assert told(tmp_path, "", _OF.format(name)) == ["LP211"]


QUEUED = """\
import logging
import logging.handlers
import multiprocessing

log = logging.getLogger("ci")


class Feed:
    def __init__(self):
        self.handlers = []


feed = Feed()


def attach(queue, level):
    root = logging.getLogger()
    {0}
    root.setLevel(level)


def run_step(name):
    log.info("step %s started", name)
    return len(name)


def main():
    {1}
    queue = multiprocessing.Queue()
    with multiprocessing.Pool(1, initializer=attach, initargs=(queue, logging.INFO)) as pool:
        print(pool.map(run_step, ["lint", "types"]))


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    main()
"""
CONFIGURED = "logging.basicConfig(level=logging.INFO)"


def told_of_steps(folder: Path, attaching: str, configuring: str) -> list[str]:
    (folder / "main.py").write_text(QUEUED.format(attaching, configuring), encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "==3.11"})
    found = migrate([str(folder)], resolver, StartMethod.SPAWN, "3.11").boundaries
    return [finding.diagnostic.code for boundary in found for finding in boundary.findings]


@pytest.mark.parametrize(
    "attaching",
    [
        pytest.param("root.handlers[:] = [logging.handlers.QueueHandler(queue)]", id="in their place"),
        pytest.param("root.handlers = [logging.handlers.QueueHandler(queue)]", id="a list"),
        pytest.param("root.handlers += [logging.handlers.QueueHandler(queue)]", id="more"),
        pytest.param("root.handlers.append(logging.handlers.QueueHandler(queue))", id="one more"),
        pytest.param("logging.root.handlers = [logging.handlers.QueueHandler(queue)]", id="of the root by its name"),
        pytest.param("log.handlers = [logging.handlers.QueueHandler(queue)]", id="of the logger of the module"),
    ],
)
def test_workers_whose_initializer_gives_a_logger_its_handlers(attaching: str, tmp_path: Path) -> None:
    assert told_of_steps(tmp_path, attaching, CONFIGURED) == []


@pytest.mark.parametrize(
    "attaching",
    [
        pytest.param("root.handlers[:] = []", id="none"),
        pytest.param("root.handlers.clear()", id="cleared"),
        pytest.param("root.handlers = [logging.NullHandler()]", id="one that writes nothing"),
        pytest.param("feed.handlers = [logging.handlers.QueueHandler(queue)]", id="of something else"),
    ],
)
def test_workers_whose_initializer_gives_it_none(attaching: str, tmp_path: Path) -> None:
    assert told_of_steps(tmp_path, attaching, CONFIGURED) == ["LP211"]


@pytest.mark.parametrize(
    "configuring",
    [
        pytest.param("logging.getLogger().handlers[:] = [logging.StreamHandler()]", id="of the root"),
        pytest.param("log.handlers = [logging.StreamHandler()]", id="of the logger of the module"),
        pytest.param("log.handlers.append(logging.StreamHandler())", id="one more"),
    ],
)
def test_main_gives_a_logger_its_handlers(configuring: str, tmp_path: Path) -> None:
    assert told_of_steps(tmp_path, "pass", configuring) == ["LP211"]


@pytest.mark.parametrize(
    "configuring",
    [
        pytest.param("log.handlers = []", id="none"),
        pytest.param("feed.handlers.append(print)", id="of something else"),
        pytest.param("logging.getLogger('urllib3').handlers = [logging.StreamHandler()]", id="of another logger"),
        pytest.param("log.handlers = [logging.NullHandler()]", id="one that writes nothing"),
    ],
)
def test_main_gives_it_none(configuring: str, tmp_path: Path) -> None:
    assert told_of_steps(tmp_path, "pass", configuring) == []
