"""`lintpickle migrate`: verdicts, pins, formats and exit codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lintpickle.commands._group import app
from lintpickle.diagnostics import Diagnostic, LintpickleError, StartMethod
from lintpickle.engine.project import Analysis
from lintpickle.migration import migration_format, migration_format_names
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Migration, Verdict
from lintpickle.settings import SettingsResolver

PINNED = """\
import multiprocessing
import somelib

LEVEL = 0


class Job:
    def __init__(self, names, other):
        self.names = names.keys()
        self.other = other


def work(job):
    return job


def scaled(number):
    return number * LEVEL


def main(level):
    global LEVEL
    LEVEL = level
    context = multiprocessing.get_context("fork")
    first = context.Process(target=work, args=(Job({"a": 1}, 2),))
    second = context.Process(target=work, args=(somelib.make(),))
    third = context.Process(target=work, args=([1, 2],))
    for process in (first, second, third):
        process.start()
    with context.Pool(2) as pool:
        print(pool.map(scaled, [1, 2]))


if __name__ == "__main__":
    main(3)
"""


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["migrate", "--isolated", *arguments])


def migrated(folder: Path, **files: str) -> Migration:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "3.14"})
    return migrate([str(folder)], resolver, StartMethod.FORKSERVER, "3.14")


def verdicts(migration: Migration) -> dict[int, Verdict]:
    return {boundary.spot.row: boundary.verdict for boundary in migration.boundaries}


def row_of(text: str) -> int:
    return PINNED[: PINNED.index(text)].count("\n") + 1


class TestVerdicts:
    def test_every_boundary_has_one_whatever_pins_it(self, tmp_path: Path) -> None:
        assert verdicts(migrated(tmp_path, program=PINNED)) == {
            row_of("first = "): Verdict.BREAKS,
            row_of("second = "): Verdict.CANNOT_TELL,
            row_of("third = "): Verdict.READY,
            row_of("with context.Pool"): Verdict.READY,
            row_of("print(pool"): Verdict.CHANGES,
        }

    def test_the_check_stays_silent_where_fork_is_pinned(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED)
        result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", str(tmp_path)])
        assert result.exit_code == 0, result.output
        assert "Workers are forked, which hides 2 findings: `lintpickle migrate` lists them." in result.output

    @pytest.mark.parametrize(
        ("options", "judged"),
        [
            ((), 2),
            (("--output-format", "grouped"), 2),
            (("--statistics",), 2),
            (("--output-format", "json"), 1),
            (("--output-format", "json", "--statistics"), 1),
            (("--quiet",), 1),
        ],
    )
    def test_what_fork_hides_is_only_sought_for_a_summary(
        self, options: tuple[str, ...], judged: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "program.py").write_text(PINNED)
        asked: list[Analysis] = []
        original = Analysis.diagnostics

        def diagnostics(self: Analysis, *given: Any, **also: Any) -> dict[str, list[Diagnostic]]:
            asked.append(self)
            return original(self, *given, **also)

        monkeypatch.setattr(Analysis, "diagnostics", diagnostics)
        result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", *options, str(tmp_path)])
        assert result.exit_code == 0, result.output
        assert len(asked) == judged
        assert ("Workers are forked" in result.output) is (judged == 2)

    @pytest.mark.parametrize("edit", ["", "# a comment\n", "OTHER = 1\n"])
    def test_the_check_says_so_after_an_edit(self, edit: str, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(PINNED)
        cache = ["--cache-dir", str(tmp_path / "cache")]
        outputs = []
        for _ in range(2):
            outputs.append(CliRunner().invoke(app, ["check", "--isolated", *cache, str(program)]).output)
            program.write_text(program.read_text() + edit)
        assert all("which hides 2 findings" in output for output in outputs), outputs

    @pytest.mark.parametrize(
        ("setting", "is_told"),
        [
            ("multiprocessing_context='fork'", True),
            ("timeout=0)\nsettings = dict(mp_start_method='fork'", False),
        ],
    )
    def test_a_setting_counts_where_it_reaches_workers(self, setting: str, is_told: bool, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "from torch.utils.data import DataLoader, Dataset\n\n\nclass Rows(Dataset):\n"
            "    def __init__(self):\n        self.key = lambda row: row\n\n\n"
            f"loader = DataLoader(Rows(), num_workers=2, {setting})\n"
            "if __name__ == '__main__':\n    for batch in loader:\n        print(batch)\n"
        )
        result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", str(tmp_path)])
        assert ("Workers are forked, which hides 1 finding" in result.output) is is_told
        assert ("LP102" in result.output) is not is_told

    def test_what_another_project_asks_for_is_told_of_that(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED.replace('"fork"', '"spawn"'))
        (tmp_path / "inner").mkdir()
        (tmp_path / "inner" / "pyproject.toml").write_text("")
        (tmp_path / "inner" / "program.py").write_text(PINNED)
        result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", str(tmp_path)])
        assert "Workers are forked, which hides 2 findings: `lintpickle migrate` lists them." in result.output

    def test_the_check_says_nothing_of_a_pin_that_hides_nothing(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "import multiprocessing\n\n\ndef work():\n    pass\n\n\ndef main():\n"
            "    multiprocessing.get_context('fork').Process(target=work).start()\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        )
        result = CliRunner().invoke(app, ["check", "--isolated", "--no-cache", str(tmp_path)])
        assert "migrate" not in result.output

    def test_a_pin_for_the_whole_program_is_ignored_too(self, tmp_path: Path) -> None:
        text = PINNED.replace('get_context("fork")', "get_context()").replace(
            "    main(3)", '    multiprocessing.set_start_method("fork")\n    main(3)'
        )
        assert verdicts(migrated(tmp_path, program=text))[row_of("first = ")] is Verdict.BREAKS

    def test_the_work_comes_first(self, tmp_path: Path) -> None:
        found = [boundary.verdict for boundary in migrated(tmp_path, program=PINNED).boundaries]
        assert found == sorted(found, key=list(Verdict).index)

    def test_what_is_not_known_says_where_knowledge_ends(self, tmp_path: Path) -> None:
        [boundary] = [b for b in migrated(tmp_path, program=PINNED).boundaries if b.verdict is Verdict.CANNOT_TELL]
        [gap] = boundary.gaps
        assert "somelib.make" in gap.message
        assert gap.spot.row == row_of("second = ")

    def test_a_queue_of_the_pinned_context_moves_with_it(self, tmp_path: Path) -> None:
        text = (
            "from multiprocessing import get_context\n\n\ndef work(queue):\n    queue.put(1)\n\n\n"
            "if __name__ == '__main__':\n    context = get_context('fork')\n    queue = context.Queue()\n"
            "    context.Process(target=work, args=(queue,)).start()\n"
        )
        assert migrated(tmp_path, program=text).is_ready

    def test_a_parameter_that_nobody_passes_is_not_ready(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef work(job):\n    return job\n\n\n"
            "def start(job):\n    multiprocessing.Process(target=work, args=(job,)).start()\n"
        )
        [boundary] = migrated(tmp_path, program=text).boundaries
        assert boundary.verdict is Verdict.CANNOT_TELL
        assert "`job` is a parameter of `start()`" in boundary.gaps[0].message

    def test_an_annotation_of_plain_data_is_believed(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef work(job):\n    return job\n\n\n"
            "def start(job: str):\n    multiprocessing.Process(target=work, args=(job,)).start()\n"
        )
        assert migrated(tmp_path, program=text).is_ready

    def test_an_annotation_that_leaves_the_contents_open_is_not(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef work(job):\n    return job\n\n\n"
            "def start(job: list):\n    multiprocessing.Process(target=work, args=(job,)).start()\n"
        )
        assert not migrated(tmp_path, program=text).is_ready

    def test_what_breaks_under_fork_as_well_is_said_to(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef main():\n    with multiprocessing.get_context('fork').Pool(2) as pool:\n"
            "        pool.map(lambda x: x, [1])\n\n\nif __name__ == '__main__':\n    main()\n"
        )
        [boundary] = [b for b in migrated(tmp_path, program=text).boundaries if b.findings]
        assert boundary.findings[0].is_old

    def test_a_pin_that_starts_what_is_not_seen_is_never_said_to_be_free(self, tmp_path: Path) -> None:
        """The class of a context as an item of a table is not followed: then nothing is known."""  # gap:
        text = (
            "import multiprocessing\n\n\ndef work(job):\n    pass\n\n\n"
            "STARTED = {'fork': multiprocessing.get_context('fork').Process}\n\n"
            "def go(how):\n    STARTED[how](target=work, args=(lambda: 1,)).start()\n\n\ngo('fork')\n"
        )
        found = migrated(tmp_path, program=text)
        assert not found.is_ready
        assert found.pins and all(found.is_blind(pin) for pin in found.pins)

    @pytest.mark.parametrize("called", ["self.Process", "Runner.Process"])
    def test_a_pin_of_a_class_in_the_body_of_another_holds_what_that_starts(self, called: str, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef work(job):\n    pass\n\n\n"
            "class Base:\n    Process = multiprocessing.get_context('fork').Process\n\n\n"
            f"class Runner(Base):\n    def go(self):\n        {called}(target=work, args=(lambda: 1,)).start()\n\n\n"
            "if __name__ == '__main__':\n    Runner().go()\n"
        )
        found = migrated(tmp_path, program=text)
        assert [boundary.verdict for boundary in found.boundaries] == [Verdict.BREAKS]
        assert found.pins and not any(found.is_blind(pin) for pin in found.pins)

    def test_a_pin_of_a_class_by_another_name_holds_what_that_starts(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\nForkProcess = multiprocessing.get_context('fork').Process\n\n\n"
            "def work(job):\n    pass\n\n\ndef main():\n    ForkProcess(target=work, args=(lambda: 1,)).start()\n"
        )
        found = migrated(tmp_path, program=text)
        assert [boundary.verdict for boundary in found.boundaries] == [Verdict.BREAKS]
        assert found.pins and not any(found.is_blind(pin) for pin in found.pins)

    @pytest.mark.parametrize(
        ("worker", "expected"),
        [
            ("logging.info('x')", Verdict.CHANGES),
            ("logging.info('x')\n    job.run()", Verdict.CANNOT_TELL),
            ("logging.info('x')\n    job.stop()", Verdict.CHANGES),
        ],
    )
    def test_what_workers_may_do_themselves_is_not_known(self, worker: str, expected: Verdict, tmp_path: Path) -> None:
        text = (
            "import logging\nimport multiprocessing\n\n\ndef configure():\n    logging.basicConfig()\n\n\n"
            f"class Job:\n    def run(self):\n        configure()\n\n\ndef work(job):\n    {worker}\n\n\n"
            "def main(jobs: list[str]):\n    configure()\n    with multiprocessing.Pool() as pool:\n"
            "        pool.map(work, jobs)\n\n\nif __name__ == '__main__':\n    main(['a'])\n"
        )
        found = migrated(tmp_path, program=text).boundaries
        assert min((each.verdict for each in found), key=list(Verdict).index) is expected

    @pytest.mark.parametrize(("called", "expected"), [("create", Verdict.CANNOT_TELL), ("remove", Verdict.READY)])
    def test_a_lock_that_workers_may_meet_is_not_ready(self, called: str, expected: Verdict, tmp_path: Path) -> None:
        environments = (
            "import multiprocessing\n\nLOCK = multiprocessing.Lock()\n\n\nclass Environment:\n"
            "    def create(self):\n        self._setup()\n\n    def _setup(self):\n        with LOCK:\n"
            "            pass\n\n    def remove(self):\n        pass\n"
        )
        text = (
            f"import multiprocessing\n\nimport environments\n\n\ndef work(given):\n    given.{called}()\n\n\n"
            "def main(found):\n    with multiprocessing.Pool() as pool:\n        pool.map(work, found)\n"
        )
        found = migrated(tmp_path, program=text, environments=environments).boundaries
        assert min((each.verdict for each in found), key=list(Verdict).index) is expected

    def test_an_attribute_is_followed_to_what_sets_it(self, tmp_path: Path) -> None:
        text = (
            "from multiprocessing import get_context\n\nfrom somelib import broker\n\n\ndef work(b):\n    pass\n\n\n"
            "class Cluster:\n    def __init__(self):\n        self.kept = None\n        {first}\n\n"
            "    def start(self):\n        get_context('fork').Process(target=work, args=(self.broker,)).start()\n\n"
            "    def later(self):\n        self.broker = broker()\n\n\nCluster().start()\n"
        )
        for first, row, words in (
            ("self.broker = broker('x')", 13, "somelib.broker"),
            ("pass", 19, "somelib.broker"),
        ):
            found = migrated(tmp_path, program=text.format(first=first)).boundaries
            gaps = [gap for boundary in found for gap in boundary.gaps if "args[0]" in gap.message]
            assert [(gap.spot.row, words in gap.message) for gap in gaps] == [(row, True)], gaps

    def test_a_script_without_a_main_guard(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\nmultiprocessing.set_start_method('fork')\n\n\ndef work():\n    pass\n\n\n"
            "process = multiprocessing.Process(target=work)\nprocess.start()\n"
        )
        codes = {f.diagnostic.code for b in migrated(tmp_path, program=text).boundaries for f in b.findings}
        assert "LP203" in codes
        script = tmp_path / "bin" / "hashes"
        script.parent.mkdir()
        script.write_text(f"#!/usr/bin/env python3\n{text}")
        script.chmod(0o755)
        (tmp_path / "program.py").unlink()
        found = migrated(tmp_path).boundaries
        assert {(Path(boundary.spot.path).name, boundary.verdict) for boundary in found} >= {("hashes", Verdict.BREAKS)}

    @pytest.mark.parametrize(
        "starting",
        [
            "workers = [multiprocessing.Process(target=work, args=(n,)) for n in (1, 2)]\n"
            "for worker in workers:\n    worker.start()",
            "worker = multiprocessing.Process(target=work, args=(1,))\n\nworker.start()",
            "def make(n):\n    return multiprocessing.Process(target=work, args=(n,))\n\n\n"
            "worker = make(1)\nworker.start()",
        ],
    )
    def test_a_start_without_a_guard_is_the_boundary_at_which_the_process_is_made(
        self, starting: str, tmp_path: Path
    ) -> None:
        text = f"import multiprocessing\n\n\ndef work(job):\n    return job\n\n\n{starting}\n"
        [boundary] = migrated(tmp_path, program=text).boundaries
        assert boundary.what.startswith("multiprocessing.Process")
        assert [finding.diagnostic.code for finding in boundary.findings] == ["LP203"]

    @pytest.mark.parametrize(
        ("given", "expected"),
        [
            ("listener.getsockname()", Verdict.READY),
            ("listener.getsockname()[1]", Verdict.READY),
            ("listener.detach()", Verdict.BREAKS),
            ("listener.fileno()", Verdict.BREAKS),
        ],
    )
    def test_what_a_socket_tells_of_itself(self, given: str, expected: Verdict, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\nimport socket\n\n\ndef work(job):\n    return job\n\n\n"
            "def main():\n    listener = socket.create_server(('', 0))\n"
            f"    multiprocessing.Process(target=work, args=({given},)).start()\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        )
        [boundary] = migrated(tmp_path, program=text).boundaries
        assert boundary.verdict is expected

    @pytest.mark.parametrize(
        ("registered", "made", "expected"),
        [
            ("Shared.register('budget', callable=lambda: budget)", "Shared()", [("manager.start()", Verdict.BREAKS)]),
            ("Shared.register('budget', callable=lambda: budget)", "Own()", [("manager.start()", Verdict.BREAKS)]),
            ("Shared.register('budget', Budget)", "Shared()", [("manager.start()", Verdict.READY)]),
            (
                "Other.register('budget', lambda: budget)\n    other = Other()\n    other.start()",
                "Shared()",
                [("other.start()", Verdict.BREAKS), ("manager.start()", Verdict.READY)],
            ),
        ],
    )
    def test_what_is_registered_crosses_where_a_manager_starts(
        self, registered: str, made: str, expected: list[tuple[str, Verdict]], tmp_path: Path
    ) -> None:
        text = (
            "from multiprocessing.managers import BaseManager\n\n\nclass Budget:\n    pass\n\n\n"
            "class Shared(BaseManager):\n    pass\n\n\nclass Own(Shared):\n    pass\n\n\n"
            "class Other(BaseManager):\n    pass\n\n\n"
            f"def main():\n    budget = Budget()\n    {registered}\n    manager = {made}\n    manager.start()\n"
            "\n\nif __name__ == '__main__':\n    main()\n"
        )
        found = migrated(tmp_path, program=text).boundaries
        assert [(boundary.what, boundary.verdict) for boundary in found] == expected

    @pytest.mark.parametrize(
        ("items", "expected"),
        [
            ("[0, STEP, 2 * STEP]", Verdict.READY),
            ("(STEP - 1, -STEP)", Verdict.READY),
            ("[0, f'{STEP}', STEP % 7]", Verdict.READY),
            ("[0, somelib.load()]", Verdict.CANNOT_TELL),
            ("[0, *somelib.load()]", Verdict.CANNOT_TELL),
        ],
    )
    def test_what_is_reckoned_with_constants_is_data(self, items: str, expected: Verdict, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\nimport somelib\n\nSTEP = 20\nSTARTS = {}\n\n\n"
            "def work(job):\n    return job\n\n\n"
            "def main():\n    for start in STARTS:\n"
            "        multiprocessing.Process(target=work, args=(start,)).start()\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        ).replace("{}", items)
        [boundary] = migrated(tmp_path, program=text).boundaries
        assert boundary.verdict is expected

    @pytest.mark.parametrize(
        ("main", "is_told"),
        [("fill()", False), ("def index():\n        return [1]\n", True)],
        ids=["set by a function", "defined under the guard"],
    )
    def test_only_what_stands_under_the_guard_is_to_be_moved(self, main: str, is_told: bool, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\nTABLE = None\n\n\ndef index():\n    return TABLE\n\n\n"
            "def work():\n    print(index()[0])\n\n\ndef fill():\n    global TABLE\n    TABLE = [1]\n\n\n"
            f"if __name__ == '__main__':\n    {main}\n    multiprocessing.Process(target=work).start()\n"
        )
        [boundary] = migrated(tmp_path, program=text).boundaries
        helps = [each.diagnostic.help or "" for each in boundary.findings if each.diagnostic.code == "LP208"]
        assert helps
        assert any("above the `if`" in each for each in helps) is is_told


LAMBDA = "import multiprocessing\n\n\ndef work(job):\n    return job\n\n\n"


class TestPinned:
    """A boundary for which fork is asked by name works today: the verdict says so."""

    @pytest.mark.parametrize(
        "asked",
        [
            "multiprocessing.get_context('fork')",
            "multiprocessing.get_context(METHOD)",
            "multiprocessing.get_context(method())",
            "launcher.context()",
        ],
    )
    def test_by_whatever_way_the_name_comes(self, asked: str, tmp_path: Path) -> None:
        launcher = (
            "import multiprocessing\n\n\ndef context():\n    wanted = 'fork'\n"
            "    return multiprocessing.get_context(wanted)\n"
        )
        text = (
            f"import os\nimport launcher\n{LAMBDA}METHOD = 'fork'\n\n\ndef method():\n    wanted = 'fork'\n"
            "    if os.name == 'nt':\n        wanted = 'spawn'\n    return wanted\n\n\n"
            f"def main():\n    {asked}.Process(target=work, args=(lambda: 1,)).start()\n\n\nmain()\n"
        )
        found = migrated(tmp_path, program=text, launcher=launcher)
        [boundary] = [each for each in found.boundaries if each.verdict is Verdict.BREAKS]
        assert boundary.works_pinned
        assert [pin.covers for pin in found.pins if pin.spot in boundary.forked_at] == [(boundary.spot,)]

    @pytest.mark.parametrize(
        "asked",
        [
            "multiprocessing",
            "multiprocessing.get_context()",
            "multiprocessing.get_context('spawn')",
            "multiprocessing.get_context(sys.argv[1])",
        ],
    )
    def test_not_where_nothing_asks_for_fork(self, asked: str, tmp_path: Path) -> None:
        starting = f"{asked}.Process(target=work, args=(lambda: 1,)).start()"
        text = f"import sys\n{LAMBDA}def main():\n    {starting}\n\n\nmain()\n"
        found = migrated(tmp_path, program=text)
        assert [boundary.verdict for boundary in found.boundaries] == [Verdict.BREAKS]
        assert not found.boundaries[0].works_pinned
        assert not found.pins

    @pytest.mark.parametrize(
        ("run", "is_pinned"),
        [
            ("import multiprocessing\nimport jobs\nmultiprocessing.set_start_method('fork')\njobs.go()\n", True),
            ("import multiprocessing\nimport other\nmultiprocessing.set_start_method('fork')\nother.go()\n", False),
            ("import jobs\njobs.go()\n", False),
        ],
    )
    def test_by_the_program_that_starts_it(self, run: str, is_pinned: bool, tmp_path: Path) -> None:
        jobs = f"{LAMBDA}def go():\n    multiprocessing.Process(target=work, args=(lambda: 1,)).start()\n"
        found = migrated(tmp_path, run=run, jobs=jobs, other="def go():\n    pass\n")
        [boundary] = [each for each in found.boundaries if each.what.startswith("multiprocessing.Process")]
        assert boundary.works_pinned is is_pinned

    def test_what_breaks_under_fork_as_well_does_not_work(self, tmp_path: Path) -> None:
        text = (
            "import multiprocessing\n\n\ndef main():\n    with multiprocessing.get_context('fork').Pool(2) as pool:\n"
            "        pool.map(lambda x: x, [1])\n\n\nif __name__ == '__main__':\n    main()\n"
        )
        assert not any(boundary.works_pinned for boundary in migrated(tmp_path, program=text).boundaries)

    @pytest.mark.parametrize("name", ["full", "html", "markdown"])
    def test_each_format_says_so(self, name: str, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(PINNED)
        row = row_of("get_context")
        said = re.compile(rf"works while fork is asked for at [^;\n]*program\.py:{row}; off fork it (\w+)")
        pinned = run(str(tmp_path), "--format", name).stdout
        assert said.findall(pinned) == ["breaks", "changes"]
        assert "2 work today, while fork is asked for." in pinned
        program.write_text(PINNED.replace('"fork"', ""))
        assert "while fork is asked for" not in run(str(tmp_path), "--format", name).stdout

    def test_so_does_json(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED)
        value: dict[str, Any] = json.loads(run(str(tmp_path), "--format", "json").stdout)
        found = {each["row"]: each for each in value["boundaries"]}
        assert found[row_of("first = ")]["works_while_pinned"] is True
        assert [each["row"] for each in found[row_of("first = ")]["fork_asked_at"]] == [row_of("get_context")]
        assert found[row_of("third = ")]["works_while_pinned"] is False


class TestFormats:
    def test_there_are_the_four(self) -> None:
        assert migration_format_names() == ("full", "html", "json", "markdown")
        with pytest.raises(LintpickleError, match="use one of full, html, json, markdown"):
            migration_format("pdf")

    @pytest.mark.parametrize("name", migration_format_names())
    def test_each_names_every_boundary_and_pin(self, name: str, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED)
        result = run(str(tmp_path), "--format", name)
        assert result.exit_code == 1
        assert "LP101" in result.stdout
        assert "cannot pickle 'dict_keys' object" in result.stdout.replace("&#x27;", "'")
        assert "somelib.make" in result.stdout
        assert result.stdout.endswith("\n")

    def test_json_has_it_all(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED)
        value: dict[str, Any] = json.loads(run(str(tmp_path), "--format", "json", "--to", "spawn").stdout)
        assert value["to"] == "spawn"
        assert value["totals"] == {"breaks": 1, "changes silently": 1, "cannot tell": 1, "ready": 1}
        assert len(value["boundaries"]) == 5
        assert [each["row"] for each in value["boundaries"] if each["makes_pool_only"]] == [row_of("Pool(")]
        assert [pin["text"] for pin in value["pins"]] == ['multiprocessing.get_context("fork")']
        assert len(value["pins"][0]["covers"]) == 5
        assert len(value["pins"][0]["left"]) == 3

    def test_html_stands_alone(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(PINNED.replace("somelib.make()", 'somelib.make("<script>")'))
        page = run(str(tmp_path), "--format", "html").stdout
        assert page.startswith("<!doctype html>")
        assert not re.search(r"""(?:src|href)=["']""", page)
        assert page.count("<script>") == 1

    def test_markdown_lets_nothing_steer_it(self, tmp_path: Path) -> None:
        (tmp_path / "pro_`gram`_<b>.py").write_text(PINNED)
        text = run(str(tmp_path), "--format", "markdown").stdout
        assert "<b>.py:" not in re.sub(r"(`+)[^\n]*?\1", "", text)


class TestCommand:
    @pytest.mark.parametrize(
        "running",
        [
            "return Parallel(n_jobs=2, backend='multiprocessing')(delayed(work)(n) for n in numbers)",
            "runner = Parallel(n_jobs=2, backend='multiprocessing')\n"
            "    return runner(delayed(work)(n) for n in numbers)",
            "with Parallel(n_jobs=2, backend='multiprocessing') as parallel:\n"
            "        return parallel(delayed(work)(n) for n in numbers)",
        ],
    )
    @pytest.mark.parametrize(("worker", "code"), [("number", 0), ("number * LEVEL", 1)])
    def test_what_runs_tasks_of_joblib_holds_them(self, running: str, worker: str, code: int, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "from joblib import Parallel, delayed\n\nLEVEL = 0\n\n\ndef work(number):\n"
            f"    return {worker}\n\n\ndef run(numbers):\n    {running}\n\n\ndef main():\n    global LEVEL\n"
            "    LEVEL = 3\n    print(run([1, 2]))\n\n\nif __name__ == '__main__':\n    main()\n"
        )
        result = run(str(tmp_path))
        assert result.exit_code == code, result.output
        assert ("it holds 1 boundary" if code else "nothing is left to do: it can go") in result.stdout
        assert "no process is seen" not in result.stdout

    def test_what_runs_no_task_is_not_ready(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "from joblib import Parallel, delayed\n\n\ndef work(number):\n    return number\n\n\n"
            "def run(tasks):\n    return Parallel(n_jobs=2, backend='multiprocessing')(tasks)\n"
        )
        result = run(str(tmp_path))
        assert result.exit_code == 1
        assert "no process is seen that it starts" in result.stdout

    def test_a_program_that_is_ready_exits_with_0(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "import multiprocessing\n\n\ndef work():\n    pass\n\n\ndef main():\n"
            "    multiprocessing.get_context('fork').Process(target=work).start()\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        )
        result = run(str(tmp_path))
        assert result.exit_code == 0
        assert "nothing is left to do: it can go" in result.stdout

    @pytest.mark.parametrize("pin", ["get_context('fork')", "set_start_method('fork')"])
    def test_a_pin_of_which_nothing_is_seen_is_not_ready(self, pin: str, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(f"import multiprocessing\nmultiprocessing.{pin}\n")
        result = run(str(tmp_path))
        assert result.exit_code == 1
        assert "no process is seen that it starts" in result.stdout

    def test_wrong_use_exits_with_2(self, tmp_path: Path) -> None:
        assert run(str(tmp_path), "--to", "fork").exit_code == 2
        assert run(str(tmp_path), "--format", "pdf").exit_code == 2
        assert run(str(tmp_path / "nothing")).exit_code == 2

    def test_errors_are_those_of_the_python_to_move_to(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "import multiprocessing\n\n\ndef work(job):\n    return job\n\n\ndef main():\n"
            "    multiprocessing.Process(target=work, args=(lambda: 1,)).start()\n\n\n"
            "if __name__ == '__main__':\n    main()\n"
        )
        old, new = run(str(tmp_path), "--python", "3.11").stdout, run(str(tmp_path)).stdout
        assert "Can't pickle local object 'main.<locals>.<lambda>'" in old
        assert "Can't get local object" in new or "Can't pickle local object <function" in new

    def test_workers_behave_as_those_of_the_python_to_move_to(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(
            "import atexit\nimport multiprocessing\n\ndone = []\n\n\ndef work(job):\n    done.append(job)\n\n\n"
            "@atexit.register\ndef flush():\n    if done:\n        with open('done.log', 'a') as file:\n"
            "            file.write(str(done))\n\n\nif __name__ == '__main__':\n"
            "    multiprocessing.Process(target=work, args=(1,)).start()\n"
        )
        assert run(str(tmp_path), "--python", "3.12").exit_code == 0
        assert run(str(tmp_path), "--python", "3.12", "--to", "spawn").exit_code == 1
        assert run(str(tmp_path), "--python", "3.13").exit_code == 1

    def test_fix_mends_what_fork_hides(self, tmp_path: Path) -> None:
        program = tmp_path / "program.py"
        program.write_text(PINNED)
        result = run(str(tmp_path), "--fix")
        assert "list(names.keys())" in program.read_text()
        assert "LP101" not in result.stdout


def _code_cell(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}


@pytest.mark.parametrize("form", ["full", "markdown", "html"])
def test_places_in_notebooks_name_the_cell(tmp_path: Path, form: str) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": "# Jobs"},
        _code_cell("import multiprocessing\n\n\ndef work(number):\n    return number"),
        _code_cell("with multiprocessing.Pool(2) as pool:\n    print(pool.map(work, [1, 2]))"),
    ]
    notebook = tmp_path / "jobs.ipynb"
    info = {"language_info": {"name": "python"}}
    notebook.write_text(json.dumps({"cells": cells, "metadata": info, "nbformat": 4, "nbformat_minor": 5}))
    told = run("--format", form, str(notebook)).output
    assert "jobs.ipynb:cell 3:2" in told
    assert "jobs.ipynb:cell 2:4" in told
    boundaries = json.loads(run("--format", "json", str(notebook)).stdout)["boundaries"]
    assert {(each["row"], each["cell"]) for each in boundaries} == {(1, 3), (2, 3)}
