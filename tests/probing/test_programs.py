"""Programs that run under `lintpickle probe`: what is seen of them, and that they run as they would without it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from .programs import lintpickle, probed

CONFIG = """\
import multiprocessing
import pickle
import queue
import sys
import threading
from concurrent.futures import ProcessPoolExecutor


class Config:
    def __init__(self):
        self.ranges = {"car": 50}
        self.names = self.ranges.keys()


class Job:
    def __init__(self):
        self.config = Config()
        self.guard = threading.Lock()
        self.numbers = [1, 2, 3]


def work(job, times=1):
    print("worked", job, flush=True)


def give(x):
    return threading.Lock()


"""
MAIN = "if __name__ == '__main__':\n"
CULPRITS = [("config.names", "dict_keys", 12), ("guard", "_thread.lock", 18)]


def program(*lines: str) -> str:
    return CONFIG + MAIN + "".join(f"    {line}\n" for line in lines)


def found(value: Any, event: int = 0) -> list[tuple[str, str, int]]:
    return [
        (each["path"].partition(".")[2], each["type"], each["location"]["location"]["row"])
        for each in value["events"][event]["culprits"]
    ]


STARTS = {
    "a process": ("multiprocessing.get_context('spawn').Process(target=work, args=(Job(),)).start()", "Process"),
    "a process with keywords": (
        "multiprocessing.get_context('spawn').Process(target=work, kwargs={'job': Job()}).start()",
        "Process",
    ),
    "a server": ("multiprocessing.get_context('forkserver').Process(target=work, args=(Job(),)).start()", "Process"),
    "a pool's initializer": (
        "multiprocessing.get_context('spawn').Pool(1, initializer=work, initargs=(Job(),))",
        "Pool",
    ),
    "a task of a pool": ("multiprocessing.get_context('fork').Pool(1).apply(work, (Job(),))", "Pool"),
    "tasks of a pool": ("multiprocessing.get_context('fork').Pool(1).map(work, [Job()])", "Pool"),
    "a future": ("ProcessPoolExecutor(1).submit(work, Job()).result()", "ProcessPoolExecutor"),
    "a queue": ("q = multiprocessing.Queue(); q.put(Job()); q.close(); q.join_thread()", "Queue.put"),
    "a pipe": ("multiprocessing.Pipe()[0].send(Job())", "Connection.send"),
    "dumps": ("pickle.dumps(Job())", "pickle"),
    "dump": ("pickle.dump(Job(), open('f', 'wb'))", "pickle"),
}


@pytest.mark.parametrize("name", STARTS)
def test_whatever_pickles_is_watched(name: str, tmp_path: Path) -> None:
    line, boundary = STARTS[name]
    value = probed(tmp_path, program(line))
    (event,) = value["events"]
    assert event["boundary"] == boundary
    assert found(value) == CULPRITS
    assert event["location"]["location"]["row"] == program(line).count("\n")
    assert [each["rule"]["code"] for each in event["culprits"]] == ["LP101", "LP111"]
    assert all(each["visible_in_source"] for each in event["culprits"])


def test_names_of_arguments_lead_the_paths(tmp_path: Path) -> None:
    value = probed(tmp_path, program(STARTS["a process"][0]))
    assert [each["path"] for each in value["events"][0]["culprits"]] == ["job.config.names", "job.guard"]


def test_a_result_that_does_not_come_back(tmp_path: Path) -> None:
    line = "multiprocessing.get_context('spawn').Pool(1).map(give, [1])"
    value = probed(tmp_path, program(line))
    assert [each["path"] for each in value["events"][0]["culprits"]] == ["result[0]"]


def test_a_function_that_does_not_cross(tmp_path: Path) -> None:
    line = "multiprocessing.get_context('spawn').Process(target=lambda: None).start()"
    value = probed(tmp_path, program(line))
    (culprit,) = value["events"][0]["culprits"]
    assert (culprit["path"], culprit["rule"]["code"]) == ("target", "LP201")
    assert culprit["location"]["location"]["row"] == program(line).count("\n")


class TestFork:
    LINE = "p = multiprocessing.get_context('fork').Process(target=work, args=(Job(),)); p.start(); p.join()"

    def test_without_being_asked_nothing_is_pickled(self, tmp_path: Path) -> None:
        value = probed(tmp_path, program(self.LINE))
        assert value == {"events": [], "counts": {"forked": 1}, "exit_code": 0}

    def test_what_spawn_would_say(self, tmp_path: Path) -> None:
        value = probed(tmp_path, program(self.LINE), "--start-method", "spawn")
        assert found(value) == CULPRITS
        assert value["events"][0]["beside"]
        assert value["counts"] == {"forked": 1, "asked": 1}

    def test_the_same_objects_are_asked_once(self, tmp_path: Path) -> None:
        lines = ("job = Job()", "for _ in range(3):", "    " + self.LINE.replace("Job()", "job"))
        value = probed(tmp_path, program(*lines), "--start-method", "spawn")
        assert value["counts"] == {"forked": 3, "asked": 1}
        assert len(value["events"]) == 1

    def test_the_program_goes_on_as_it_would(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(program(self.LINE))
        ran = lintpickle(
            tmp_path, "probe", "--isolated", "--python", sys.executable, "--start-method", "spawn", "program.py"
        )
        assert ran.stdout.startswith("worked <__main__.Job object")
        assert ran.returncode == 1
        assert "under spawn: TypeError: cannot pickle 'dict_keys' object" in ran.stderr

    def test_a_getstate_that_takes_from_the_living_object_changes_nothing(self, tmp_path: Path) -> None:
        lines = (
            "class Taking(Job):",
            "    def __getstate__(self):",
            "        state = self.__dict__",
            "        del state['guard'], state['config']",
            "        return state",
            "job = Taking()",
            self.LINE.replace("Job()", "job"),
            "print(sorted(vars(job)))",
        )
        (tmp_path / "program.py").write_text(program(*lines))
        options = ("probe", "--isolated", "--python", sys.executable, "--start-method", "spawn")
        ran = lintpickle(tmp_path, *options, "program.py")
        assert ran.stdout.splitlines()[-1] == "['config', 'guard', 'numbers']"
        assert ran.returncode == 0, ran.stderr

    def test_queues_and_locks_of_a_fork_are_no_culprits(self, tmp_path: Path) -> None:
        line = (
            "c = multiprocessing.get_context('fork'); q = c.Queue(); l = c.Lock();"
            "p = c.Process(target=print, args=(q, l, c.Event(), c.Value('i'))); p.start(); p.join()"
        )
        assert probed(tmp_path, program(line), "--start-method", "spawn")["events"] == []


class TestRunningAsPythonWould:
    SHOW = """\
import __main__, json, os, sys
print(json.dumps([sys.argv, sys.path[0], __name__, __main__.__file__, sys.flags.optimize]))
print("in", sys.stdin.read())
sys.exit(7)
"""

    def _ran(self, folder: Path, command: list[str]) -> tuple[Any, str]:
        ran = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, input="typed")
        assert ran.returncode == 7
        first, second = ran.stdout.splitlines()[:2]
        return json.loads(first), second

    @pytest.mark.parametrize("how", [["program.py"], ["-m", "program"], ["./program.py"]])
    def test_arguments_paths_and_streams(self, how: list[str], tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(self.SHOW)
        arguments = [*how, "--python", "x", "-m", "--", "-o", "y z"]
        root = str(Path(__file__).resolve().parents[2])
        main = f"import sys; sys.path.insert(0, {root!r}); from lintpickle.cli import main; sys.exit(main())"
        options = ["--isolated", "--python", sys.executable]
        probing = self._ran(tmp_path, [sys.executable, "-c", main, "probe", *options, *arguments])
        plain = self._ran(tmp_path, [sys.executable, *arguments])
        assert probing[0] == plain[0]
        assert probing[1] == plain[1] == "in typed"

    def test_a_command(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(program("pickle.dumps(Job())"))
        command = ("probe", "--isolated", "--python", sys.executable, "--output-format", "json", "--")
        ran = lintpickle(
            tmp_path, *command, "python", "-c", "import runpy; runpy.run_path('program.py', {}, '__main__')"
        )
        assert found(json.loads(ran.stdout)) == CULPRITS

    def test_a_sitecustomize_of_the_program_runs(self, tmp_path: Path) -> None:
        (tmp_path / "own").mkdir()
        (tmp_path / "own" / "sitecustomize.py").write_text("print('customized')")
        (tmp_path / "program.py").write_text("import sys; print(sys.modules['sitecustomize'].__file__)")
        code = (
            "import os, subprocess, sys; os.environ['PYTHONPATH'] += os.pathsep + 'own';"
            "subprocess.run([sys.executable, 'program.py'])"
        )
        ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "--", "python", "-c", code)
        assert ran.stdout.splitlines() == ["customized", str(tmp_path / "own" / "sitecustomize.py")]

    def test_the_programs_own_error_is_told_last_and_decides(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(program("pickle.dumps(Job())"))
        ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "--exit-zero", "program.py")
        assert ran.returncode == 1
        assert ran.stderr.index("lintpickle probe:   Job.config.names: dict_keys") < ran.stderr.index("Traceback")
        assert ran.stderr.index("Traceback") < ran.stderr.index("error[LP101] dict-view-attribute")

    def test_a_call_that_only_asks_is_no_failure(self, tmp_path: Path) -> None:
        lines = ("try:", "    pickle.dumps(Job())", "except TypeError:", "    print('caught')")
        (tmp_path / "program.py").write_text(program(*lines))
        ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "program.py")
        assert (ran.returncode, ran.stdout) == (0, "caught\n")
        row = program(*lines).count("\n") - 2
        assert f"note: program.py:{row} only asks whether something can be pickled" in ran.stderr
        assert ran.stderr.endswith("Nothing failed to cross.\n")

    def test_the_exit_code_says_what_was_found(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text(program(TestFork.LINE))
        options = ("probe", "--isolated", "--python", sys.executable, "--start-method", "spawn")
        assert lintpickle(tmp_path, *options, "program.py").returncode == 1
        assert lintpickle(tmp_path, *options, "--exit-zero", "program.py").returncode == 0

    def test_nothing_to_report(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text("import pickle; print(len(pickle.dumps([1])))")
        ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "program.py")
        assert (ran.returncode, ran.stdout) == (0, "15\n") or ran.stdout.strip().isdigit()
        assert ran.stderr == "Nothing failed to cross.\n"

    def test_a_program_that_fails_before_anything_crosses(self, tmp_path: Path) -> None:
        (tmp_path / "program.py").write_text("import no_such_module_at_all")
        ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "program.py")
        assert ran.returncode == 1
        assert ran.stderr.endswith("The program ended with exit code 1; up to there, nothing failed to cross.\n")


class TestWrongUse:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ((), "name what to run"),
            (("--python", "nowhere", "x.py"), "no Python environment there"),
            (("--start-method", "fork", "x.py"), "'fork' is not one of"),
            (("--", "no-such-program-at-all"), "cannot be run"),
        ],
    )
    def test_errors(self, arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
        ran = lintpickle(tmp_path, "probe", "--isolated", *arguments)
        assert ran.returncode == 2
        assert said in ran.stderr


CLOUDPICKLE = """\
import io
import pickle
import types


class Pickler(pickle.Pickler):
    def reducer_override(self, obj):
        if type(obj) is types.FunctionType and "<locals>" in obj.__qualname__:
            return make, (obj.__defaults__, tuple(cell.cell_contents for cell in obj.__closure__ or ()))
        return NotImplemented

    def dump(self, obj):
        return super().dump(obj)


def make(defaults, captured): ...


def dumps(obj):
    file = io.BytesIO()
    Pickler(file).dump(obj)
    return file.getvalue()
"""


def test_a_pickler_with_reducers_of_its_own_is_asked_for_them(tmp_path: Path) -> None:
    """As cloudpickle's, which takes local functions by value, with what they capture."""
    package = tmp_path / "cloudpickle"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "cloudpickle.py").write_text(CLOUDPICKLE)
    lines = (
        "from cloudpickle.cloudpickle import dumps",
        "def outer(job):",
        "    def inner(): return job",
        "    return inner",
        "fine = outer(1)",
        "dumps(fine)",
        "held = outer(Job())",
        "dumps(held)",
    )
    value = probed(tmp_path, program(*lines))
    (event,) = value["events"]
    assert event["boundary"] == "cloudpickle"
    assert [each["path"] for each in event["culprits"]] == [
        "obj.__reduce__()[1][1][0].config.names",
        "obj.__reduce__()[1][1][0].guard",
    ]


def test_what_source_does_not_show_is_said(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"make": "threading.Lock"}')
    lines = (
        "import json, importlib",
        "module, _, name = json.load(open('config.json'))['make'].partition('.')",
        "job = Config()",
        "setattr(job, 'made', getattr(importlib.import_module(module), name)())",
        "job.names = list(job.names)",
        "pickle.dumps(job)",
    )
    value = probed(tmp_path, program(*lines))
    (culprit,) = value["events"][0]["culprits"]
    assert culprit["path"] == "job.made"
    assert not culprit["visible_in_source"]
    assert culprit["unseen"] == "not visible in source: no line was found that stores Config.made"
    (tmp_path / "program.py").write_text(program(*lines))
    ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "program.py")
    assert "not visible in source: no line was found that stores Config.made" in ran.stderr


def test_a_line_whose_value_is_not_seen(tmp_path: Path) -> None:
    text = """\
import pickle, sys

class Kept:
    def __init__(self, made):
        self.made = made

pickle.dumps(Kept(eval("{}.keys()")))
"""
    (culprit,) = probed(tmp_path, text)["events"][0]["culprits"]
    assert culprit["location"]["location"]["row"] == 5
    assert culprit["unseen"] == (
        "not visible in source: that Kept.made holds a dict_keys; no rule of lintpickle reports it"
    )


def test_a_function_is_told_where_it_is_defined(tmp_path: Path) -> None:
    text = """\
import pickle

class Kept:
    def __init__(self, made):
        self.made = made

def main():
    def inner():
        return 1
    call = "Kept"
    pickle.dumps(globals()[call](inner))

main()
"""
    (culprit,) = probed(tmp_path, text)["events"][0]["culprits"]
    assert culprit["location"]["location"]["row"] == 8
    assert [each["location"]["row"] for each in culprit["trail"]] == [11, 5, 8]


def test_a_class_that_bears_the_name_of_another_module(tmp_path: Path) -> None:
    package = tmp_path / "offered"
    package.mkdir()
    (package / "__init__.py").write_text("from ._inner import Kept\nKept.__module__ = 'offered'\n")
    (package / "_inner.py").write_text("class Kept:\n    def __init__(self):\n        self.view = {}.keys()\n")
    value = probed(tmp_path, "import pickle\nfrom offered import Kept\npickle.dumps(Kept())\n")
    (culprit,) = value["events"][0]["culprits"]
    assert culprit["location"]["filename"].endswith("_inner.py")
    assert culprit["rule"]["code"] == "LP101"


def test_names_that_steer_a_terminal_are_shown(tmp_path: Path) -> None:
    text = "import pickle, threading\npickle.dumps({'\\x1b[31m::error::##[x]': threading.Lock()})\n"
    (tmp_path / "program.py").write_text(text)
    ran = lintpickle(tmp_path, "probe", "--isolated", "--python", sys.executable, "program.py")
    ours = [line for line in ran.stderr.splitlines() if "_thread.lock" in line]
    assert ours
    assert "\x1b" not in "".join(ours)
    assert "##[" not in "".join(ours)
