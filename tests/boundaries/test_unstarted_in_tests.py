"""Processes that tests make to call their ordinary methods, as in the tests of pyPowerAPI: nobody starts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

ACTORS = """\
import multiprocessing


class State:
    def __init__(self, actor, supervisor=None):
        self.actor = actor
        self.handlers = {}

    def handler(self, message):
        return self.handlers[type(message)], self.actor.name


class Launcher:
    def __init__(self, actor):
        self.actor = actor

    def go(self):
        self.actor.start()


class Group:
    def __init__(self, actor):
        self.actors = [actor]


class Watched:
    def __init__(self, actor):
        self.actor = actor
        actor.start()


def named(actor):
    actor.name = "first"


def launched(actor):
    actor.start()


class Actor(multiprocessing.Process):
    def __init__(self, name, config):
        super().__init__(name=name)
        self.config = config
        self.state = None

    def setup(self):
        self.state = State(self)

    def fetch(self, api):
        return api.fetch(self.config)

    def run(self):
        self.fetch(self.config)
"""
HEAD = "from unittest.mock import Mock, patch\n\nimport pytest\n\nfrom package.actors import *\n\n\n"


def _confidences(tmp_path: Path, tests: str, name: str = "tests/test_actors.py") -> list[tuple[str, str]]:
    files = {
        "pyproject.toml": "[project]\nname = 'x'\n",
        "package/__init__.py": "",
        "package/actors.py": ACTORS,
        name: HEAD + tests,
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    return [(each.code, each.confidence.value) for each in found]


TEST = """\
def test_setup():
    config = Mock()
    actor = Actor("pytest", config)
    {}
"""


@pytest.mark.parametrize(
    "use",
    [
        "actor.setup()\n    assert actor.state is not None",
        "state = State(actor)\n    actor.setup()\n    assert actor.state is not state",
        "state = State(supervisor=None, actor=actor)\n    assert state.actor.name == 'pytest'",
        "with patch('package.actors.State', return_value=State(actor)):\n        actor.setup()",
        "with patch('package.actors.State') as state:\n        actor.setup()\n    state.assert_called_once_with(actor)",
        "named(actor)\n    actor.fetch(Mock())",
        "api = Mock(actor)\n    actor.fetch(api)",
    ],
)
def test_one_whose_ordinary_methods_are_called(tmp_path: Path, use: str) -> None:
    assert _confidences(tmp_path, TEST.format(use)) == []


@pytest.mark.parametrize(
    "use",
    [
        "actor.start()",
        "state = State(actor)\n    state.actor.start()",
        "Launcher(actor).go()",
        "Group(actor)",
        "Watched(actor)",
        "launched(actor)",
        "run_all(actor)",
        "state = State(actor)\n    run_all(state)",
        "state = State(actor)\n    process = state.actor\n    process.start()",
        "return State(actor)",
    ],
)
def test_one_that_is_started_or_given_to_who_may(tmp_path: Path, use: str) -> None:
    assert _confidences(tmp_path, TEST.format(use)) == [("LP119", "likely")]


FIXTURES = """\
@pytest.fixture
def agent():
    made = Actor("pytest", Mock())
    made.state = Mock()
    {give} made


@pytest.fixture
def configure(agent):
    def _configure(*, fetch=None):
        agent.fetch = fetch or Mock()
        return agent

    return _configure


@pytest.fixture(name="ready")
def ready_agent(agent):
    agent.setup()
    return agent


def test_fetch(agent):
    assert agent.fetch(Mock())
    assert agent.state.handler.call_args_list == []


def test_run(configure):
    made = configure(fetch=Mock())
    made.run()


def test_ready(ready):
    {use}
"""


@pytest.mark.parametrize("give", ["return", "yield"])
@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("assert ready.state", False),
        ("ready.run()", False),
        (
            "state = State(ready)\n    assert state",
            True,
        ),  # gap: what a test gives a fixture's object to is not followed
        ("ready.start()", True),
        ("run_all(ready)", True),
        ("later = ready.start\n    later()", True),
    ],
)
def test_one_that_fixtures_give_to_tests(tmp_path: Path, give: str, use: str, is_found: bool) -> None:
    found = _confidences(tmp_path, FIXTURES.format(give=give, use=use))
    assert found == ([("LP119", "likely"), ("LP119", "likely")] if is_found else [])


MAKER = """\
@pytest.fixture
def make_agent():
    def _make(name="pytest"):
        agent = Actor(name, Mock())
        return agent

    {use_of_maker}
    return _make


def test_setup(make_agent):
    agent = make_agent("first")
    agent.setup()
    {use}
"""


@pytest.mark.parametrize(
    ("use_of_maker", "use", "is_found"),
    [
        ("assert _make", "assert agent.state", False),
        ("_make().setup()", "agent.run()", False),
        ("_make().start()", "agent.run()", True),
        ("_make()", "agent.start()", True),
        ("_make()", "make_agent().start()", True),
        ("_make()", "run_all(make_agent)", True),
        ("run_all(_make)", "assert agent", True),
    ],
)
def test_one_that_a_function_makes_which_a_fixture_gives(
    tmp_path: Path, use_of_maker: str, use: str, is_found: bool
) -> None:
    found = _confidences(tmp_path, MAKER.format(use_of_maker=use_of_maker, use=use))
    assert bool(found) == is_found


@pytest.mark.parametrize(
    ("name", "tests"),
    [
        ("tests/conftest.py", "@pytest.fixture\ndef agent():\n    return Actor('pytest', Mock())\n"),
        (
            "tests/test_actors.py",
            "@pytest.fixture\ndef agent():\n    return Actor('pytest', Mock())\n\n\n"
            "def test_it(request):\n    request.getfixturevalue('agent').start()\n",
        ),
        ("tests/test_actors.py", "def make():\n    return Actor('pytest', Mock())\n"),
    ],
    ids=["for all modules", "asked for by its name", "no fixture"],
)
def test_one_that_others_may_get(tmp_path: Path, name: str, tests: str) -> None:
    assert [code for code, _ in _confidences(tmp_path, tests, name)] == ["LP119"]
