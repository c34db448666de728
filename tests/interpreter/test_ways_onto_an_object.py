"""Ways in which a value gets onto an object, or does not: each program was run, and fails at pickling or does not."""

from __future__ import annotations

import pytest

from tests.support import marks

FAIL = {
    "a part opens its file": """\
import pickle


class Reader:
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        self.file = open(self.path, "rb")


class Frames:
    def __init__(self, path):
        self.reader = Reader(path)
        self.reader.open()


pickle.dumps(Frames(__file__))
""",
    "a part of a part, from outside": """\
import pickle
import threading


class Cache:
    def __init__(self):
        self.lock = None

    def share(self):
        self.lock = threading.Lock()


class Tokenizer:
    def __init__(self):
        self.cache = Cache()


class Corpus:
    def __init__(self):
        self.tokenizer = Tokenizer()


def main():
    corpus = Corpus()
    corpus.tokenizer.cache.share()
    pickle.dumps(corpus)


main()
""",
    "an attribute of a part is set": """\
import pickle


class Head:
    activation = None


class Model:
    def __init__(self):
        self.head = Head()


def main():
    model = Model()
    model.head.activation = lambda x: max(x, 0)
    pickle.dumps(model)


main()
""",
    "a part is indexed": """\
import pickle


class Shards:
    def __init__(self, path):
        self.path = path
        self.file = None

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(self.path)
        return self.file.readline()


class Dataset:
    def __init__(self, path):
        self.shards = Shards(path)


def main():
    dataset = Dataset(__file__)
    print(dataset.shards[0])
    pickle.dumps(dataset)


main()
""",
    "a part is called": """\
import pickle
import re


class Match:
    def __init__(self):
        self.last = None

    def __call__(self, text):
        self.last = re.match("a", text)
        return bool(self.last)


class Filter:
    def __init__(self):
        self.match = Match()


def main():
    kept = Filter()
    print(kept.match("abc"))
    pickle.dumps(kept)


main()
""",
    "a connection that __new__ makes once": """\
import pickle
import sqlite3


class Store:
    shared = None

    def __new__(cls, path=":memory:"):
        if not cls.shared:
            made = object.__new__(cls)
            made._connect(path)
            cls.shared = made
        return cls.shared

    def _connect(self, path):
        self.connection = sqlite3.connect(path)


pickle.dumps(Store())
""",
    "a metaclass that prepares": """\
import pickle
import threading


class Prepared(type):
    def __call__(cls, *args, **options):
        instance = type.__call__(cls, *args, **options)
        instance.prepare()
        return instance


class Sampler(metaclass=Prepared):
    def __init__(self, size):
        self.size = size

    def prepare(self):
        self.guard = threading.Lock()


pickle.dumps(Sampler(4))
""",
    "a metaclass that makes one": """\
import pickle


class Single(type):
    made = {}

    def __call__(cls, *args):
        if cls not in cls.made:
            cls.made[cls] = super().__call__(*args)
        return cls.made[cls]


class Settings(metaclass=Single):
    def __init__(self):
        self.scale = lambda x: 2 * x


pickle.dumps(Settings())
""",
    "a method is chosen by a text": """\
import pickle


class Loader:
    def __init__(self, backend):
        getattr(self, "_open_" + backend)()

    def _open_plain(self):
        self.handle = open(__file__)

    def _open_none(self):
        self.handle = None


pickle.dumps(Loader("plain"))
""",
    "methods in a loop": """\
import pickle


class Pipeline:
    def __init__(self):
        for build in (self.build_rows, self.build_scale):
            build()

    def build_rows(self):
        self.rows = [1, 2]

    def build_scale(self):
        self.scale = lambda row: row * 2


pickle.dumps(Pipeline())
""",
    "a changed copy": """\
import dataclasses
import pickle


@dataclasses.dataclass(frozen=True)
class Options:
    rows: int = 4
    key: object = None


BASE = Options(8)
pickle.dumps(dataclasses.replace(BASE, key=lambda row: row))
""",
    "a named tuple with another field": """\
import pickle
from typing import NamedTuple


class Step(NamedTuple):
    name: str
    run: object = None


step = Step("scale")
pickle.dumps([step._replace(run=lambda x: x)])
""",
    "a base by platform": """\
import pickle
import sys
import threading


class Quiet:
    pass


class Loud:
    def __init__(self):
        self.lock = threading.Lock()


if sys.platform == "win32":
    Parent = Quiet
else:
    Parent = Loud


class Meter(Parent):
    pass


pickle.dumps(Meter())
""",
    "a registry of functions that build": """\
import pickle

BUILDERS = {}


def builder(fn):
    BUILDERS[fn.__name__] = fn
    return fn


@builder
def squares():
    return (n * n for n in range(3))


def build(name):
    return BUILDERS[name]()


pickle.dumps(build("squares"))
""",
    "a registry of subclasses": """\
import pickle
import threading


class Backend:
    registry = {}

    def __init_subclass__(cls, name=None, **options):
        super().__init_subclass__(**options)
        cls.registry[name or cls.__name__.lower()] = cls


class Disk(Backend):
    def __init__(self):
        self.lock = threading.RLock()


def make(name):
    return Backend.registry[name]()


pickle.dumps(make("disk"))
""",
    "a table of the module with subclasses by an attribute": """\
import pickle
import threading

BACKENDS = {}


class Backend:
    scheme = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        BACKENDS[cls.scheme] = cls


class Store(Backend):
    pass


class Disk(Store):
    scheme = "file"

    def __init__(self):
        self.lock = threading.RLock()


class Memory(Backend):
    scheme = "memory"


class Web:
    scheme = "http"


pickle.dumps(BACKENDS["file"]())
""",
    "a table of subclasses by a keyword of their headers": """\
import pickle
import threading


class Backend:
    registry = {}

    def __init_subclass__(cls, scheme, **options):
        super().__init_subclass__(**options)
        Backend.registry[scheme] = cls

    @classmethod
    def of(cls, url):
        return cls.registry[url.partition(":")[0]]()


class Disk(Backend, scheme="file"):
    def __init__(self):
        self.lock = threading.RLock()


class Memory(Backend, scheme="memory"):
    pass


pickle.dumps(Backend.registry["file"]())
""",
    "a list of the module with subclasses": """\
import pickle
import threading

CHECKS = []


class Check:
    def __init_subclass__(cls):
        CHECKS.append(cls)


class Free(Check):
    def __init__(self):
        self.lock = threading.Lock()


pickle.dumps([each() for each in CHECKS])
""",
    "a class of the module by name": """\
import pickle
import sys


class Disk:
    def __init__(self):
        self.index = {1: 2}.keys()


def make(name):
    return getattr(sys.modules[__name__], name)()


pickle.dumps(make("Disk"))
""",
    "a global that is filled on first use": """\
import pickle
import sqlite3

_connection = None


def connection():
    global _connection
    if _connection is None:
        _connection = sqlite3.connect(":memory:")
    return _connection


class Table:
    def __init__(self):
        self.source = connection()


pickle.dumps(Table())
""",
    "a setter that keeps it": """\
import pickle


class Transform:
    def __init__(self, fn):
        self.fn = fn

    @property
    def fn(self):
        return self._fn

    @fn.setter
    def fn(self, value):
        self._fn = value


pickle.dumps(Transform(lambda x: x))
""",
}

FINE = {
    "another class of a table of the module with subclasses": """\
import pickle
import threading

BACKENDS = {}


class Backend:
    scheme = None

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        BACKENDS[cls.scheme] = cls


class Store(Backend):
    pass


class Disk(Store):
    scheme = "file"

    def __init__(self):
        self.lock = threading.RLock()


class Memory(Backend):
    scheme = "memory"


class Web:
    scheme = "http"


pickle.dumps(BACKENDS["memory"]())
""",
    "another class of a table of subclasses by a keyword": """\
import pickle
import threading


class Backend:
    registry = {}

    def __init_subclass__(cls, scheme, **options):
        super().__init_subclass__(**options)
        Backend.registry[scheme] = cls

    @classmethod
    def of(cls, url):
        return cls.registry[url.partition(":")[0]]()


class Disk(Backend, scheme="file"):
    def __init__(self):
        self.lock = threading.RLock()


class Memory(Backend, scheme="memory"):
    pass


pickle.dumps(Backend.registry["memory"]())
""",
    "a class beside a list of subclasses": """\
import pickle
import threading

CHECKS = []


class Check:
    def __init_subclass__(cls):
        CHECKS.append(cls)


class Free(Check):
    lock = threading.Lock()


class Held:
    def __init__(self):
        self.lock = threading.Lock()


pickle.dumps([each() for each in CHECKS])
""",
    "a part closes its file": """\
import pickle


class Reader:
    def __init__(self, path):
        self.path = path
        self.file = open(path, "rb")

    def close(self):
        self.file.close()
        self.file = None


class Frames:
    def __init__(self, path):
        self.reader = Reader(path)
        self.size = len(self.reader.file.read())
        self.reader.close()


pickle.dumps(Frames(__file__))
""",
    "another object opens its file": """\
import pickle


class Reader:
    def __init__(self, path):
        self.path = path
        self.file = None

    def open(self):
        self.file = open(self.path, "rb")


def main():
    here, there = Reader(__file__), Reader(__file__)
    there.open()
    pickle.dumps(here)


main()
""",
    "a part of another object is set": """\
import pickle


class Head:
    activation = None


class Model:
    def __init__(self):
        self.head = Head()


def main():
    model, other = Model(), Model()
    other.head.activation = lambda x: x
    pickle.dumps(model)


main()
""",
    "a part is indexed afterwards": """\
import pickle


class Shards:
    def __init__(self, path):
        self.path = path
        self.file = None

    def __getitem__(self, index):
        if self.file is None:
            self.file = open(self.path)
        return self.file.readline()


class Dataset:
    def __init__(self, path):
        self.shards = Shards(path)


def main():
    dataset = Dataset(__file__)
    pickle.dumps(dataset)
    print(dataset.shards[0])


main()
""",
    "a table of the class that __new__ fills": """\
import pickle
import threading


class Named:
    locks = {}

    def __new__(cls, name=""):
        made = super().__new__(cls)
        cls.locks[name] = threading.Lock()
        made.name = name
        return made


pickle.dumps(Named("a"))
""",
    "another method is chosen by a text": """\
import pickle


class Loader:
    def __init__(self, backend):
        getattr(self, f"_open_{backend}")()

    def _open_plain(self):
        self.handle = open(__file__)

    def _open_none(self):
        self.handle = None


pickle.dumps(Loader("none"))
""",
    "a copy that is changed back": """\
import dataclasses
import pickle


@dataclasses.dataclass
class Options:
    rows: int = 4
    key: object = None


pickle.dumps(dataclasses.replace(Options(4, lambda row: row), key=None))
""",
    "another entry of a registry": """\
import pickle

BUILDERS = {}


def builder(name):
    def add(fn):
        BUILDERS[name] = fn
        return fn

    return add


@builder("squares")
def squares():
    return (n * n for n in range(3))


@builder("rows")
def rows():
    return [1, 2]


def build(name):
    return BUILDERS[name]()


pickle.dumps(build("rows"))
""",
    "another class of the module by name": """\
import pickle


class Disk:
    def __init__(self):
        self.index = {1: 2}.keys()


class Memory:
    def __init__(self):
        self.index = [1]


def make(name):
    return globals()[name]()


pickle.dumps(make("Memory"))
""",
    "a setter that converts": """\
import pickle


class Table:
    def __init__(self, columns):
        self.names = columns.keys()

    @property
    def names(self):
        return self._names

    @names.setter
    def names(self, value):
        self._names = list(value)


pickle.dumps(Table({"a": 1}))
""",
    "a setter whose attribute is left out": """\
import pickle


class Transform:
    def __init__(self, fn):
        self.fn = fn

    @property
    def fn(self):
        return self._fn

    @fn.setter
    def fn(self, value):
        self._fn = value

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["_fn"]
        return state


pickle.dumps(Transform(lambda x: x))
""",
    "put aside by the caller": """\
import pickle
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()


def save(thing):
    return pickle.dumps(thing)


def main():
    for job in [Job(), Job()]:
        lock, job.lock = job.lock, None
        save(job)
        job.lock = lock


main()
""",
    "put aside in a loop": """\
import pickle
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()


def save(thing):
    return pickle.dumps(thing)


def run(*, job=None, count=2):
    for _ in range(count):
        lock, job.lock = job.lock, None
        save(job)
        job.lock = lock


def main():
    run(job=Job())


main()
""",
    "deleted by the caller": """\
import pickle
import threading


class Job:
    def __init__(self):
        self.lock = threading.Lock()


def save(things):
    return pickle.dumps({"things": things})


def main():
    job = Job()
    del job.lock
    save([job])


main()
""",
}


@pytest.mark.parametrize("program", FAIL.values(), ids=FAIL.keys())
def test_what_fails_is_found(program: str) -> None:
    assert {code for _, code in marks(program) if code.startswith("LP1")}


@pytest.mark.parametrize("program", FINE.values(), ids=FINE.keys())
def test_what_runs_is_not_flagged(program: str) -> None:
    assert not marks(program)


def test_what_is_put_aside_elsewhere_is_still_there() -> None:
    text = FINE["put aside by the caller"]
    assert marks(text.replace("job.lock = job.lock, None", "job.guard = job.lock, None"))
    shipped, restored = "        save(job)\n", "        job.lock = lock\n"
    assert marks(text.replace(shipped + restored, restored + shipped))
