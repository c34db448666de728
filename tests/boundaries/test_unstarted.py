"""A process that its maker never starts, and that nothing else gets, is pickled by nobody."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.support import lint_files, marks

WORKER = """\
import multiprocessing, threading, unittest


class Worker(multiprocessing.Process):
    def __init__(self, lock):
        super().__init__()
        self.lock = lock

    def run(self):
        print(self.lock)


"""


def _found(text: str) -> bool:
    return [code for _, code in marks(WORKER + text)] == ["LP111"]


@pytest.mark.parametrize(
    "use",
    [
        "worker.run()",
        "worker.name = 'first'\n    worker.run()",
        "assert worker.exitcode is None",
        "try:\n        worker.run()\n    finally:\n        worker.terminate()",
        "def run():\n        worker.run()\n    run()",
        "def run():\n        return (lambda: worker.run())\n    run()()",
    ],
)
def test_one_whose_methods_are_called_here(use: str) -> None:
    assert not _found(f"def work():\n    worker = Worker(threading.Lock())\n    {use}\n")


@pytest.mark.parametrize(
    "use",
    [
        "worker.start()",
        "for each in [worker]:\n        each.start()",
        "return worker",
        "yield worker",
        "print(worker)",
        "start = worker.start\n    start()",
        "threading.Timer(1, worker.start)",
        "WORKERS.append(worker)",
        "WORKERS[0] = worker",
        "threading.main_thread().worker = worker",
        "(lambda: worker.start())()",
        "def start():\n        worker.start()\n    start()",
        "def start():\n        return (lambda: worker.start())\n    start()()",
        "def given():\n        return worker\n    given().start()",
        "def given(other=worker):\n        worker.run()\n        return other\n    given().start()",
        "other = worker\n    other.start()",
    ],
)
def test_one_that_is_started_or_given_away(use: str) -> None:
    assert _found(f"WORKERS = []\ndef work():\n    worker = Worker(threading.Lock())\n    {use}\n")


def test_one_that_starts_itself() -> None:
    text = "def work():\n    Worker(threading.Lock()).connect()\n"
    assert not _found(text)
    connecting = WORKER.rstrip() + "\n\n    def connect(self):\n        self.start()\n        return self\n\n\n"
    assert [code for _, code in marks(connecting + text)] == ["LP111"]


PLAIN = """\
import multiprocessing


class Quiet(multiprocessing.Process):
    @property
    def daemon(self):
        return False


processes = []


def work():
    {}


if __name__ == "__main__":
    work()
"""


@pytest.mark.parametrize("maker", ["Quiet", "multiprocessing.Process", "multiprocessing.get_context('spawn').Process"])
@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("process = {}(target=lambda: None)\n    assert process.daemon is False", False),
        ("process = {}(target=lambda: None)\n    process.name = 'first'\n    process.run()", False),
        ("{}(target=lambda: None).start()", True),
        ("process = {}(target=lambda: None)\n    process.start()\n    process.join()", True),
        ("(process := {}(target=lambda: None)).start()", True),
        ("processes.append({}(target=lambda: None))", True),
        ("processes[:] = [{}(target=lambda: None)]", True),
        ("all_ = [{}(target=lambda: None) for _ in range(2)]\n    for each in all_:\n        each.start()", True),
        ("global process\n    process = {}(target=lambda: None)", True),
        ("work.process = {}(target=lambda: None)", True),
        ("process = None\n    if processes:\n        process = {}(target=lambda: None)\n    process.start()", True),
    ],
)
def test_one_without_a_constructor_of_its_own(maker: str, use: str, is_found: bool) -> None:
    assert bool(marks(PLAIN.format(use.format(maker)))) == is_found


@pytest.mark.parametrize(("maker", "is_found"), [("Quiet", False), ("multiprocessing.Process", True)])
def test_one_that_the_caller_drops(maker: str, is_found: bool) -> None:
    assert bool(marks(PLAIN.format(f"return {maker}(target=lambda: None)"))) == is_found


CASE = """\
class Case({base}):
    def setUp(self):
        self.lock = threading.Lock()
        self.worker = Worker(self.lock)

    def test_run(self):
        self.worker.{method}()
"""


@pytest.mark.parametrize(
    ("base", "method", "is_found"),
    [
        ("unittest.TestCase", "run", False),
        ("unittest.IsolatedAsyncioTestCase", "run", False),
        ("unittest.TestCase", "start", True),
        ("object", "run", False),
    ],
)
def test_one_that_a_test_case_keeps(base: str, method: str, is_found: bool) -> None:
    assert _found(CASE.format(base=base, method=method)) == is_found


SUPERVISOR = """\
import multiprocessing


def child(target):
    return multiprocessing.Process(target=print, kwargs={"target": target})


class Supervisor:
    def __init__(
        self,
        target,
    ) -> None:
        self.target = target
        self.process = child(self.target)

    def start(self):
        self.process.start()

    def ping(self):
        return True
"""
EAGER = SUPERVISOR.replace("child(self.target)", "child(self.target)\n        self.process.start()")


@pytest.mark.parametrize(
    ("supervisor", "use", "expected"),
    [
        (SUPERVISOR, "supervisor = Supervisor(lambda: 0)\n    assert supervisor.ping()", []),
        (SUPERVISOR, "process = child(lambda: 0)\n    assert isinstance(process, object)\n\n    assert process", []),
        (SUPERVISOR, "supervisor = Supervisor(lambda: 0)\n\n    supervisor.start()", ["likely"]),
        (SUPERVISOR, "supervisor = Supervisor(lambda: 0)\n    watch(supervisor)", ["likely"]),
        (SUPERVISOR, "with Supervisor(lambda: 0) as supervisor:\n        pass", ["likely"]),
        (EAGER, "supervisor = Supervisor(lambda: 0)\n    assert supervisor.ping()", ["likely"]),
    ],
    ids=["asked", "returned", "started", "passed on", "entered", "started when made"],
)
def test_a_test_that_only_makes_what_has_a_process(
    tmp_path: Path, supervisor: str, use: str, expected: list[str]
) -> None:
    files = {
        "pyproject.toml": "[project]\nname = 'x'\n",
        "package/__init__.py": "",
        "package/supervisor.py": supervisor,
        "tests/test_supervisor.py": f"from package.supervisor import *\n\n\ndef test_it():\n    {use}\n\n\n"
        "def test_other(supervisor, process):\n    supervisor.start()\n    process.start()\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    assert [each.confidence.value for each in found] == expected


RUNNER = """\
import multiprocessing


class Runner:
    def __init__(self, task):
        self.task = task

    def start(self):
        multiprocessing.Process(target=self.work).start()

    def work(self):
        self.before()
        return self.task()

    def before(self):
        return None

    def launch(self):
        self.begin()

    def begin(self):
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        return None
"""
FIXTURE = """\
import pytest


class TestRunner:
    @pytest.fixture
    def runner(self):
        made = Runner(lambda: 0)
        made.name = "first"
        return made

    def test_work(self, runner):
        assert runner.work() == 0

    def test_more(self, runner):
        {use}


def test_of_another_fixture(runner):
    runner.start()
"""


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("runner = Runner(lambda: 0)\n    runner.work()", False),
        ("Runner(lambda: 0).work()", False),
        ("with Runner(lambda: 0) as runner:\n        runner.work()", False),
        ("runner = Runner(lambda: 0)\n    runner.start()", True),
        ("runner = Runner(lambda: 0)\n    runner.launch()", True),
        ("runner = Runner(lambda: 0)\n    return runner", True),
        ("runner = Runner(lambda: 0)\n    run(runner)", True),
        ("with Runner(lambda: 0) as runner:\n        runner.start()", True),
        ("runner = Runner(lambda: 0)\n    def later():\n        runner.start()\n    return later", True),
        ("runner = Runner(lambda: 0)\n    return runner.start", True),
    ],
)
def test_an_object_whose_method_would_make_a_process(use: str, is_found: bool) -> None:
    found = marks(f"{RUNNER}\n\ndef work():\n    {use}\n\n\nif __name__ == '__main__':\n    work()\n")
    assert bool(found) == is_found


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("assert runner.before() is None", False),
        ("runner = Runner(print)\n        runner.start()", False),
        ("runner.start()", True),
        ("check(runner)", True),
    ],
)
def test_an_object_that_a_fixture_gives_to_tests(use: str, is_found: bool) -> None:
    assert bool(marks(RUNNER + "\n\n" + FIXTURE.format(use=use))) == is_found


KEPT = """\
class System:
    def __init__(self):
        self.worker = Worker(threading.Lock())

    def go(self):
        {use}
"""


def test_one_that_is_kept_and_run_in_the_process_of_its_owner() -> None:
    assert not _found(KEPT.format(use="self.worker.run()"))


@pytest.mark.parametrize(
    "use",
    [
        "self.worker.start()",
        "self.worker.start() if self.go else self.worker.run()",
        "start = self.worker.start\n        start()\n        self.worker.run()",
        "multiprocessing.Process(target=self.worker.run).start()",
        "self.worker.join()",
    ],
)
def test_one_that_is_kept_and_may_be_started(use: str) -> None:
    assert _found(KEPT.format(use=use))


VIEWS = """\
import threading

from workers import Worker


class View(Worker):
    def show(self):
        print(self.lock)


def make(wanted):
    if wanted:
        view = View(threading.Lock())
    else:
        view = None
    return view
"""
SHOWN = "from views import make\n\n\ndef show(wanted):\n    view = make(wanted)\n    view.show()\n\n\nshow(True)\n"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        pytest.param({}, [], id="shown"),
        pytest.param({"show.py": SHOWN.replace("view.show()", "view.start()")}, ["LP111"], id="started"),
        pytest.param({"show.py": SHOWN.replace("view.show()", "run(view, 'start')")}, ["LP111"], id="named in quotes"),
        pytest.param({"show.py": ""}, ["LP111"], id="made for users of a library"),
        pytest.param(
            {"views.py": VIEWS.replace("return view", "OPEN.append(view)\n    return view") + "\n\nOPEN = []\n"},
            ["LP111"],
            id="kept elsewhere, too",
        ),
        pytest.param(
            {"workers.py": f"{WORKER.rstrip()}\n\n    def open(self):\n        self.start()\n"}, ["LP111"], id="own"
        ),
        pytest.param(
            {"others.py": "from workers import Worker\n\n\ndef work():\n    Worker(1).start()\n"}, [], id="another one"
        ),
    ],
)
def test_one_that_a_function_gives_to_who_starts_nothing(
    changes: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    found = lint_files(tmp_path, {"workers.py": WORKER, "views.py": VIEWS, "show.py": SHOWN, **changes})
    assert [each.code for each in found if each.code == "LP111"] == expected
