"""What `migrate` says of programs that `programs` cannot hold: they need libraries, or show a verdict of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.migration.judging import migrate
from lintpickle.migration.model import Migration, Verdict
from lintpickle.rules.authoring import Hazard
from lintpickle.rules.main_global_in_worker import MainGlobalInWorker
from lintpickle.settings import SettingsResolver

FLAGS = """\
import multiprocessing

from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_integer("power", 3, "The exponent.")


def work(number):
    return number ** FLAGS.power


def main(argv):
    multiprocessing.set_start_method("fork")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [2]))


if __name__ == "__main__":
    app.run(main)
"""


def migrated(folder: Path, code: str, to: StartMethod = StartMethod.SPAWN, python: str = "3.11") -> Migration:
    (folder / "main.py").write_text(code, encoding="utf-8")
    resolver = SettingsResolver(isolated=True, cwd=folder, overrides={"target-version": f"=={python}"})
    return migrate([str(folder)], resolver, to, python)


def worst(migration: Migration) -> Verdict:
    return min((boundary.verdict for boundary in migration.boundaries), key=list(Verdict).index)


def test_flags_that_main_alone_parses_break(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, FLAGS)) is Verdict.BREAKS


def test_flags_that_workers_parse_do_not(tmp_path: Path) -> None:
    parsing = FLAGS.replace("    return number", "    FLAGS(['main.py'])\n    return number")
    assert worst(migrated(tmp_path, parsing)) is Verdict.READY


def test_flags_that_main_passes_on_do_not(tmp_path: Path) -> None:
    passing = FLAGS.replace("** FLAGS.power", "** 3").replace("[2]", "[FLAGS.power]")
    assert worst(migrated(tmp_path, passing)) is Verdict.READY


PACKAGE = """\
import importlib
import pkgutil

REGISTRY = {}


def register(class_):
    REGISTRY[class_.name] = class_
    return class_


def export(name):
    return REGISTRY[name].name
"""
LOADING = """

for info in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{info.name}")
"""
EXPORTING = """\
import multiprocessing

from exporters import export


def main():
    import exporters.text

    multiprocessing.set_start_method("fork")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(export, ["csv"]))


if __name__ == "__main__":
    main()
"""


def exporting(folder: Path, package: str) -> Verdict:
    (folder / "exporters").mkdir()
    (folder / "exporters" / "__init__.py").write_text(package, encoding="utf-8")
    text = 'from . import register\n\n\n@register\nclass Csv:\n    name = "csv"\n'
    (folder / "exporters" / "text.py").write_text(text, encoding="utf-8")
    return worst(migrated(folder, EXPORTING))


def test_modules_that_a_package_imports_are_there(tmp_path: Path) -> None:
    assert exporting(tmp_path, PACKAGE + LOADING) is Verdict.READY


def test_modules_that_main_alone_imports_are_not(tmp_path: Path) -> None:
    assert exporting(tmp_path, PACKAGE) is Verdict.BREAKS


GLOBAL = """\
import multiprocessing

client = AT_IMPORT


def configure(name):
    global client
    client = {"name": name}


def work(number):
    USE


if __name__ == "__main__":
    configure("x")
    multiprocessing.set_start_method("fork")
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [2]))
"""


@pytest.mark.parametrize(
    ("at_import", "use", "error"),
    [
        ("None", "return client['name']", "TypeError: 'NoneType' object is not subscriptable"),
        ("None", "return client.first + client.second", "AttributeError: 'NoneType' object has no attribute 'first'"),
        ("None", "return client(number)", "TypeError: 'NoneType' object is not callable"),
        ("None", "return client + number", "TypeError: unsupported operand type(s) for +"),
        ("None", "return number * client", "TypeError"),
        ("None", "return number < client", "TypeError: '<' not supported between instances"),
        ("None", "return [each for each in client]", "TypeError: 'NoneType' object is not iterable"),
        (
            "None",
            "if number > 3:\n        print(number)\n    return client.name",
            "AttributeError: 'NoneType' object has no attribute 'name'",
        ),
        ("None", "if client.name:\n        return 1", "AttributeError: 'NoneType' object has no attribute 'name'"),
        ("None", "while number > client:\n        number -= 1", "TypeError: '>' not supported between instances"),
        ("None", "return '%s' % client", None),
        ("None", "return number or client.name", None),
        ("None", "return [each for each in (1, 2) if client.name]", None),
        ("{}", "return client['name']", "KeyError: 'name'"),
        ("{}", "return client[number]", "KeyError"),
        ("None", "return client", None),
        ("None", "return client == number", None),
        ("{}", "return client.get('name')", None),
        ("None", "if number > 3:\n        return client.name", None),
        (
            "None",
            "if client is None:\n        raise RuntimeError('no client')\n    return client.name",
            "RuntimeError: no client",
        ),
        ("False", "if not client:\n        raise LookupError\n    return client", "LookupError"),
        ("0", "assert client, number\n    return client", "AssertionError"),
        ("0", "if client:\n        raise LookupError\n    return client", None),
        ("False", "if number and not client:\n        raise LookupError\n    return client", None),
    ],
)
def test_an_error_is_named_where_it_is_sure(tmp_path: Path, at_import: str, use: str, error: str | None) -> None:
    migration = migrated(tmp_path, GLOBAL.replace("AT_IMPORT", at_import).replace("USE", use))
    found = [finding.diagnostic.error for boundary in migration.boundaries for finding in boundary.findings]
    assert found == [error]
    assert worst(migration) is (Verdict.CHANGES if error is None else Verdict.BREAKS)


CONTEXT = """\
import multiprocessing
from contextvars import ContextVar

_tenant = ContextVar(NAME)


def work(folder):
    print(folder, _tenant.get())


def main():
    _tenant.set("acme")
    process = multiprocessing.Process(target=work, args=("reports",))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("name", "told"), [('"tenant"', "'tenant'"), ('name="t"', "'t'"), ("__name__ + '.x'", "…")])
def test_a_context_variable_is_called_as_it_calls_itself(tmp_path: Path, name: str, told: str) -> None:
    migration = migrated(tmp_path, CONTEXT.replace("NAME", name))
    found = [finding.diagnostic.error for boundary in migration.boundaries for finding in boundary.findings]
    assert found == [f"LookupError: <ContextVar name={told} at 0x…>"]


PASSED = """\
import argparse
import logging
import multiprocessing
import os
import signal
import tempfile
from pathlib import Path


def work(given):
    print(given)


if __name__ == "__main__":
    GIVEN
    multiprocessing.set_start_method("fork")
    process = multiprocessing.Process(target=work, args=(given,))
    process.start()
"""


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ("handle, given = tempfile.mkstemp()", Verdict.READY),
        ("given, path = tempfile.mkstemp()", Verdict.CANNOT_TELL),
        ("given = os.environ.copy()", Verdict.READY),
        ("given = len(os.listdir()) + 1", Verdict.READY),
        ("given = somelib.value + somelib.other", Verdict.CANNOT_TELL),
        ("given = {each: number for number, each in enumerate(['a'])}", Verdict.READY),
        ("given = [each for number, each in enumerate(somelib.all())]", Verdict.CANNOT_TELL),
        ("given = argparse.ArgumentParser().parse_args().seed", Verdict.READY),
        ("given = somelib.Parser().read_args().seed", Verdict.CANNOT_TELL),
        ("given = somelib.environ.copy()", Verdict.CANNOT_TELL),
        ("given = [(name, float(size)) for name, size in csv.reader(open(path))]", Verdict.READY),
        ("given = list(csv.reader(io.StringIO(text)))", Verdict.READY),
        ("given = [row['name'] for row in csv.DictReader(text.splitlines())]", Verdict.READY),
        ("given = {name: size for name, size in [line.split(',') for line in text.splitlines()]}", Verdict.READY),
        ("given = [word for line in text.splitlines() for word in line.split()]", Verdict.READY),
        ("given = [name for name, size in somelib.reader(text)]", Verdict.CANNOT_TELL),
        ("given = [first for first, rest in [somelib.cut(line) for line in text.splitlines()]]", Verdict.CANNOT_TELL),
        ("given = sorted(path.stem for path in Path('.').glob('*.py'))", Verdict.READY),
        ("given = [path.parent for path in Path('.').iterdir()]", Verdict.READY),
        ("given = [entry.name for entry in os.scandir('.')]", Verdict.READY),
        ("given = [*os.scandir('.')]", Verdict.BREAKS),
        ("given = Path('.').glob('*.py')", Verdict.BREAKS),
        ("given = sorted(path.stem for path in somelib.glob('*.py'))", Verdict.CANNOT_TELL),
        ("given = getattr(logging, input().upper())", Verdict.READY),
        ("given = getattr(signal, f'SIG{input()}')", Verdict.READY),
        ("given = getattr(logging, input())", Verdict.CANNOT_TELL),
        ("given = getattr(signal, f'sig{input()}')", Verdict.CANNOT_TELL),
        ("given = getattr(somelib, input().upper())", Verdict.CANNOT_TELL),
    ],
)
def test_data_of_the_system(tmp_path: Path, given: str, verdict: Verdict) -> None:
    assert worst(migrated(tmp_path, PASSED.replace("GIVEN", given))) is verdict


CONTEXT_KEPT = """\
import multiprocessing


class Supervisor:
    def __init__(self, context):
        self.context = context

    def run(self):
        process = self.context.Process(ARGUMENT)
        process.start()


if __name__ == "__main__":
    Supervisor(multiprocessing.get_context("fork")).run()
"""


def test_a_context_that_an_object_keeps_starts_processes(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CONTEXT_KEPT.replace("ARGUMENT", "target=lambda: None"))) is Verdict.BREAKS


def test_without_a_target_it_starts_nothing_that_is_known(tmp_path: Path) -> None:
    other = CONTEXT_KEPT.replace("ARGUMENT", "7").replace('multiprocessing.get_context("fork")', "object()")
    assert not migrated(tmp_path, other).boundaries


JOBLIB = """\
import multiprocessing

from joblib import Parallel, delayed

LEVEL = 0


def fit(number):
    return LEVEL * number


if __name__ == "__main__":
    LEVEL = 2
    multiprocessing.set_start_method("fork")
    print(Parallel(n_jobs=2, backend="multiprocessing")(delayed(fit)(number) for number in range(2)))
"""


def test_tasks_of_joblib_may_be_forked(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, JOBLIB)) is Verdict.CHANGES


def test_tasks_of_joblib_are_not_forked_as_a_rule(tmp_path: Path) -> None:
    assert not migrated(tmp_path, JOBLIB.replace('multiprocessing")(', 'loky")(')).boundaries


@pytest.mark.parametrize(
    ("above", "given"),
    [
        ('BACKEND = "multiprocessing"', "backend=BACKEND"),
        ('CHOSEN = dict(backend="multiprocessing")', "**CHOSEN"),
        (
            "import argparse\nparser = argparse.ArgumentParser()\n"
            'parser.add_argument("--backend", default="multiprocessing")',
            "backend=parser.parse_args().backend",
        ),
    ],
)
def test_tasks_of_joblib_may_be_forked_by_what_a_name_says(tmp_path: Path, above: str, given: str) -> None:
    code = JOBLIB.replace('backend="multiprocessing"', given).replace("LEVEL = 0", f"LEVEL = 0\n{above}")
    assert worst(migrated(tmp_path, code)) is Verdict.CHANGES
    assert not migrated(tmp_path, code.replace('"multiprocessing"', '"loky"')).boundaries


PROCESSES = """\
import multiprocessing

context = multiprocessing.get_context("fork")


class Worker(context.Process):
    def __init__(self, name):
        super().__init__()
        self.task = name

    def run(self):
        print(self.task)


if __name__ == "__main__":
    Worker("a").start()
"""


def test_a_process_is_told_where_it_is_made(tmp_path: Path) -> None:
    migration = migrated(tmp_path, PROCESSES)
    assert [boundary.what for boundary in migration.boundaries] == ['Worker("a")']
    (pin,) = migration.pins
    assert pin.covers == (migration.boundaries[0].spot,)


COUNTING = """\
import multiprocessing
from multiprocessing.context import ForkProcess

limit = 40


class Worker(ForkProcess):
    def run(self):
        print(limit)


def main():
    global limit
    limit = 80
    Worker().start()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("base", ["ForkProcess", "multiprocessing.context.ForkProcess"])
def test_a_class_that_forks_of_itself_is_told(tmp_path: Path, base: str) -> None:
    migration = migrated(tmp_path, COUNTING.replace("(ForkProcess)", f"({base})"))
    assert worst(migration) is Verdict.CHANGES
    (pin,) = migration.pins
    assert pin.text == base
    assert pin.covers == (migration.boundaries[0].spot,)
    assert migration.boundaries[0].works_pinned


def test_a_class_of_a_context_that_its_header_makes_is_told(tmp_path: Path) -> None:
    code = COUNTING.replace("(ForkProcess)", "(multiprocessing.get_context('fork').Process)")
    migration = migrated(tmp_path, code)
    assert worst(migration) is Verdict.CHANGES
    assert migration.boundaries[0].works_pinned


def test_an_attribute_of_what_a_call_gives_is_no_process_by_itself(tmp_path: Path) -> None:
    code = COUNTING.replace("(ForkProcess)", "(threads().Thread)")
    code = code.replace("\n\n\nclass", "\n\n\ndef threads():\n    return threading\n\n\nclass", 1)
    assert not migrated(tmp_path, code).boundaries


def test_a_class_that_spawns_of_itself_is_as_today(tmp_path: Path) -> None:
    migration = migrated(tmp_path, COUNTING.replace("ForkProcess", "SpawnProcess"))
    assert worst(migration) is Verdict.READY
    assert not migration.pins


def test_a_context_under_another_name_holds_the_class(tmp_path: Path) -> None:
    code = PROCESSES.replace("\n\n\nclass", "\nProcess = context.Process\n\n\nclass")
    migration = migrated(tmp_path, code.replace("(context.Process)", "(Process)"))
    (pin,) = migration.pins
    assert pin.covers == (migration.boundaries[0].spot,)


def test_a_class_of_processes_that_nobody_uses_is_told(tmp_path: Path) -> None:
    migration = migrated(tmp_path, PROCESSES.partition("if __name__")[0])
    assert [boundary.what for boundary in migration.boundaries] == ["super().__init__()"]


HANDLER = """\
import multiprocessing
import signal


class Scheduler:
    def install(self):
        signal.signal(signal.SIGUSR1, self.stop)

    def stop(self, number, frame):
        print(number)


def ask(job):
    return callable(signal.getsignal(signal.SIGUSR1))


if __name__ == "__main__":
    Scheduler().install()
    with multiprocessing.Pool(1) as pool:
        print(pool.map(ask, [1]))
"""
INITIALIZED = """\
import multiprocessing
{imports}

{function}


if __name__ == "__main__":
    with multiprocessing.Pool(1, initializer={initializer}) as pool:
        print(pool.map(abs, [1]))
"""


def test_what_another_file_names_as_an_initializer_is_its_own(tmp_path: Path) -> None:
    own = INITIALIZED.format(imports="", function="def install():\n    print(1)", initializer="install")
    (tmp_path / "other.py").write_text(own, encoding="utf-8")
    assert worst(migrated(tmp_path, HANDLER)) is Verdict.CHANGES


def test_an_initializer_of_another_file_that_names_this_one_is_that_of_its_pool(tmp_path: Path) -> None:
    imported = "from main import Scheduler\n"
    method = INITIALIZED.format(imports=imported, function="SCHEDULER = Scheduler()", initializer="SCHEDULER.install")
    (tmp_path / "other.py").write_text(method, encoding="utf-8")
    assert worst(migrated(tmp_path, HANDLER)) is Verdict.CHANGES
    unseen = HANDLER.replace("Pool(1)", "Pool(1, **json.load(open('pool.json')))").replace(
        "import signal", "import json, signal"
    )
    assert worst(migrated(tmp_path, unseen)) is not Verdict.CHANGES


NAMED = """\
import multiprocessing


class Event:
    def topic(self):
        return {topic}


def route(number):
    return {{"__main__.Event": "known"}}.get(Event().topic(), "lost")


if __name__ == "__main__":
    with multiprocessing.Pool(1) as pool:
        print(pool.map(route, [1]))
"""


@pytest.mark.parametrize(
    ("topic", "verdict"),
    [
        ("f'{type(self).__module__}.Event'", Verdict.CANNOT_TELL),
        ("f'__main__.{type(self).__qualname__}'", Verdict.READY),
    ],
)
def test_the_name_of_the_script_as_a_module(tmp_path: Path, topic: str, verdict: Verdict) -> None:
    assert worst(migrated(tmp_path, NAMED.format(topic=topic))) is verdict


LOCALE = """\
import multiprocessing
import threading

REQUEST = threading.local()


class Formatter:
    {decorator}
    def locale(self):
        return getattr(REQUEST, "locale", "C")

    def number(self, value):
        return {read}, value


FORMATTER = Formatter()


def line(value):
    return FORMATTER.number(value)


if __name__ == "__main__":
    REQUEST.locale = "de"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(line, [1]))
"""


@pytest.mark.parametrize(
    ("decorator", "read", "verdict"),
    [
        ("@property", "self.locale", Verdict.CHANGES),
        ("# Called.", "self.locale()", Verdict.CHANGES),
        ("@property", "'C'", Verdict.READY),
    ],
)
def test_what_properties_read(tmp_path: Path, decorator: str, read: str, verdict: Verdict) -> None:
    assert worst(migrated(tmp_path, LOCALE.format(decorator=decorator, read=read))) is verdict


SENTINEL = """\
import multiprocessing

MISSING = object()


def clean(row, fill):
    price = row.get("price", fill)
    return price is {asked}


def main(fill={fill}):
    process = multiprocessing.Process(target=clean, args=({{}}, fill))
    process.start()
    process.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("fill", "asked", "verdict"),
    [
        ("MISSING", "MISSING", Verdict.CANNOT_TELL),
        ("None", "MISSING", Verdict.READY),
        ("MISSING", "None", Verdict.READY),
    ],
)
def test_sentinels_that_workers_may_ask_for(tmp_path: Path, fill: str, asked: str, verdict: Verdict) -> None:
    assert worst(migrated(tmp_path, SENTINEL.format(fill=fill, asked=asked))) is verdict


@pytest.mark.parametrize(
    ("loop", "ready"),
    [
        ("for n in (0, 1):\n        mp.Process(target=work, args=(n * 10,)).start()", True),
        ("for n in TABLE:\n        mp.Process(target=work, args=(n,)).start()", True),
        ("ours, theirs = socket.socketpair()\n    mp.Process(target=work, args=(theirs,)).start()", True),
        ("reads, writes = os.pipe()\n    mp.Process(target=work, args=(writes,)).start()", False),
        ("for n in load():\n        mp.Process(target=work, args=(n,)).start()", False),
    ],
)
def test_what_is_seen_to_be_data(tmp_path: Path, loop: str, ready: bool) -> None:
    code = (
        "import multiprocessing as mp\nimport os\nimport socket\nfrom elsewhere import load\n\n"
        "TABLE = {'a': max, 'b': min}\n\n\ndef work(value):\n    return 1\n\n\n"
        f"def main():\n    {loop}\n\n\nif __name__ == '__main__':\n    main()\n"
    )
    assert (worst(migrated(tmp_path, code)) is Verdict.READY) is ready


THREAD_LOCAL = """\
import multiprocessing
import threading

LOCAL = threading.local()


def work(number):
    READ


def main():
    LOCAL.user = "somebody"
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ("return LOCAL.user", Verdict.BREAKS),
        ("return [LOCAL.user.title(), number]", Verdict.BREAKS),
        ('return getattr(LOCAL, "user", None)', Verdict.CHANGES),
        ('return LOCAL.user if hasattr(LOCAL, "user") else None', Verdict.CHANGES),
        ("try:\n        return LOCAL.user\n    except AttributeError:\n        return None", Verdict.CHANGES),
        ('LOCAL.user = "nobody"\n    return LOCAL.user', Verdict.READY),
    ],
)
def test_what_a_thread_has_for_itself_is_missing_in_workers(tmp_path: Path, read: str, expected: Verdict) -> None:
    assert worst(migrated(tmp_path, THREAD_LOCAL.replace("READ", read))) is expected


def test_what_a_module_gives_each_thread_is_there(tmp_path: Path) -> None:
    code = THREAD_LOCAL.replace("READ", "return LOCAL.user").replace("local()\n", 'local()\nLOCAL.user = "nobody"\n')
    assert worst(migrated(tmp_path, code)) is Verdict.CHANGES


POOL_OF_LIBRARY = """\
import sys
from concurrent.futures import ProcessPoolExecutor

import click

RATE = 1


def fee(amount):
    return amount * RATE


@click.group()
@click.pass_context
def cli(context):
    global RATE
    RATE = 5
    context.obj = ProcessPoolExecutor(2)


@cli.command()
@click.pass_obj
def fees(pool):
    print(list(pool.map(fee, [1, 2])))


if __name__ == "__main__":
    cli()
"""


def test_a_pool_that_a_library_hands_on_runs_functions(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, POOL_OF_LIBRARY)) is Verdict.CHANGES


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(POOL_OF_LIBRARY.replace("import click", "import click\nfrom x import ThreadPool"), id="threads"),
        pytest.param(POOL_OF_LIBRARY.replace("pool.map(fee", "pool.map(print"), id="no function of the program"),
        pytest.param(POOL_OF_LIBRARY.replace("@cli.command()\n@click.pass_obj\n", ""), id="given by nobody"),
    ],
)
def test_what_else_a_library_hands_on_does_not(tmp_path: Path, code: str) -> None:
    assert worst(migrated(tmp_path, code)) is Verdict.READY


QUEUE_OF_FORK = """\
import multiprocessing

context = multiprocessing.get_context("fork")


class Spool:
    def __init__(self):
        self.jobs = context.Queue()


class Printer(BASE):
    def __init__(self, spool):
        super().__init__()
        self.spool = spool

    def run(self):
        print(self.spool.jobs.get())


def main():
    spool = Spool()
    printer = Printer(spool)
    printer.start()
    spool.jobs.put(1)
    printer.join()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        pytest.param("multiprocessing.Process", Verdict.BREAKS, id="the default context moves by itself"),
        pytest.param("context.Process", Verdict.READY, id="one context"),
    ],
)
def test_a_queue_of_a_context_that_stays(tmp_path: Path, base: str, expected: Verdict) -> None:
    assert worst(migrated(tmp_path, QUEUE_OF_FORK.replace("BASE", base))) is expected


def test_a_queue_of_a_context_where_all_is_asked_for(tmp_path: Path) -> None:
    code = QUEUE_OF_FORK.replace("BASE", "multiprocessing.Process")
    pinned = code.replace("    spool = Spool()", '    multiprocessing.set_start_method("fork")\n    spool = Spool()')
    assert worst(migrated(tmp_path, pinned)) is Verdict.READY


CONTEXT_GIVEN = """\
import multiprocessing


def work(queue):
    print(queue.get())


def run(context, queue):
    process = context.Process(target=work, args=(queue,))
    process.start()
    queue.put(1)
    process.join()


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    run(context, context.Queue())
"""


def test_a_queue_of_a_context_that_is_given_with_it(tmp_path: Path) -> None:
    assert worst(migrated(tmp_path, CONTEXT_GIVEN)) is Verdict.READY
    unknown = CONTEXT_GIVEN.replace('get_context("fork")', 'get_context("fork")\n    run(object(), context.Queue())')
    assert worst(migrated(tmp_path, unknown)) is Verdict.READY


FOUND_BY_NAME = {
    "main.py": """\
import multiprocessing

import discovery
import tasks


def main():
    {there}
    with multiprocessing.Pool(1) as pool:
        print(pool.map(tasks.export, ["csv"]))


{at_import}
if __name__ == "__main__":
    main()
""",
    "discovery.py": """\
import importlib
import pkgutil

import formats


def discover():
    for info in pkgutil.iter_modules(formats.__path__):
        importlib.import_module(f"formats.{info.name}")


def load():
    importlib.import_module("formats.csvfmt")
""",
    "tasks.py": """\
from formats import EXPORTERS


def export(name):
    if name not in EXPORTERS:
        return f"{name}: unsupported"
    return EXPORTERS[name]("a")
""",
    "formats/__init__.py": """\
EXPORTERS = {}


def exporter(name):
    def add(function):
        EXPORTERS[name] = function
        return function

    return add
""",
    "formats/csvfmt.py": """\
from formats import exporter


@exporter("csv")
def write(row):
    return f"{row},"
""",
}


@pytest.mark.parametrize(
    ("there", "at_import", "expected"),
    [
        ("discovery.discover()", "", Verdict.CHANGES),
        ("discovery.load()", "", Verdict.CHANGES),
        ("pass", "discovery.discover()\n", Verdict.READY),
        ("pass", "discovery.load()\n", Verdict.READY),
        ("import formats.csvfmt", "", Verdict.CHANGES),
    ],
)
def test_a_registry_that_another_module_fills_by_imports_by_name(
    there: str, at_import: str, expected: Verdict, tmp_path: Path
) -> None:
    """Run with CPython 3.11 under fork and forkserver."""
    (tmp_path / "formats").mkdir()
    for name, text in FOUND_BY_NAME.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    main = FOUND_BY_NAME["main.py"].format(there=there, at_import=at_import)
    assert worst(migrated(tmp_path, main, StartMethod.FORKSERVER)) is expected


@pytest.mark.defects
def test_where_lintpickle_itself_fails_nothing_is_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def worker(*_: object) -> list[Hazard]:
        raise ValueError("a defect")

    passing = FLAGS.replace("** FLAGS.power", "** 3")
    assert worst(migrated(tmp_path, passing)) is Verdict.READY
    monkeypatch.setattr(MainGlobalInWorker, "worker", worker)
    migration = migrated(tmp_path, passing)
    assert worst(migration) is Verdict.CANNOT_TELL
    assert "lintpickle itself failed here" in migration.boundaries[0].gaps[0].message


def told(folder: Path, code: str) -> list[tuple[str, str]]:
    """What is found, and the line of the code that the trail names as that where the main process sets it."""
    findings = [finding.diagnostic for each in migrated(folder, code).boundaries for finding in each.findings]
    return [
        (found.told, code.splitlines()[step.location.start.row - 1])
        for found in findings
        for step in found.trail
        if step.message.startswith("the main process")
    ]


FORMATTED = """\
import logging
from multiprocessing import Pool

log = logging.getLogger("jobs")


def set_up():
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("%(name)s"))
    {added}
    log.setLevel("INFO")


def work(number):
    {use}


if __name__ == "__main__":
    set_up()
    with Pool(1) as pool:
        pool.map(work, [1])
"""


def test_the_handler_is_named_that_is_missing_rather_than_its_format(tmp_path: Path) -> None:
    code = FORMATTED.format(added="log.addHandler(handler)", use='log.info("%s", number); log.debug("more")')
    ((message, place),) = told(tmp_path, code)
    assert "`log.info`" in message
    assert "addHandler" in place


def test_without_a_handler_the_level_is_named(tmp_path: Path) -> None:
    ((_, place),) = told(tmp_path, FORMATTED.format(added="print(handler)", use='log.info("%s", number)'))
    assert "setLevel" in place


ON_ONE_LINE = """\
from multiprocessing import Pool

{made}


def configure(a, b):
    global first, second
    first, second = a, b


def work(number):
    return [number, second]


if __name__ == "__main__":
    configure(1, 2)
    with Pool(1) as pool:
        print(pool.map(work, [1]))
"""


@pytest.mark.parametrize(
    ("made", "still"),
    [
        ("first = second = None", "there it is still None"),
        ("first, second = 0, 9", "there it is still `9`"),
        ("first = 0; second = 'b'", "there it is still `'b'`"),
        ("first = second = []", "there it is still empty"),
    ],
)
def test_globals_that_get_their_values_together(tmp_path: Path, made: str, still: str) -> None:
    ((message, _),) = told(tmp_path, ON_ONE_LINE.format(made=made))
    assert message.endswith(still)


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("first = second = load()", id="what a call gives"),
        pytest.param("first, second = load()", id="parts of that"),
        pytest.param("first, *second = 1, 2", id="a rest"),
    ],
)
def test_what_they_have_is_not_made_up(tmp_path: Path, made: str) -> None:
    code = ON_ONE_LINE.format(made=f"def load():\n    return 1, 2\n\n\n{made}")
    assert all("still" not in message or message.endswith("still `load()`") for message, _ in told(tmp_path, code))


PARTED = """\
import multiprocessing

NAMES = ["ada", "bob", "cy", "dora"]


def names_of(part):
    return [name for name in NAMES if hash(name) % 4 == part]


def main():
    with multiprocessing.Pool(4) as pool:
        print(pool.map(names_of, range(4)))


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("to", "expected"), [(StartMethod.SPAWN, Verdict.CHANGES), (StartMethod.FORKSERVER, Verdict.READY)]
)
def test_workers_of_one_server_share_the_seed_of_hashes(tmp_path: Path, to: StartMethod, expected: Verdict) -> None:
    assert worst(migrated(tmp_path, PARTED, to)) is expected


FEATURES = """\
_KNOWN = {{}}


def feature(name):
    def add(func):
        _KNOWN[name] = func
        return func
    return add


def find(name):
    {find}
"""
LENGTH = """\
from features.known import feature


@feature("length")
def length(row):
    return len(row)
"""
COMPUTING = """\
from concurrent.futures import ProcessPoolExecutor

from features import known
{above}

def compute(row, name):
    {first}
    return known.find(name)(row)


class Table:
    def __init__(self, name):
        self.name = name
        self.executor = ProcessPoolExecutor(2)

    def build(self, rows):
        return [self.executor.submit(compute, row, self.name).result() for row in rows]
"""
BUILDING = """\
import importlib

from features.table import Table


def load(modules):
    {load}


def main():
    load(["length"])
    print(Table("length").build(["ab", "c"]))


if __name__ == "__main__":
    main()
"""
BY_NAME = 'for name in modules:\n        importlib.import_module(f"features.{name}")'
ITEM = "return _KNOWN[name]"
IN_TRY = "try:\n        return _KNOWN[name]\n    except KeyError:\n        {0} None"
REFUSED = IN_TRY.format('raise LookupError(f"no feature {name}") from')


def building(folder: Path, find: str = REFUSED, load: str = BY_NAME, first: str = "pass", above: str = "") -> Migration:
    (folder / "features").mkdir()
    for name, text in {
        "__init__": "",
        "known": FEATURES.format(find=find),
        "length": LENGTH,
        "table": COMPUTING.format(first=first, above=above),
    }.items():
        (folder / "features" / f"{name}.py").write_text(text, encoding="utf-8")
    return migrated(folder, BUILDING.format(load=load))


@pytest.mark.parametrize(
    ("find", "expected"),
    [
        pytest.param(ITEM, Verdict.BREAKS, id="item"),
        pytest.param(REFUSED, Verdict.BREAKS, id="another error"),
        pytest.param(
            "if name not in _KNOWN:\n        raise ValueError(name)\n    return _KNOWN[name]",
            Verdict.BREAKS,
            id="asked",
        ),
        pytest.param(
            "found = _KNOWN.get(name)\n    if found is None:\n        raise ValueError(name)\n    return found",
            Verdict.BREAKS,
            id="got",
        ),
        pytest.param(IN_TRY.format("return len or"), Verdict.CHANGES, id="another function"),
        pytest.param("return _KNOWN.get(name, len)", Verdict.CHANGES, id="default"),
    ],
)
def test_what_the_program_alone_has_imported(tmp_path: Path, find: str, expected: Verdict) -> None:
    assert worst(building(tmp_path, find)) is expected


@pytest.mark.parametrize("load", ["import features.length", "from features import length"])
def test_what_it_imports_in_a_function(tmp_path: Path, load: str) -> None:
    assert worst(building(tmp_path, load=load)) is Verdict.BREAKS


@pytest.mark.parametrize("where", ["first", "above"])
def test_what_workers_import_as_well(tmp_path: Path, where: str) -> None:
    assert worst(building(tmp_path, **{where: "import features.length"})) is Verdict.READY


def test_what_only_another_program_imports(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(BUILDING.format(load=BY_NAME), encoding="utf-8")
    assert worst(building(tmp_path, load="pass")) is Verdict.CANNOT_TELL


DERIVED = """\
import multiprocessing


class Logged(multiprocessing.Process):
    def __init__(self, log, **options):
        super().__init__({given}**options)
        self.log = log

    def run(self):
        print(self.log, self.size)


class Resizing(Logged):
    def __init__(self, size):
        super().__init__("log", name="resizing")
        self.size = size


if __name__ == "__main__":
    {made}
"""


@pytest.mark.parametrize(
    ("given", "made", "count"),
    [("", "Resizing(3).start()", 1), ("target=print, ", "Resizing(3).start()", 2), ("", "print(Resizing)", 1)],
)
def test_a_base_class_that_passes_options_on_is_no_boundary_of_its_own(
    tmp_path: Path, given: str, made: str, count: int
) -> None:
    assert len(migrated(tmp_path, DERIVED.format(given=given, made=made)).boundaries) == count


ORBITS = """\
import argparse
import multiprocessing


class Solver:
    step = 0.1
    {more}


class Leaping(Solver):
    def __init__(self, start):
        self.start = start
        {own}

    def move(self):
        return self.start + self.step


def fly(start):
    leaping = Leaping(start)
    return {fly}


def main(options):
    {setting}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(fly, [1, 2]))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=float)
    main(parser.parse_args())
"""


@pytest.mark.parametrize("fly", ["leaping.move()", "leaping.step", "Leaping.step + start"])
@pytest.mark.parametrize(
    "setting",
    [
        "Solver.step = options.step",
        "for name in ['step']:\n        setattr(Solver, name, getattr(options, name))",
    ],
)
def test_an_attribute_of_a_base_class_is_inherited(tmp_path: Path, fly: str, setting: str) -> None:
    code = ORBITS.format(more="", own="pass", fly=fly, setting=setting)
    assert worst(migrated(tmp_path, code)) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("more", "own", "fly"),
    [
        ("", "self.step = start", "leaping.move()"),
        ("size = 1", "pass", "leaping.size"),
        ("", "pass", "leaping.start"),
    ],
)
def test_other_attributes_are_not(tmp_path: Path, more: str, own: str, fly: str) -> None:
    code = ORBITS.format(more=more, own=own, fly=fly, setting="Solver.step = options.step")
    assert worst(migrated(tmp_path, code)) is Verdict.READY


SEALING = """\
import atexit
import multiprocessing


def seal():
    print("sealed")


{register}


def verify(number):
    return number % 97
"""
VERIFYING = """\
import multiprocessing

from trail import verify


def main():
    with multiprocessing.Pool(1) as pool:
        print(pool.map(verify, [2]))


if __name__ == "__main__":
    main()
"""
AS_SCRIPT = """

if __name__ == "__main__":
    with multiprocessing.Pool(1) as pool:
        print(pool.map(verify, [2]))
"""
AT_ONCE = "atexit.register(seal)"
WITHOUT_PARENT = f"if multiprocessing.parent_process() is None:\n    {AT_ONCE}"


def helps(migration: Migration) -> list[str]:
    found = (each.diagnostic for boundary in migration.boundaries for each in boundary.findings)
    return [each.help or "" for each in found if each.code == "LP215"]


@pytest.mark.parametrize(
    ("register", "is_guard_named", "is_parent_named"), [(AT_ONCE, False, False), (WITHOUT_PARENT, False, True)]
)
def test_what_to_do_about_an_action_of_a_library_module(
    tmp_path: Path, register: str, is_guard_named: bool, is_parent_named: bool
) -> None:
    (tmp_path / "trail.py").write_text(SEALING.format(register=register), encoding="utf-8")
    (said,) = helps(migrated(tmp_path, VERIFYING))
    assert ("__name__" in said) is is_guard_named
    assert ("parent_process() is None" in said) is is_parent_named
    assert said.startswith("do it in a function")


@pytest.mark.parametrize(("register", "is_parent_named"), [(AT_ONCE, False), (WITHOUT_PARENT, True)])
def test_what_to_do_about_an_action_of_the_script(tmp_path: Path, register: str, is_parent_named: bool) -> None:
    (said,) = helps(migrated(tmp_path, SEALING.format(register=register) + AS_SCRIPT))
    assert "__name__" in said
    assert ("parent_process() is None" in said) is is_parent_named


def test_an_action_under_the_main_guard_is_no_matter(tmp_path: Path) -> None:
    guarded = SEALING.format(register=f'if __name__ == "__main__":\n    {AT_ONCE}')
    assert helps(migrated(tmp_path, guarded + AS_SCRIPT)) == []


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('from . import register\n\n\n@register\nclass Csv:\n    name = "csv"\n', 4),
        ('import exporters\n\n# register it\nexporters.register(type("Csv", (), {"name": "csv"}))\n', 4),
    ],
)
def test_the_step_to_what_a_module_registers_at_its_import(tmp_path: Path, text: str, row: int) -> None:
    (tmp_path / "exporters").mkdir()
    (tmp_path / "exporters" / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    (tmp_path / "exporters" / "text.py").write_text(text, encoding="utf-8")
    (found,) = (each.diagnostic for boundary in migrated(tmp_path, EXPORTING).boundaries for each in boundary.findings)
    step = next(each for each in found.trail if Path(each.location.path).name == "text.py")
    assert step.location.start.row == row
