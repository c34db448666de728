"""LP239: exit-in-task."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import lint, lint_files, marks


class TestPage(PageTests):
    code = "LP239"


PROGRAM = """\
import multiprocessing as mp
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.pool import ThreadPool


def fail(message):
    print(message)
    {leave}


def load(path):
    {load}
    return open(path).read()


def convert(path):
    {convert}


def main(paths):
    {main}


if __name__ == "__main__":
    main(sys.argv[1:])
"""
TRY = "try:\n        return len(load(path))\n    except"
LOAD = 'if not os.path.exists(path):\n        fail("missing")'
TASKS = "pool = mp.Pool()\n    jobs = [pool.apply_async(convert, (each,)) for each in paths]"
MAIN = "with mp.Pool(4) as pool:\n        print(pool.map(convert, paths))"


def found(
    leave: str = "sys.exit(1)", load: str = LOAD, convert: str = "return len(load(path))", main: str = MAIN
) -> list[tuple[str, str]]:
    text = PROGRAM.format(leave=leave, load=load, convert=convert, main=main)
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics if each.code == "LP239"]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({}, id="two calls away"),
        pytest.param({"leave": "exit()"}, id="exit"),
        pytest.param({"leave": "quit(1)"}, id="quit"),
        pytest.param({"leave": "raise SystemExit(message)"}, id="raised"),
        pytest.param({"leave": "raise SystemExit"}, id="the class"),
        pytest.param({"leave": "os._exit(1)"}, id="at once"),
        pytest.param({"leave": "import sys as system\n    system.exit(1)"}, id="by another name"),
        pytest.param({"convert": "sys.exit(3)"}, id="in the task itself"),
        pytest.param(
            {"convert": f"{TRY} ValueError:\n        return 0"},
            id="another error",
        ),
        pytest.param(
            {"convert": f"{TRY} Exception:\n        return 0"},
            id="no Exception",
        ),
        pytest.param(
            {"load": "", "convert": f"{TRY}:\n        fail(path)"},
            id="in a handler",
        ),
        pytest.param({"main": MAIN.replace("map(", "starmap(")}, id="starmap"),
        pytest.param({"main": f"{TASKS}\n    print([job.get() for job in jobs])"}, id="results asked for"),
        pytest.param({"main": f"{TASKS}\n    pool.close()\n    pool.join()"}, id="the pool joined"),
        pytest.param({"main": f"{TASKS}\n    for job in jobs:\n        job.wait()"}, id="results waited for"),
        pytest.param(
            {"main": "pool = mp.Pool()\n    for each in pool.imap_unordered(convert, paths):\n        print(each)"}
        ),
    ],
)
def test_a_task_that_ends_its_worker(changes: dict[str, str]) -> None:
    assert found(**changes) == [("LP239", "likely")]


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"leave": "raise ValueError(message)"}, id="an error"),
        pytest.param({"leave": "return None"}, id="goes on"),
        pytest.param({"main": "print([convert(each) for each in paths])"}, id="no workers"),
        pytest.param({"main": MAIN.replace("mp.Pool", "ThreadPool")}, id="threads"),
        pytest.param({"main": "mp.Process(target=convert, args=(paths[0],)).start()"}, id="a process of its own"),
        pytest.param({"main": "with ProcessPoolExecutor() as pool:\n        print(list(pool.map(convert, paths)))"}),
        pytest.param({"main": f'if not paths:\n        fail("none")\n    {MAIN}', "load": ""}, id="by main alone"),
        pytest.param({"convert": f"{TRY} SystemExit:\n        return 0"}, id="caught"),
        pytest.param(
            {"convert": f"{TRY} BaseException:\n        return 0"},
            id="caught with all",
        ),
        pytest.param({"convert": f"{TRY}:\n        return 0"}, id="bare"),
        pytest.param(
            {
                "load": "",
                "convert": "try:\n        return load(path)\n    except KeyboardInterrupt:\n        fail(path)",
            },
            id="Ctrl-C, by way of a function",
        ),
        pytest.param(
            {
                "load": "",
                "convert": "try:\n        return load(path)\n    except KeyboardInterrupt:\n        sys.exit(1)",
            },
            id="Ctrl-C",
        ),
        pytest.param(
            {"main": "pool = mp.Pool()\n    print(pool.apply_async(convert, (paths[0],)).get(timeout=9))"}, id="a limit"
        ),
        pytest.param({"main": TASKS}, id="results kept, and not asked for"),
        pytest.param(
            {"main": "pool = mp.Pool()\n    while paths:\n        pool.apply_async(convert, (paths.pop(),))"},
            id="results dropped",
        ),
        pytest.param({"load": "", "convert": "return path.exit(1)"}, id="a method of that name"),
    ],
)
def test_the_worker_goes_on_or_nobody_waits(changes: dict[str, str]) -> None:
    assert found(**changes) == []


def test_an_executor_ends_the_program() -> None:
    main = "with ProcessPoolExecutor() as pool:\n        print(list(pool.map(convert, paths)))"
    text = PROGRAM.format(leave="exit()", load=LOAD, convert="return len(load(path))", main=main)
    told = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP239"]
    assert [each.confidence.value for each in told] == ["possible"]
    assert "ends the main process" in told[0].message


CONTAINED = """\
import functools


def contained(function):
    @functools.wraps(function)
    def call(path):
        try:
            return function(path)
        except SystemExit:
            return 0

    return call


"""


@pytest.mark.parametrize(
    ("leave", "before", "decorated", "expected"),
    [
        ("sys.exit(1)", "def convert", "@contained\ndef convert", []),
        ("sys.exit(1)", "def load", "@contained\ndef load", []),
        ("os._exit(1)", "def convert", "@contained\ndef convert", ["LP239"]),
        ("sys.exit(1)", "def main", "@contained\ndef main", ["LP239"]),
    ],
    ids=["the task", "on the way", "at once, which nobody catches", "not on the way"],
)
def test_a_decorator_may_catch_it(leave: str, before: str, decorated: str, expected: list[str]) -> None:
    text = PROGRAM.format(leave=leave, load=LOAD, convert="return len(load(path))", main=MAIN)
    text = text.replace(before, decorated).replace("def fail", f"{CONTAINED}def fail")
    assert [each.code for each in lint(text).diagnostics if each.code == "LP239"] == expected


RUN = "out, err = subprocess.Popen(path, stdout=subprocess.PIPE"
SELDOM = [
    pytest.param(
        "if len(path) > 9:\n        return 1\n    elif path:\n        return 2\n    else:\n        {}", id="last case"
    ),
    pytest.param("if '--help' in path:\n        {}", id="help"),
    pytest.param("check()", id="defaults"),
    pytest.param("if path not in ('a', 'b'):\n        {}", id="none of those that are listed"),
    pytest.param("try:\n        table[path, 0] = 1\n    except:\n        {}", id="a store that calls nothing"),
    pytest.param(f"{RUN}).communicate()\n    if err != None or out == []:\n        {{}}", id="no list, and not read"),
    pytest.param(f"{RUN}, stderr=subprocess.STDOUT).communicate()\n    if err:\n        {{}}", id="read with stdout"),
]
OFTEN = [
    pytest.param(f"{RUN}, stderr=subprocess.PIPE).communicate()\n    if err:\n        {{}}", id="read"),
    pytest.param(f"{RUN}, **path).communicate()\n    if err:\n        {{}}", id="may be read"),
    pytest.param(f"{RUN}).communicate()\n    err = err or out\n    if err:\n        {{}}", id="made of what is read"),
    pytest.param(f"{RUN}).communicate()\n    if err is None:\n        {{}}", id="because it is not read"),
    pytest.param(f"{RUN}).communicate()\n    if err or not out:\n        {{}}", id="or without the other one"),
    pytest.param("if len(path) > 9:\n        return 1\n    elif path:\n        {}", id="another case"),
    pytest.param("if path:\n        return 1\n    else:\n        {}", id="one case"),
    pytest.param(
        "if len(path) > 9:\n        return 1\n    elif path:\n        return 2\n    else:\n"
        "        if os.path.exists(path):\n            {}",
        id="within the last case",
    ),
    pytest.param("if 'help' in path:\n        return 1\n    if len(path) > 9:\n        {}", id="behind help"),
    pytest.param("check(size=len(path))", id="given"),
    pytest.param("if path not in ('a', end):\n        {}", id="none of some that are not known"),
    pytest.param("if path in ('a', 'b'):\n        {}", id="one of those that are listed"),
    pytest.param(
        "end = path[-4:]\n    if end not in ('.csv', '.txt'):\n        {}", id="a part is none of those listed"
    ),
    pytest.param(
        "path = path[-4:]\n    if path not in ('.csv',):\n        {}", id="what is made of it is none of those"
    ),
    pytest.param("try:\n        table[path] = int(path)\n    except ValueError:\n        {}", id="a store of a call"),
    pytest.param("try:\n        size = table[path]\n    except KeyError:\n        {}", id="a look-up"),
    pytest.param("try:\n        table[path][0] = 1\n    except KeyError:\n        {}", id="a store with a look-up"),
    pytest.param("find()", id="of the world"),
]
FUNCTIONS = """\
def check(size=4):
    if sum([size]) > 9:
        sys.exit(1)


def find(name="table.csv"):
    if not os.path.exists(name):
        sys.exit(1)


def fail("""


@pytest.mark.parametrize(
    ("convert", "expected"),
    [
        *(pytest.param(each.values[0], [], id=each.id) for each in SELDOM),
        *(pytest.param(each.values[0], ["likely"], id=each.id) for each in OFTEN),
    ],
)
def test_where_a_task_hardly_comes_to(convert: str, expected: list[str]) -> None:
    text = PROGRAM.format(leave="return None", load="", convert=convert.format("sys.exit(1)"), main=MAIN)
    text = text.replace("def fail(", FUNCTIONS)
    told = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP239"]
    assert [each.confidence.value for each in told] == (expected or ["possible"])


@pytest.mark.parametrize(
    ("imports", "expected"),
    [
        pytest.param("from tables import *", [], id="numpy by a star import"),
        pytest.param("from tables import *\nfrom numpy import isclose", [], id="and by its own"),
        pytest.param("from tables import *\nfrom world import isclose", ["likely"], id="of another module"),
        pytest.param("from tables import table as np", ["likely"], id="something else of that name"),
    ],
)
def test_what_reckons_with_defaults_comes_by_any_import(imports: str, expected: list[str], tmp_path: Path) -> None:
    task = "def check(shares=[0.5, 0.5]):\n    if not {}(sum(shares), 1):\n        sys.exit(1)\n\n\ndef fail("
    test = "isclose" if "isclose" in imports else "np.isclose"
    text = PROGRAM.format(leave="return None", load="", convert="check()", main=MAIN)
    files = {
        "main.py": text.replace("import os", f"{imports}\nimport os").replace("def fail(", task.format(test)),
        "tables.py": "import numpy as np\ntable = np.zeros(3)\n",
    }
    told = [each for each in lint_files(tmp_path, files) if each.code == "LP239"]
    assert [each.confidence.value for each in told] == expected


@pytest.mark.parametrize(
    ("convert", "fires"),
    [
        ("if input('go on? ') == 'n':\n        sys.exit(0)", False),
        ("while input('go on? ') != 'y':\n        sys.exit(0)", False),
        ("if path:\n        print(input())\n    else:\n        sys.exit(0)", True),
        ("if path.input('go on? ') == 'n':\n        sys.exit(0)", True),
    ],
)
def test_a_question_to_the_user_fails_in_a_worker(convert: str, fires: bool) -> None:
    assert (found(load="", convert=convert) != []) is fires


@pytest.mark.parametrize(
    ("main", "lines"),
    [
        pytest.param(MAIN, [[20, 10]], id="the nearest one of a task"),
        pytest.param(
            f"{MAIN}\n        print(pool.map(load, paths))", [[10], [20, 10]], id="each task has one of its own"
        ),
        pytest.param(f"{MAIN}\n        print(pool.map(convert, paths))", [[20, 10]], id="a task that is sent twice"),
    ],
)
def test_one_task_is_one_finding(main: str, lines: list[list[int]]) -> None:
    convert = "path or sys.exit(2)\n    return load(path)"
    text = PROGRAM.format(leave="sys.exit(1)", load=LOAD, convert=convert, main=main)
    told = [each for each in lint(text).diagnostics if each.code == "LP239"]
    assert [[place.location.start.row for place in each.related] or [each.location.start.row] for each in told] == lines


def test_the_first_place_that_is_not_seldom_is_told() -> None:
    convert = "if 'help' in path:\n        sys.exit(0)\n    if len(path) > 9:\n        sys.exit(1)"
    text = PROGRAM.format(leave="return None", load="", convert=convert, main=MAIN)
    told = [each for each in lint(text).diagnostics if each.code == "LP239"]
    assert ["sys.exit(1)" in each.message for each in told] == [True]


@pytest.mark.parametrize(
    ("checks", "confidence"),
    [
        ("if not os.path.exists(path):\n        sys.exit(1)", "possible"),
        ("try:\n        os.stat(path)\n    except OSError:\n        sys.exit(1)", "likely"),
        ("print(path)\n    sys.exit(1)", "likely"),
    ],
)
def test_a_condition_far_off_the_task(checks: str, confidence: str) -> None:
    checking = f"def check(path):\n    {checks}\n\n\ndef load(path):"
    text = PROGRAM.format(leave="return None", load="check(path)", convert="return load(path)", main=MAIN)
    told = lint(text.replace("def load(path):", checking), pedantic=True).diagnostics
    assert [each.confidence.value for each in told if each.code == "LP239"] == [confidence]


READS = """\
class Settings:
    def __init__(self, path=None):
        self.path = path
        self._read()

    def _read(self):
        if self.path:
            try:
                os.stat(self.path)
            except OSError:
                sys.exit()


def fail("""


@pytest.mark.parametrize(
    ("made", "fires"), [("Settings()", False), ("Settings(None)", False), ("Settings(path)", True), ("Settings", False)]
)
def test_what_a_constructor_is_given_decides_what_the_methods_do_that_it_calls(made: str, fires: bool) -> None:
    main = f"print(Settings('a'))\n    {MAIN}"
    text = PROGRAM.format(leave="return None", load="", convert=f"return {made}", main=main)
    told = [each.code for each in lint(text.replace("def fail(", READS)).diagnostics if each.code == "LP239"]
    assert (told != []) is fires


@pytest.mark.parametrize("calls", ["make(None)\n    return make(path)", "make(path)\n    return make(None)"])
def test_any_of_several_calls_may_lead_there(calls: str) -> None:
    made = f"{READS.removesuffix('def fail(')}def make(path):\n    return Settings(path)\n\n\ndef fail("
    text = PROGRAM.format(leave="return None", load="", convert=calls, main=MAIN).replace("def fail(", made)
    assert [each.code for each in lint(text).diagnostics if each.code == "LP239"] == ["LP239"]


@pytest.mark.parametrize(("test", "row"), [("False", 2), ("path", 1)])
def test_an_exit_that_no_worker_comes_to_is_passed_over(test: str, row: int) -> None:
    convert = f"if {test}:\n        sys.exit()\n    if len(path) > 9:\n        sys.exit()"
    text = PROGRAM.format(leave="return None", load="", convert=convert, main=MAIN)
    told = [each for each in lint(text).diagnostics if each.code == "LP239"]
    rows = [at for at, line in enumerate(text.splitlines(), 1) if "sys.exit()" in line]
    assert [each.location.start.row for each in told] == [rows[row - 1]]


CHECKS = """\
def check(path, folder="tables"):
    home = os.environ["HOME"]
    if not os.path.isdir({asked}):
        sys.exit()


def fail("""


@pytest.mark.parametrize(
    ("asked", "before", "expected"),
    [
        ("home", "check('a')", "possible"),
        ("home + '/tables'", "check('a')", "possible"),
        ("home + path", "check('a')", "likely"),
        ("home", "print('a')", "likely"),
        ("home", "if paths:\n        check('a')", "likely"),
    ],
    ids=["main exits first", "a part of it", "for other paths", "main does not check", "main may not check"],
)
def test_an_exit_that_main_comes_to_before_the_workers(asked: str, before: str, expected: str) -> None:
    main = f"{before}\n    {MAIN}"
    text = PROGRAM.format(leave="return None", load="", convert="check(path)\n    return path", main=main)
    text = text.replace("def fail(", CHECKS.format(asked=asked))
    told = [each for each in lint(text, pedantic=True).diagnostics if each.code == "LP239"]
    assert [each.confidence.value for each in told] == [expected]


def test_the_trail_leads_through_a_call_that_nothing_catches() -> None:
    convert = "try:\n        fail('first')\n    except SystemExit:\n        pass\n    fail('second')"
    text = PROGRAM.format(leave="sys.exit(1)", load="", convert=convert, main=MAIN)
    told = [each for each in lint(text).diagnostics if each.code == "LP239"]
    rows = [step.location.start.row for step in told[0].trail if "fail" in step.message]
    assert [text.splitlines()[row - 1].strip() for row in rows] == ["fail('second')"]


CALLED = """
import multiprocessing as mp
import sys

def check(row):
    if row < 0:
        sys.exit(2)
    return row

class Check:
    def __init__(self, fn):
        self.fn = fn

    def __call__(self, rows):
        with mp.Pool(2) as pool:
            return pool.map(self.fn, rows)

class Checks(Check):
    pass

class Runner:
    def __init__(self):
        self.pool = mp.Pool(2)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.pool.close()

    def __call__(self, fn, rows):
        return self.pool.map(fn, rows)

{before}

def main():
    {body}

if __name__ == "__main__":
    main()
"""
_APP = """
class App:
    def __init__(self):
        self.check = Check({given})

    def run(self, rows):
        return self.check(rows)
"""
_USE = """
def use(runner, rows):
    return runner({given}, rows)
"""


def _called(body: str, before: str = "", given: str = "check") -> list[str]:
    written = {"before": before.format(given=given), "body": body.format(given=given)}
    return [code for _, code in marks(CALLED.format(**written)) if code == "LP239"]


@pytest.mark.parametrize(
    ("body", "before"),
    [
        ("print(Check({given})([1, -2]))", ""),
        ("run = Check({given})\n    print(run([1, -2]))", ""),
        ("print(Checks({given})([1, -2]))", ""),
        ("print(make()([1, -2]))", "def make():\n    return Check({given})"),
        ("print(App().run([1, -2]))", _APP),
        ("print(check_all([1, -2]))", "check_all = Check({given})"),
        ("with Runner() as run:\n        print(run({given}, [1, -2]))", ""),
        ("print(Runner()({given}, [1, -2]))", ""),
        ("print(Check({given}).__call__([1, -2]))", ""),
    ],
)
def test_objects_that_are_called(body: str, before: str) -> None:
    assert _called(body, before) == ["LP239"]
    assert _called(body, before, given="abs") == []


@pytest.mark.parametrize(
    "body",
    [
        "print(Check(abs)([1, 2]), check(1))",
        "print(Runner()(abs, [check(1)]))",
        "with Runner() as run:\n        print(run(abs, [1, -2]), check(3))",
        "kept = Check(check)\n    print(kept.fn(3))",
    ],
)
def test_objects_of_which_others_are_called(body: str) -> None:
    assert _called(body) == []


@pytest.mark.parametrize("body", ["print(use(Runner(), [1, -2]))"])
def test_objects_that_a_function_is_given(body: str) -> None:
    assert _called(body, _USE) == []  # gap: what a function calls that it is given, is not found to be called


CALLED_BACK = """\
import os
import time
from multiprocessing import Pool


def convert(path):
    if not open(path).read():
        os._exit(1)
    return path


def main(paths):
    done, begin = [0], time.time()

    def count(path):
        done[0] += 1

    def goes_on():
        return done[0] < len(paths) and time.time() - begin < 60

    with Pool(2) as pool:
        for path in paths:
            pool.apply_async(convert, (path,), callback={callback})
        pool.close()
        {waits}
        pool.terminate()


if __name__ == "__main__":
    main(input().split())
"""
SLEEPS = "\n            time.sleep(0.1)"
BREAKS = "\n            if time.monotonic() > begin + 60:\n                break"
FOR_ALL = f"while done[0] < len(paths):{SLEEPS}"


@pytest.mark.parametrize(
    ("callback", "waits", "fires"),
    [
        pytest.param("count", f"while goes_on():{SLEEPS}", False, id="a function that asks a clock"),
        pytest.param("count", f"{FOR_ALL}{BREAKS}", False, id="the loop asks a clock"),
        pytest.param("count", FOR_ALL, True, id="until all are done"),
        pytest.param("count", f"while goes_on():{SLEEPS}\n        {FOR_ALL}", True, id="another loop"),
        pytest.param("count", f"while goes_on():{SLEEPS}\n        pool.join()", True, id="joined then"),
        pytest.param("print", f"while goes_on():{SLEEPS}", True, id="what it calls back is not seen"),
    ],
)
def test_the_main_process_waits_as_long_as_a_clock_says(callback: str, waits: str, fires: bool) -> None:
    told = lint(CALLED_BACK.format(callback=callback, waits=waits)).diagnostics
    assert ("LP239" in [each.code for each in told]) is fires
