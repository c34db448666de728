"""Whatever way code takes to a boundary, the screens let it through."""

from __future__ import annotations

import pytest

from .support import marks
from .test_screen import OFF, switch_off

HEAD = """\
import copy, functools, multiprocessing, pickle, threading
import torch
import torch.multiprocessing as mp
import torch.utils.data
import torch.utils.data as tud
from concurrent.futures import ProcessPoolExecutor
from torch.utils import data
from torch.utils.data import DataLoader
from torch.utils.data import DataLoader as DL

L = [1]


class DS(data.Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return index


def first(x):
    return x


"""
WAYS = {
    "by its name": "def f():\n    return DataLoaderARGS",
    "by an alias": "def f():\n    return DLARGS",
    "by a star import": (
        "from multiprocessing import *\ndef f():\n    Process(target=first, args=(lambda: 1,)).start()"
    ),
    "a pool by a star import": (
        "from multiprocessing import *\ndef f():\n    with Pool(2) as pool:\n        pool.map(lambda x: x, [1])"
    ),
    "of a module": "def f():\n    return data.DataLoaderARGS",
    "of an alias of a module": "def f():\n    return tud.DataLoaderARGS",
    "by its full path": "def f():\n    return torch.utils.data.DataLoaderARGS",
    "imported there": "def f():\n    from torch.utils.data import DataLoader as X\n    return XARGS",
    "of a module imported there": "def f():\n    import torch.utils.data as x\n    return x.DataLoaderARGS",
    "a subclass": "class Mine(DataLoader):\n    pass\ndef f():\n    return MineARGS",
    "a subclass of that": (
        "class Mine(DataLoader):\n    pass\nclass Mine2(Mine):\n    pass\ndef f():\n    return Mine2ARGS"
    ),
    "another name for it": "Load = DataLoader\ndef f():\n    return LoadARGS",
    "another local name": "def f():\n    load = DataLoader\n    return loadARGS",
    "a wrapper that is passed": (
        "def make(fn):\n    return DataLoader(DS(), num_workers=2, collate_fn=fn)\ndef call(f):\n"
        "    return f(lambda b: b)\ncall(make)"
    ),
    "bound": (
        "load = functools.partial(DataLoader, num_workers=2)\ndef f():\n    return load(DS(), collate_fn=lambda b: b)"
    ),
    "bound there": (
        "def f():\n    load = functools.partial(DataLoader, num_workers=2)\n"
        "    return load(DS(), collate_fn=lambda b: b)"
    ),
    "one of two": "def f(a):\n    return (DataLoader if a else DL)ARGS",
    "in a dictionary": "def f(a):\n    return {'a': DataLoader}['a']ARGS",
    "by getattr": "def f():\n    return getattr(data, 'DataLoader')ARGS",
    "a default": "def f(make=DataLoader):\n    return makeARGS",
    "by keywords": (
        "def f():\n    kw = dict(num_workers=2, collate_fn=lambda b: b)\n    return DataLoader(DS(), **kw)"
    ),
    "wrapped": (
        "def make(ds, **kw):\n    return DataLoader(ds, num_workers=2, **kw)\ndef f():\n"
        "    return make(DS(), collate_fn=lambda b: b)"
    ),
    "wrapped twice": (
        "def make(ds, fn=None):\n    return DataLoader(ds, num_workers=2, collate_fn=fn)\n"
        "def make2(fn):\n    return make(DS(), fn)\nmake2(lambda b: b)"
    ),
    "wrapped, by position": (
        "def make(ds, fn):\n    return DataLoader(ds, num_workers=2, collate_fn=fn)\n"
        "make(DS(), (lambda b: b) if L else first)"
    ),
    "wrapped by a method": (
        "class T:\n    def make(self, fn):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=fn)\n    def f(self):\n"
        "        return self.make(lambda b: b)"
    ),
    "kept by an object": (
        "class T:\n    def __init__(self, fn):\n        self.fn = fn\n    def f(self):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=self.fn)\nT(lambda b: b).f()"
    ),
    "kept by a derived object": (
        "class T:\n    def __init__(self, fn):\n        self.fn = fn\n    def f(self):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=self.fn)\nclass T2(T):\n"
        "    def __init__(self):\n        super().__init__(lambda b: b)\nt = T2()"
    ),
    "a static method": (
        "class T:\n    @staticmethod\n    def make(fn):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=fn)\nT.make(lambda b: b)"
    ),
    "a class method": (
        "class T:\n    @classmethod\n    def make(cls, fn):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=fn)\nT.make(lambda b: b)"
    ),
    "in a comprehension": (
        "def make(fn):\n    return DataLoader(DS(), num_workers=2, collate_fn=fn)\n"
        "x = [make(fn) for fn in (lambda b: b, first)]"
    ),
    "by all arguments": (
        "def make(*a, **k):\n    return DataLoader(*a, num_workers=2, **k)\nmake(DS(), collate_fn=lambda b: b)"
    ),
    "another name for a wrapper": (
        "def make(fn):\n    return DataLoader(DS(), num_workers=2, collate_fn=fn)\nbuild = make\nbuild(lambda b: b)"
    ),
    "torch.save": "def f():\n    torch.save({'a': lambda: 1}, 'x')",
    "torch.save, imported there": "def f():\n    from torch import save\n    save(lambda: 1, 'x')",
    "pickle.dump": "def f():\n    with open('x', 'wb') as g:\n        pickle.dump(lambda: 1, g)",
    "another name for pickle.dumps": "d = pickle.dumps\ndef f():\n    d(lambda: 1)",
    "a process": "def f():\n    mp.Process(target=first, args=(lambda: 1,)).start()",
    "of a context": "def f():\n    mp.get_context('spawn').Process(target=first, args=(lambda: 1,)).start()",
    "of a context of the module": (
        "ctx = multiprocessing.get_context('spawn')\ndef f():\n    ctx.Process(target=first, args=(lambda: 1,)).start()"
    ),
    "a class of processes": (
        "class P(multiprocessing.Process):\n    def __init__(self):\n        super().__init__()\n"
        "        self.f = lambda: 1\ndef f():\n    P().start()"
    ),
    "a pool": "def f():\n    with multiprocessing.Pool(2) as pool:\n        pool.map(lambda x: x, [1])",
    "a pool of the module": "pool = multiprocessing.Pool(2)\ndef f():\n    pool.map(lambda x: x, [1])",
    "a pool of an object": (
        "class T:\n    def __init__(self):\n        self.pool = multiprocessing.Pool(2)\n"
        "    def f(self):\n        self.pool.map(lambda x: x, [1])"
    ),
    "an executor of an object": (
        "class T:\n    def __init__(self):\n        self.setup()\n    def setup(self):\n"
        "        self.p = ProcessPoolExecutor()\n    def f(self):\n"
        "        return self.p.submit(lambda x: x, 1)"
    ),
    "a pool that is returned": (
        "def get():\n    return multiprocessing.Pool(2)\ndef f():\n    p = get()\n    p.map(lambda x: x, [1])"
    ),
    "a pool that is returned, at once": (
        "def get():\n    return multiprocessing.Pool(2)\ndef f():\n    get().map(lambda x: x, [1])"
    ),
    "a pool that is passed": "def f(p):\n    p.map(lambda x: x, [1])\nf(multiprocessing.Pool(2))",
    "an object that is called": (
        "class T:\n    def __call__(self, fn):\n"
        "        return DataLoader(DS(), num_workers=2, collate_fn=fn)\nT()(lambda b: b)"
    ),
    "an executor": "def f():\n    with ProcessPoolExecutor() as e:\n        e.submit(lambda: 1)",
    "a class of executors": "class E(ProcessPoolExecutor):\n    pass\ndef f():\n    E().submit(lambda: 1)",
    "a class of pools": (
        "import multiprocessing.pool\nclass P(multiprocessing.pool.Pool):\n    pass\n"
        "class T:\n    def __init__(self):\n        self.p = P(2)\n    def f(self):\n"
        "        self.p.map(lambda x: x, [1])"
    ),
    "a queue": "q = mp.Queue()\ndef f():\n    q.put(lambda: 1)",
    "mp.spawn": "def f():\n    mp.spawn(lambda i: 1, nprocs=2)",
    "in a local function": "def f():\n    def g():\n        return DataLoaderARGS\n    return g",
    "in a lambda": "f = lambda: DataLoaderARGS",
    "in a decorated function": "@first\ndef f():\n    return DataLoaderARGS",
    "in a list": "def f():\n    return [DataLoaderARGS for _ in L]",
    "by condition": "def f():\n    return DataLoaderARGS if L else None",
    "by a walrus": "def f():\n    if (x := DataLoaderARGS):\n        return x",
    "behind a backslash": "def f():\n    return data.\\\n        DataLoaderARGS",
    "in brackets": "def f():\n    return (data\n        .DataLoader)ARGS",
    "in a constructor": (
        "class Mine(DataLoader):\n    def __init__(self, ds):\n"
        "        super().__init__(ds, num_workers=2, collate_fn=lambda b: b)\nMine(DS())"
    ),
    "by the constructor of the base": (
        "class Mine(DataLoader):\n    def __init__(self, ds):\n"
        "        DataLoader.__init__(self, ds, num_workers=2, collate_fn=lambda b: b)\nMine(DS())"
    ),
    "in a constructor, by an alias": (
        "class Mine(DL):\n    def __init__(self, ds):\n"
        "        super().__init__(ds, num_workers=2, collate_fn=lambda b: b)\nMine(DS())"
    ),
    "in a constructor, derived twice": (
        "class Mine(DataLoader):\n    pass\nclass Mine2(Mine):\n    def __init__(self, ds):\n"
        "        super().__init__(ds, num_workers=2, collate_fn=lambda b: b)\nMine2(DS())"
    ),
    "in a constructor of a process": (
        "class P(mp.Process):\n    pass\nclass P2(P):\n    def __init__(self):\n"
        "        super().__init__(target=lambda: 1)\nP2().start()"
    ),
    "by the constructor of a base of its own": (
        "class Mine(DataLoader):\n    def __init__(self, ds, n, fn=None):\n"
        "        super().__init__(ds, num_workers=n, collate_fn=fn)\nclass Mine2(Mine):\n"
        "    def __init__(self, ds):\n        super().__init__(ds, 2, lambda b: b)\nMine2(DS())"
    ),
    "by the constructor of such a base, named": (
        "class Mine(DataLoader):\n    def __init__(self, ds, n, fn=None):\n"
        "        super().__init__(ds, num_workers=n, collate_fn=fn)\nclass Mine2(Mine):\n"
        "    def __init__(self, ds):\n        Mine.__init__(self, ds, 2, fn=lambda b: b)\nMine2(DS())"
    ),
    "copy.deepcopy": (
        "class H:\n    def __init__(self):\n        self.l = threading.Lock()\ndef f():\n    return copy.deepcopy(H())"
    ),
    "copy.deepcopy of itself": (
        "class H:\n    def __init__(self):\n        self.l = threading.Lock()\n    def f(self):\n"
        "        return copy.deepcopy(self)"
    ),
    "an executor of an own class, of the module": (
        "class E(ProcessPoolExecutor):\n    pass\ne = E()\ndef f():\n    e.submit(lambda: 1)"
    ),
}
LOST = {
    "in a dictionary of the module": "LOADERS = {'a': DataLoader}\ndef f(a):\n    return LOADERS['a']ARGS",
    "an attribute of the class": (
        "class T:\n    loader = DataLoader\n    def f(self):\n        return self.loaderARGS"
    ),
    "an attribute": (
        "class T:\n    def __init__(self):\n        self.loader = DataLoader\n    def f(self):\n"
        "        return self.loaderARGS"
    ),
    "returned": "def get():\n    return DataLoader\ndef f():\n    return get()ARGS",
}
"""What the screens leave out although it is there to be found."""
UNSEEN = {
    "passed": "def f(make):\n    return makeARGS\nf(DataLoader)",
    "a wrapper that is bound": (
        "def make(ds, fn):\n    return DataLoader(ds, num_workers=2, collate_fn=fn)\n"
        "g = functools.partial(make, fn=lambda b: b)\ng(DS())"
    ),
    "a pool that is made later": (
        "pool = None\ndef init():\n    global pool\n    pool = multiprocessing.Pool(2)\ndef f():\n"
        "    pool.map(lambda x: x, [1])"
    ),
    "in the body of a class": "class T:\n    loader = DataLoaderARGS",
    "by getattr, in the module": "X = getattr(data, 'DataLoader')\ndef f():\n    return XARGS",
    "copy.deepcopy, handed on": (
        "class H:\n    def __init__(self):\n        self.l = threading.Lock()\ndef f():\n"
        "    return [*map(copy.deepcopy, [H()])]"
    ),
}
"""What is not found without screens either."""


def _text(way: str) -> str:
    return HEAD + way.replace("ARGS", "(DS(), num_workers=2, collate_fn=lambda b: b)") + "\n"


def _is_let_through(way: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    screened = marks(_text(way))
    switch_off(OFF, monkeypatch)
    everything = marks(_text(way))
    assert everything, "there is something to be found"
    return screened == everything


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_every_way_to_a_boundary_is_let_through(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_let_through(way, monkeypatch)


@pytest.mark.xfail(reason="the screens do not see it", strict=True)
@pytest.mark.parametrize("way", LOST.values(), ids=LOST)
def test_what_the_screens_leave_out(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _is_let_through(way, monkeypatch)


@pytest.mark.xfail(reason="it is not followed", strict=True)
@pytest.mark.parametrize("way", UNSEEN.values(), ids=UNSEEN)
def test_what_is_not_followed(way: str) -> None:
    assert marks(_text(way))
