"""A run that repeats an earlier one says the same, byte for byte, without doing the work again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from lintpickle.cache.answers import AskedAnswer
from lintpickle.cache.recording import recorded
from lintpickle.cache.store import CacheStore

from ..programs import FIXTURES, programs
from .support import DRIVER, Cached
from .test_stamps import CONTENTS, START, _write

ROOT = Path(__file__).resolve().parent.parent.parent


def _project(place: Path) -> Cached:
    for name, text in START.items():
        _write(place / "project", name, text)
    return Cached(place / "project", place / "cache")


@pytest.fixture
def project(tmp_path: Path) -> Cached:
    return _project(tmp_path)


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run over the same files elsewhere keeps of each of them."""
    elsewhere = _project(tmp_path_factory.mktemp("elsewhere"))
    elsewhere.run("check")
    return elsewhere.cache / "facts"


@pytest.fixture
def read_project(project: Cached, facts: Path) -> Cached:
    """A project of which no answer is known, and nothing but the facts of its files: a run takes half the time."""
    shutil.copytree(facts, project.cache / "facts")
    return project


NAMES = [program.name for program in programs()]
AT_ONCE = 10
"""So many projects are named in one run: to start a process takes longer than to check one of them."""


@pytest.mark.parametrize("first", range(0, len(NAMES), AT_ONCE))
def test_warm_is_cold(first: int, tmp_path: Path) -> None:
    names = NAMES[first : first + AT_ONCE]
    cached = Cached(FIXTURES, tmp_path / "cache")
    cold = cached.run("check", *names)
    warm = cached.run("check", *names)
    assert all(f"{name}/".encode() in cold.out for name in names)
    assert cold.modules is None
    assert warm.modules is not None
    assert warm.said == cold


OPTIONS = {
    "nothing": [],
    "a file": ["train.py"],
    "a missing rule": ["--select", "LP999"],
    "json": ["--output-format", "json"],
    "statistics": ["--statistics"],
    "a diff": ["--diff"],
    "colour": ["--color", "always"],
    "exit code": ["--exit-zero"],
    "quiet": ["-q"],
    "files": ["--show-files"],
    "settings": ["--show-settings", "."],
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=list(OPTIONS))
def test_options(read_project: Cached, options: list[str]) -> None:
    cold, warm = (read_project.run("check", *options) for _ in range(2))
    assert (cold.out or cold.err) != b""
    assert warm.said == cold
    assert (warm.modules is not None) == (cold.code != 2)


UNKEPT = {
    "fix": ["--fix"],
    "fix only": ["--fix-only"],
    "ignore comments": ["--add-ignore=known"],
    "baseline": ["--write-baseline", "known.json"],
    "file": ["--output-file", "report.txt"],
    "verbose": ["--verbose"],
    "profile": ["--profile"],
    "standard input": ["-"],
    "off": ["--no-cache"],
    "help": ["--help"],
    "wrong": ["--no-such-option"],
}


@pytest.mark.parametrize("options", UNKEPT.values(), ids=list(UNKEPT))
def test_what_does_more_than_report_is_done_again(read_project: Cached, options: list[str]) -> None:
    read_project.run("check", *options)
    assert not list(read_project.cache.glob("answers/*"))


def test_off_by_the_environment(project: Cached) -> None:
    for value in ("1", "yes"):
        assert project.run("check", environ={"LINTPICKLE_NO_CACHE": value}).modules is None
        assert not project.cache.exists()
    project.run("check", environ={"LINTPICKLE_NO_CACHE": "0"})
    assert project.run("check").modules is not None


def test_in_a_folder_that_is_named(project: Cached) -> None:
    """Even inside of the project, where it is not taken for part of it."""
    project.run("check", "--cache-dir", "kept")
    first = project.run("check", "--cache-dir", "kept")
    second = project.run("check", "--cache-dir", "kept")
    assert second.modules is not None
    assert second.said == first.said
    assert not project.cache.exists()
    assert project.run("check", "--cache-dir=other").modules is None
    assert (project.cwd / "other").is_dir()


def test_changes_are_seen(project: Cached) -> None:
    before = project.run("check")
    assert b"train.py:7" in before.out
    (project.cwd / "helper.py").write_text(CONTENTS[4])
    after = project.run("check")
    assert b"train.py:7" not in after.out
    assert project.run("check").said == after
    (project.cwd / "helper.py").write_text(CONTENTS[3])
    assert project.run("check").said == before


@pytest.mark.parametrize("name", ["VIRTUAL_ENV", "NO_COLOR", "CI_PROJECT_DIR", "PATH"])
def test_other_surroundings_are_another_question(read_project: Cached, name: str) -> None:
    read_project.run("check")
    assert read_project.run("check").modules is not None
    assert read_project.run("check", environ={name: str(read_project.cwd)}).modules is None


def test_young_files_are_not_trusted(project: Cached) -> None:
    """With the real clock: the files were made just now, on a file system that knows whole seconds only."""
    for path in project.cwd.rglob("*"):
        os.utime(path, (time.time() // 1, time.time() // 1))
    environ = {**os.environ, "LINTPICKLE_CACHE_DIR": str(project.cache)}
    environ.pop("LINTPICKLE_NO_CACHE", None)
    script = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from lintpickle.cli import main; sys.exit(main())"
    ran = subprocess.run([sys.executable, "-c", script, "check"], cwd=project.cwd, env=environ, capture_output=True)
    assert b"LP101" in ran.stdout, ran.stderr
    assert not list(project.cache.glob("answers/*"))


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX pipes and devices")
class TestWhereTheOutputGoes:
    def _status(self, project: Cached, stdout: int) -> tuple[int, bytes]:
        environ = {**os.environ, "LINTPICKLE_CACHE_DIR": str(project.cache)}
        environ.pop("LINTPICKLE_NO_CACHE", None)
        ran = subprocess.run(
            [sys.executable, str(DRIVER), os.devnull, "check"],
            cwd=project.cwd,
            env=environ,
            stdout=stdout,
            stderr=subprocess.PIPE,
        )
        return ran.returncode, ran.stderr

    def _broken_pipe(self) -> int:
        reading, writing = os.pipe()
        os.close(reading)
        return writing

    def test_nobody_reads(self, read_project: Cached) -> None:
        cold = self._status(read_project, self._broken_pipe())
        read_project.run("check")
        assert read_project.run("check").modules is not None
        assert self._status(read_project, self._broken_pipe()) == cold == (1, b"")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
    def test_the_disk_is_full(self, read_project: Cached) -> None:
        read_project.run("check")
        assert read_project.run("check").modules is not None
        with open("/dev/full", "wb") as full:
            code, said = self._status(read_project, full.fileno())
        assert code == 2
        assert said == b"error: the output cannot be written: No space left on device\n"

    def test_a_terminal(self, read_project: Cached) -> None:
        """What goes to a terminal is another answer: it is coloured."""
        import pty

        read_project.run("check")
        said = []
        for _ in range(2):
            mine, theirs = pty.openpty()
            assert self._status(read_project, theirs)[0] == 1
            os.close(theirs)
            said.append(_all_of(mine))
            os.close(mine)
        assert b"\x1b[" in said[0]
        assert said[0] == said[1]


def _all_of(terminal: int) -> bytes:
    """What was written to a terminal whose other side is closed: it comes in pieces, and ends in an error on Linux."""
    pieces: list[bytes] = []
    with suppress(OSError):
        while piece := os.read(terminal, 65536):
            pieces.append(piece)
    return b"".join(pieces)


class TestRecording:
    @pytest.fixture
    def question(self, tmp_path: Path) -> AskedAnswer:
        return AskedAnswer(["."], CacheStore(str(tmp_path / "cache")), started=2**63)

    def test_both_streams_in_order(self, question: AskedAnswer) -> None:
        before = sys.stdout, sys.stderr

        def run() -> int:
            for number, stream in enumerate((sys.stderr, sys.stdout, sys.stderr)):
                stream.write(f"{number} é\n")
                stream.flush()
            return 1

        assert recorded(question, run) == 1
        assert (sys.stdout, sys.stderr) == before
        assert question.answer() == (1, ((2, "0 é\n".encode()), (1, "1 é\n".encode()), (2, "2 é\n".encode())))

    def test_a_failure_is_not_kept(self, question: AskedAnswer, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
        def run() -> int:
            sys.stdout.write("half")
            raise ValueError

        with pytest.raises(ValueError):
            recorded(question, run)
        assert question.answer() is None
        assert capfdbinary.readouterr().out == b"half"

    def test_output_that_does_not_end_in_a_flush(self, question: AskedAnswer) -> None:
        def run() -> int:
            sys.stdout.write("all")
            return 0

        assert recorded(question, run) == 0
        assert question.answer() == (0, ((1, b"all"),))


class TestClean:
    def test_it_removes_the_cache(self, project: Cached) -> None:
        project.run("check")
        ran = project.run("clean")
        assert ran.code == 0
        assert ran.out.startswith(b"Removed ")
        assert ran.out.endswith(f" from {project.cache}\n".encode())
        assert not project.cache.exists()
        assert project.run("clean").out == f"Nothing is kept in {project.cache}\n".encode()

    def test_in_a_folder_that_is_named(self, project: Cached) -> None:
        project.run("check", "--cache-dir", "kept")
        assert project.run("clean", "--cache-dir", "kept").code == 0
        assert not (project.cwd / "kept").exists()

    def test_what_is_not_ours_stays(self, project: Cached) -> None:
        project.run("check")
        (project.cache / "answers" / "notes.txt").write_text("mine")
        assert project.run("clean").code == 0
        assert [path.name for path in project.cache.rglob("*") if path.is_file()] == ["notes.txt"]


def test_verbose_tells_of_the_cache(project: Cached, tmp_path: Path) -> None:
    assert f"note: cache: {project.cache}\n".encode() in project.run("check", "-v").err
    assert b"note: cache: not used\n" in project.run("check", "-v", "--no-cache").err
    (tmp_path / "file").write_text("")
    nowhere = project.run("check", "-v", "--cache-dir", str(tmp_path / "file"))
    assert f"note: cache: not used: {tmp_path / 'file'} is no folder\n".encode() in nowhere.err


def test_without_a_usable_folder_all_is_as_without_a_cache(project: Cached, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    expected = project.run("check", "--no-cache")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        for _ in range(2):
            assert project.run("check", "--cache-dir", str(folder)) == expected


def test_a_moved_project_is_another(project: Cached, tmp_path: Path) -> None:
    project.run("check")
    shutil.copytree(project.cwd, tmp_path / "copy")
    assert Cached(tmp_path / "copy", project.cache).run("check").modules is None


PLANT = """
import sys, time
from lintpickle.cache.answers import asked

question = asked(sys.argv[2:], time.time_ns())
found = question.store.load("answers", question._key)
assert question.keep(0, ((1, sys.argv[1].encode()),), found[2])
"""


def _plant(project: Cached, said: str, *arguments: str) -> None:
    """Put something into the cache in place of what `check` has said, signed with the user's key."""
    surroundings = {name: value for name, value in os.environ.items() if not name.startswith("LINTPICKLE_")}
    surroundings |= {"LINTPICKLE_CACHE_DIR": str(project.cache), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PLANT, said, *arguments]
    ran = subprocess.run(command, cwd=project.cwd, env=surroundings, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_nothing_from_the_cache_is_printed_raw(project: Cached) -> None:
    """Even if the signature is right: what steers a terminal or a CI system is not printed, and the files are checked
    again."""
    cold = project.run("check", ".")
    for said in ("All checks passed!\n::stop-commands::x\n", "\x1b[2J\x1b]0;title\x07"):  # more are in `test_shown`
        _plant(project, said, ".")
        ran = project.run("check", ".")
        assert ran == cold, said
    _plant(project, "harmless\n", ".")
    ran = project.run("check", ".")
    assert (ran.out, ran.modules is None) == (b"harmless\n", False), "what was planted must be found"
