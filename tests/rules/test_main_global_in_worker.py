"""LP208: main-global-in-worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests
from tests.rules.worker_functions import codes
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP208"


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(
            "def g():\n    return N\nif __name__ == '__main__':\n    N = 2\nelse:\n    N = 1\nmp.Process(target=g)\n",
            id="in both",
        ),
        pytest.param("def g():\n    return N\nif __name__ == '__main__':\n    N = 2\n    g()\n", id="no worker"),
        pytest.param(
            "N = None\ndef s():\n    global N\n    N = 1\ns()\n"
            "def g():\n    return N\ndef f():\n    mp.Process(target=g)\n",
            id="set at import by a function",
        ),
        pytest.param(
            "def g():\n    return N\n"
            "if __name__ == '__main__':\n    N = 2\n    mp.get_context('fork').Process(target=g)\n",
            id="forked",
        ),
    ],
)
def test_globals_that_workers_have(body: str) -> None:
    assert codes(body) == []


CONTAINERS = """\
import argparse
from multiprocessing import Pool

PREFIXES = [
    "components/test",
    "net/http",
]
CONFIG = {{"debug": False, "root": "."}}


def is_wanted(path):
    for prefix in PREFIXES:
        if path.startswith(prefix):
            return CONFIG["root"]
    return None


def work(path):
    return is_wanted(path)


{rest}


if __name__ == "__main__":
    main()
"""
MAPS = """
    with Pool(2{options}) as pool:
        pool.map(work, ["a"])
"""


@pytest.mark.parametrize(
    ("rest", "row"),
    [
        ("def main():\n    PREFIXES.extend(argparse.ArgumentParser().parse_args().prefixes)" + MAPS, 12),
        ("def main():\n    CONFIG['root'] = input()\n    run()\n\n\ndef run():" + MAPS, 14),
        ("def configure(root):\n    CONFIG.update(root=root)\n\n\ndef main():\n    configure(input())" + MAPS, 14),
    ],
)
def test_containers_that_only_the_main_process_changes(rest: str, row: int) -> None:
    assert (row, "LP210") in marks(CONTAINERS.format(rest=rest.format(options="")))


@pytest.mark.parametrize(
    "rest",
    [
        "def main():" + MAPS,
        "PREFIXES.append('x')\n\n\ndef main():" + MAPS,
        "def add(prefix):\n    PREFIXES.append(prefix)\n\n\ndef main():" + MAPS,
        "def main():" + MAPS + "    CONFIG['root'] = 'done'",
        "def load(root):\n    CONFIG['root'] = root\n\n\ndef main():\n    load('x')"
        + MAPS.replace("{options}", ", initializer=load, initargs=('x',)"),
        "def load(root):\n    CONFIG['root'] = root\n\n\ndef main():\n    load('x')"
        + MAPS.replace("map(work", "map(own")
        + "\n\ndef own(path):\n    load(path)\n    return work(path)",
    ],
    ids=["never", "at-import", "never-called", "after", "initializer", "in-worker"],
)
def test_containers_that_workers_have_too(rest: str) -> None:
    assert not {"LP208", "LP210"} & {code for _, code in marks(CONTAINERS.format(rest=rest.format(options="")))}


SHOWN = """\
from multiprocessing import Pool

LIMIT = None


def work(path):
    return path[:LIMIT]


def show(name):
    {use}


def main():
    global LIMIT
    LIMIT = int(input())
    with Pool(2) as pool:
        pool.map(work, ["a"])


if __name__ == "__main__":
    main()
"""


def test_other_uses_of_globals() -> None:
    assert marks(SHOWN.format(use="return globals()[name.upper()]")) == [(7, "LP208")]
    assert "LP208" not in [code for _, code in marks(SHOWN.format(use="globals()[name.upper()] = 1"))]


CLASS = """\
from multiprocessing import Pool


class Tokenizer:
    most = 2

    def __init__(self{parameter}):
        self.name = "tokens"{stored}

    def cut(self, text):
        return text[: self.most]


def cut(text):
    return Tokenizer().cut(text)


def main():
    {sets}
    with Pool(1) as pool:
        pool.map(cut, ["abc"])


if __name__ == "__main__":
    main()
"""


def test_attributes_of_a_class_that_its_methods_read() -> None:
    found = marks(CLASS.format(parameter="", stored="", sets="Tokenizer.most = int(input())"))
    assert found == [(11, "LP208")]


@pytest.mark.parametrize(
    ("parameter", "stored", "sets"),
    [
        (", most=3", "\n        self.most = most", "Tokenizer.most = int(input())"),
        ("", "", "print(Tokenizer.most)"),
        ("", "", "Tokenizer.most = 2"),
        ("", "", "Tokenizer.least = int(input())"),
        ("", "", "tokens = Tokenizer()\n    tokens.most = int(input())"),
    ],
)
def test_attributes_that_objects_have_or_nobody_changes(parameter: str, stored: str, sets: str) -> None:
    assert not marks(CLASS.format(parameter=parameter, stored=stored, sets=sets))


_OF_CLASS = """
import argparse
import multiprocessing as mp


class Tokenizer:
    length = 2
    {more}

    def __init__(self, lower=True):
        self.lower = lower

    def cut(self, text):
        return text[: self.length]


def cut(text):
    return Tokenizer().cut(text)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--length", type=int)
    {set}
    with mp.Pool(2) as pool:
        print(pool.map(cut, ["one", "two"]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("set_", "more", "fires"),
    [
        ("Tokenizer.length = parser.parse_args().length", "", True),
        ("Tokenizer.length = 7", "", True),
        ("Tokenizer.length = 2", "", False),
        ("Tokenizer.depth = 7", "", False),
        ("Tokenizer().length = 7", "", False),
        ("Tokenizer.length = 7", "def set(self, n):\n        self.length = n", False),
        ("print(Tokenizer.length)", "", False),
    ],
)
def test_attributes_of_the_class_that_its_objects_read(set_: str, more: str, fires: bool) -> None:
    assert ("LP208" in codes(_OF_CLASS.replace("{set}", set_).replace("{more}", more))) is fires


@pytest.mark.parametrize(("given", "found"), [("False", False), ("True", True), ("quiet", True)])
def test_a_setter_that_is_given_what_there_is(given: str, found: bool) -> None:
    body = (
        "QUIET = False\n\n\ndef set_quiet(value):\n    global QUIET\n    QUIET = value\n\n\n"
        "def work():\n    if not QUIET:\n        print(1)\n\n\n"
        f"def main(quiet):\n    set_quiet({given})\n    mp.Process(target=work).start()\n"
    )
    assert ("LP208" in codes(body)) == found


_MATRIX = """\
MATRIX = None


def row(index):
    return MATRIX[index]


def main(path):
    global MATRIX
    MATRIX = open(path).read()
    {make}
    return pool.map(row, range(3))
"""


@pytest.mark.parametrize(
    ("sets", "make", "fires"),
    [
        ("", "pool = mp.Pool(2)", True),
        ("mp.set_start_method('fork')", "pool = mp.Pool(2)", False),
        ("mp.set_start_method('spawn')", "pool = mp.Pool(2)", True),
        ("mp.set_start_method('fork')", "pool = mp.get_context('spawn').Pool(2)", True),
    ],
)
def test_tasks_of_a_pool_where_the_package_sets_a_start_method(
    sets: str, make: str, fires: bool, tmp_path: Path
) -> None:
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text(f"import multiprocessing as mp\n\n{sets}\n")
    (package / "rows.py").write_text("import multiprocessing as mp\n\n" + _MATRIX.format(make=make))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path, isolated=True)).diagnostics
    assert ("LP208" in [each.code for each in found]) is fires


@pytest.mark.parametrize(
    ("asked", "fires"),
    [("mp.current_process().name == 'MainProcess'", True), ("mp.parent_process() is None", False)],
)
def test_what_only_the_main_process_has_by_its_name(asked: str, fires: bool) -> None:
    body = f"if {asked}:\n    TABLE = {{'a': 1}}\ndef g(name):\n    print(TABLE[name])\n"
    main = "def main():\n    mp.Process(target=g, args=('a',)).start()\nif __name__ == '__main__':\n    main()\n"
    assert codes(f"{body}{main}") == ["LP208"] * fires


_LAZY = """\
WORDS = None
def fill():
    global WORDS
    WORDS = tuple("abc")
    return WORDS
def is_word(text):
    return text in ({words})
{chain}
def main():
    fill()
    with mp.Pool(2) as pool:
        print(pool.map(f6, "xab"))
if __name__ == "__main__":
    main()
"""
_CHAIN = "\n".join(
    f"def f{number}(text):\n    return {f'f{number - 1}' if number else 'is_word'}(text)" for number in range(7)
)


@pytest.mark.parametrize(("words", "fires"), [("WORDS or fill()", False), ("WORDS", True)])
def test_a_global_that_its_reader_fills_however_far_it_is(words: str, fires: bool) -> None:
    assert codes(_LAZY.format(words=words, chain=_CHAIN)) == ["LP208"] * fires


BY_ARGUMENT = """\
import multiprocessing as mp


class Tariff:
    surcharge = 0.0

    @classmethod
    def configure(cls, surcharge):
        cls.surcharge = surcharge

    def cost(self, hours):
        return hours + self.surcharge


class Home:
    def __init__(self):
        self.tariff = Tariff()

    def bill(self):
        return self.tariff.cost(3)


def bill(home):
    {first}
    return home.{method}()


if __name__ == "__main__":
    {main}
    with mp.Pool(2) as pool:
        print(pool.map(bill, [Home(), Home()]))
"""


@pytest.mark.parametrize(
    ("first", "method", "main", "found"),
    [
        ("print(1)", "bill", "Tariff.configure(4.5)", [(12, "LP208")]),
        ("print(1)", "copy", "Tariff.configure(4.5)", []),
        ("Tariff.configure(4.5)", "bill", "Tariff.configure(4.5)", []),
        ("print(1)", "bill", "print(2)", []),
    ],
)
def test_methods_of_what_a_task_is_given(first: str, method: str, main: str, found: list[tuple[int, str]]) -> None:
    text = BY_ARGUMENT.format(first=first, method=method, main=main)
    assert marks(text) == found


DECLARED = """\
import multiprocessing


def scale(row):
    return row * rate + offset


def count(row):
    return len(names[row])


def run(rows):
    {declared}
    rate, offset, names = 3, 4, []
    with multiprocessing.Pool() as pool:
        print(pool.map(scale, rows), pool.map(count, rows))


if __name__ == "__main__":
    run([1, 2])
"""


@pytest.mark.parametrize(
    ("declared", "places"),
    [
        ("global rate, offset, names", [3]),
        ("global rate, offset\n    global names", [2, 0]),
        ("global rate\n    global offset\n    global names", [0, 0, 0]),
    ],
)
def test_globals_of_one_statement_are_one_finding(declared: str, places: list[int]) -> None:
    found = [each for each in lint(DECLARED.format(declared=declared)).diagnostics if each.code == "LP208"]
    assert [len(each.related) for each in found] == places


BEGINS = """\
import multiprocessing
from functools import partial

_root = None


def configure(root):
    global _root
    _root = root


def set_up(root):
    configure(root)


def start(root=None, level=0):
    {start}


def read(name):
    return open(_root + name).read()


def pool_of(options, **more):
    return multiprocessing.Pool({arguments})


def main(options):
    configure(input())
    with pool_of(options, processes=2) as pool:
        print(pool.map(read, ["a"]))


if __name__ == "__main__":
    main({main})
"""
FILLED = 'options["initializer"] = start'


def _begun(start: str, arguments: str, main: str = "{}", before: str = "") -> list[tuple[int, str]]:
    text = BEGINS.format(start=start, arguments=arguments, main=main)
    return marks(text.replace("    return multi", f"    {before}\n    return multi") if before else text)


@pytest.mark.parametrize(
    ("start", "arguments", "before"),
    [
        pytest.param("configure(root)", "2, initializer=start", "", id="its-initializer"),
        pytest.param("set_up(root)", "2, initializer=partial(start, 'x')", "", id="further-away"),
        pytest.param("configure(root)", "**options", FILLED, id="under-a-key"),
        pytest.param("configure(root)", "**options", "options.update({'initializer': start})", id="in-a-display"),
    ],
)
def test_what_an_initializer_calls_workers_set_too(start: str, arguments: str, before: str) -> None:
    assert not _begun(start, arguments, before=before)


@pytest.mark.parametrize("arguments", ["**options", "2, initializer=options['first']", "2, **more['pool']"])
def test_with_what_workers_begin_is_not_known(arguments: str) -> None:
    assert not _begun("print(root)", arguments, main="json.load(open('pool.json'))")


@pytest.mark.parametrize(
    ("start", "arguments", "before"),
    [
        pytest.param("print(root)", "2, initializer=start", "", id="it-calls-something-else"),
        pytest.param("configure(root)", "2", "", id="none"),
        pytest.param("configure(root)", "2, None", "start()", id="called-by-main"),
    ],
)
def test_what_no_initializer_calls(start: str, arguments: str, before: str) -> None:
    assert [code for _, code in _begun(start, arguments, before=before)] == ["LP208"]


AROUND = """\
import functools
from multiprocessing import Pool

RETRIES = None


def retried(function):
    @functools.wraps(function)
    def wrapper(*args):
        for _ in range({tries}):
            function(*args)

    return wrapper


@retried
def work(number):
    print(number)


def main():
    global RETRIES
    RETRIES = 3
    with Pool(2) as pool:
        pool.map({given}, range(9))


if __name__ == "__main__":
    main()
"""


def test_what_a_decorator_puts_around_a_worker_function() -> None:
    assert [code for _, code in marks(AROUND.format(tries="RETRIES", given="work"))] == ["LP208"]


@pytest.mark.parametrize(("tries", "given"), [("2", "work"), ("RETRIES", "print")])
def test_a_decorator_that_reads_no_global_or_is_around_something_else(tries: str, given: str) -> None:
    assert marks(AROUND.format(tries=tries, given=given)) == []


IMPORTING = """\
from multiprocessing import Pool


def work(number):
    {imports}
    return number * {read}


def main():
    import settings

    settings.setup(3)
    with Pool(2) as pool:
        pool.map(work, range(9))


if __name__ == "__main__":
    main()
"""


def _of_importing(folder: Path, imports: str, read: str) -> list[str]:
    settings = "LEVEL = 1\nOTHER = 2\n\n\ndef setup(level):\n    global LEVEL\n    LEVEL = level\n"
    (folder / "settings.py").write_text(settings)
    (folder / "main.py").write_text(IMPORTING.format(imports=imports, read=read))
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": "3.11"})
    return [each.code for each in lint_paths([str(folder)], resolver=resolver).diagnostics]


@pytest.mark.parametrize(
    ("imports", "read"), [("import settings", "settings.LEVEL"), ("import settings as s", "s.LEVEL")]
)
def test_what_a_worker_imports_inside_of_its_function(tmp_path: Path, imports: str, read: str) -> None:
    assert _of_importing(tmp_path, imports, read) == ["LP208"]


@pytest.mark.parametrize(
    ("imports", "read"),
    [
        pytest.param("import settings", "settings.OTHER", id="another"),
        pytest.param("import settings; settings.setup(2)", "settings.LEVEL", id="set by workers"),
        pytest.param("from settings import OTHER", "OTHER", id="another by name"),
        pytest.param("settings = type(number)", "settings.LEVEL", id="no module"),
    ],
)
def test_what_it_imports_and_nobody_else_sets(tmp_path: Path, imports: str, read: str) -> None:
    assert _of_importing(tmp_path, imports, read) == []


PROCESS_OF_CONTEXT = """\
import multiprocessing

{given}

LIMIT = 40


class Checker({base}):
    def run(self):
        print(LIMIT)


def main():
    global LIMIT
    LIMIT = 80
    Checker().start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("context = multiprocessing.get_context('spawn')", "context.Process"),
        ("context = multiprocessing.get_context()", "context.Process"),
        ("from multiprocessing import get_context", "get_context('forkserver').Process"),
        ("from multiprocessing.context import SpawnProcess", "SpawnProcess"),
    ],
)
def test_a_process_class_of_a_context_has_no_globals_of_main(given: str, base: str) -> None:
    assert [code for _, code in marks(PROCESS_OF_CONTEXT.format(given=given, base=base))] == ["LP208"]


@pytest.mark.parametrize(
    ("given", "base"),
    [
        ("context = multiprocessing.get_context('fork')", "context.Process"),
        ("Process = multiprocessing.get_context('fork').Process", "Process"),
        ("from multiprocessing.context import ForkProcess", "ForkProcess"),
        ("from threading import Thread", "Thread"),
    ],
)
def test_a_process_class_that_forks_has_globals_of_main(given: str, base: str) -> None:
    assert not marks(PROCESS_OF_CONTEXT.format(given=given, base=base))


SEVERAL = """\
import multiprocessing
import settings


def load(row):
    return settings.folder, row


def save(row):
    return settings.folder + {read}


def work(row):
    return load(row), save(row)


def main():
    settings.folder = "data"
    settings.names = ["a"]
    with multiprocessing.Pool() as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("read", "places"), [("'x'", [2]), ("settings.names[0]", [0, 2])])
def test_reads_of_what_one_place_sets_are_one_finding(read: str, places: list[int], tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text("folder = None\nnames = None\n")
    (tmp_path / "work.py").write_text(SEVERAL.format(read=read))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True)).diagnostics
    assert sorted(len(each.related) for each in found if each.code == "LP208") == places


_ANNOTATED = """
import argparse
import dataclasses
import multiprocessing as mp
from typing import ClassVar


@dataclasses.dataclass
class Encoder:
    stride: int
    low: float = 0.1
    SIDE: ClassVar[int] = 4
    width = 2

    def fields(self, image):
        return Fields(self).of(image)


class Fields:
    def __init__(self, config{annotation}):
        {first}
        self.sink = {read}

    def of(self, image):
        return len(self.sink), image


def configure(args):
    {sets}


def main():
    args = argparse.ArgumentParser().parse_args()
    configure(args)
    with mp.Pool(2) as pool:
        print(pool.map(Encoder(8).fields, range(4)))


if __name__ == "__main__":
    main()
"""


def _annotated(read: str, sets: str, annotation: str = ": Encoder", first: str = "pass") -> list[str]:
    text = _ANNOTATED.format(read=read, sets=sets, annotation=annotation, first=first)
    return [each.code for each in lint(text).diagnostics if each.code == "LP208"]


@pytest.mark.parametrize(
    ("read", "sets"),
    [
        ("[0] * config.SIDE", "Encoder.SIDE = args.side"),
        ("[0] * config.width", "Encoder.width = args.width"),
    ],
)
@pytest.mark.parametrize("annotation", [": Encoder", ': "Encoder"'])
def test_attributes_of_the_class_of_an_annotated_parameter(read: str, sets: str, annotation: str) -> None:
    assert _annotated(read, sets, annotation) == ["LP208"]


@pytest.mark.parametrize(
    ("read", "sets", "annotation", "first"),
    [
        pytest.param("[config.low]", "Encoder.low = args.low", ": Encoder", "pass", id="a field"),
        pytest.param("[config.stride]", "Encoder.width = args.width", ": Encoder", "pass", id="another one is set"),
        pytest.param("[config.width]", "Fields.width = args.width", ": Encoder", "pass", id="of another class"),
        pytest.param("[config.width]", "print(args)", ": Encoder", "pass", id="nobody sets it"),
        pytest.param("[config.width]", "Encoder.width = 3", ": dict", "pass", id="of a library"),
        pytest.param("[config.width]", "Encoder.width = 3", ": Encoder", "config = args()", id="replaced"),
        pytest.param("[config]", "Encoder.width = args.width", ": Encoder", "pass", id="not read"),
    ],
)
def test_what_an_annotated_parameter_has_anyway(read: str, sets: str, annotation: str, first: str) -> None:
    assert _annotated(read, sets, annotation, first) == []


_CAUGHT = """\
import os
from multiprocessing import Process


def run(names, flag):
    for name in names:
{body}


if __name__ == "__main__":
    known = os.listdir("known")
    Process(target=run, args=(["a"], bool(os.environ.get("FLAG")))).start()
"""
_READ = "known.remove(name)"


def _sure(*rows: str) -> list[tuple[str, str, bool]]:
    body = "\n".join(" " * 8 + row for row in rows)
    found = lint(_CAUGHT.format(body=body), pedantic=True).diagnostics
    return [(each.code, each.confidence.value, "the worker catches that" in each.message) for each in found]


@pytest.mark.parametrize(
    ("rows", "confidence"),
    [
        pytest.param(["try:", f"    {_READ}", "except:", "    pass"], "likely", id="in silence"),
        pytest.param(["try:", f"    {_READ}", "except Exception as error:", "    print(error)"], "likely", id="told"),
        pytest.param(
            ["if flag:", "    try:", f"        {_READ}", "    except Exception as error:", "        print(error)"],
            "likely",
            id="told, at times",
        ),
        pytest.param(
            ["if flag:", "    try:", f"        {_READ}", "    except Exception:", "        continue"],
            "possible",
            id="in silence, at times",
        ),
    ],
)
def test_an_error_that_the_worker_catches(rows: list[str], confidence: str) -> None:
    assert _sure(*rows) == [("LP208", confidence, True)]


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param([_READ], id="not caught"),
        pytest.param(["if flag:", f"    {_READ}"], id="not caught, at times"),
        pytest.param(["try:", f"    {_READ}", "except ValueError:", "    pass"], id="another one is caught"),
        pytest.param(["try:", f"    {_READ}", "except Exception:", "    raise"], id="raised again"),
        pytest.param(["try:", "    print(name)", "except Exception:", f"    {_READ}"], id="in the handler"),
    ],
)
def test_an_error_that_ends_the_worker(rows: list[str]) -> None:
    assert _sure(*rows) == [("LP208", "certain", False)]


LAZY = """\
import multiprocessing as mp


class Store:
    _held = None

    {decorated}
        if Store._held is not None:
            raise RuntimeError("made twice")
        Store._held = {{"a": 1}}

    @staticmethod
    def get():
        if Store._held is None:
            Store()
        return Store

    @staticmethod
    def fetch(key):
        return Store._held.get(key)


def read(key):
    {asked}
    return store.fetch(key)


def main(store):
    mp.get_context("spawn").Process(target=read, args=("a",)).start()


if __name__ == "__main__":
    main(Store.get())
"""
HOLDING = """

class Master:
    def __init__(self):
        self.store = Store.get()

    def read(self, key):
        self.store = Store.get()
        return self.store.fetch(key)

    def start(self):
        mp.get_context("spawn").Process(target=self.read, args=("a",)).start()
"""
_METHOD, _STATIC = "def __init__(self):", "@staticmethod\n    def __init__():"


@pytest.mark.parametrize("decorated", [_METHOD, _STATIC])
def test_a_class_that_worker_code_makes_an_object_of_when_it_is_first_asked(decorated: str) -> None:
    assert lint(LAZY.format(decorated=decorated, asked="store = Store.get()")).diagnostics == ()


@pytest.mark.parametrize("decorated", [_METHOD, _STATIC])
def test_a_class_that_is_kept_by_what_workers_get_and_made_again_there(decorated: str) -> None:
    own = LAZY.format(decorated=decorated, asked="store = Store.get()")
    assert lint(f"{own}{HOLDING}").diagnostics == ()


@pytest.mark.parametrize("decorated", [_METHOD, _STATIC])
def test_a_class_of_which_only_main_makes_an_object(decorated: str) -> None:
    found = lint(LAZY.format(decorated=decorated, asked="store = Store")).diagnostics
    assert [(each.code, each.message) for each in found] == [
        (
            "LP208",
            "`fetch` runs in workers and reads `Store._held`, which is set only by `__init__()`, "
            "which no worker calls: there it is still None",
        )
    ]
