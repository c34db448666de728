"""What a test of a value excludes does not flow past it."""

from __future__ import annotations

import pytest

from tests.loading import HEAD
from tests.support import lint

SILENT = {
    "an object of the program is no queue": """\
import multiprocessing
import threading

class Loader:
    def __init__(self):
        self.queue = multiprocessing.Queue(4)
        self.thread = threading.Thread(target=work)

def track(source):
    if not isinstance(source, multiprocessing.queues.Queue):
        source = source.queue
    multiprocessing.Process(target=work, args=(source,)).start()

track(Loader())
""",
    "a defaultdict turned into a dict": """\
import collections

def plain(tree):
    if isinstance(tree, collections.defaultdict):
        tree = {name: plain(branch) for name, branch in tree.items()}
    return tree

def save():
    grown = lambda: collections.defaultdict(grown)
    tree = grown()
    tree["a"]["b"] = 1
    pickle.dumps(plain(tree))

save()
""",
    "a counter is a dict": """\
import collections

def plain(counts):
    if isinstance(counts, (dict, list)):
        return list(counts)
    return counts

pickle.dumps(plain(collections.Counter(str(x) for x in range(3))))
pickle.dumps(plain(collections.defaultdict(lambda: 0)))
""",
    "a file of a library": """\
import zipfile

def name_of(source):
    if isinstance(source, zipfile.ZipFile):
        source = source.filename
    return source

pickle.dumps(name_of(zipfile.ZipFile("a.zip")))
""",
    "isinstance dispatch": """\
def save(thing, path):
    if isinstance(thing, dict):
        with open(path, "wb") as file:
            pickle.dump(thing, file)
    else:
        thing.write(path)

save((x for x in [1]), "a")
""",
    "mmengine": """\
def track(func, tasks):
    if isinstance(tasks, tuple):
        assert len(tasks) == 2
        tasks = tasks[0]
    pool = Pool(2)
    return pool.map(func, tasks)

track(work, ((x for x in range(3)), 3))
""",
    "list conversion": """\
def track(tasks):
    if not isinstance(tasks, list):
        tasks = list(tasks)
    pickle.dumps(tasks)

track(x for x in range(3))
""",
    "narrow raise": """\
def track(tasks):
    if not isinstance(tasks, (list, tuple)):
        raise TypeError
    pickle.dumps(tasks)

track(x for x in range(3))
""",
    "narrow assert": """\
def track(tasks):
    assert isinstance(tasks, list)
    pickle.dumps(tasks)

track(x for x in range(3))
""",
    "a loader is no list": """\
class Loader(DataLoader):
    def __init__(self, rows):
        self.turns = (row for row in rows)

def track(rows):
    assert isinstance(rows, list)
    pickle.dumps(rows)

track(Loader([1]))
""",
    "narrow else": """\
def track(tasks):
    if inspect.isgenerator(tasks):
        return list(tasks)
    else:
        return pickle.dumps(tasks)

track(x for x in range(3))
""",
    "types generator": """\
def track(tasks):
    if isinstance(tasks, types.GeneratorType):
        tasks = list(tasks)
    return pickle.dumps(tasks)

track(x for x in range(3))
""",
    "hasattr": """\
def track(tasks):
    if not hasattr(tasks, "__len__"):
        tasks = list(tasks)
    return pickle.dumps(tasks)

track(x for x in range(3))
""",
    "callable": """\
def track(transform):
    if callable(transform):
        transform = transform(1)
    return pickle.dumps(transform)

track(lambda x: x)
""",
    "type is": """\
def track(tasks):
    if type(tasks) is list:
        return pickle.dumps(tasks)
    return None

track(x for x in range(3))
""",
    "none default": """\
def track(collate=None):
    if collate is None:
        return pickle.dumps(collate)
    return collate(1)

track(lambda x: x)
""",
    "own class": """\
class Wrapper:
    def __init__(self, items):
        self.items = items
        self.lock = threading.Lock()

def track(tasks):
    if isinstance(tasks, Wrapper):
        tasks = tasks.items
    return pickle.dumps(tasks)

track(Wrapper([1]))
""",
    "subclass test": """\
class Base:
    pass

class Wrapper(Base):
    def __init__(self, items):
        self.items = items
        self.lock = threading.Lock()

def track(tasks):
    if isinstance(tasks, Base):
        return tasks.items
    return pickle.dumps(tasks)

track(Wrapper([1]))
""",
    "isinstance str in local": """\
def track(flag):
    tasks = (x for x in range(3)) if flag else [1]
    if not isinstance(tasks, list):
        tasks = list(tasks)
    return pickle.dumps(tasks)
""",
    "in comprehension": """\
def track(options):
    pickle.dumps({k: v for k, v in options.items() if not callable(v)})

track({"a": 1, "b": lambda: 1})
""",
    "ternary": """\
def track(tasks):
    pickle.dumps(list(tasks) if inspect.isgenerator(tasks) else tasks)

track(x for x in range(3))
""",
    "is_dataclass": """\
from dataclasses import dataclass, field, is_dataclass


@dataclass
class Options:
    key: object = field(default_factory=lambda: (lambda row: row))


def track(part):
    pickle.dumps(part.__class__.__name__ if is_dataclass(part) else part)

track(Options())
""",
    "fields of a dataclass": """\
from dataclasses import dataclass, field, is_dataclass


@dataclass
class Options:
    key: object = field(default_factory=lambda: (lambda row: row))


def track(part):
    pickle.dumps(1 if hasattr(part, "__dataclass_fields__") else part)

track(Options())
""",
    "attr isinstance": """\
class Box:
    def __init__(self, tasks):
        if not isinstance(tasks, list):
            tasks = list(tasks)
        self.tasks = tasks

pickle.dumps(Box(x for x in range(3)))
""",
    "attr isinstance two": """\
class Box:
    def __init__(self, tasks):
        self.tasks = tasks if isinstance(tasks, list) else list(tasks)

pickle.dumps(Box(x for x in range(3)))
""",
    "mmengine exact": """\
from collections.abc import Iterable
def track_parallel_progress(func, tasks, nproc):
    if isinstance(tasks, tuple):
        assert len(tasks) == 2
        assert isinstance(tasks[0], Iterable)
        assert isinstance(tasks[1], int)
        task_num = tasks[1]
        tasks = tasks[0]
    elif isinstance(tasks, Iterable):
        task_num = len(tasks)
    else:
        raise TypeError('"tasks" must be an iterable object or a (iterator, int) tuple')
    pool = Pool(nproc)
    gen = pool.imap(func, tasks)

track_parallel_progress(work, [1, 2, 3], 2)
""",
    "either of two types": """\
def track(tasks):
    if isinstance(tasks, list) or isinstance(tasks, tuple):
        return pickle.dumps(tasks)
    return None

track(x for x in range(3))
""",
    "abstract types by their methods": """\
from collections.abc import Iterable, Sized

class Bag:
    def __init__(self):
        self.lock = threading.Lock()

    def __len__(self):
        return 1

    def __iter__(self):
        return iter([1])

def ship(bag):
    if isinstance(bag, Sized):
        bag = len(bag)
    pickle.dumps(bag)

def ship_some(bag):
    if isinstance(bag, Iterable):
        return
    pickle.dumps(bag)

ship(Bag())
ship_some(Bag())
""",
    "abstract types whose methods are not there": """\
from typing import Sized

class Box:
    def __init__(self):
        self.lock = threading.Lock()

def ship(box):
    if isinstance(box, Sized):
        pickle.dumps(box)

ship(Box())
""",
    "hasattr of a module that has it": """\
def run():
    def target():
        pass
    if hasattr(mp, "get_context"):
        context = mp.get_context("fork")
    else:
        context = mp
    context.Process(target=target).start()
""",
    "a branch that the module does not take": """\
FAST = False
if FAST:
    scale = lambda image: image
else:
    scale = len

def run():
    pickle.dumps(scale)
""",
}
REPORTED = {
    "an object whose base may be a queue": """\
import multiprocessing
import threading
from elsewhere import Base

class Loader(Base):
    def __init__(self):
        self.thread = threading.Thread(target=work)

def track(source):
    if isinstance(source, multiprocessing.queues.Queue):
        multiprocessing.Process(target=work, args=(source,)).start()

track(Loader())
""",
    "a defaultdict is kept": """\
import collections

def plain(tree):
    if not isinstance(tree, collections.defaultdict):
        tree = dict(tree)
    return tree

pickle.dumps(plain(collections.defaultdict(lambda: 0)))
""",
    "a UserDict is no dict": """\
import collections

def plain(tree):
    if isinstance(tree, (dict, list)):
        return list(tree)
    return tree

pickle.dumps(plain(collections.UserDict(start=lambda: 0)))
""",
    "a file of a library is kept": """\
import zipfile

def opened(source):
    if not isinstance(source, zipfile.ZipFile):
        return None
    return source

pickle.dumps(opened(zipfile.ZipFile("a.zip")))
""",
    "isinstance dispatch dict": """\
def save(thing, path):
    if isinstance(thing, dict):
        with open(path, "wb") as file:
            pickle.dump(thing, file)
    else:
        thing.write(path)

save({"a": lambda: 1}, "a")
""",
    "no conversion": """\
def track(tasks):
    if not isinstance(tasks, list):
        print("odd")
    pickle.dumps(tasks)

track(x for x in range(3))
""",
    "own class other test": """\
class Wrapper:
    def __init__(self, items):
        self.items = items
        self.lock = threading.Lock()

def track(tasks):
    if isinstance(tasks, (list, tuple)):
        tasks = tasks[0]
    return pickle.dumps(tasks)

track(Wrapper([1]))
""",
    "attr no conversion": """\
class Box:
    def __init__(self, tasks):
        self.tasks = tasks

pickle.dumps(Box(x for x in range(3)))
""",
    "the test holds": """\
def track(tasks):
    if isinstance(tasks, types.GeneratorType):
        return pickle.dumps(tasks)
    return None

track(x for x in range(3))
""",
    "the item of a tuple": """\
def track(tasks):
    if isinstance(tasks, tuple):
        tasks = tasks[0]
    pickle.dumps(tasks)

track(((x for x in range(3)), 3))
""",
    "two types": """\
def track(tasks):
    if not isinstance(tasks, list) and not isinstance(tasks, tuple):
        return pickle.dumps(tasks)
    return None

track(x for x in range(3))
""",
    "a class that decides itself": """\
class Meta(type):
    def __instancecheck__(cls, thing):
        return True

class Lazy(metaclass=Meta):
    pass

def track(tasks):
    if isinstance(tasks, Lazy):
        return pickle.dumps(tasks)
    return None

track(x for x in range(3))
""",
    "a store in the branch": """\
def make(flag):
    data = Data() if flag else None
    if isinstance(data, Data):
        data.transform = lambda x: x
    return DataLoader(data, num_workers=2)
""",
    "a store behind the test": """\
def make():
    data = Data()
    assert isinstance(data, Data)
    data.transform = lambda x: x
    return DataLoader(data, num_workers=2)
""",
    "a list that grows": """\
def make(names):
    found = list(names)
    if not found:
        found.append(lambda x: x)
    pickle.dumps(found)
""",
    "abstract types by their methods": """\
from collections.abc import Sized

class Bag:
    def __init__(self):
        self.lock = threading.Lock()

    def __len__(self):
        return 1

def ship(bag):
    if isinstance(bag, Sized):
        pickle.dumps(bag)

ship(Bag())
""",
    "abstract types for which more is asked": """\
from collections.abc import Collection

class Bag:
    def __init__(self):
        self.lock = threading.Lock()

    def __len__(self):
        return 1

def ship(bag):
    if isinstance(bag, Collection):
        bag = list(bag)
    pickle.dumps(bag)

ship(Bag())
""",
    "hasattr of a module that may have it": """\
def run():
    def target():
        pass
    if hasattr(mp, "set_names"):
        context = mp.get_context("fork")
    else:
        context = mp
    context.Process(target=target).start()
""",
    "a branch that the module takes": """\
FAST = True
if FAST:
    scale = lambda image: image
else:
    scale = len

def run():
    pickle.dumps(scale)
""",
    "a branch that a module may take": """\
FAST = argparse.ArgumentParser().parse_args().fast
if FAST:
    scale = lambda image: image
else:
    scale = len

def run():
    pickle.dumps(scale)
""",
    "no dataclass": """\
from dataclasses import dataclass, field, is_dataclass


class Options:
    def __init__(self):
        self.key = lambda row: row


def track(part):
    pickle.dumps(1 if is_dataclass(part) else part)

track(Options())
""",
    "a dataclass that is kept": """\
from dataclasses import dataclass, field, is_dataclass


@dataclass
class Options:
    key: object = field(default_factory=lambda: (lambda row: row))


def track(part):
    pickle.dumps(part if is_dataclass(part) else 1)

track(Options())
""",
    "hasattr that holds": """\
def track(tasks):
    if hasattr(tasks, "__next__"):
        pickle.dumps(tasks)

track(x for x in range(3))
""",
}


def _found(text: str) -> list[str]:
    return [each.code for each in lint(HEAD + text).diagnostics if each.code != "LP203"]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_a_test_excludes_is_silent(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("text", REPORTED.values(), ids=REPORTED)
def test_what_a_test_lets_through_is_reported(text: str) -> None:
    assert _found(text) != []


FIELDS = """
@dataclass
class Inner:
    scale: int = 1

@dataclass
class Config{more}
    inner: object = None

def transform(config):
    parts = [work]
    if hasattr(config, "scale") and config.scale:
        parts.append(lambda row: row)
    return parts

def main():
    config = Config(Inner())
    {stores}
    DataLoader(transform(config), num_workers=2)
"""


def test_a_field_that_a_dataclass_lacks() -> None:
    assert _found(FIELDS.format(more=":", stores="pass")) == []


@pytest.mark.parametrize(
    ("more", "stores"),
    [
        (":\n    scale: int = 2", "pass"),
        ("(Inner):", "pass"),
        ("(argparse.Namespace):", "pass"),
        (":\n    def set_scale(self):\n        self.scale = 2", "config.set_scale()"),
        (":\n    def __getattr__(self, name):\n        return getattr(self.inner, name)", "pass"),
        (":", "config.scale = 2"),
        (":", "setattr(config, input(), 2)"),
    ],
)
def test_a_field_that_a_dataclass_may_have(more: str, stores: str) -> None:
    assert _found(FIELDS.format(more=more, stores=stores)) == ["LP102"]


ITEMS = """
import importlib

class Schema(dict):
    def __init__(self, name):
        self.module = importlib.import_module(name)

settings = {}

def register(name):
    settings[name] = Schema(name)

def create(name, other=None):
    %s
    raise ValueError(name)

register("resnet")
pickle.dumps(create("resnet"))
"""


@pytest.mark.parametrize(
    "body",
    [
        "if isinstance(settings[name], Schema):\n        pass\n"
        "    elif hasattr(settings[name], 'x'):\n        return settings[name]",
        "if not isinstance(settings[name], Schema):\n        return settings[name]",
        "if isinstance(settings[name], Schema):\n        return None\n    return settings[name]",
        "if isinstance(settings[name], (list, Schema)):\n        return None\n    else:\n        return settings[name]",
        "assert not isinstance(settings[name], Schema)\n    return settings[name]",
        "return None if isinstance(settings[name], Schema) else settings[name]",
    ],
)
def test_an_item_that_a_test_excludes_is_silent(body: str) -> None:
    assert _found(ITEMS % body) == []


@pytest.mark.parametrize(
    "body",
    [
        "if isinstance(settings[name], Schema):\n        return settings[name]",
        "if not isinstance(settings[name], list):\n        return settings[name]",
        "if isinstance(settings[name], Schema):\n        pass\n    return settings[name]",
        "if isinstance(settings[name], Schema):\n        return None\n    register(name)\n    return settings[name]",
        "if isinstance(settings[name], Schema):\n        name = other\n    return settings[name]",
        "if not isinstance(settings[other], Schema):\n        return settings[name]",
        "if not isinstance(settings[name], Schema):\n        register(name)\n        return settings[name]",
        "if not isinstance(settings[name], Schema):\n        name = other\n        return settings[name]",
        "if not isinstance(settings[name], Schema):\n"
        "        for name in ('a', 'b'):\n            return settings[name]",
    ],
)
def test_an_item_that_a_test_lets_through_is_reported(body: str) -> None:
    assert "LP113" in _found(ITEMS % body)


LEFT = """
import torch

class Plan:
    def __init__(self):
        self.step = lambda epoch: epoch
    %s

def save(given):
    plan = Plan()
    lock = threading.Lock()
    pickle.dumps(%s)
"""


@pytest.mark.parametrize(
    "value",
    [
        "plan and plan.__class__.__name__",
        "plan and given and 1",
        "lock and lock.locked()",
        "work and 1",
        "not plan or 1",
    ],
)
def test_what_is_true_is_not_the_value_of_and(value: str) -> None:
    assert _found(LEFT % ("pass", value)) == []


@pytest.mark.parametrize(
    ("more", "value"),
    [
        ("def __len__(self):\n        return 0", "plan and 1"),
        ("def __bool__(self):\n        return False", "plan and 1"),
        ("pass", "given and plan"),
        ("pass", "plan or 1"),
        ("pass", "given and lock"),
    ],
)
def test_what_may_be_the_value_of_and_or_or(more: str, value: str) -> None:
    assert _found(LEFT % (more, value)) != []


SPECIAL = """
class Videos(Data{bases}:
    paths = []
    {has}

class Watched(Dataset):
    def __init__(self, dataset):
        self.dataset = dataset
        if hasattr(self.dataset, "__getitems__") and self.dataset.__getitems__:
            def __getitems__(indexes):
                return self.dataset.__getitems__(indexes)
            self.__getitems__ = __getitems__

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, index):
        return self.dataset[index]

def main():
    dataset = Watched(Videos())
    for batch in DataLoader(dataset, num_workers=2):
        print(batch)

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("bases", "has"),
    [(")", "pass"), (", object)", "def __getitem__(self, index):\n        return index")],
)
def test_a_special_method_that_a_class_lacks(bases: str, has: str) -> None:
    assert _found(SPECIAL.format(bases=bases, has=has)) == []


@pytest.mark.parametrize(
    ("bases", "has"),
    [
        (")", "def __getitems__(self, indexes):\n        return indexes"),
        (")", "__getitems__ = Data.__getitem__"),
        (")", "def __getattr__(self, name):\n        return getattr(self.paths, name)"),
        (", metaclass=Kept)", "pass"),
        (", mp.Mixin)", "pass"),
    ],
)
def test_a_special_method_that_a_class_may_have(bases: str, has: str) -> None:
    assert "LP103" in _found(SPECIAL.format(bases=bases, has=has))
