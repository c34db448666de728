"""What files are for whose names say that they are tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.source.file_kinds import PlaceKind

ROOT = os.path.join(os.sep, "work", "project")

OPTIONS = "import argparse\nparser = argparse.ArgumentParser()\n"


def kind(path: str, text: str) -> PlaceKind:
    return FilePurposes(ROOT, (), lambda _: text).kind(os.path.join(ROOT, *path.split("/")))


@pytest.mark.parametrize(
    "text",
    [
        OPTIONS + "options = parser.parse_args()\n",
        OPTIONS + "def test(model, loader):\n    pass\nif __name__ == '__main__':\n    test(*parser.parse_args())\n",
        "from model import net\nfor image in images:\n    net(image)\n",
        "import sys\ndef test_model(path):\n    pass\nif __name__ == '__main__':\n    test_model(sys.argv[1])\n",
        "def main():\n    pass\nif __name__ == '__main__':\n    main()\n",
    ],
)
def test_a_program_that_tests_a_model_is_no_test(text: str) -> None:
    assert kind("test_net.py", text) is PlaceKind.LIBRARY
    assert kind("examples/test_net.py", text) is PlaceKind.EXAMPLES
    assert kind("tests/test_net.py", text) is PlaceKind.TESTS


@pytest.mark.parametrize(
    "text",
    [
        "",
        "def test_sum():\n    assert sum([1]) == 1\n",
        "def test_sum():\n    assert sum([1]) == 1\nif __name__ == '__main__':\n    test_sum()\n",
        OPTIONS + "def test_options():\n    assert parser.parse_args().depth == 1\n",
        OPTIONS + "def test_options():\n    assert parser.parse_args(['-n']).depth == 1\nprint('done')\n",
        "import unittest\nif __name__ == '__main__':\n    unittest.main()\n",
        "import pytest\nimport sys\nprint(sys.argv[1])\n",
        "class Helper:\n    pass\n",
    ],
)
def test_tests_are_tests(text: str) -> None:
    assert kind("test_net.py", text) is PlaceKind.TESTS


def test_what_the_command_test_does_is_no_test() -> None:
    scheduler = "class TestScheduler:\n    def run(self):\n        pass\n"
    assert kind("tool/commands/test/test_scheduler.py", scheduler) is PlaceKind.LIBRARY
    assert kind("tool/commands/test/__init__.py", "") is PlaceKind.LIBRARY
    assert kind("site/management/commands/test_mail.py", scheduler) is PlaceKind.LIBRARY
    assert kind("tests/commands/test/test_scheduler.py", scheduler) is PlaceKind.TESTS
    assert kind("tool/commands/tests/helpers.py", scheduler) is PlaceKind.TESTS
    assert kind("tool/test/helpers.py", scheduler) is PlaceKind.TESTS


def test_tests_among_the_commands_are_tests() -> None:
    test = "def test_it():\n    assert run()\n"
    assert kind("tool/commands/test/scheduler_test.py", test) is PlaceKind.TESTS
    assert kind("tool/commands/test/test_scheduler.py", test) is PlaceKind.TESTS
    assert kind("tool/commands/test_build.py", test) is PlaceKind.TESTS


def test_a_file_that_was_edited_is_looked_at_again() -> None:
    texts = ["def test_sum():\n    pass\n"]
    purposes = FilePurposes(ROOT, (), lambda _: texts[-1])
    path = os.path.join(ROOT, "test_net.py")
    assert purposes.kind(path) is PlaceKind.TESTS
    texts.append("print('done')\n")
    assert purposes.kind(path) is PlaceKind.LIBRARY


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("[project.scripts]\nrun = 'benchmarks.run.main:main'\n", PlaceKind.LIBRARY),
        ("[project.scripts]\nrun = 'library.benchmarks:main'\n", PlaceKind.BENCHMARKS),
        ("[tool.ruff]\nexclude = ['benchmarks']\n", PlaceKind.BENCHMARKS),
        ("", PlaceKind.BENCHMARKS),
    ],
)
def test_a_package_of_benchmarks_whose_scripts_are_installed(
    declared: str, expected: PlaceKind, tmp_path: Path
) -> None:
    (tmp_path / "pyproject.toml").write_text(declared)
    purposes = FilePurposes(str(tmp_path), (), lambda _: "")
    assert purposes.kind(str(tmp_path / "benchmarks" / "images.py")) is expected
    assert purposes.kind(str(tmp_path / "benchmarks" / "tests" / "images.py")) is PlaceKind.TESTS
    assert purposes.kind(str(tmp_path / "bench_images.py")) is PlaceKind.BENCHMARKS
