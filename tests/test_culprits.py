"""One culprit, one finding: what several places lead to is reported where it is defined, with these places."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import pytest

from lintpickle.api import FixMode, lint_paths
from lintpickle.baseline import Baseline
from lintpickle.commands._request import read_source
from lintpickle.diagnostics import Diagnostic, Outcome, Related
from lintpickle.settings import SettingsResolver

MAKERS = """\
def activation(name):
    if name == "linear":
        return lambda x: x
    raise ValueError(name)
"""
HEAD = """\
from torch.utils.data import DataLoader, Dataset

from makers import activation


class {name}(Dataset):
    def __init__(self):
        self.rows = []
        self.size = 0
        self.activation = activation("linear")

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        return self.activation(self.rows[index])


def loader():
    return DataLoader({name}(), num_workers=2)
"""


Shown: TypeAlias = tuple[str, int, list[tuple[str, int]]]
DEFAULTS: Mapping[str, object] = {}
ABOUT_COMMENTS = {"extend-select": ["LP9"], "pedantic": True}


class Program:
    """Files in a folder, linted as a project."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("pyproject.toml", "")

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def outcome(self, *names: str, fix: FixMode = FixMode.NONE, settings: Mapping[str, object] = DEFAULTS) -> Outcome:
        resolver = SettingsResolver(cwd=self.folder, overrides=dict(settings))
        return lint_paths([str(self.folder / name) for name in names or (".",)], resolver=resolver, fix=fix)

    def found(self, *names: str, settings: Mapping[str, object] = DEFAULTS) -> list[Shown]:
        """File and row of each finding, and of the places related to it."""
        return [
            (*self._place(each), [self._place(related) for related in each.related])
            for each in self.outcome(*names, settings=settings).diagnostics
        ]

    def _place(self, where: Diagnostic | Related) -> tuple[str, int]:
        location = where.location
        return Path(location.path).relative_to(self.folder).as_posix(), location.start.row


@pytest.fixture
def program(tmp_path: Path) -> Program:
    made = Program(tmp_path)
    made.write("makers.py", MAKERS)
    for name in ("One", "Two", "Three"):
        made.write(f"{name.lower()}.py", HEAD.format(name=name))
    return made


ALL = [("one.py", 10), ("three.py", 10), ("two.py", 10)]


def test_a_lambda_with_several_users_is_one_finding(program: Program) -> None:
    assert program.found() == [("makers.py", 3, ALL)]


def test_what_one_place_alone_leads_to_is_reported_there(program: Program) -> None:
    for name in ("two.py", "three.py"):
        (program.folder / name).unlink()
    assert program.found() == [("one.py", 10, [])]


def test_the_message_and_the_places_say_what_is_kept_where(program: Program) -> None:
    [finding] = program.outcome().diagnostics
    assert finding.told == "lambda `lambda x: x` is kept in `One.activation`"
    assert finding.related[1].message == 'lambda `activation("linear")` is kept in `Three.activation`'
    assert finding.trail[-1].location.start == finding.location.start


def test_a_file_named_alone_has_what_the_whole_run_says_of_it(program: Program) -> None:
    assert program.found("makers.py") == program.found()
    assert program.found("one.py") == []


def test_two_culprits_are_two_findings(program: Program) -> None:
    program.write(
        "makers.py", MAKERS.replace("    raise", '    if name == "twice":\n        return lambda x: 2 * x\n    raise')
    )
    program.write("one.py", HEAD.format(name="One").replace('"linear"', '"twice"'))
    program.write("two.py", HEAD.format(name="Two").replace('"linear"', "name").replace("self):", "self, name):"))
    rows = {(path, row) for path, row, _ in program.found()}
    assert {("makers.py", 3), ("makers.py", 5)} <= rows


def test_a_local_class_is_reported_at_its_header(program: Program) -> None:
    program.write(
        "makers.py",
        "def activation(name):\n    class Linear:\n        label = name\n\n    return Linear()\n",
    )
    assert program.found() == [("makers.py", 2, [("makers.py", 5), *ALL])]


def test_a_local_function_stored_twice_in_one_class_is_one_finding(tmp_path: Path) -> None:
    program = Program(tmp_path)
    program.write(
        "data.py",
        "from torch.utils.data import DataLoader, Dataset\n\n\n"
        "class Volumes(Dataset):\n"
        "    def __init__(self):\n"
        "        def clip(volume):\n"
        "            return volume\n\n"
        "        self.first = clip\n"
        "        self.second = [clip]\n\n"
        "    def __len__(self):\n        return 0\n\n"
        "    def __getitem__(self, index):\n        return index\n\n\n"
        "def loader():\n"
        "    return DataLoader(Volumes(), num_workers=2)\n",
    )
    assert program.found() == [("data.py", 9, [])]


def test_what_a_package_defines_is_reported_at_each_line_that_leads_to_it(program: Program) -> None:
    """There is nothing of the project that they share."""
    (program.folder / "makers.py").unlink()
    program.write("env/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.0\n")
    program.write("env/lib/python3.11/site-packages/makers.py", MAKERS)
    found = program.found("one.py", "two.py", "three.py", settings={"python": "env"})
    assert found == [("one.py", 10, []), ("three.py", 10, []), ("two.py", 10, [])]


class TestComments:
    def test_one_at_the_culprit_hides_all(self, program: Program) -> None:
        program.write("makers.py", MAKERS.replace("lambda x: x", "lambda x: x  # lintpickle: ignore[LP102]"))
        assert program.found(settings=ABOUT_COMMENTS) == []

    def test_one_at_a_place_hides_this_place(self, program: Program) -> None:
        self._hide(program, "two")
        found = program.found(settings=ABOUT_COMMENTS)
        assert found == [("makers.py", 3, [place for place in ALL if place[0] != "two.py"])]

    def test_one_at_each_place_hides_all(self, program: Program) -> None:
        for name in ("one", "two", "three"):
            self._hide(program, name)
        assert program.found(settings=ABOUT_COMMENTS) == []

    def test_one_at_a_place_is_of_use_if_that_file_is_named_alone(self, program: Program) -> None:
        self._hide(program, "two")
        assert program.found("two.py", settings=ABOUT_COMMENTS) == []

    def test_one_that_hides_nothing_is_still_unused(self, program: Program) -> None:
        program.write("two.py", HEAD.format(name="Two").replace("Dataset\n\n", "Dataset  # noqa: LP102\n\n"))
        found = program.found("two.py", settings=ABOUT_COMMENTS)
        assert [(path, row) for path, row, _ in found] == [("two.py", 1)]

    def _hide(self, program: Program, name: str) -> None:
        text = (program.folder / f"{name}.py").read_text(encoding="utf-8")
        hidden = text.replace('activation("linear")', 'activation("linear")  # noqa: LP102')
        program.write(f"{name}.py", hidden)


def test_a_rule_that_is_off_in_a_file_takes_its_places_away(program: Program) -> None:
    program.write("pyproject.toml", "[tool.lintpickle.per-file-ignores]\n'two.py' = ['LP102']\n")
    assert program.found() == [("makers.py", 3, [place for place in ALL if place[0] != "two.py"])]


def test_a_fix_at_the_culprit_mends_all_places(program: Program) -> None:
    outcome = program.outcome(fix=FixMode.WRITE)
    assert [Path(change.path).name for change in outcome.changes] == ["makers.py"]
    assert outcome.diagnostics == ()
    assert program.found() == []


def test_a_test_does_not_explain_the_library(program: Program) -> None:
    """Whatever is found first: `a_tests` is read before `zoo`."""
    program.write("one.py", "")
    program.write("two.py", "")
    program.write("three.py", "")
    program.write(
        "held.py",
        "class Held:\n    def __init__(self, rows):\n        self.names = rows.keys()\n",
    )
    boundary = "import pickle\n\nfrom held import Held\n\n\ndef save():\n    {}return pickle.dumps({})\n"
    program.write("a_tests/test_held.py", boundary.format("", "Held({})"))
    program.write("zoo.py", boundary.format("held = Held({})\n    ", "held"))
    [finding] = program.outcome().diagnostics
    assert {Path(step.location.path).name for step in finding.trail} == {"zoo.py", "held.py"}


def test_a_baseline_of_places_knows_the_culprit(program: Program) -> None:
    for name in ("two.py", "three.py"):
        (program.folder / name).unlink()
    baseline = Baseline.of(program.outcome().diagnostics, program.folder, read_source)
    program.write("two.py", HEAD.format(name="Two"))
    compared = baseline.compare(program.outcome().diagnostics, read_source, [program.folder])
    assert (compared.new, compared.known, compared.gone) == ((), 1, 0)


def test_what_only_tests_lead_to_is_told_in_a_test(program: Program) -> None:
    for name in ("one", "two", "three"):
        (program.folder / f"{name}.py").unlink()
    program.write("tests/test_one.py", HEAD.format(name="One"))
    program.write("tests/test_two.py", HEAD.format(name="Two"))
    places = [("tests/test_one.py", 10), ("tests/test_two.py", 10)]
    pedantic = {"pedantic": True}
    assert program.found(settings=pedantic) == [("tests/test_one.py", 10, places)]
    program.write("library.py", HEAD.format(name="Three"))
    assert program.found(settings=pedantic) == [("library.py", 10, [])], "what is only possible in tests adds nothing"
    program.write("another.py", HEAD.format(name="Four"))
    assert program.found() == [("makers.py", 3, [("another.py", 10), ("library.py", 10)])]


def test_what_is_only_possible_is_counted(tmp_path: Path) -> None:
    program = Program(tmp_path)
    text = (
        "from torch import nn\n\n\n"
        "class Probe:\n"
        "    def __init__(self, module: nn.Module):\n"
        "        def hook(*arguments):\n"
        "            print(arguments)\n\n"
        "        self.handle = module.register_forward_hook(hook)\n"
    )
    program.write("probe.py", text)
    shown = program.outcome(settings={"pedantic": True})
    hidden = program.outcome()
    assert (len(shown.diagnostics), shown.held_back) == (1, 0)
    assert (len(hidden.diagnostics), hidden.held_back) == (0, 1)
