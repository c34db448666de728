"""What a test has put a mock in the place of is no boundary in that test."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

LAUNCHER = """
    import torch.multiprocessing as mp


    class Launcher:
        def __init__(self, strategy):
            self.strategy = strategy

        def launch(self, function, *args):
            mp.start_processes(self.run, args=(function, self.strategy, args), nprocs=2)

        def run(self, rank, function, strategy, args):
            return function(*args)
    """
HEAD = "from unittest import mock\nfrom unittest.mock import MagicMock, Mock\n\nimport pytest\n\n"
IMPORTS = "import pkg.launcher\nfrom pkg.launcher import Launcher\n\n\n"
TEST = """\
def test_launch({wanted}):
    launcher = Launcher(MagicMock())
    launcher.launch(lambda: 1)
"""


def _codes(folder: Path, test: str, conftest: str = "") -> set[str]:
    files = {
        "pyproject.toml": "[project]\n",
        "pkg/__init__.py": "",
        "pkg/launcher.py": dedent(LAUNCHER),
        "tests/conftest.py": HEAD + conftest,
        "tests/test_launcher.py": HEAD + IMPORTS + test,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    return {each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics}


def test_a_test_without_mocks_of_the_boundary(tmp_path: Path) -> None:
    assert {"LP119", "LP201"} & _codes(tmp_path, TEST.format(wanted=""))


@pytest.mark.parametrize(
    "test",
    [
        f"@mock.patch('pkg.launcher.mp')\n{TEST.format(wanted='mocked')}",
        f"@mock.patch('pkg.launcher.mp.start_processes')\n{TEST.format(wanted='mocked')}",
        f"@mock.patch('torch.multiprocessing.start_processes', autospec=True)\n{TEST.format(wanted='mocked')}",
        f"@mock.patch.object(pkg.launcher, 'mp')\n{TEST.format(wanted='mocked')}",
        f"@mock.patch.object(Launcher, 'launch')\n{TEST.format(wanted='mocked')}",
        "def test_launch():\n    with mock.patch('pkg.launcher.mp'):\n        Launcher(Mock()).launch(lambda: 1)\n",
        "def test_launch(monkeypatch):\n    monkeypatch.setattr('pkg.launcher.mp', Mock())\n"
        "    Launcher(Mock()).launch(lambda: 1)\n",
        "def test_launch(monkeypatch):\n    monkeypatch.setattr(pkg.launcher, 'mp', Mock())\n"
        "    Launcher(Mock()).launch(lambda: 1)\n",
        "@mock.patch('pkg.launcher.mp')\nclass TestLauncher:\n    def test_launch(self, mocked):\n"
        "        Launcher(Mock()).launch(lambda: 1)\n",
        "class TestLauncher:\n    def setup_method(self):\n        mock.patch('pkg.launcher.mp').start()\n\n"
        "    def test_launch(self):\n        Launcher(Mock()).launch(lambda: 1)\n",
        "@pytest.fixture\ndef no_processes(monkeypatch):\n    monkeypatch.setattr(pkg.launcher, 'mp', Mock())\n\n\n"
        + TEST.format(wanted="no_processes"),
        "@pytest.fixture(autouse=True)\ndef no_processes(monkeypatch):\n    monkeypatch.setattr('pkg.launcher.mp', 1)"
        "\n\n\n@pytest.mark.parametrize('name', ['a'])\n" + TEST.format(wanted="name"),
    ],
)
def test_a_test_that_mocks_the_boundary(tmp_path: Path, test: str) -> None:
    assert not {"LP119", "LP201"} & _codes(tmp_path, test)


def test_a_fixture_of_a_conftest(tmp_path: Path) -> None:
    conftest = "@pytest.fixture\ndef no_processes(mocker):\n    return mocker.patch('pkg.launcher.mp')\n"
    assert not {"LP119", "LP201"} & _codes(tmp_path, TEST.format(wanted="no_processes"), conftest)
    assert {"LP119", "LP201"} & _codes(tmp_path, TEST.format(wanted="other"), conftest)


@pytest.mark.parametrize(
    "test",
    [
        f"@mock.patch('pkg.launcher.torch')\n{TEST.format(wanted='mocked')}",
        f"@mock.patch('pkg.launcher.mp')\ndef test_other(mocked):\n    pass\n\n\n{TEST.format(wanted='')}",
        f"@pytest.fixture\ndef other(mocker):\n    mocker.patch('pkg.launcher.mp')\n\n\n{TEST.format(wanted='')}",
    ],
)
def test_a_test_that_mocks_something_else(tmp_path: Path, test: str) -> None:
    assert {"LP119", "LP201"} & _codes(tmp_path, test)
