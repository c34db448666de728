"""LP203: scripts that start workers outside of their main guard."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.rules.unguarded_starts import in_files, rows_of_starts
from tests.rules.worker_functions import IMPORTS, codes
from tests.support import lint, lint_files


class TestPage(PageTests):
    code = "LP203"


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
    assert rows_of_starts(text) == [17]


def test_loaders_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2], num_workers=2)]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert rows_of_starts(text) == [3]


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
    assert rows_of_starts(text) == rows


def test_loaders_without_workers_that_are_bound_again_as_their_iterators() -> None:
    text = """
        from torch.utils.data import DataLoader

        loaders = [DataLoader([1, 2])]
        loaders = [iter(loader) for loader in loaders]
        print(next(loaders[0]))
    """
    assert rows_of_starts(text) == []


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
    assert rows_of_starts(text) == [4]


def test_a_name_that_is_bound_again_is_what_it_was_made_of() -> None:
    text = """
        from torch.utils.data import DataLoader

        source = DataLoader([1, 2], num_workers=2)
        source = [len(source), source.dataset]
        for each in source:
            print(each)
    """
    assert rows_of_starts(text) == []


ITERATED = """\
from torch.utils.data import DataLoader, Dataset


class Rows(Dataset):
    def __init__(self):
        self.key = lambda row: row


loader = DataLoader(Rows(), num_workers=2)
for batch in loader:
    print(batch)
"""


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
    assert ((name, "LP203") in in_files(tmp_path, {name: ITERATED + more})) == is_found


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
    assert (("pooled.py", "LP203") in in_files(tmp_path, files)) is is_found


FORKED = "import multiprocessing\n\n\ndef pytest_configure():\n    multiprocessing.set_start_method('fork')\n"
TESTED = (
    ITERATED.replace("loader =", "def test_rows():\n    loader =")
    .replace("\nfor", "\n    for")
    .replace("  p", "      p")
)


def test_what_the_conftest_of_a_test_suite_sets_counts_for_tests(tmp_path: Path) -> None:
    files = {"tests/test_rows.py": TESTED, "tests/helpers.py": TESTED, "train.py": ITERATED}
    everything = {("test_rows.py", "LP102"), ("helpers.py", "LP102"), ("train.py", "LP102"), ("train.py", "LP203")}
    assert in_files(tmp_path, files) == everything
    assert in_files(tmp_path, {**files, "tests/conftest.py": FORKED}) == {("train.py", "LP102"), ("train.py", "LP203")}


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
    assert (("test_rows.py", "LP102") in in_files(tmp_path, files)) is not is_forked


def test_a_program_that_asks_for_fork_by_condition_may_do_otherwise(tmp_path: Path) -> None:
    setting = "import sys\nimport multiprocessing\nif sys.argv[1:]:\n    multiprocessing.set_start_method('fork')\n"
    assert ("train.py", "LP102") in in_files(tmp_path, {"train.py": setting + ITERATED})


def test_what_a_conftest_beside_the_library_sets_counts_for_tests(tmp_path: Path) -> None:
    files = {"test_rows.py": TESTED, "train.py": ITERATED, "conftest.py": FORKED}
    assert in_files(tmp_path, files) == {("train.py", "LP102"), ("train.py", "LP203")}


def test_what_one_test_sets_counts_for_its_file(tmp_path: Path) -> None:
    setting = "import multiprocessing\n\n\ndef test_fork():\n    multiprocessing.set_start_method('fork')\n\n\n"
    files = {"tests/test_fork.py": setting + TESTED, "tests/test_rows.py": TESTED}
    assert in_files(tmp_path, files) == {("test_rows.py", "LP102")}


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
    assert rows_of_starts(BACKENDS.format(backend=backend)) == rows


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
    assert rows_of_starts(CHOSEN.format(call=call)) == rows


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
    assert rows_of_starts(text) == rows


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
    assert (rows_of_starts(OPTIONAL.format(call=call)) == [27]) == is_found


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
    assert bool(rows_of_starts(MISSING.format(statement=statement, more=more))) is fires


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


def test_a_script_in_a_folder_of_that_name_may_be_run_as_a_module(tmp_path: Path) -> None:
    text = MISSING.format(statement="from plugins.plugins import sites", more="")
    found = lint_files(tmp_path, {"plugins/plugins.py": "sites = []\n", "plugins/main.py": text})
    assert "LP203" in [each.code for each in found]


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
    assert (("sample.py", "LP203") in in_files(tmp_path, files)) is is_found


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
    assert rows_of_starts(text) == []


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
    assert len(rows_of_starts(ENDING.format(end=end))) == 1


@pytest.mark.parametrize("end", ["if name:\n        exit()", "if name:\n        return\n    exit()", "pass"])
def test_a_call_that_may_not_end_the_program(end: str) -> None:
    assert len(rows_of_starts(ENDING.format(end=end))) == 2


def test_a_script_without_a_guard_is_one_finding_with_all_its_starts() -> None:
    (finding,) = lint(ENDING.format(end="pass")).diagnostics
    assert [each.location.start.row for each in finding.related] == [15, 16]


def test_a_method_that_does_much_before_it_starts_workers() -> None:
    """What it calls is followed up to a limit, which has to do for the commands of a large program."""
    count = 40
    line = "        self.rows.append(self.config.get('{}', {}).strip().split(self.config.separator))\n"
    lines = "".join(line.format("name", row) for row in range(5))
    steps = "".join(f"    def step{number}(self):\n{lines}\n" for number in range(count))
    calls = "".join(f"        self.step{number}()\n" for number in range(count))
    text = (
        "import multiprocessing\nimport os\n\n\n"
        "class Config:\n"
        "    def __init__(self, path):\n        self.path = path\n        self.separator = ','\n\n"
        "    def get(self, name, default):\n        return os.environ.get(name, self.path) or str(default)\n\n\n"
        "class Report:\n"
        "    def __init__(self, config):\n        self.config = config\n        self.rows = []\n\n"
        f"{steps}    def run(self):\n{calls}        multiprocessing.Pool(2).map(print, self.rows)\n\n\n"
        "def main():\n    report = Report(Config('report.json'))\n    report.run()\n\n\nmain()\n"
    )
    assert rows_of_starts(text) == [text.count("\n")]
