"""What an earlier run found out is used again, and only where nothing has changed that it rests on."""

from __future__ import annotations

import os
import random
import shutil
import threading
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lintpickle.api import FixMode, lint_paths
from lintpickle.cache.store import CacheStore
from lintpickle.diagnostics import Outcome
from lintpickle.engine import processes, scheduler, snapshots
from lintpickle.engine.results import Results
from lintpickle.engine.settling import RankedDiagnostic
from lintpickle.facts import read
from lintpickle.payload.linker import Linker
from lintpickle.program.module import Module, Unread
from lintpickle.program.program import Program
from lintpickle.settings import SettingsResolver
from lintpickle.source.document import Document
from tests.programs import EACH_IN_TURN

EDITS = 2

HAZARD = """\
from torch.utils.data import DataLoader, Dataset

from maker import make


class Frames(Dataset):
    def __init__(self):
        self.made = make()

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return self.made


def loader():
    return DataLoader(Frames(), num_workers=2)
"""
LAMBDA = "def make():\n    return lambda x: x\n"
NUMBER = "def make():\n    return 1\n"
POOL = "from multiprocessing import Pool\n\n\ndef started():\n    return Pool(2)\n"


class Runs:
    """Runs over one project that share a cache, each compared to one that has none."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.project = project
        self.store = CacheStore(str(cache))
        self.jobs = 1

    def codes(self) -> list[str]:
        """The codes of what is found."""
        return [diagnostic.code for diagnostic in self.outcome().diagnostics]

    def outcome(self, paths: tuple[str, ...] = (".",)) -> Outcome:
        """What comes out for the paths."""
        found = self.with_cache(paths)
        assert found == self.without_cache(paths)
        return found

    def with_cache(self, paths: tuple[str, ...] = (".",)) -> Outcome:
        return lint_paths(self._named(paths), resolver=self._resolver(), store=self.store, jobs=self.jobs)

    def without_cache(self, paths: tuple[str, ...] = (".",)) -> Outcome:
        return lint_paths(self._named(paths), resolver=self._resolver())

    def _named(self, paths: tuple[str, ...]) -> list[str]:
        return [str(self.project / path) for path in paths]

    def _resolver(self) -> SettingsResolver:
        return SettingsResolver(cwd=self.project)


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    (folder / "frames.py").write_text(HAZARD)
    (folder / "maker.py").write_text(LAMBDA)
    for number in range(8):
        (folder / f"other{number}.py").write_text(
            f"class Other{number}:\n    def __init__(self):\n        self.a = 1\n"
        )
    return Runs(folder, tmp_path / "cache")


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The names of the modules that each linking looks at."""
    seen: list[list[str]] = []
    original = Linker.__init__

    def init(self: Linker, *arguments: object) -> None:
        original(self, *arguments)  # type: ignore[arg-type]
        seen.append([module.name for module in self.scope])

    monkeypatch.setattr(Linker, "__init__", init)
    return seen


def test_who_asks_only_whether_there_is_a_pool_depends_on_no_module_that_has_one(
    runs: Runs, judged: list[list[str]]
) -> None:
    (runs.project / "runner.py").write_text("def run(pool, rows):\n    return pool.map(str, rows)\n")
    for number, text in enumerate((POOL, POOL.replace("2", "3"), "x = 1\n")):
        (runs.project / "starter.py").write_text(text)
        judged.clear()
        runs.outcome()
        assert ("runner" in judged[0]) == (number != 1)


def test_what_changed_and_what_depends_on_it_is_judged_again(runs: Runs, judged: list[list[str]]) -> None:
    store, project = runs.store, runs.project
    resolver = SettingsResolver(cwd=project)
    lint_paths([str(project)], resolver=resolver, store=store)
    (project / "maker.py").write_text(NUMBER)
    assert lint_paths([str(project)], resolver=resolver, store=store).diagnostics == ()
    (project / "other3.py").write_text("x = 1\n")
    lint_paths([str(project)], resolver=resolver, store=store)
    assert judged[1:] == [["frames", "maker"], ["other3"]]
    lint_paths([str(project)], resolver=resolver, store=store)
    assert len(judged) == 3


SEEDED = """\
import numpy as np
from multiprocessing import Pool


def draw(n):
    return np.random.rand(n)


def main():
    np.random.seed(1)
    with Pool(2) as pool:
        pool.map(draw, [1, 2])


if __name__ == "__main__":
    main()
"""
CONFIGURED = "def merged(config):\n    config.update({})\n    return config\n"


def test_a_file_with_words_of_settings_that_makes_none_concerns_nobody(runs: Runs, judged: list[list[str]]) -> None:
    (runs.project / "draws.py").write_text(SEEDED)
    (runs.project / "configs.py").write_text(CONFIGURED)
    runs.outcome()
    (runs.project / "configs.py").write_text(CONFIGURED.replace("{}", "{}, a=1"))
    judged.clear()
    runs.outcome()
    assert judged[0] == ["configs"]
    (runs.project / "configs.py").write_text("import numpy as np\n\n\ndef prepare():\n    np.random.seed(2)\n")
    judged.clear()
    runs.outcome()
    assert sorted(judged[0]) == ["configs", "draws"], "the workers of frames draw no numbers"


GIVEN = """\
from torch.utils.data import DataLoader


def loader_of(rows):
    return DataLoader(rows, num_workers=2)
"""


def test_only_a_call_of_its_name_concerns_who_looks_for_callers(runs: Runs, judged: list[list[str]]) -> None:
    (runs.project / "given.py").write_text(GIVEN)
    notes = runs.project / "notes.py"
    for text, expected in (
        ('def tell():\n    print("loader_of is slow")\n', None),
        ('def tell():\n    print("loader_of is slow", 1)\n', ["notes"]),
        ("from given import loader_of\n\nloader_of([lambda: 1])\n", ["given", "notes"]),
        ("from given import loader_of\n\nloader_of([1])\n", ["given", "notes"]),
    ):
        notes.write_text(text)
        judged.clear()
        runs.outcome()
        assert expected is None or sorted(judged[0]) == expected


LAUNCH = """\
import torch.multiprocessing as mp

import maker
from options import METHOD

maker.make()
mp.set_start_method(METHOD)
"""


def test_who_sets_the_start_method_depends_on_nothing_else_that_it_imports(runs: Runs, judged: list[list[str]]) -> None:
    (runs.project / "launch.py").write_text(LAUNCH)
    (runs.project / "options.py").write_text('METHOD = "spawn"\n')
    runs.outcome()
    (runs.project / "maker.py").write_text(NUMBER)
    judged.clear()
    runs.outcome()
    assert sorted(judged[0]) == ["frames", "launch", "maker"]
    (runs.project / "options.py").write_text('METHOD = "fork"\n')
    judged.clear()
    runs.outcome()
    assert len(judged[1]) == len(list(runs.project.glob("*.py"))), "all are judged under another start method"


def test_what_has_been_judged_is_told_share_by_share(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 100)
    told: list[tuple[int, int]] = []

    def checking(done: int, total: int) -> None:
        told.append((done, total))

    resolver = SettingsResolver(cwd=runs.project)
    lint_paths([str(runs.project)], resolver=resolver, jobs=3, checking=checking)
    count = len(list(runs.project.glob("*.py")))
    assert told[0] == (0, count) and told[-1] == (count, count) and len(told) >= 4
    assert told == sorted(told)


def test_what_asks_for_fork_is_read_once(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    (runs.project / "launch.py").write_text('import multiprocessing as mp\n\nmp.set_start_method("fork")\n')
    read: list[str] = []
    original = Program._read

    def reading(self: Program, path: str, document: Document | None) -> Module | Unread:
        read.append(path)
        return original(self, path, document)

    monkeypatch.setattr(Program, "_read", reading)
    found = lint_paths([str(runs.project)], resolver=SettingsResolver(cwd=runs.project))
    assert found.pinned == 1
    assert len(read) == len(set(read)) == len(list(runs.project.glob("*.py")))


def put_elsewhere(project: Path) -> Path:
    """The same project in another folder, with new times, and no longer where it was."""
    there = project.parent / "another" / "path" / project.name
    shutil.copytree(project, there, copy_function=shutil.copyfile)
    shutil.rmtree(project)
    return there


def test_at_another_path_nothing_is_judged_or_parsed_again(
    runs: Runs, judged: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    (runs.project / "requirements.txt").write_text("torch\n")
    before = runs.outcome()
    there = runs.project = put_elsewhere(runs.project)
    parsed: list[str] = []
    original = read.read_facts

    def reading(*arguments: Any) -> Any:
        parsed.append(arguments[0])
        return original(*arguments)

    def checked(path: Path) -> Outcome:
        judged.clear()
        return lint_paths([str(path)], resolver=SettingsResolver(cwd=path), store=runs.store)

    monkeypatch.setattr(read, "read_facts", reading)
    found = checked(there)
    assert judged == [] and parsed == []
    assert [(each.code, each.location.path) for each in found.diagnostics] == [("LP102", str(there / "frames.py"))]
    assert len(found.diagnostics) == len(before.diagnostics)
    (there / "other3.py").write_text("x = 1\n")
    checked(there)
    assert judged == [["other3"]] and not any("Dataset" in text for text in parsed)
    monkeypatch.undo()
    assert runs.codes() == ["LP102"]
    (there / "maker.py").write_text(NUMBER)
    assert runs.codes() == []


def test_another_program_of_the_same_look_is_another_one(runs: Runs, tmp_path: Path) -> None:
    assert runs.codes() == ["LP102"]
    other = tmp_path / "other" / "project"
    shutil.copytree(runs.project, other)
    (other / "maker.py").write_text(NUMBER)
    runs.project = other
    assert runs.codes() == []
    runs.project = tmp_path / "project"
    assert runs.codes() == ["LP102"]


def test_what_is_no_module_is_compared_by_its_content(runs: Runs, judged: list[list[str]]) -> None:
    path = runs.project / "requirements.txt"
    path.write_text("torch>=2.6\n")
    (runs.project / "frames.py").write_text(HAZARD + '\n\nimport torch\n\ntorch.save(print, "p.pt")\n')
    runs.outcome()
    os.utime(path, ns=(1, 1))
    judged.clear()
    runs.outcome()
    assert len(judged) == 1, "only by the run without a cache"
    path.write_text("torch<2.6\n")
    judged.clear()
    runs.outcome()
    assert len(judged) == 2


def test_a_changed_file_changes_what_is_found_elsewhere(runs: Runs) -> None:
    assert runs.codes() == ["LP102"]
    (runs.project / "maker.py").write_text(NUMBER)
    assert runs.codes() == []
    (runs.project / "maker.py").write_text(LAMBDA)
    assert runs.codes() == ["LP102"]


def test_what_was_looked_into_for_others_stays_known(runs: Runs) -> None:
    """`passing` is judged again, which does not look into `maker`; that was done for `script`, which is not."""
    project = runs.project
    (project / "frames.py").write_text("from torch.utils.data import DataLoader\n\nDataLoader([], num_workers=2)\n")
    (project / "maker.py").write_text("def start():\n    pass\n")
    (project / "passing.py").write_text(
        "import maker\nimport torch\n\n"
        "def run():\n    maker.start()\n\n"
        "def store(x):\n    torch.save(x, 'x')\n"
    )  # fmt: skip
    (project / "script.py").write_text("from passing import run\n\nrun()\n")
    assert runs.codes() == []
    (project / "other1.py").write_text("from passing import store\n\nstore(lambda: 1)\n")
    assert runs.codes() == ["LP102"]
    (project / "maker.py").write_text("from multiprocessing import Pool\n\ndef start():\n    Pool().map(len, [])\n")
    assert runs.codes() == ["LP102", "LP203"]


def test_what_is_reported_need_not_be_what_was_reported_before(runs: Runs) -> None:
    assert [d.code for d in runs.outcome(("maker.py",)).diagnostics] == []
    assert [d.code for d in runs.outcome(("frames.py",)).diagnostics] == ["LP102"]
    assert runs.codes() == ["LP102"]


def _broken(project: Path) -> None:
    (project / "other1.py").write_text("def f(:\n")


def _broken_and_asked(project: Path) -> None:
    (project / "maker.py").write_text("def make(:\n    return lambda: 1\n")


def _removed(project: Path) -> None:
    (project / "maker.py").unlink()


def _removed_elsewhere(project: Path) -> None:
    (project / "other1.py").unlink()


def _added(project: Path) -> None:
    (project / "more.py").write_text(HAZARD.replace("Frames", "More"))


def _shadowed(project: Path) -> None:
    (project / "maker").mkdir()
    (project / "maker" / "__init__.py").write_text(NUMBER)


def _replaced_with_the_same_time(project: Path) -> None:
    path = project / "maker.py"
    status = path.stat()
    (project / "new").write_text(NUMBER.replace("return 1", "return 1         #"))
    os.utime(project / "new", ns=(status.st_atime_ns, status.st_mtime_ns))
    os.replace(project / "new", path)


def _touched(project: Path) -> None:
    os.utime(project / "maker.py")


def _configured(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.lintpickle]\npedantic = true\n")


def _ignored_there(project: Path) -> None:
    (project / "pyproject.toml").write_text('[tool.lintpickle.per-file-ignores]\n"frames.py" = ["LP1"]\n')


def _suppressed(project: Path) -> None:
    path = project / "frames.py"
    path.write_text(path.read_text().replace("make()\n", "make()  # noqa: LP102\n"))


def _suppressed_for_nothing(project: Path) -> None:
    (project / "other2.py").write_text("x = 1  # noqa: LP102\n")


def _worker_started(project: Path) -> None:
    (project / "other2.py").write_text("from frames import loader\n\nfor batch in loader():\n    print(batch)\n")


def _start_method_set(project: Path) -> None:
    text = "import multiprocessing\n\nmultiprocessing.set_start_method('fork')\n"
    (project / "other2.py").write_text(text)


def _reducer_registered(project: Path) -> None:
    text = "import copyreg\n\nfrom frames import Frames\n\ncopyreg.pickle(Frames, lambda frames: (Frames, ()))\n"
    (project / "other2.py").write_text(text)


def _boundary_named(project: Path) -> None:
    (project / "other2.py").write_text("from torch.utils.data import DataLoader as Loader\n\nclass Mine(Loader): ...\n")
    (project / "other3.py").write_text("from other2 import Mine\n\nx = Mine(range(3), collate_fn=lambda x: x)\n")


CHANGES = [value for name, value in list(globals().items()) if name.startswith("_") and hasattr(value, "__code__")]


@pytest.mark.parametrize("young", [True, False])
@pytest.mark.parametrize("change", CHANGES)
def test_every_change_is_seen(
    change: Callable[[Path], None], young: bool, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshots, "is_settled", lambda *_: not young)
    before = {path: path.read_text() for path in runs.project.glob("*.py")}
    runs.outcome()
    change(runs.project)
    assert runs.outcome() == runs.with_cache()
    for path, text in before.items():
        path.write_text(text)
    shutil.rmtree(runs.project / "maker", ignore_errors=True)
    runs.outcome()


def test_young_files_grow_old(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[snapshots.Snapshot] = []
    keep = snapshots.Snapshots.keep

    def noted(self: snapshots.Snapshots, snapshot: snapshots.Snapshot) -> None:
        kept.append(snapshot)
        keep(self, snapshot)

    monkeypatch.setattr(snapshots.Snapshots, "keep", noted)
    monkeypatch.setattr(snapshots, "is_settled", lambda *_: False)
    runs.outcome()
    monkeypatch.setattr(snapshots, "is_settled", lambda *_: True)
    (runs.project / "frames.py").write_text(HAZARD + "\n")
    runs.outcome()
    before, after = (each.files for each in kept)
    assert {file.status for file in before.values()} == {snapshots._YOUNG}
    assert snapshots._YOUNG not in {file.status for file in after.values()}
    changed = str(runs.project / "frames.py")
    assert set(before) == set(after) > {changed}
    texts = [{(path, file.text) for path, file in each.items()} for each in (before, after)]
    assert {path for path, _ in texts[0] ^ texts[1]} == {changed}


def test_a_package_of_the_environment_changes(runs: Runs) -> None:
    (runs.project / "maker.py").unlink()
    site = runs.project / ".venv" / "lib" / "python3.12" / "site-packages"
    site.mkdir(parents=True)
    (runs.project / ".venv" / "pyvenv.cfg").write_text("version = 3.12\n")
    runs.outcome()
    for text in (LAMBDA, NUMBER, LAMBDA):
        (site / "maker.py").write_text(text)
        assert runs.codes() == (["LP102"] if text == LAMBDA else [])


def test_fixes_are_seen(runs: Runs) -> None:
    (runs.project / "maker.py").write_text("def make():\n    return {}.keys()\n")
    (runs.project / "frames.py").write_text(HAZARD.replace("make()", "{}.keys()", 1))
    named = [str(runs.project)]
    resolver = SettingsResolver(cwd=runs.project)
    for mode in (FixMode.DIFF, FixMode.WRITE):
        assert runs.codes() == ["LP101"]
        changes = lint_paths(named, resolver=resolver, store=runs.store, fix=mode).changes
        assert [Path(change.path).name for change in changes] == ["frames.py"]
    assert runs.codes() == []


def _with_other_edits(found: RankedDiagnostic) -> RankedDiagnostic:
    fix = found.diagnostic.fix
    if fix is None:
        return found
    edits = tuple(replace(edit, content="print('not ours')") for edit in fix.edits)
    return replace(found, diagnostic=replace(found.diagnostic, fix=replace(fix, edits=edits)))


def test_fixes_do_not_come_from_the_cache(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else whoever can write to the cache could write to the code."""
    frames = runs.project / "frames.py"
    frames.write_text(HAZARD.replace("make()", "{}.keys()", 1))
    load = snapshots.Snapshots.load

    def tampered(self: snapshots.Snapshots) -> snapshots.Snapshot | None:
        snapshot = load(self)
        assert snapshot is not None
        found = {path: tuple(map(_with_other_edits, each)) for path, each in snapshot.judged.found.items()}
        assert found != snapshot.judged.found
        return replace(snapshot, judged=replace(snapshot.judged, found=found))

    runs.outcome()
    monkeypatch.setattr(snapshots.Snapshots, "load", tampered)
    lint_paths([str(runs.project)], resolver=SettingsResolver(cwd=runs.project), store=runs.store, fix=FixMode.WRITE)
    assert "self.made = list({}.keys())" in frames.read_text()
    assert "not ours" not in frames.read_text()


def test_what_cannot_be_trusted_is_not_used(runs: Runs) -> None:
    runs.outcome()
    for damage in (lambda data: data[:-9], lambda data: b"", lambda data: data.replace(b"LP102", b"LP103")):
        for path in Path(runs.store.folder, "snapshots").iterdir():
            path.write_bytes(damage(path.read_bytes()))
        runs.outcome()


@pytest.mark.parametrize("program", EACH_IN_TURN)
def test_a_program_that_is_worked_on(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are taken out and put back. One cache sees files that have just been written, and is used by several
    processes; the other sees files that have settled. Both see each line missing. In turns, one of them sees it back at
    once, and the other together with the next change."""
    monkeypatch.setattr(scheduler, "MOST_JUDGED_AGAIN", 10)
    monkeypatch.setattr(processes, "BYTES_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(threading, "active_count", lambda: 1)
    chance = random.Random(program.name)
    young, settled = (Runs(tmp_path / "project", tmp_path / name) for name in ("young", "settled"))
    young.jobs = 2 if hasattr(os, "fork") else 1
    shutil.copytree(program, young.project, symlinks=True)
    (tmp_path / "_environment").symlink_to(program.parent / "_environment")

    def see(expected: Outcome, *seeing: Runs) -> None:
        for runs in seeing:
            monkeypatch.setattr(snapshots, "is_settled", lambda *_, runs=runs: runs is settled)
            assert runs.with_cache() == expected

    whole = young.without_cache()
    see(whole, young, settled)
    sources = sorted(young.project.rglob("*.py"))
    for path, in_turn in zip(chance.sample(sources, min(EDITS, len(sources))), cycle((young, settled))):
        text = path.read_text()
        lines = text.splitlines(keepends=True)
        at = chance.randrange(len(lines) or 1)
        path.write_text("".join([*lines[:at], *lines[at + 1 :]]))
        see(young.without_cache(), young, settled)
        path.write_text(text)
        see(whole, in_turn)
    see(whole, young, settled)


@pytest.mark.parametrize(("name", "again"), [("maker", [["frames"]]), ("frames", []), ("user", [])])
def test_a_comment_line_judges_again_only_what_names_its_file(
    name: str, again: list[list[str]], runs: Runs, judged: list[list[str]]
) -> None:
    (runs.project / "user.py").write_text("from frames import loader\n\n\ndef train():\n    return loader()\n")
    runs.outcome()
    file = runs.project / f"{name}.py"
    file.write_text(f"# set_epoch, globals() and lambda are only told of here\n\n{file.read_text()}\n# the end\n")
    judged.clear()
    resolver = SettingsResolver(cwd=runs.project)
    found = lint_paths([str(runs.project)], resolver=resolver, store=runs.store)
    assert judged == again
    assert found == runs.outcome()


def test_a_line_of_a_string_is_no_comment_line(runs: Runs, judged: list[list[str]]) -> None:
    for text in ("one", "other"):
        (runs.project / "maker.py").write_text(f'TEXT = """\n# {text}\n"""\n{LAMBDA}')
        judged.clear()
        runs.outcome()
    assert judged[0] == ["frames", "maker"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_other_processes_judge_again_loses_nothing(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    asking, alias = str(runs.project / "frames.py"), runs.project / "alias.py"
    alias.write_text("from torch.utils.data import DataLoader\n\nLoader = DataLoader\n")
    kept: list[Results] = []
    monkeypatch.setattr(snapshots.Snapshots, "keep", lambda self, snapshot: kept.append(snapshot.judged))
    monkeypatch.setattr(Results, "wrongly_answered", lambda self, order: {asking})
    monkeypatch.setattr("lintpickle.program.program.MUCH", -1)
    monkeypatch.setattr(scheduler, "BYTES_IN_A_SHARE", 100)
    monkeypatch.setattr(scheduler, "processes_for", lambda jobs, size: 2)
    runs.jobs = 2
    runs.outcome()
    [judged] = kept
    assert str(alias) in judged.searches.derivations
    assert judged.searches.makers
