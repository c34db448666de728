"""LP208: which globals only the main process sets or fills, and which ones workers have as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths, lint_source
from lintpickle.diagnostics import Confidence
from lintpickle.settings import SettingsResolver
from tests.support import lint, marks

TEXT = """\
import multiprocessing
from collections import defaultdict

{bound}


def work(number):
    {read}


def fill(rows):
    {fill}


{elsewhere}


def main(rows):
    fill(rows)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, rows))


if __name__ == "__main__":
    main([1, 2])
"""


def _is_found(bound: str, read: str, fill: str, elsewhere: str = "") -> bool:
    text = TEXT.format(bound=bound, read=read, fill=fill, elsewhere=elsewhere)
    return [code for _, code in marks(text)] == ["LP208"]


@pytest.mark.parametrize(
    ("key", "codes"),
    [
        ("os.getpid()", []),
        ("multiprocessing.current_process().name", []),
        ("str(os.getpid())", ["LP208"]),
        ("number", ["LP208"]),
    ],
)
def test_what_each_process_has_under_its_own_number(key: str, codes: list[str]) -> None:
    bound = "import os\n\nROWS = defaultdict(list)"
    text = TEXT.format(bound=bound, read=f"return list(ROWS[{key}])", fill=f"ROWS[{key}].append(rows)", elsewhere="")
    text = text.replace("def fill(rows)", "def fill(rows, number=0)")
    assert [code for _, code in marks(text)] == codes


MISSING = """\
import multiprocessing


def work(number):
    try:
        {read}
    except {error}:
        {handler}
    return number


if __name__ == "__main__":
    debug = True
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
"""


@pytest.mark.parametrize(
    ("read", "error", "handler", "found"),
    [
        ("print(debug)", "NameError", "pass", False),
        ("print(debug)", "(NameError, ValueError)", "print(number)", False),
        ("print(debug)", "NameError", "raise", True),
        ("print(debug)", "NameError", "print(debug)", True),
        ("print(debug)", "Exception", "pass", True),
        ("print(number)", "NameError", "print(debug)", True),
    ],
)
def test_a_global_without_which_the_function_is_ready_to_go_on(
    read: str, error: str, handler: str, found: bool
) -> None:
    text = MISSING.format(read=read, error=error, handler=handler)
    assert [code for _, code in marks(text)] == (["LP208"] if found else [])


@pytest.mark.parametrize("empty", ["[]", "{}", "set()", "dict()", "list( )", "defaultdict(int)", "[]  # later"])
def test_what_an_empty_container_gets(empty: str) -> None:
    assert _is_found(f"ROWS = {empty}", "return number in ROWS", "ROWS.update(rows)")
    assert _is_found(f"ROWS: object = {empty}", "return ROWS[number]", "ROWS[0] = rows")


@pytest.mark.parametrize(
    "fill",
    [
        "ROWS.append(rows)",
        "ROWS.extend(rows)",
        "for row in rows:\n        ROWS[row] = 1",
        "global ROWS\n    ROWS = list(rows)",
        "ROWS.setdefault(1, rows)",
    ],
)
def test_the_ways_to_fill_it(fill: str) -> None:
    assert _is_found("ROWS = []", "return ROWS[number]", fill)


@pytest.mark.parametrize(
    ("bound", "read", "fill", "elsewhere"),
    [
        ("ROWS = [0]", "return ROWS[number]", "ROWS.append(rows)", ""),  # gap: a list that is not empty
        ("ROWS = []", "return 1 if ROWS else 2", "ROWS.append(rows)", ""),
        ("ROWS = []", "return len(ROWS)", "ROWS.append(rows)", ""),
        ("ROWS = []", "ROWS.append(number)\n    return ROWS[0]", "ROWS.append(rows)", ""),
        ("ROWS = []", "return number", "ROWS.append(rows)", ""),
        ("ROWS = []", "return ROWS[number]", "rows.append(1)", ""),
        ("ROWS = []", "return ROWS[number]", "ROWS.append(rows)", "fill([1])"),
        ("ROWS = []", "return ROWS[number]", "ROWS.append(rows)", "ROWS.append(0)"),
        ("ROWS = []", "return ROWS[number]", "ROWS.append(rows)", "@fill\ndef other(): pass"),
        ("ROWS = []", "return ROWS[number]", "def inner(row):\n        ROWS.append(row)\n    return inner", ""),
        ("ROWS = []", "return ROWS[number]", "rows = ROWS\n    rows.append(1)", ""),  # gap: another name
        ("ROWS = []\nROWS = [1]", "return ROWS[number]", "ROWS.append(rows)", ""),
        ("ROWS = []", "ROWS = [number]\n    return ROWS[0]", "ROWS.append(rows)", ""),
    ],
)
def test_what_workers_have_as_well_or_ask_for(bound: str, read: str, fill: str, elsewhere: str) -> None:
    assert not _is_found(bound, read, fill, elsewhere)


CHANGED = """\
import multiprocessing

SCALE = {bound}


def work(number):
    {read}


{elsewhere}


def main(value):
    global SCALE
    {change}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main(3)
"""
READ = "return number * SCALE"


def _is_changed(bound: str, read: str = READ, change: str = "SCALE = value", elsewhere: str = "") -> bool:
    text = CHANGED.format(bound=bound, read=read, change=change, elsewhere=elsewhere)
    return [code for _, code in marks(text)] == ["LP208"]


@pytest.mark.parametrize("bound", ["1", "-1.5", "1e-3  # small", "False", "'cpu'", '"cpu"', "0x10"])
def test_a_constant_that_only_the_main_process_changes(bound: str) -> None:
    assert _is_changed(bound)


@pytest.mark.parametrize("read", ["if SCALE:\n        print(number)", "return [SCALE]", "print(SCALE)"])
def test_ways_to_read_a_constant(read: str) -> None:
    assert _is_changed("False", read)


@pytest.mark.parametrize("change", ["SCALE = 2", "SCALE += 1", "SCALE, other = value", "if value:\n        SCALE = 2"])
def test_ways_to_change_a_constant(change: str) -> None:
    assert _is_changed("1", change=change)


def test_what_is_said_of_a_constant() -> None:
    text = CHANGED.format(bound="'cpu'", read=READ, change="SCALE = value", elsewhere="")
    (found,) = lint_source(text, "main.py", resolver=SettingsResolver(isolated=True)).diagnostics
    assert found.message == (
        "`work` runs in workers and reads the global `SCALE`, which is changed only by `main()`, "
        "which no worker calls: there it is still `'cpu'`"
    )
    assert found.confidence is Confidence.LIKELY


@pytest.mark.parametrize(
    ("bound", "read", "change", "elsewhere"),
    [
        ("2", READ, "SCALE = 2", ""),
        ("2", READ, "print(SCALE)", ""),
        ("2", "return number", "SCALE = value", ""),
        ("2", "SCALE = number\n    return SCALE", "SCALE = value", ""),
        ("2", READ, "SCALE = value", "main(1)"),
        ("2", "main(number)\n    return SCALE", "SCALE = value", ""),
        ("2", READ, "value", "def set_scale(value):\n    global SCALE\n    SCALE = value"),
        ("compute()", READ, "SCALE = value", ""),
        ("2 if multiprocessing.cpu_count() else 3", READ, "SCALE = value", ""),
        ("2\nSCALE = 3", READ, "SCALE = value", ""),  # gap: two values at import
    ],
)
def test_constants_that_workers_have_as_well(bound: str, read: str, change: str, elsewhere: str) -> None:
    assert not _is_changed(bound, read, change, elsewhere)


COMPUTED = """\
import os.path as osp
import datetime
import multiprocessing
import os
import sys
from pathlib import Path

{above}
ROOT = {bound}
JOB = {job}


def work(number):
    {read}


def set_root(value):
    global ROOT, JOB
    {change}


def main(value):
    set_root(value)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


if __name__ == "__main__":
    main(sys.argv[1])
"""
TAKES = "if JOB is None:\n            raise ValueError"
OPENS = "return open(ROOT + str(number)).read()"


def _computed(bound: str, read: str = OPENS, change: str = "ROOT = value", above: str = "", job: str = "None") -> bool:
    text = COMPUTED.format(bound=bound, read=read, change=change, above=above, job=job)
    return "LP208" in [code for _, code in marks(text)]


@pytest.mark.parametrize(
    "bound",
    [
        "os.path.join(os.path.dirname(__file__), 'data')",
        "osp.join(osp.dirname(osp.abspath(__file__)), 'data')",
        "[sys.prefix, ''][sys.prefix == '/usr'] + '/etc/tool'",
        "Path(__file__).resolve().parent / 'data'",
        "f'{sys.prefix}/share'",
        "60 * 60 * 24",
        "('low', 'high')",
        "datetime.timedelta(hours=1)",
        "(\n    sys.prefix +\n    '/share'\n)",
    ],
)
def test_what_the_import_computes_and_only_the_main_process_changes(bound: str) -> None:
    assert _computed(bound)


def test_what_the_import_computes_from_other_globals() -> None:
    assert _computed("os.path.join(BASE, 'data')", above="BASE = os.path.dirname(__file__)")
    assert _computed("BASE + '/data'", change="ROOT = value + '/data'", above="BASE = '/tmp'")


@pytest.mark.parametrize(
    ("bound", "above"),
    [
        ("os.environ['ROOT']", ""),  # The main process may have put it there, where workers find it.
        ("os.path.join(os.environ.get('ROOT', '/'), 'data')", ""),
        ("os.getenv('ROOT') + '/data'", ""),
        ("sys.argv[1]", ""),
        ("os.path.exists('/data')", ""),
        ("Path('/data').exists()", ""),
        ("os.path.join(BASE, 'data')", "BASE = os.environ['BASE']"),
        ("os.path.join(BASE, 'data')", "BASE = '/'\nBASE = find()"),
        ("os.path.join(BASE, 'data')", "from settings import BASE"),
        ("find()", "def find():\n    return '/'"),
        ("ROOT + '/'", ""),
        ("open('root').read()", ""),
        ("[1, 2]", ""),  # gap: a container that is bound anew
    ],
)
def test_what_workers_may_compute_as_well(bound: str, above: str) -> None:
    assert not _computed(bound, above=above)


@pytest.mark.parametrize(
    ("read", "change"),
    [
        ("return number", "ROOT = value"),
        (OPENS, "ROOT = os.path.join(sys.prefix, 'data')"),
        (OPENS, "print(ROOT)"),
        ("ROOT = str(number)\n    return open(ROOT)", "ROOT = value"),
        ("set_root('/')\n    return open(ROOT)", "ROOT = value"),
    ],
)
def test_computed_values_that_make_no_difference(read: str, change: str) -> None:
    assert not _computed("os.path.join(sys.prefix, 'data')", read, change)


@pytest.mark.parametrize(
    "read",
    [
        "if JOB is None:\n        raise RuntimeError('no job')\n    return JOB.run(number)",
        "if not JOB:\n        raise RuntimeError('no job')\n    return JOB.run(number)",
        "assert JOB is not None\n    return JOB.run(number)",
        "assert JOB, 'no job'\n    return JOB.run(number)",
    ],
)
def test_workers_that_insist_on_what_only_the_main_process_sets(read: str) -> None:
    assert _computed("'/'", read, "JOB = value")


@pytest.mark.parametrize(
    ("read", "error"),
    [
        ("if JOB is None:\n        raise RuntimeError('no job')\n    return JOB", "RuntimeError: no job"),
        ("assert JOB is not None\n    return JOB", "AssertionError"),
        (f"try:\n        {TAKES}\n        return JOB\n    except ValueError:\n        raise", "ValueError"),
    ],
)
def test_the_error_with_which_they_insist(read: str, error: str) -> None:
    text = COMPUTED.format(bound="'/'", read=read, change="JOB = value", above="", job="None")
    assert [each.error for each in lint(text).diagnostics if each.code == "LP208"] == [error]


@pytest.mark.parametrize(
    "read",
    [
        "if JOB is not None:\n        raise RuntimeError('not for workers')\n    return JOB",
        "assert JOB is None\n    return JOB",
        "if JOB is None:\n        return number\n    return JOB.run(number)",
        "if JOB is None:\n        raise RuntimeError\n    return JOB.run(number) if JOB else None",
        "return JOB.run(number) if JOB is not None else number",
    ],
)
def test_workers_that_are_ready_for_what_there_is_at_import(read: str) -> None:
    assert not _computed("'/'", read, "JOB = value")


def test_a_function_for_users_that_is_called() -> None:
    setter = "def set_scale(value):\n    global SCALE\n    SCALE = value"
    assert _is_changed("2", change="set_scale(value)", elsewhere=setter)


@pytest.mark.parametrize("name", ["IS_MAIN", "in_worker", "_parent_process", "RANK"])
def test_flags_by_which_processes_are_told_apart(name: str) -> None:
    text = CHANGED.format(bound="False", read=READ, change="SCALE = True", elsewhere="")
    assert marks(text.replace("SCALE", name)) == []
    assert [code for _, code in marks(text.replace("SCALE", name.replace("_", "") + "s"))] == ["LP208"]


GUARDED = """\
import multiprocessing

{bound}


def work(number):
    return {read}


if __name__ == "__main__":
    {rebound}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
"""


@pytest.mark.parametrize(
    ("bound", "read", "rebound", "is_found"),
    [
        ("ROWS = None", "ROWS[number]", "ROWS = [1, 2, 3]", True),
        ("ROWS = []", "ROWS[number]", "ROWS = [1, 2, 3]", True),
        ("ROWS = None", "ROWS is None", "ROWS = [1, 2, 3]", False),
        ("ROWS = None", "number", "ROWS = [1, 2, 3]", False),
        ("ROWS = [0]", "ROWS[number]", "ROWS = [1, 2, 3]", False),
        ("SCALE = 1", "number * SCALE", "SCALE = 2", True),
        ("SCALE = 1", "number * SCALE", "SCALE = 1", False),
        ("input = None", "input[number]", "input = [1, 2, 3]", True),
        ("", "input(number)", "input = print", False),
        ("", "ROWS[number]", "ROWS = [1, 2, 3]", True),
    ],
)
def test_what_is_bound_under_the_guard(bound: str, read: str, rebound: str, is_found: bool) -> None:
    text = GUARDED.format(bound=bound, read=read, rebound=rebound)
    assert ([code for _, code in marks(text)] == ["LP208"]) == is_found


STARRED = GUARDED.format(bound="from {} import *", read="ROWS[number] + WIDTH", rebound="ROWS = [1, 2, 3]")


@pytest.mark.parametrize(
    ("star", "common", "is_found"),
    [
        ("common", "WIDTH = 1\n", True),
        ("common", "WIDTH, ROWS = 1, []\n", False),
        ("common", "from elsewhere import *\n", False),
        ("elsewhere", "", False),
    ],
)
def test_what_may_come_by_a_star(tmp_path: Path, star: str, common: str, is_found: bool) -> None:
    (tmp_path / "common.py").write_text(common)
    (tmp_path / "main.py").write_text(STARRED.format(star))
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert any(each.code == "LP208" for each in found) == is_found


def test_what_another_module_may_fill_at_import(tmp_path: Path) -> None:
    text = TEXT.format(bound="ROWS = []", read="return ROWS[number]", fill="ROWS.append(rows)", elsewhere="")
    (tmp_path / "table.py").write_text(text)
    resolver = SettingsResolver(isolated=True, cwd=tmp_path)
    assert [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics] == ["LP208"]
    (tmp_path / "plugin.py").write_text("from table import fill\n\nfill([1])\n")
    assert not lint_paths([str(tmp_path)], resolver=resolver).diagnostics


REGISTRY = """\
import multiprocessing

PLUGINS = {{}}
ORDER = []


{before}


def work(name):
    return PLUGINS[name]()


{after}


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, ["First", "Second"]))


if __name__ == "__main__":
    {guard}main()
"""
METACLASS = """\
class PluginMeta(type):
    def {hook}(cls, name, bases, space):
        made = super().{hook}(cls, name, bases, space)
        {fill}
        return made


class Plugin(metaclass=PluginMeta):
    pass"""
SUBCLASSED = """\
class Plugin:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        {fill}"""
CLASSES = "class First(Plugin):\n    pass\n\n\nclass Second(Plugin):\n    pass"
ADDING = "def add(cls):\n    PLUGINS[cls.__name__] = cls\n\n\n"


def _is_reported(before: str, after: str, guard: str = "") -> bool:
    text = REGISTRY.format(before=before, after=after, guard=guard)
    return [code for _, code in marks(text)] == ["LP208"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (METACLASS.format(hook="__new__", fill="PLUGINS[name] = made"), CLASSES),
        (METACLASS.format(hook="__init__", fill="PLUGINS[name] = cls"), CLASSES),
        (SUBCLASSED.format(fill="PLUGINS[cls.__name__] = cls"), CLASSES),
        (ADDING + SUBCLASSED.format(fill="add(cls)"), CLASSES),
        (ADDING + METACLASS.format(hook="__new__", fill="add(made)"), CLASSES),
        (ADDING.replace("= cls", "= cls\n    return cls"), "@add\nclass First:\n    pass"),
        (ADDING, "class First:\n    pass\n\n\nclass Table:\n    add(First)"),
        (ADDING, "def add_all():\n    add(int)\n\n\nadd_all()"),
        (
            "class Registered:\n    def __set_name__(self, owner, name):\n        PLUGINS[name] = owner",
            "class Plugins:\n    first = Registered()",
        ),
    ],
)
def test_registries_that_importing_fills(before: str, after: str) -> None:
    assert not _is_reported(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (ADDING, "class First:\n    '''Given to add by main.'''"),
        (ADDING, "class First:\n    def register(self):\n        add(type(self))  # add"),
        ("class Adder:\n    def __init__(self, cls):\n        PLUGINS['a'] = cls", "class Other(Adder):\n    pass"),
    ],
)
def test_registries_that_importing_leaves_empty(before: str, after: str) -> None:
    assert _is_reported(before, after, guard="add(int); " if before == ADDING else "Adder(int); ")


@pytest.mark.parametrize(
    ("change", "is_found"), [("DEPTH += 1\n    run()\n    DEPTH -= 1", False), ("DEPTH += 1\n    run()", True)]
)
def test_what_counts_how_deep_calls_are_nested(change: str, is_found: bool) -> None:
    text = f"""\
import multiprocessing

DEPTH = 0


def work(number):
    return number if DEPTH else -number


def run():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))


def main():
    global DEPTH
    {change}


if __name__ == "__main__":
    main()
"""
    assert ([code for _, code in marks(text)] == ["LP208"]) == is_found


@pytest.mark.parametrize(
    ("read", "is_found"),
    [
        ("if number in ROWS:\n        return ROWS[number]\n    return number * 2", False),
        ("if number not in ROWS:\n        return number * 2\n    return ROWS[number]", False),
        ("if number in ROWS[0]:\n        return 2\n    return number", True),
    ],
)
def test_what_is_only_remembered(read: str, is_found: bool) -> None:
    assert _is_found("ROWS = {}", read, "ROWS.update(rows)") == is_found


RESET = """\
import multiprocessing

TOKENIZER = None
CACHE = None


def reset():
    global TOKENIZER, CACHE
    TOKENIZER = None
    CACHE = None


def build():
    global TOKENIZER
    TOKENIZER = str.split


def split(text):
    return TOKENIZER(text)


def cached(text):
    return CACHE[text]


if __name__ == "__main__":
    build()
    with multiprocessing.Pool(1) as pool:
        print(pool.map(split, ["a b"]), pool.map(cached, ["a b"]))
    reset()
"""


def test_a_function_that_only_takes_it_back_sets_nothing() -> None:
    (found,) = lint_source(RESET, "main.py", resolver=SettingsResolver(isolated=True)).diagnostics
    assert (found.code, found.location.start.row) == ("LP208", 19)
    assert "set only by `build()`" in found.message


READ_BY_KEY = """\
import multiprocessing


def work(number):
    {read}


if __name__ == "__main__":
    OPTIONS = {{"unit": "ft"}}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1, 2]))
"""


@pytest.mark.parametrize(
    ("read", "outcome"),
    [
        ("return globals().get('OPTIONS')", "there it is not set"),
        ("return {'unit': 'm', **globals().get('OPTIONS', {})}", "there it is not set"),
        ("return OPTIONS if 'OPTIONS' in globals() else None", "there it is not set"),
        ("if 'OPTIONS' not in globals():\n        return None\n    return globals()['OPTIONS']", "there it is not set"),
        ("return globals()['OPTIONS']", "KeyError: 'OPTIONS'"),
        ("try:\n        return globals()['OPTIONS']\n    except KeyError:\n        return None", "there it is not set"),
    ],
)
def test_a_global_that_is_read_by_the_dict_of_its_module(read: str, outcome: str) -> None:
    (found,) = lint(READ_BY_KEY.format(read=read)).diagnostics
    assert found.code == "LP208" and outcome in f"{found.message} {found.error}"


@pytest.mark.parametrize(
    "read",
    [
        "return globals().get('LIMIT')",
        "return globals().get('__doc__')",
        "globals()['OPTIONS'] = number\n    return globals()['OPTIONS']",
        "if 'OPTIONS' not in globals():\n        globals()['OPTIONS'] = number\n    return number",
        "return number  # globals().get('OPTIONS')",
        "return {'OPTIONS': number}.get('OPTIONS')",
    ],
)
def test_a_global_that_workers_have_or_nobody_sets_is_read_by_key(read: str) -> None:
    assert [each.code for each in lint(READ_BY_KEY.format(read=read)).diagnostics] == []


COLOURS = """\
import multiprocessing
import sys

COLOUR = {colour}


def paint(number):
    return {read}


if __name__ == "__main__":
    COLOUR = {given}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(paint, [1, 2]))
"""


@pytest.mark.parametrize("colour", ["'#2464b4' # of the graph", '"#2464b4"', '"it is # 1"', "'plain'  # as \"is\""])
def test_a_text_with_a_hash(colour: str) -> None:
    assert marks(COLOURS.format(colour=colour, given="sys.argv[1]", read="COLOUR, number")) == [(8, "LP208")]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        pytest.param("'#2464b4'  # the same", "COLOUR, number", id="the same"),
        pytest.param("sys.argv[1]", "'#COLOUR', number", id="in a text"),
    ],
)
def test_a_text_with_a_hash_that_workers_do_not_miss(given: str, read: str) -> None:
    assert marks(COLOURS.format(colour="'#2464b4' # of the graph", given=given, read=read)) == []
