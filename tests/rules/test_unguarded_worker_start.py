"""LP203: scripts that start workers outside of their main guard."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import lint, lint_files, marks
from tests.trees import virtual_environment, write


class TestPage(PageTests):
    code = "LP203"


def _rows(text: str) -> list[int]:
    """The rows of all starts, also of those that are told as related places of another."""
    found = [each for each in lint(dedent(text).lstrip()).diagnostics if each.code == "LP203"]
    return sorted(place.location.start.row for each in found for place in each.related or (each,))


def test_a_loader_that_a_function_of_another_name_makes() -> None:
    text = """
        from torch.utils.data import DataLoader


        def renew(workers):
            return None, DataLoader([1, 2], num_workers=workers)


        if input():
            sampler, loader = renew(2)
            renew_loader = renew
        else:
            sampler, loader = renew(3)
            renew_loader = renew

        for epoch in range(3):
            if epoch:
                sampler, loader = renew_loader(4)
            for batch in loader:
                print(batch)
        """
    assert _rows(text) == [17]


def test_loaders_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2], num_workers=2)]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert _rows(text) == [3]


@pytest.mark.parametrize(("default", "rows"), [("2", [6]), ("0", []), ("2.5", [6])])
def test_the_number_of_workers_may_be_the_default_of_an_option(default: str, rows: list[int]) -> None:
    text = f"""
        import argparse
        from torch.utils.data import DataLoader
        parser = argparse.ArgumentParser()
        parser.add_argument("--num-workers", type=int, default={default})
        args = parser.parse_args()
        for batch in DataLoader([1, 2], num_workers=args.num_workers):
            print(batch)
    """
    assert _rows(text) == rows


def test_loaders_without_workers_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2])]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert _rows(text) == []


def test_an_iterator_that_a_loop_wraps_in_itself() -> None:
    text = """
        import sys
        from torch.utils.data import DataLoader

        batches = DataLoader([1, 2], num_workers=2)
        for _ in sys.argv:
            batches = map(str, batches)
        for batch in batches:
            print(batch)
    """
    assert _rows(text) == [4]


def test_a_name_that_is_bound_again_is_what_it_was_made_of() -> None:
    text = """
        from torch.utils.data import DataLoader

        source = DataLoader([1, 2], num_workers=2)
        source = [len(source), source.dataset]
        for each in source:
            print(each)
    """
    assert _rows(text) == []


MANAGERS = """\
import multiprocessing
import multiprocessing as mp
from functools import lru_cache
from multiprocessing import Manager
from multiprocessing.managers import BaseManager, SyncManager
from typing import ClassVar
from django.db import models
"""

ITERATED = """\
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.key = lambda row: row


loader = DataLoader(Rows(), num_workers=2)
for batch in loader:
    print(batch)
"""


def _in_files(folder: Path, files: dict[str, str]) -> set[tuple[str, str]]:
    found = lint_files(folder, {"pyproject.toml": "[project]\n", **files})
    return {(Path(each.location.path).name, each.code) for each in found}


@pytest.mark.parametrize(
    ("name", "more", "is_found"),
    [
        ("test_rows.py", "def test_rows():\n    pass\n", False),
        ("test_rows.py", "import pytest\n", False),
        ("conftest.py", "import pytest\n", False),
        ("test_rows.py", "", True),  # nothing that pytest would call: a program
        ("test_rows.py", "if __name__ == '__main__':\n    print(loader)\n", True),
        ("test_rows.py", "import unittest\n\nif __name__ == '__main__':\n    unittest.main()\n", False),
        ("rows.py", "def test_rows():\n    pass\n", True),
    ],
)
def test_files_that_pytest_runs(tmp_path: Path, name: str, more: str, is_found: bool) -> None:
    assert ((name, "LP203") in _in_files(tmp_path, {name: ITERATED + more})) == is_found


POOLED = """\
from multiprocessing import Pool


def work(row):
    return row


def index(count):
    with Pool(2) as pool:
        return pool.map(work, range(count))


index(10)
"""


@pytest.mark.parametrize(
    ("command", "more", "is_found"),
    [
        ('["coverage", "run", "-m", "tests.pooled"]', "", True),
        ("'python -m tests.pooled'.split()", "", True),
        ('[\n        sys.executable,\n        "tests/pooled.py",\n    ]', "", True),
        ('[sys.executable, str(here / "pooled.py")]', "", True),
        ('["python3", "./tests/pooled.py"]', "", True),
        ('["coverage", "run", "-m", "tests.pooled"]', "\n\ndef test_index():\n    index(3)\n", False),
        ('["coverage", "run", "-m", "tests.other.pooled"]', "", False),
        ('["coverage", "run", "-m", "tests.pooled_rows"]', "", False),
        ('[sys.executable, "tests/other/pooled.py"]', "", False),
        ('["cat", "tests/pooled.py"]', "", False),
        ('[sys.executable, "-c", "import tests.pooled"]', "", False),
    ],
)
def test_a_file_among_tests_that_a_test_runs_as_a_script(
    tmp_path: Path, command: str, more: str, is_found: bool
) -> None:
    test = "import subprocess, sys\nimport pytest\n\n\ndef test_it(here):\n    subprocess.run({})\n"
    files = {"tests/pooled.py": POOLED + more, "tests/test_it.py": test.format(command)}
    assert (("pooled.py", "LP203") in _in_files(tmp_path, files)) is is_found


FORKED = "import multiprocessing\n\n\ndef pytest_configure():\n    multiprocessing.set_start_method('fork')\n"
TESTED = (
    ITERATED.replace("loader =", "def test_rows():\n    loader =")
    .replace("\nfor", "\n    for")
    .replace("  p", "      p")
)


def test_what_the_conftest_of_a_test_suite_sets_counts_for_tests(tmp_path: Path) -> None:
    files = {"tests/test_rows.py": TESTED, "tests/helpers.py": TESTED, "train.py": ITERATED}
    everything = {("test_rows.py", "LP102"), ("helpers.py", "LP102"), ("train.py", "LP102"), ("train.py", "LP203")}
    assert _in_files(tmp_path, files) == everything
    assert _in_files(tmp_path, {**files, "tests/conftest.py": FORKED}) == {("train.py", "LP102"), ("train.py", "LP203")}


@pytest.mark.parametrize(
    ("conftest", "is_forked"),
    [
        ("if sys.version_info >= (3, 14):\n    mp.set_start_method('fork', force=True)\n", True),
        ("@pytest.fixture(scope='session', autouse=True)\ndef fork():\n    mp.set_start_method('fork', True)\n", True),
        (
            "def pytest_configure(config):\n    if config.forks:\n        mp.set_start_method('fork', force=True)\n",
            True,
        ),
        ("if sys.platform == 'linux':\n    mp.set_start_method('spawn')\n", False),
        ("mp.set_start_method('fork' if sys.platform == 'linux' else 'spawn')\n", False),
        ("if sys.argv[1:]:\n    mp.set_start_method('fork')\nelse:\n    mp.set_start_method('spawn')\n", False),
    ],
)
def test_a_conftest_that_asks_for_fork_by_condition(tmp_path: Path, conftest: str, is_forked: bool) -> None:
    head = "import multiprocessing as mp\nimport sys\n\nimport pytest\n\n"
    files = {"tests/test_rows.py": TESTED, "tests/conftest.py": head + conftest}
    assert (("test_rows.py", "LP102") in _in_files(tmp_path, files)) is not is_forked


def test_a_program_that_asks_for_fork_by_condition_may_do_otherwise(tmp_path: Path) -> None:
    setting = "import sys\nimport multiprocessing\nif sys.argv[1:]:\n    multiprocessing.set_start_method('fork')\n"
    assert ("train.py", "LP102") in _in_files(tmp_path, {"train.py": setting + ITERATED})


def test_what_a_conftest_beside_the_library_sets_counts_for_tests(tmp_path: Path) -> None:
    files = {"test_rows.py": TESTED, "train.py": ITERATED, "conftest.py": FORKED}
    assert _in_files(tmp_path, files) == {("train.py", "LP102"), ("train.py", "LP203")}


def test_what_one_test_sets_counts_for_its_file(tmp_path: Path) -> None:
    setting = "import multiprocessing\n\n\ndef test_fork():\n    multiprocessing.set_start_method('fork')\n\n\n"
    files = {"tests/test_fork.py": setting + TESTED, "tests/test_rows.py": TESTED}
    assert _in_files(tmp_path, files) == {("test_rows.py", "LP102")}


BACKENDS = """
    import multiprocessing


    class Threads:
        def configure(self):
            return []


    class Processes:
        def configure(self):
            return multiprocessing.Pool(2)


    BACKENDS = {{"threads": Threads, "processes": Processes}}


    class Parallel:
        def __init__(self, backend):
            self.backend = BACKENDS[backend]()

        def run(self):
            self.backend.configure()


    def main(name):
        Parallel({backend}).run()


    main(input())
    """


@pytest.mark.parametrize(("backend", "rows"), [("'processes'", [29]), ("'threads'", []), ("name", [])])
def test_the_backend_that_is_chosen_counts(backend: str, rows: list[int]) -> None:
    assert _rows(BACKENDS.format(backend=backend)) == rows


CHOSEN = """
    import multiprocessing


    def make(name, mode=None):
        kind = mode or name.lower()
        if kind == "sync":
            return [name]
        elif kind == "async":
            return multiprocessing.Pool(2)
        raise ValueError(kind)


    def first(name):
        if name == "processes":
            return multiprocessing.Pool(2)
        elif name == "threads":
            return None


    def only(name):
        if name.lower() == "processes":
            return multiprocessing.Pool(2)
        elif name:
            return None


    def run(name):
        if name.lower():
            multiprocessing.Pool(2)


    {call}
    """


@pytest.mark.parametrize(
    ("call", "rows"),
    [
        ("make(input())", []),
        ("first(input())", []),
        ('first("processes")', [32]),
        ("only(input())", [32]),
        ("run(input())", [32]),
    ],
)
def test_what_is_done_in_one_of_several_cases(call: str, rows: list[int]) -> None:
    assert _rows(CHOSEN.format(call=call)) == rows


@pytest.mark.parametrize(
    ("condition", "rows"), [('self.__module__ == "__main__"', []), ('self.__module__ == "runner"', [13])]
)
def test_a_start_that_asks_for_the_name_of_the_module(condition: str, rows: list[int]) -> None:
    text = f"""
        import multiprocessing


        class Runner:
            def run(self):
                if not {condition}:
                    return None
                else:
                    return multiprocessing.Pool(2)


        runner = Runner()
        runner.run()
    """
    assert _rows(text) == rows


OPTIONAL = """
    import multiprocessing


    class Model:
        def encode(self, rows, device=None, pool=None):
            if pool is not None or (isinstance(device, list) and len(device) > 0):
                if pool is None:
                    pool = multiprocessing.Pool(2)
                return pool
            device = device or "cpu"
            return rows

        def load(self, rows, workers=0):
            workers = min(workers, len(rows))
            if workers:
                return multiprocessing.Pool(workers)
            return rows

        def check(self, rows, serial=False):
            serial = serial and len(rows) < 3
            if not serial:
                return multiprocessing.Pool(2)
            return rows


    model = Model()
    model.{call}
    """


@pytest.mark.parametrize(
    ("call", "is_found"),
    [
        ("encode([1])", False),
        ("encode([1], device=['a', 'b'])", True),
        ("load([1])", False),
        ("load([1], workers=int(input()))", True),
        ("check([1])", True),
    ],
)
def test_what_is_done_for_options_that_a_call_leaves_out(call: str, is_found: bool) -> None:
    assert (_rows(OPTIONAL.format(call=call)) == [27]) == is_found


@pytest.mark.parametrize(
    "body",
    [
        "p = mp.Process(target=print)\np.start()\n",
        "class Job(mp.Process):\n    def run(self):\n        pass\n\nJob().start()\n",
        "with ProcessPoolExecutor() as e:\n    print(list(e.map(len, ['a'])))\n",
        "first = next(iter(DataLoader([1], num_workers=1)))\n",
        "batches = [b for b in DataLoader([1], num_workers=1)]\n",
        "loader = DataLoader([1], num_workers=1)\nfor i, b in enumerate(loader):\n    pass\n",
        "def main():\n    mp.Pool(2)\n\nif True:\n    main()\n",
        "class App:\n    def __init__(self):\n        self.pool = mp.Pool(2)\n\napp = App()\n",
    ],
)
def test_workers_that_start_at_import(body: str) -> None:
    assert codes(body) == ["LP203"]


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("p = mp.Process(target=print)\n", id="not started"),
        pytest.param("e = ProcessPoolExecutor()\n", id="starts when something is submitted"),
        pytest.param("with ThreadPoolExecutor() as e:\n    e.submit(print)\n", id="threads"),
        pytest.param("def main():\n    mp.Pool(2)\n", id="not called"),
        pytest.param("def main():\n    mp.Pool(2)\nif __name__ == '__main__':\n    main()\n", id="guarded"),
        pytest.param(
            "def main():\n    mp.Pool(2)\nif '__main__' == __name__ and main:\n    main()\n", id="guarded too"
        ),
        pytest.param("def main():\n    mp.Pool(2)\nmains = [main, lambda: main()]\n", id="only named"),
        pytest.param(
            "loaders = [DataLoader([1], num_workers=1)]\nfor x in loaders:\n    print(x)\n", id="a list of them"
        ),
        pytest.param("for b in DataLoader([1]):\n    pass\n", id="no workers by default"),
        pytest.param("mp.get_context('fork').Pool(2)\n", id="forked"),
        pytest.param("if mp.current_process().name == 'MainProcess':\n    mp.Pool(2)\n", id="another guard"),
    ],
)
def test_workers_that_do_not_start_at_import(body: str) -> None:
    assert "LP203" not in codes(body)


DECORATED = """
import multiprocessing as mp

{decorator}


def work(row):
    return row


@run
def main():
    with mp.Pool(2) as pool:
        print(pool.map(work, range(3)))
"""
_JOBS = """
class Jobs:
    def __init__(self):
        self.known = []

    def at_once(self, job):
        self.known.append(job)
        self.finish()
        return job

    def later(self, job):
        self.known.append(job)
        return job

    def finish(self):
        for job in self.known:
            job()
"""


@pytest.mark.parametrize(
    "decorator",
    [
        "def run(function):\n    function()\n    return function",
        "def run(function):\n    return function()",
        "class run:\n    def __init__(self, function):\n        self.result = function()",
    ],
)
def test_a_decorator_that_calls_the_function_at_once(decorator: str) -> None:
    text = DECORATED.format(decorator=decorator)
    assert _rows(text) == [_row_of("@run", text)]


@pytest.mark.parametrize(("method", "fires"), [("at_once", True), ("later", False)])
def test_a_decorator_that_keeps_the_function_for_another_method(method: str, fires: bool) -> None:
    text = DECORATED.format(decorator=f"{_JOBS}\n\njobs = Jobs()").replace("@run", f"@jobs.{method}")
    assert _rows(text) == ([_row_of(f"@jobs.{method}", text)] if fires else [])


@pytest.mark.parametrize(
    "decorator",
    [
        "def run(function):\n    return function",
        "def run(function):\n    def called():\n        return function()\n    return called",
        "def run(function):\n    if function.__module__ == '__main__':\n        function()\n    return function",
    ],
)
def test_a_decorator_that_does_not_call_the_function_where_workers_import_it(decorator: str) -> None:
    assert _rows(DECORATED.format(decorator=decorator)) == []


@pytest.mark.parametrize(
    ("head", "fires"), [("", True), ("from decorator import decorator\n\n@decorator\n", False)], ids=["plain", "made"]
)
def test_what_a_package_makes_a_decorator_does_not_run_as_it_decorates(head: str, fires: bool) -> None:
    text = DECORATED.format(
        decorator=f"{head}def run(function, *args, **kwargs):\n    return function(*args, **kwargs)"
    )
    assert _rows(text) == ([_row_of("@run", text)] if fires else [])


OF_PACKAGE = """\
def noted(caller):
    return caller


def decorate(function, caller):
    return lambda *args: caller(function, *args)


def decorator(caller):
    def dec(function):
        return decorate(function, caller)

    dec.__name__ = caller.__name__
    return dec
"""


@pytest.mark.parametrize(("maker", "fires"), [("decorator", False), ("noted", True)])
def test_what_an_installed_package_makes_a_decorator(maker: str, fires: bool, tmp_path: Path) -> None:
    head = f"from decorator import {maker}\n\n@{maker}\n"
    text = DECORATED.format(
        decorator=f"{head}def run(function, *args, **kwargs):\n    return function(*args, **kwargs)"
    )
    write(virtual_environment(tmp_path / ".venv"), {"decorator.py": OF_PACKAGE})
    found = lint_files(tmp_path, {"main.py": text})
    assert [each.code for each in found] == (["LP203"] if fires else [])


MISSING = """\
import os
from multiprocessing import Pool

FOLDER = "data"


def work(folder):
    found = os.listdir(folder)
    return found


{statement}
pool = Pool(2)
print(pool.map(work, ["a"]))
{more}
"""


@pytest.mark.parametrize(
    ("statement", "more", "fires"),
    [
        ('path = os.path.join(FOLDER, "a")', "", True),
        ('path = os.path.join(folder, "a")', "", False),
        ("print(found)", "", False),
        ('path = os.path.join(folder, "a")', "folder = 3", True),
        ('path = os.path.join(folder, "a")', "def f():\n    global folder", True),
        ('path = FOLDER or os.path.join(folder, "a")', "", True),
        ("paths = [folder for folder in os.listdir()]", "", True),
        ("later = lambda: folder", "", True),
        ("if FOLDER:\n    print(folder)", "", True),
        ("try:\n    print(folder)\nexcept NameError:\n    pass", "", True),
        ("from settings import *\nprint(folder)", "", True),
        ("print(snakemake.input)", "", True),
        ("", "print(folder)", True),
    ],
)
def test_a_name_that_is_missing_before_workers_start(statement: str, more: str, fires: bool) -> None:
    assert bool(_rows(MISSING.format(statement=statement, more=more))) is fires


@pytest.mark.parametrize(
    ("statement", "more", "files", "fires"),
    [
        pytest.param("import plugins.sites", "", {}, False, id="imported"),
        pytest.param("from plugins.sites import f", "", {}, False, id="imported from"),
        pytest.param("import plugins.sites", "", {"plugins/sites.py": ""}, False, id="beside a folder"),
        pytest.param("import plugins", "", {}, True, id="the module itself"),
        pytest.param("from plugins import sites", "", {}, True, id="a name of the module"),
        pytest.param("import others.sites", "", {}, True, id="not seen"),
        pytest.param("", "import plugins.sites", {}, True, id="too late"),
        pytest.param("try:\n    import plugins.sites\nexcept ImportError:\n    pass", "", {}, True, id="tried"),
        pytest.param("import plugins.sites", "", {"plugins/__init__.py": ""}, True, id="a package wins"),
        pytest.param("import plugins.sites", "", {"plugins.py": "__path__ = ['all']"}, True, id="a package after all"),
    ],
)
def test_an_import_that_fails_before_workers_start(
    statement: str, more: str, files: dict[str, str], fires: bool, tmp_path: Path
) -> None:
    text = MISSING.format(statement=statement, more=more)
    found = lint_files(tmp_path, {"plugins.py": "sites = []\n", "main.py": text, **files})
    assert ("LP203" in [each.code for each in found]) is fires


SERVICE = """\
import multiprocessing


def work(rows):
    print(rows)


class Service:
    def load(self):
        {setting}
        self.start()

    def start(self):
        process = multiprocessing.Process(target=work, args=(1,))
        process.start()
"""
UNLESS_FORK = (
    'if multiprocessing.get_start_method() != "fork":\n            multiprocessing.set_start_method("fork", True)'
)


@pytest.mark.parametrize(
    ("setting", "called", "is_found"),
    [
        ("pass", "load", True),
        (UNLESS_FORK, "load", False),
        ('multiprocessing.set_start_method("fork", True)', "load", False),
        (UNLESS_FORK, "start", True),
        (UNLESS_FORK.replace('"fork", True', '"spawn", True'), "load", True),
        (UNLESS_FORK.replace('!= "fork"', '!= "spawn"'), "load", True),
    ],
)
def test_a_function_that_sets_fork_before_it_starts_workers(
    tmp_path: Path, setting: str, called: str, is_found: bool
) -> None:
    script = f"from service import Service\n\nservice = Service()\nservice.{called}()\n"
    files = {"service.py": SERVICE.format(setting=setting), "sample.py": script}
    assert (("sample.py", "LP203") in _in_files(tmp_path, files)) is is_found


KEEPS_NAME = """
class Runtime:
    def __init__(self, name):
        self.active = {test}

    def on_start(self, function):
        if self.active:
            function()
        return function


runtime = Runtime(__name__)
"""


@pytest.mark.parametrize(
    ("test", "fires"), [('name == "__main__"', False), ("name != 'tests'", True), ("bool(name)", True)]
)
def test_a_decorator_of_an_object_that_keeps_whether_it_is_the_script(test: str, fires: bool) -> None:
    text = DECORATED.format(decorator=KEEPS_NAME.format(test=test)).replace("@run", "@runtime.on_start")
    assert bool(_rows(text)) is fires


def test_a_guarded_function_with_a_decorator_that_calls_it() -> None:
    decorator = "def run(function):\n    return function()"
    head, _, tail = DECORATED.format(decorator=decorator).partition("@run")
    guarded = "\n".join(f"    {row}" for row in f"@run{tail}".splitlines())
    assert _rows(f"{head}if __name__ == '__main__':\n{guarded}\n") == []


def _row_of(row: str, text: str) -> int:
    return text.lstrip().splitlines().index(row) + 1


def test_a_known_number_of_workers_is_certain_and_an_unknown_one_likely() -> None:
    script = IMPORTS + "import sys\nfor b in DataLoader([1], num_workers={}):\n    pass\n"
    found = [lint(script.format(workers)).diagnostics[0] for workers in ("4", "int(sys.argv[1])")]
    assert [each.confidence.value for each in found] == ["certain", "likely"]


def test_a_guard_that_is_switched_off_by_another_name() -> None:
    text = """
        from torch.utils.data import DataLoader

        if __name__ == "__main2__":
            for batch in DataLoader([1, 2], num_workers=2):
                print(batch)
    """
    assert _rows(text) == []


ENDING = """
from concurrent.futures import ProcessPoolExecutor


def work(row):
    return row


def check(name):
    with ProcessPoolExecutor(2) as executor:
        print(name, list(executor.map(work, range(3))))
    {end}


check("a")
check("b")
"""


@pytest.mark.parametrize("end", ["exit()", "raise SystemExit(1)", "print()\n    exit()\n    print()"])
def test_a_call_that_ends_the_program(end: str) -> None:
    assert len(_rows(ENDING.format(end=end))) == 1


@pytest.mark.parametrize("end", ["if name:\n        exit()", "if name:\n        return\n    exit()", "pass"])
def test_a_call_that_may_not_end_the_program(end: str) -> None:
    assert len(_rows(ENDING.format(end=end))) == 2


def test_a_script_without_a_guard_is_one_finding_with_all_its_starts() -> None:
    (finding,) = lint(ENDING.format(end="pass")).diagnostics
    assert [each.location.start.row for each in finding.related] == [15, 16]


@pytest.mark.parametrize(
    "text",
    [
        "manager = multiprocessing.Manager()",
        "seen = mp.Manager().dict()",
        "manager = multiprocessing.get_context('spawn').Manager()",
        "with mp.Manager() as manager:\n    print(manager.dict())",
        "class Seen:\n    names = mp.Manager().list()",
        "class Seen:\n    names: ClassVar[list] = Manager().list()",
        "def note(name, seen=mp.Manager().dict()):\n    seen[name] = 1",
        "class Seen:\n    def __init__(self, manager=Manager()):\n        self.names = manager.list()",
        "def make():\n    return Manager()\nmanager = make()",
        "manager = SyncManager()\nmanager.start()",
        "class Numbers(BaseManager):\n    pass\nnumbers = Numbers()\nnumbers.start()",
        "class Numbers(BaseManager):\n    pass\nwith Numbers() as numbers:\n    print(numbers)",
        "class Numbers(BaseManager):\n    pass\nnumbers = Numbers()\nwith numbers:\n    print(numbers)",
    ],
)
def test_managers_that_are_started_at_import(text: str) -> None:
    assert len(_rows(MANAGERS + text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "if __name__ == '__main__':\n    manager = mp.Manager()",
        "def make():\n    return mp.Manager()",
        "@lru_cache\ndef make():\n    return mp.Manager().dict()",
        "class Seen:\n    def __init__(self, manager=None):\n        self.manager = manager or Manager()",
        "class Numbers(BaseManager):\n    pass\nNumbers.register('numbers', list)\nnumbers = Numbers(('', 5000))",
        "class Numbers(BaseManager):\n    pass\ndef run():\n    with Numbers() as numbers:\n        print(numbers)",
        "class Numbers(BaseManager):\n    pass\nif __name__ == '__main__':\n    with Numbers():\n        print(1)",
        "class Numbers:\n    def __enter__(self):\n        return self\nwith Numbers() as numbers:\n    print(1)",
        "class Query(models.Model):\n    objects = models.Manager()",
        "manager = mp.get_context('fork').Manager()",
        "if mp.current_process().name == 'MainProcess':\n    manager = mp.Manager()",
    ],
)
def test_managers_that_are_not_started_at_import(text: str) -> None:
    assert _rows(MANAGERS + text) == []


def test_a_manager_of_a_module_that_workers_import(tmp_path: Path) -> None:
    state = "import multiprocessing\n\nquota = multiprocessing.Manager().dict()\n"
    main = "from state import quota\n\n\ndef main():\n    print(quota)\n\n\nif __name__ == '__main__':\n    main()\n"
    assert _in_files(tmp_path, {"state.py": state, "main.py": main}) == {("state.py", "LP203")}


_STATE = "from multiprocessing import Manager\n\ncache = Manager().dict()\n"
_FORKS = "import multiprocessing\n\nmultiprocessing.set_start_method('fork')\nimport {}\n"
_FORKS_LATER = "import multiprocessing\nimport state\n\nmultiprocessing.set_start_method('fork')\n"
_FORKS_WHEN_CALLED = (
    "import multiprocessing\n\n\ndef main():\n    multiprocessing.set_start_method('fork')\n\n\nimport state\n"
)
_MAIN = "\n\ndef main():\n    print('go')\n\n\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        pytest.param({"one.py": _FORKS.format("state") + _MAIN}, False, id="one program"),
        pytest.param(
            {"one.py": _FORKS.format("state") + _MAIN, "two.py": _FORKS.format("state") + _MAIN},
            False,
            id="two programs",
        ),
        pytest.param(
            {"one.py": _FORKS.format("steps") + _MAIN, "steps.py": "import state\n"},
            False,
            id="by way of another module",
        ),
        pytest.param(
            {"one.py": _FORKS.format("state") + _MAIN, "two.py": f"import state\n{_MAIN}"},
            True,
            id="one of two programs does not",
        ),
        pytest.param(
            {"one.py": _FORKS.format("steps") + _MAIN, "steps.py": f"import state\n{_MAIN}"},
            True,
            id="the other module is a script, too",
        ),
        pytest.param(
            {"one.py": "import steps\n" + _FORKS.format("state") + _MAIN, "steps.py": "import state\n"},
            True,
            id="imported before by another module",
        ),
        pytest.param({"one.py": _FORKS_LATER + _MAIN}, True, id="after the import"),
        pytest.param({"one.py": _FORKS_WHEN_CALLED + _MAIN}, True, id="in a function"),
        pytest.param({"one.py": _FORKS.format("state").replace("fork", "spawn") + _MAIN}, True, id="spawn"),
    ],
)
def test_a_manager_of_a_module_that_programs_import_after_they_set_fork(
    tmp_path: Path, files: dict[str, str], is_found: bool
) -> None:
    found = _in_files(tmp_path, {"state.py": _STATE, **files})
    assert (("state.py", "LP203") in found) is is_found


_RUNS_JOBS = "from pkg import state\nfrom multiprocessing import Process\nfrom pkg.jobs import work\n\n\ndef main():\n"
_RUNS_JOBS += "    Process(target=work).start()\n\n\nif __name__ == '__main__':\n    main()\n"
_RUNS_NOTHING = f"from pkg import state\n{_MAIN}"
_RUNNER = "from multiprocessing import Process\n\n\ndef run(task):\n    Process(target=task).start()\n"
_RUNS_BY_RUNNER = "from pkg import runner\nfrom pkg.jobs import work\n\n\ndef main():\n    runner.run(work)\n\n\n"
_RUNS_BY_RUNNER += "if __name__ == '__main__':\n    main()\n"
_WORK = "def work():\n    print('work')\n"


@pytest.mark.parametrize(
    ("files", "is_found"),
    [
        pytest.param({"pkg/__main__.py": _RUNS_NOTHING}, False, id="no worker"),
        pytest.param({"pkg/__main__.py": _RUNS_JOBS}, False, id="workers of another module"),
        pytest.param(
            {"pkg/__main__.py": _RUNS_JOBS, "pkg/jobs.py": f"from pkg import state\n\n\n{_WORK}"},
            True,
            id="by what defines the task",
        ),
        pytest.param(
            {
                "pkg/__main__.py": _RUNS_BY_RUNNER,
                "pkg/runner.py": _RUNNER,
                "pkg/jobs.py": f"from pkg import state\n\n\n{_WORK}",
            },
            True,
            id="by what defines the task that another module starts",
        ),
        pytest.param(
            {"pkg/__main__.py": _RUNS_NOTHING.replace("state", "steps"), "pkg/steps.py": "from pkg import state\n"},
            False,
            id="by way of another module",
        ),
        pytest.param({"pkg/main.py": _RUNS_NOTHING}, True, id="a module that workers import again"),
        pytest.param(
            {"pkg/__main__.py": _RUNS_NOTHING, "day.py": _RUNS_NOTHING},
            True,
            id="and a script",
        ),
    ],
)
def test_a_manager_of_a_module_that_the_main_file_of_a_package_imports(
    tmp_path: Path, files: dict[str, str], is_found: bool
) -> None:
    package = {"pkg/__init__.py": "", "pkg/jobs.py": _WORK, "pkg/state.py": _STATE}
    found = _in_files(tmp_path, {**package, **files})
    assert (("state.py", "LP203") in found) is is_found


def test_workers_that_import_what_a_main_file_alone_imports_may_never_start(tmp_path: Path) -> None:
    main = "import sys\nfrom pkg import state\nfrom multiprocessing import Process\n\nif __name__ == '__main__':\n"
    main += "    if len(sys.argv) > 1:\n        Process(target=state.work).start()\n"
    package = {"pkg/__init__.py": "", "pkg/__main__.py": main, "pkg/state.py": f"{_STATE}\n\n{_WORK}"}
    assert ("state.py", "LP203") in _in_files(tmp_path, package)
    found = lint_files(tmp_path, package)
    assert [each.confidence for each in found if each.code == "LP203"] == [Confidence.LIKELY]


_GUARDED_BY_FUNCTION = """
import multiprocessing


def is_main():
    {body}


def doubled(number):
    return number * 2


def run():
    with multiprocessing.Pool(2) as pool:
        print(pool.map(doubled, [1]))


if {test}:
    run()
"""


@pytest.mark.parametrize(
    ("body", "test", "fires"),
    [
        ("return __name__ == '__main__'", "is_main()", False),
        ("return __name__ == '__main__'", "is_main() and doubled(1)", False),
        ("return multiprocessing.cpu_count() > 1", "is_main()", True),
        ("return __name__ == '__main__'", "doubled(1)", True),
        ("return '__main__' == __name__ and doubled(1) == 2", "is_main()", False),
        ("return multiprocessing.current_process().name == 'MainProcess'", "is_main()", False),
        ("return multiprocessing.current_process().name != 'MainProcess'", "is_main()", True),
        ("return multiprocessing.current_process().name == 'MainProcess' or __debug__", "is_main()", True),
    ],
)
def test_a_function_that_asks_for_the_main_process(body: str, test: str, fires: bool) -> None:
    assert bool(marks(_GUARDED_BY_FUNCTION.format(body=body, test=test))) is fires


def test_a_function_of_another_module_that_asks_for_the_main_process(tmp_path: Path) -> None:
    roles = "from multiprocessing import current_process\n\nleads = lambda: current_process().name == 'MainProcess'\n"
    main = """
        import multiprocessing

        import roles


        def doubled(number):
            return number * 2


        if roles.leads():
            multiprocessing.Pool(2).map(doubled, [1])
    """
    assert _in_files(tmp_path, {"roles.py": roles, "main.py": dedent(main)}) == set()
    roles = roles.replace("==", "!=")
    assert _in_files(tmp_path, {"roles.py": roles, "main.py": dedent(main)}) == {("main.py", "LP203")}


ASKING = """\
import multiprocessing
from multiprocessing import current_process, parent_process


def work(number):
    print(number)


def main():
    process = multiprocessing.Process(target=work, args=(1,))
    process.start()
    process.join()


if {test}:
    main()
"""


@pytest.mark.parametrize(
    "test",
    [
        "parent_process() is None",
        "not multiprocessing.parent_process()",
        "not current_process().daemon",
        "__name__ in ('__main__', '__mp_main__')",
        "__name__ == '__main__' or __name__ == '__mp_main__'",
        "parent_process() is None or __name__ == '__main__'",
    ],
)
def test_what_workers_do_not_know_yet_is_no_guard(test: str) -> None:
    assert marks(ASKING.format(test=test)) == [(16, "LP203")]


@pytest.mark.parametrize(
    "test",
    [
        "current_process().name == 'MainProcess'",
        "parent_process() is None and __name__ == '__main__'",
        "__name__ not in ('__mp_main__', 'worker')",
        "__name__ in ('__main__', 'script')",
        "__name__ == '__main__' or current_process().name == 'MainProcess'",
        "not getattr(current_process(), '_inheriting', False)",
    ],
)
def test_what_workers_know_is_a_guard(test: str) -> None:
    assert not marks(ASKING.format(test=test))


def test_a_guard_beside_what_is_not_known_is_told_of_nothing() -> None:
    assert not marks(ASKING.format(test="__name__ == '__main__' or input()"))


PRESET = """\
from multiprocessing import Pool

from agents.parts import resize

{begins}with Pool(2) as pool:
    sizes = pool.map(resize, [1, 2, 3])
"""


@pytest.mark.parametrize(
    ("loads", "begins", "fires"),
    [
        ('import_module(f"agents.presets.{name}")', "", False),
        ('spec_from_file_location(name, f"agents/presets/{name}.py")', "", False),
        ('import_module("json")', "", True),
        ('import_module(f"agents.presets.{name}")', "import sys\n\nprint(sys.argv)\n", True),
    ],
)
def test_a_module_of_a_package_that_the_program_may_load_by_name(
    tmp_path: Path, loads: str, begins: str, fires: bool
) -> None:
    files = {
        "agents/__init__.py": "",
        "agents/parts.py": "def resize(size):\n    return size + 1\n",
        "agents/presets/__init__.py": "",
        "agents/presets/maze.py": PRESET.format(begins=begins),
        "coach.py": f"from importlib import import_module\nfrom importlib.util import spec_from_file_location\n\n\n"
        f"def load(name):\n    return {loads}\n\n\nif __name__ == '__main__':\n    load(input())\n",
    }
    assert (("maze.py", "LP203") in _in_files(tmp_path, files)) is fires


SHARED_POOL = """
    from multiprocessing import Pool

    _pool = Pool(2)


    def pmap(function, items):
        return _pool.map(function, list(items))
    """
QUOTES = "def quote(trip):\n    return trip * 2\n"
RUNS_LATE = """
    from fleet.quotes import quote


    def main():
        from fleet import parallel

        print(parallel.pmap(quote, range(3)))


    if __name__ == "__main__":
        main()
    """
RUNS_AT_ONCE = """
    from fleet import parallel
    from fleet.quotes import quote

    if __name__ == "__main__":
        print(parallel.pmap(quote, range(3)))
    """
UNDER_GUARD = """
    from fleet.quotes import quote

    if __name__ == "__main__":
        from fleet.parallel import pmap

        print(pmap(quote, range(3)))
    """
BY_ANOTHER = "from fleet import parallel\n\n\ndef all_quotes(count):\n    from fleet.quotes import quote\n\n"
BY_ANOTHER += "    return parallel.pmap(quote, range(count))\n"
RUNS_ANOTHER_LATE = """
    def main():
        from fleet.batch import all_quotes

        print(all_quotes(3))


    if __name__ == "__main__":
        main()
    """
RUNS_ANOTHER_AT_ONCE = """
    from fleet.batch import all_quotes

    if __name__ == "__main__":
        print(all_quotes(3))
    """
ALREADY_AT_IMPORT = RUNS_LATE.replace('if __name__ == "__main__":\n        main()', "main()")
IN_THE_PACKAGE = {"fleet/__init__.py": "from . import parallel\n"}


@pytest.mark.parametrize(
    ("script", "more", "is_found"),
    [
        pytest.param(RUNS_LATE, {}, False, id="in a function"),
        pytest.param(UNDER_GUARD, {}, False, id="under the main guard"),
        pytest.param(RUNS_ANOTHER_LATE, {"fleet/batch.py": BY_ANOTHER}, False, id="by what a function imports"),
        pytest.param(RUNS_LATE, {"tests/test_parallel.py": RUNS_AT_ONCE}, False, id="and by a test"),
        pytest.param(
            RUNS_LATE.replace("    from fleet.quotes", "    from typing import TYPE_CHECKING\n    from fleet.quotes")
            + "\n    if TYPE_CHECKING:\n        from fleet.parallel import pmap\n",
            {},
            False,
            id="and for types",
        ),
        pytest.param(RUNS_AT_ONCE, {}, True, id="at import"),
        pytest.param(RUNS_ANOTHER_AT_ONCE, {"fleet/batch.py": BY_ANOTHER}, True, id="by what the script imports"),
        pytest.param(RUNS_LATE, IN_THE_PACKAGE, True, id="by the package of the task"),
        pytest.param(ALREADY_AT_IMPORT, {}, True, id="in a function that runs at import"),
        pytest.param(
            RUNS_LATE,
            {"fleet/quotes.py": f"from fleet import parallel\n\n\n{QUOTES}"},
            True,
            id="by what defines the task",
        ),
        pytest.param(
            RUNS_LATE,
            {"fleet/quotes.py": QUOTES.replace("    return", "    from fleet import parallel\n\n    return parallel,")},
            True,
            id="by the task",
        ),
        pytest.param("print('nothing')\n", {}, True, id="nowhere"),
        pytest.param(
            "import importlib\n\nif __name__ == '__main__':\n    importlib.import_module('fleet.parallel')\n",
            {},
            True,
            id="by its name",
        ),
    ],
)
def test_a_library_module_that_starts_workers(
    tmp_path: Path, script: str, more: dict[str, str], is_found: bool
) -> None:
    files = {"fleet/__init__.py": "", "fleet/quotes.py": QUOTES, "fleet/parallel.py": SHARED_POOL, "day.py": script}
    found = _in_files(tmp_path, {name: dedent(text).lstrip() for name, text in {**files, **more}.items()})
    assert (("parallel.py", "LP203") in found) is is_found


def test_what_is_said_of_a_library_module(tmp_path: Path) -> None:
    (tmp_path / "shared.py").write_text(dedent(SHARED_POOL), encoding="utf-8")
    (tmp_path / "day.py").write_text("import shared\n\nprint(shared.pmap(abs, [1]))\n", encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=tmp_path)
    (found,) = (each for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics if each.code == "LP203")
    assert found.help is not None
    assert found.help.startswith("start them in a function that the script calls")
    assert next((Path(step.location.path).name, step.location.start.row) for step in found.trail) == ("day.py", 1)


JOBLIB = """
    import sys

    import joblib
    from joblib import Parallel, delayed, parallel_backend, parallel_config

    count = int(sys.argv[1])
    backend = sys.argv[2]


    def square(number):
        return number * number


    def squares(numbers, count, backend="multiprocessing"):
        with Parallel(n_jobs=count, backend=backend) as parallel:
            return parallel(delayed(square)(number) for number in numbers)


    def squares_here(numbers):
        return Parallel(n_jobs=1, backend="multiprocessing")(map(delayed(square), numbers))


    {body}
    """
_TASKS = "(delayed(square)(number) for number in range(9))"


@pytest.mark.parametrize(
    ("body", "confidence"),
    [
        (f"print(Parallel(n_jobs=4, backend='multiprocessing'){_TASKS})", Confidence.CERTAIN),
        (f"print(joblib.Parallel(-1, 'multiprocessing'){_TASKS})", Confidence.CERTAIN),
        (f"print(Parallel(n_jobs=count, backend='multiprocessing'){_TASKS})", Confidence.LIKELY),
        (f"with Parallel(4, 'multiprocessing') as parallel:\n        print(parallel{_TASKS})", Confidence.CERTAIN),
        (f"with parallel_config('multiprocessing'):\n        print(Parallel(4){_TASKS})", Confidence.CERTAIN),
        (f"with parallel_backend('multiprocessing'):\n        print(Parallel(4){_TASKS})", Confidence.CERTAIN),
        ("print(squares(range(9), 4))", Confidence.CERTAIN),
    ],
)
def test_joblib_is_asked_for_processes_of_multiprocessing(body: str, confidence: Confidence) -> None:
    found = [each for each in lint(dedent(JOBLIB.format(body=body))).diagnostics if each.code == "LP203"]
    assert [each.confidence for each in found] == [confidence]


@pytest.mark.parametrize(
    "body",
    [
        f"print(Parallel(n_jobs=4){_TASKS})",
        f"print(Parallel(n_jobs=4, backend='loky'){_TASKS})",
        f"print(Parallel(n_jobs=4, backend='threading'){_TASKS})",
        f"print(Parallel(n_jobs=4, backend=backend){_TASKS})",
        f"print(Parallel(backend='multiprocessing'){_TASKS})",
        f"print(Parallel(n_jobs=1, backend='multiprocessing'){_TASKS})",
        f"with parallel_config('threading'):\n        print(Parallel(4){_TASKS})",
        f"with parallel_config('multiprocessing'):\n        print(Parallel(4, 'loky'){_TASKS})",
        "print(squares(range(9), 4, 'loky'))",
        "print(squares(range(9), 1))",
        "print(squares_here(range(9)))",
        "parallel = Parallel(n_jobs=4, backend='multiprocessing')",
        "if __name__ == '__main__':\n        print(squares(range(9), 4))",
    ],
)
def test_joblib_is_not_asked_for_processes_of_multiprocessing(body: str) -> None:
    assert _rows(JOBLIB.format(body=body)) == []


def test_a_function_of_another_module_asks_joblib_for_processes(tmp_path: Path) -> None:
    (tmp_path / "counting.py").write_text(
        dedent(
            """
            from joblib import Parallel, delayed


            def square(number):
                return number * number


            def squares(numbers, count):
                with Parallel(n_jobs=count, backend="multiprocessing") as parallel:
                    return parallel(delayed(square)(number) for number in numbers)
            """
        )
    )
    script = "import sys\n\nimport counting\n\nprint(counting.squares(range(9), int(sys.argv[1])))\n"
    (tmp_path / "run.py").write_text(script)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    assert [(each.code, Path(each.location.path).name, each.location.start.row) for each in found] == [
        ("LP203", "run.py", 5)
    ]
