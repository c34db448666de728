"""LP604: what an initializer, the hook or other classes make of what was left out."""

from __future__ import annotations

import pytest

from tests.rules.pickling_hooks import rows
from tests.support import marks

INITIALIZED = """\
import re
from concurrent.futures import ProcessPoolExecutor


class Cache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.known = {{}}

    def lookup(self, key, compute):
        if key not in self.known:
            self.known[key] = compute(key)
        return self.known[key]


class Encoder:
    def __init__(self, alphabet, capacity=100):
        self.alphabet = alphabet
        self.capacity = capacity
        self._prepare()

    def _prepare(self):
        {prepare}

    def __getstate__(self):
        {sent}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._prepare()

    def encode(self, text):
        return [{code} for word in self._words.findall(text)]

    def tell(self):
        return self.shift


class Shifted(Encoder):
    def __init__(self, alphabet, shift):
        super().__init__(alphabet)
        self.shift = shift

    def code(self, word):
        return [self.alphabet.index(each) + self.shift for each in word]

    def plain(self, word):
        return [self.alphabet.index(each) for each in word]


encoder = None


def prepare(given):
    global encoder
    {kept}


def encode_line(line):
    return encoder.encode(line)


def main():
    shifted = Shifted("abcdefghijklmnopqrstuvwxyz", 3)
    with ProcessPoolExecutor(2, initializer=prepare, initargs=(shifted,)) as executor:
        print(list(executor.map(encode_line, ["the lower", "lowest newer"])), shifted.tell())


if __name__ == "__main__":
    main()
"""
_MADE = """\
self._words = re.compile("[a-z]+")
        self._cache = Cache(self.capacity)"""
_LEAN = 'return {"alphabet": self.alphabet, "capacity": self.capacity}'


def _initialized(code: str, prepare: str = _MADE, sent: str = _LEAN, kept: str = "encoder = given") -> list[int]:
    source = INITIALIZED.format(prepare=prepare, sent=sent, code=code, kept=kept)
    return rows(source, "LP604")


@pytest.mark.parametrize(
    "code",
    ["self.code(word)", "self._cache.lookup(word, self.code)", "self._cache.lookup(key=word, compute=self.code)"],
)
def test_an_object_that_the_initializer_keeps(code: str) -> None:
    assert _initialized(code) == [45]


@pytest.mark.parametrize(
    "prepare",
    [
        f"{_MADE}\n        restore(self)",
        f"{_MADE}\n        vars(self).update(defaults())",
        f"{_MADE}\n        Restoring(owner=self)",
        f"{_MADE}\n        Restoring([self])",
        f"{_MADE}\n        self._cache.fill()",
        f"{_MADE}\n        self.shift = 3",
    ],
)
def test_what_makes_the_rest_of_its_state_may_restore_it(prepare: str) -> None:
    assert _initialized("self.code(word)", prepare=prepare) == []


@pytest.mark.parametrize("code", ["self.plain(word)", "self._cache.lookup(word, self.plain)", "self._cache.known"])
def test_an_object_that_the_initializer_keeps_and_whose_method_reads_nothing_that_is_left_out(code: str) -> None:
    assert _initialized(code) == []


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ('return {**_LEAN, "shift": 3}', "encoder = given"),
        ("return {name: value for name, value in self.__dict__.items() if name != '_cache'}", "encoder = given"),
        (_LEAN, "encoder = Encoder(given.alphabet)"),
    ],
)
def test_an_initializer_that_keeps_what_has_it(sent: str, kept: str) -> None:
    assert _initialized("self.code(word)", sent=sent, kept=kept) == []


CRAWLED = """
import multiprocessing as mp
import pickle


class Crawler:
    def __init__(self, told):
        self.told = told
        self.depth = 1

    def __getstate__(self):
        state = dict(self.__dict__)
        del state["told"]
        return state

    def visit(self, url):
        {visit}
        return url, self.depth

    def crawl(self, urls):
        with mp.Pool(2) as pool:
            for url, depth in {visited}:
                self.told(url)


def step(job):
    crawler, url = job
    return crawler.visit(url)


def main():
    crawler = Crawler(print)
    crawler.crawl(["a", "b"])
    {then}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize("visited", ["pool.map(self.visit, urls)", "pool.map(step, [(self, url) for url in urls])"])
def test_of_objects_that_workers_are_seen_to_get_what_only_the_main_process_runs_is_fine(visited: str) -> None:
    def found(visit: str, then: str = "pass") -> list[str]:
        shown = marks(CRAWLED.format(visit=visit, visited=visited, then=then), pedantic=True)
        return [code for _, code in shown if code == "LP604"]

    assert found("pass") == []
    assert found("self.told(url)") == ["LP604"]


def test_of_objects_that_are_only_pickled_any_method_may_be_run() -> None:
    then = "pickle.loads(pickle.dumps(crawler))"
    text = CRAWLED.format(visit="pass", visited="map(self.visit, urls)", then=then)
    assert [code for _, code in marks(text, pedantic=True) if code == "LP604"] == ["LP604"]


MARKED = """
import inspect
import multiprocessing as mp
import threading


class Component:
    {nothing}

    def __getstate__(self):
        state = self.__dict__.copy()
        {hook}
        return state


class Reader(Component):
    _transient = ("_lock",)

    def __init__(self, path):
        self.path = path
        self._lock = threading.Lock()

    def rows(self, n):
        return self.{used}


class Lines(Reader):
    _transient = ("buffer",)

    def __init__(self, path):
        super().__init__(path)
        self.buffer = []


def main():
    reader = Lines("x")
    with mp.get_context("spawn").Pool(2) as pool:
        pool.map(reader.rows, [1, 2])


if __name__ == "__main__":
    main()
"""
_BY_CLASS = [
    """for cls in type(self).__mro__:
            for name in cls.__dict__.get("_transient", ()):
                {does}""",
    """for cls in reversed(self.__class__.mro()):
            for name in getattr(cls, "_transient", ()):
                {does}""",
    """for cls in inspect.getmro(type(self)):
            if "_transient" in vars(cls):
                for name in vars(cls)["_transient"]:
                    {does}""",
    """names = set()
        for cls in type(self).mro():
            names.update(cls.__dict__.get("_transient", ()))
        for name in names:
            {does}""",
]


def _marked(hook: str, used: str, nothing: str = "_transient = ()") -> list[str]:
    text = MARKED.format(hook=hook, used=used, nothing=nothing)
    return [code for _, code in marks(text, pedantic=True) if code in ("LP604", "LP111")]


@pytest.mark.parametrize("nothing", ["_transient = ()", "pass"])
@pytest.mark.parametrize("hook", _BY_CLASS)
def test_a_hook_that_asks_each_class_for_what_it_leaves_out(hook: str, nothing: str) -> None:
    does = "state.pop(name, None)"
    assert _marked(hook.format(does=does), "path", nothing) == []
    assert _marked(hook.format(does=does), "buffer", nothing) == ["LP604"]
    assert _marked(hook.format(does=does), "_lock", nothing) == ["LP604"]


@pytest.mark.parametrize("hook", _BY_CLASS)
@pytest.mark.parametrize("used", ["path", "buffer", "_lock"])
def test_what_is_sent_as_none_is_there(hook: str, used: str) -> None:
    assert _marked(hook.format(does="state[name] = None"), used) == []


@pytest.mark.parametrize("names", ["names_of(self)", "self._names", "type(self)._names", "CONFIG.transient"])
@pytest.mark.parametrize("does", ["state[name] = None", "state.pop(name, None)", "del state[name]"])
def test_names_that_are_not_known_may_be_those_of_any_other_attribute(names: str, does: str) -> None:
    hook = f"for name in {names}:\n            {does}"
    assert [_marked(hook, used) for used in ("path", "buffer", "_lock")] == [[], [], []]


def test_a_hook_that_asks_its_own_class_alone_leaves_in_what_others_name() -> None:
    hook = 'for name in type(self).__dict__.get("_transient", ()):\n            state.pop(name)'
    assert _marked(hook, "path") == ["LP111"]
    assert _marked(hook, "buffer") == ["LP111", "LP604"]
