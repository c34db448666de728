"""Hooks that leave a handle out of the pickled state and make it anew."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from textwrap import dedent, indent
from types import ModuleType

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.diagnostics import Span
from lintpickle.facts.values import Call, Expr
from lintpickle.fixes.edits import apply_edits
from lintpickle.fixes.state_hooks import state_hooks
from lintpickle.interpreter.abstract_values import ProductValue
from lintpickle.interpreter.evaluator import Evaluator
from lintpickle.rules.lock_attribute import LockAttribute
from tests.fixes.helpers import span_of
from tests.support import fixed, marks


def hooked(text: str, value: str, attribute: str = "lock") -> str | None:
    found = state_hooks(text, span_of(text, value), attribute)
    return None if found is None else apply_edits(text, found.edits)


@pytest.fixture
def module() -> Iterator[ModuleType]:
    made = ModuleType("hooked_module")
    sys.modules[made.__name__] = made
    yield made
    del sys.modules[made.__name__]


# What is written


BEFORE = """\
import threading


class Cached:
    def __init__(self):
        self.lock = threading.Lock()  # one for all
        # The cache is filled later.

    def get(self):
        return 1
"""
AFTER = """\
import threading


class Cached:
    def __init__(self):
        self.lock = threading.Lock()  # one for all
        # The cache is filled later.

    def __getstate__(self):
        state = self.__dict__.copy()
        state.pop("lock", None)
        return state

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = threading.Lock()

    def get(self):
        return 1
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("level", ["    ", "  ", "\t"])
def test_hooks_go_below_the_method_in_the_style_of_the_file(newline: str, level: str) -> None:
    before, after = (text.replace("    ", level).replace("\n", newline) for text in (BEFORE, AFTER))
    assert hooked(before, "threading.Lock()") == after


def test_the_last_method_of_a_file_without_a_last_newline() -> None:
    before, _, _ = BEFORE.partition("  # one")
    after, _, _ = AFTER.replace("  # one for all\n        # The cache is filled later.", "").partition(
        "\n\n    def get"
    )
    assert hooked(before, "threading.Lock()") == after


def test_methods_without_blank_lines_between_them_stay_so() -> None:
    text = "import t\nclass A:\n  def __init__(this): this.lock = t.Lock()\n  def get(this): pass\n"
    assert hooked(text, "t.Lock()") == (
        "import t\nclass A:\n  def __init__(this): this.lock = t.Lock()\n"
        '  def __getstate__(this):\n    state = this.__dict__.copy()\n    state.pop("lock", None)\n'
        "    return state\n"
        "  def __setstate__(this, state):\n    this.__dict__.update(state)\n    this.lock = t.Lock()\n"
        "  def get(this): pass\n"
    )


def test_a_call_is_repeated_word_for_word() -> None:
    value = "(\n            open(  # for reading\n                self.path,\n            )\n        )"
    text = f"class A:\n    def __init__(self, path):\n        self.path = path\n        self.f: A = {value}\n"
    result = hooked(text, value, "f")
    assert result is not None
    assert result.endswith(f"        self.__dict__.update(state)\n        self.f = {value}\n")
    found = state_hooks(text, span_of(text, value), "f")
    assert found is not None
    assert found.reads == {"path"}


def test_the_hooks_work(module: ModuleType) -> None:
    result = hooked(BEFORE, "threading.Lock()")
    assert result is not None
    exec(result, vars(module))
    sent = module.Cached()
    sent.extra = [1]
    with sent.lock:
        received = pickle.loads(pickle.dumps(sent))
        assert not received.lock.locked()
    assert received.extra == [1]
    assert sent.lock is not received.lock
    assert not sent.lock.locked()


# Hooks that are there already


def test_hooks_that_we_wrote_are_extended() -> None:
    text = AFTER.replace("  # one for all", "\n        self.ready = threading.Event()")
    result = hooked(text, "threading.Event()", "ready")
    assert result is not None
    assert '("lock", None)\n        state.pop("ready", None)\n        return state\n' in result
    assert "self.lock = threading.Lock()\n        self.ready = threading.Event()\n\n    def get" in result


def test_an_attribute_that_is_made_anew_may_be_read() -> None:
    text = AFTER.replace("  # one for all", "\n        self.ready = threading.Condition(self.lock)")
    found = state_hooks(text, span_of(text, "threading.Condition(self.lock)"), "ready")
    assert found is not None
    assert found.reads == frozenset()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("        return state\n", "        print(state)\n        return state\n", id="more"),
        pytest.param('        state.pop("lock", None)\n', '        del state["lock"]\n', id="del"),
        pytest.param("self.__dict__.copy()", "dict(self.__dict__)", id="other-copy"),
        pytest.param("        self.__dict__.update(state)\n", "        self.__dict__ = state\n", id="other-update"),
        pytest.param("        self.lock = threading.Lock()\n\n", "        self.reset()\n\n", id="other-call"),
        pytest.param("    def __getstate__(self):", "    @final\n    def __getstate__(self):", id="decorated"),
        pytest.param("__setstate__", "__reduce__", id="reduce"),
        pytest.param(
            '        state.pop("lock", None)\n        return state',
            '        state.pop("lock", None); return state',
            id="row",
        ),
    ],
)
def test_other_hooks_are_left_alone(old: str, new: str) -> None:
    text = AFTER.replace("  # one for all", "\n        self.ready = threading.Event()")
    assert old in text
    assert hooked(text, "threading.Event()", "ready") is not None
    assert hooked(text.replace(old, new), "threading.Event()", "ready") is None


# What cannot be repeated

REFUSED = {
    "parameter": "self.f = open(path)",
    "rebound-parameter": "self.path = path\npath = path + '.txt'\nself.f = open(path)",
    "kept-otherwise": "self.path = str(path)\nself.f = open(path)",
    "local": "path = self.path\nself.f = open(path)",
    "conditional": "if path:\n    self.f = open(self.path)",
    "in-try": "try:\n    self.f = open(self.path)\nexcept OSError:\n    raise",
    "early-return": "if not path:\n    return\nself.f = open(self.path)",
    "two-targets": "self.f = f = open(self.path)",
    "unpacked": "self.f, self.g = open(self.path), 1",
    "itself": "self.f = open(self)",
    "walrus": "self.f = open((p := self.path))",
    "super": "self.f = open(super().path)",
    "named-state": "self.f = open(state)",
    "private": "self.__f = open(self.path)",
    "other-object": "path.f = open(self.path)",
}


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in REFUSED.items()])
def test_stores_that_cannot_be_repeated(body: str) -> None:
    text = "class A:\n    def __init__(self, path):\n" + indent(body, " " * 8) + "\n"
    start = text.index("open(")
    value = text[start : text.index("\n", start)].removesuffix(", 1")
    attribute = "__f" if "__f" in body else "f"
    assert hooked(text, value, attribute) is None
    plain = "class A:\n    def __init__(self, path):\n        self.f = open(self.path)\n"
    assert hooked(plain, "open(self.path)", "f") is not None


def test_of_a_parameter_what_the_object_keeps_is_used() -> None:
    head = "class A:\n    def __init__(self, path, mode):\n"
    text = f"{head}        self.path = path\n        self.f = open(path, mode=mode)\n"
    assert hooked(text, "open(path, mode=mode)", "f") is None
    kept = text.replace("self.path = path\n", "self.path = path\n        self.mode = mode\n")
    after = hooked(kept, "open(path, mode=mode)", "f")
    assert after is not None
    assert after.endswith("        self.f = open(self.path, mode=self.mode)\n")


@pytest.mark.parametrize(
    "text",
    [
        "self = A()\nself.f = open('x')\n",
        "def f(self):\n    self.f = open('x')\n",
        "class A:\n    @classmethod\n    def make(cls):\n        cls.f = open('x')\n",
        "class A:\n    async def start(self):\n        self.f = open('x')\n",
        "class A:\n    f = open('x')\n",
        "class A:\n    __slots__ = ()\n    __getstate__ = f\n    def g(self):\n        self.f = open('x')\n",
        "class A:\n    def g(self):\n        def h():\n            self.f = open('x')\n",
        "class A:\n    def g(self):\n        self.f = open('x')\n  broken",
    ],
)
def test_stores_outside_of_plain_methods(text: str) -> None:
    assert hooked(text, "open('x')", "f") is None


# By the rules, with all that they know of the class


def dataset(body: str, more: str = "", base: str = "Dataset", head: str = "") -> str:
    return (
        "import os\nimport queue\nimport sqlite3\nimport tarfile\nimport threading\n"
        "import urllib.request\nimport zipfile\n"
        "from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor\n\n"
        "import h5py\nimport lmdb\nfrom torch.utils.data import Dataset\n\n\n"
        f"{head}class D({base}):\n    def __init__(self, path, mode='r'):\n        self.path = path\n"
        + indent(dedent(body), " " * 8)
        + "\n    def __len__(self):\n        return 1\n"
        + (f"\n{indent(dedent(more), ' ' * 4)}" if more else "")
    )


@pytest.mark.parametrize(
    "body",
    [
        "self.f = open(self.path)\n",
        "self.f = open(self.path, 'rb')\n",
        "self.f = None\nself.f = lmdb.open(self.path, readonly=True)\n",
        "self.f = lmdb.open(os.path.join(self.path, 'a'), **{})\n",
        "self.f = zipfile.ZipFile(self.path)\n",
        "self.f = open(self.path)\nif not mode:\n    return\nself.mode = mode\n",
        "self.f = tarfile.open(self.path, 'r:gz')\n",
        "self.f = h5py.File(self.path, mode='r')\n",
        "self.f = sqlite3.connect(self.path)\n",
        "self.f = threading.RLock()\n",
        "self.f = queue.Queue(maxsize=2)\n",
        "self.f = ThreadPoolExecutor(2)\n",
        "self.setup()\n\ndef setup(self):\n    self.f = open(self.path)\n",
    ],
)
def test_a_dataset_is_mended(body: str) -> None:
    before, _, after = body.partition("\ndef ")
    text = dataset(before, f"def {after}" if after else "")
    assert len(marks(text)) == 1
    result = fixed(text, unsafe=True)
    assert marks(result) == []
    assert 'state.pop("f", None)' in result


@pytest.mark.parametrize(
    ("body", "more"),
    [
        pytest.param("self.f = open(self.path, 'w')\n", "", id="writes"),
        pytest.param("self.f = open(self.path, mode='ab+')\n", "", id="appends"),
        pytest.param("self.mode = mode\nself.f = open(self.path, self.mode)\n", "", id="mode-unknown"),
        pytest.param("self.f = h5py.File(self.path, 'a')\n", "", id="h5-writes"),
        pytest.param("self.f = tarfile.open(self.path, 'w:gz')\n", "", id="tar-writes"),
        pytest.param("self.f = zipfile.ZipFile(*self.path)\n", "", id="starred"),
        pytest.param("self.f = threading.Thread(target=print)\n", "", id="thread"),
        pytest.param("self.f = ProcessPoolExecutor()\n", "", id="processes"),
        pytest.param("self.f = open(self.path)\nself.path = None\n", "", id="path-stored-later"),
        pytest.param("self.f = open(self.name)\n", "@property\ndef name(self):\n    return ''\n", id="property"),
        pytest.param("self.f = open(self.name())\n", "def name(self):\n    return ''\n", id="method"),
        pytest.param("self.f = open(self.path)\n", "def move(self, p):\n    self.path = p\n", id="path-changes"),
        pytest.param("self.f = open(self.path)\n", "def close(self):\n    self.f = None\n", id="closed"),
        pytest.param("self.f = open(self.path)\n", "def close(self):\n    del self.f\n", id="deleted"),
        pytest.param(
            "if mode:\n    self.setup()\n",
            "def setup(self):\n    self.f = open(self.path)\n",
            id="helper-maybe",
        ),
        pytest.param("self.f = queue.Queue()\nself.f.put(path)\n", "", id="queue-filled"),
        pytest.param(
            "self.paths = [path]\nself.f = open(self.paths[0])\n",
            "def add(self, p):\n    self.paths.append(p)\n",
            id="list-grows",
        ),
        pytest.param("self.f = urllib.request.urlopen(self.path)\n", "", id="not-to-be-reopened"),
        pytest.param("self.f = open(self.path)\n", "__slots__ = ('f', 'path')\n", id="slots"),
        pytest.param("self.f = open(self.path)\n", "def __setstate__(self, state):\n    raise KeyError\n", id="hook"),
    ],
)
def test_a_dataset_is_left_alone(body: str, more: str) -> None:
    text = dataset(body, more)
    assert len(marks(text)) == 1
    assert fixed(text, unsafe=True) == text


COPIED = """\
import copy
from torch import nn


def copied(model):
    return copy.deepcopy(model)


"""


@pytest.mark.parametrize(
    ("head", "base"),
    [
        (
            "import copy\nfrom torch import nn\n\n\ndef copied(model):\n    return copy.deepcopy(model)\n\n\n",
            "nn.Module",
        ),
        ("from torch.utils.data import IterDataPipe\n\n\n", "IterDataPipe"),
        ("class B(Dataset):\n    def __setstate__(self, state):\n        pass\n\n\n", "B"),
        ("class B(Dataset):\n    __slots__ = ('x',)\n\n\n", "B"),
        ("class B(Dataset):\n    def __new__(cls, path):\n        return super().__new__(cls)\n\n\n", "B"),
        ("import attr\n\n\n@attr.s(slots=True)\n", "Dataset"),
        ("", "Dataset, threading.Thread"),
    ],
)
def test_a_class_that_is_not_plain_is_left_alone(head: str, base: str) -> None:
    text = dataset("self.f = threading.Lock()\n", base=base, head=head)
    assert [code for _, code in marks(text)].count("LP111") == 1
    assert fixed(text, unsafe=True) == text


def test_all_handles_of_a_class_are_mended() -> None:
    text = dataset(
        """\
        self.file = open(self.path)
        self.lock = threading.Lock()
        self.ready = threading.Condition(self.lock)
        self.setup()
        """,
        "def setup(self):\n    self.env = lmdb.open(self.path)\n",
    )
    assert [code for _, code in marks(text)] == ["LP110", "LP111", "LP111", "LP110"]
    result = fixed(text, unsafe=True)
    assert marks(result) == []
    assert result.count("def __getstate__") == result.count("def __setstate__") == 1
    made = result[result.index("self.__dict__.update(state)") :]
    assert made.index("self.lock = threading.Lock()") < made.index("threading.Condition(self.lock)")


def test_a_handle_that_cannot_be_mended_does_not_keep_the_others_back() -> None:
    text = dataset("name = str(path)\nself.file = open(name)\nself.lock = threading.Lock()\n")
    result = fixed(text, unsafe=True)
    assert [code for _, code in marks(result)] == ["LP110"]
    assert 'state.pop("lock", None)' in result


def test_what_depends_on_a_handle_that_stays_is_left_alone() -> None:
    text = dataset("name = str(path)\nself.file = open(name)\nself.archive = zipfile.ZipFile(self.file)\n")
    assert [code for _, code in marks(text)] == ["LP110", "LP110"]
    assert fixed(text, unsafe=True) == text


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("threading.Lock", True),
        ("multiprocessing.pool.ThreadPool", True),
        ("multiprocessing.Lock", False),
        ("multiprocessing.Event", False),
        ("multiprocessing.Pool", False),
        ("threading.Thread", False),
    ],
)
def test_what_processes_share_is_not_made_anew(path: str, expected: bool) -> None:
    product = load_catalog(()).product(path)
    assert product is not None
    call = Call(Span(0, 0), Expr(Span(0, 0)), ())
    nowhere: Evaluator = None  # type: ignore[assignment]  # a lock has no arguments to evaluate
    assert LockAttribute().can_repeat(ProductValue(product, path, call), nowhere) is expected


def test_fixing_again_changes_nothing() -> None:
    once = fixed(dataset("self.file = open(self.path)\n"), unsafe=True)
    assert fixed(once, unsafe=True) == once
