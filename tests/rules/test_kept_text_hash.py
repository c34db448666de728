"""LP621: kept-text-hash."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import changed, marks


class TestPage(PageTests):
    code = "LP621"


_KEY = """\
import multiprocessing
from dataclasses import dataclass, field


class Key:
    def __init__(self, name, size):
        self.name = name
        self.size = size
        self._hash = hash((name, size))

    def __hash__(self):
        return self._hash

    def __eq__(self, other):
        return (self.name, self.size) == (other.name, other.size)


"""
_TABLE = """\
class Table:
    def __init__(self):
        self._rows = {}

    def add(self, key, value):
        self._rows[key] = value

    def find(self, name, size):
        return self._rows.get(Key(name, size))


def work(table, name):
    print(table.find(name, 1))


def main():
    table = Table()
    table.add(Key("a", 1), 7)
    multiprocessing.Process(target=work, args=(table, "a")).start()


if __name__ == "__main__":
    main()
"""
_DICT = """\
def work(rows, name):
    print(rows[Key(name, 1)])


def main():
    rows = {Key("a", 1): 7}
    multiprocessing.Process(target=work, args=(rows, "a")).start()


if __name__ == "__main__":
    main()
"""
_ITSELF = """\
def work(key, name):
    print(key in {Key(name, 1)})


def main():
    multiprocessing.Process(target=work, args=(Key("a", 1), "a")).start()


if __name__ == "__main__":
    main()
"""
_AT_IMPORT = """\
PRICES = {Key("a", 1): 7}


def work(key):
    print(PRICES[key])


def main():
    multiprocessing.Process(target=work, args=(Key("a", 1),)).start()


if __name__ == "__main__":
    main()
"""
_BACK = """\
def work(name):
    return Key(name, 1)


def main():
    with multiprocessing.Pool(2) as pool:
        print(Key("a", 1) in set(pool.map(work, ["a", "b"])))


if __name__ == "__main__":
    main()
"""


def codes(text: str, pedantic: bool = False) -> list[str]:
    return [code for _, code in marks(text, pedantic=pedantic) if code == "LP621"]


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(_TABLE, id="key of what an object holds"),
        pytest.param(
            changed(_TABLE, ("add(self, key, value)", "add(self, name, value)"), ("[key]", "[Key(name, 1)]")).replace(
                'Key("a", 1), 7', '"a", 7'
            ),
            id="made by the object that holds it",
        ),
        pytest.param(_DICT, id="key of a dict"),
        pytest.param(
            changed(_DICT, ('{Key("a", 1): 7}', '{Key(a, 1): 7 for a in ["a", "b"]}')), id="of a comprehension"
        ),
        pytest.param(changed(_DICT, ('{Key("a", 1): 7}', '{}\n    rows[Key("a", 1)] = 7')), id="set in a dict"),
        pytest.param(_ITSELF, id="the object itself"),
        pytest.param(_AT_IMPORT, id="workers make one at import"),
    ],
)
def test_equal_objects_do_not_find_each_other(use: str) -> None:
    assert codes(_KEY + use) == ["LP621"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("name, size):", "name: str, size):", id="annotated"),
        pytest.param("hash((name, size))", "hash(name)", id="of the text alone"),
        pytest.param("hash((name, size))", "hash((self.name, self.size))", id="of attributes"),
        pytest.param("hash((name, size))", "hash(f'{name}/{size}')", id="of a formatted text"),
        pytest.param("self._hash = hash((", "object.__setattr__(self, '_hash', hash((", id="set by object"),
    ],
)
def test_ways_to_keep_a_hash(old: str, new: str) -> None:
    text = changed(_KEY, (old, new))
    assert codes(
        (text.replace("size)))", "size))") if "object." not in new else text.replace("(name, size))", "(name, size)))"))
        + _ITSELF
    ) == ["LP621"]


_FIELDS = """\
@dataclass(frozen=True)
class Key:
    name: str
    size: int
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self):
        object.__setattr__(self, "_hash", hash((self.name, self.size)))

    def __hash__(self):
        return self._hash


"""


def test_of_the_fields_of_a_dataclass() -> None:
    text = _KEY[: _KEY.index("class Key")] + _FIELDS
    assert codes(text + _DICT) == ["LP621"]
    assert codes(text.replace("name: str", "name: int") + _DICT, pedantic=True) == []


_LAZY = (
    ("hash((name, size))", "None"),
    (
        "        return self._hash",
        "        if self._hash is None:\n            self._hash = hash((self.name, 1))\n        return self._hash",
    ),
)


def test_what_is_hashed_when_it_is_first_asked_for() -> None:
    text = changed(_KEY, *_LAZY)
    assert codes(text + _DICT) == ["LP621"]
    assert codes(text + _ITSELF) == []
    assert codes(text + _ITSELF, pedantic=True) == ["LP621"]


_MAKERS = """\
    @classmethod
    def parse(cls, text):
        name, _, size = text.partition("/")
        return cls(name.lower(), size)

    @staticmethod
    def read(text):
        made = Key(*text.split("/", 1))
        return made

    @classmethod
    def numbered(cls, name, size):
        return cls(name, size)

    @classmethod
    def measured(cls, text):
        return len(cls(*text.split("/")).name)


def key_of(text):
    return Key.parse(text)


"""
_INDEX = """\
class Index:
    def __init__(self):
        self._rows = {}

    def add(self, text):
        self._rows[MADE] = 1

    def has(self, text):
        return SOUGHT in self._rows


def work(index, text):
    print(index.has(text))


def main(text):
    index = Index()
    index.add(text)
    multiprocessing.Process(target=work, args=(index, text)).start()


if __name__ == "__main__":
    main("a/b")
"""


def _index(made: str, sought: str) -> str:
    return _KEY.rstrip() + "\n\n" + _MAKERS + changed(_INDEX, ("MADE", made), ("SOUGHT", sought))


@pytest.mark.parametrize(
    ("made", "sought"),
    [
        pytest.param("Key.parse(text)", "Key.parse(text)", id="classmethod"),
        pytest.param("Key.read(text)", "Key.read(text)", id="staticmethod"),
        pytest.param("key_of(text)", "key_of(text)", id="function that calls a classmethod"),
        pytest.param("Key.parse(text)", "Key(text, 1)", id="classmethod in the main process"),
        pytest.param('Key("a", 1)', "Key.parse(text)", id="classmethod in workers"),
        pytest.param('Key(*text.split("/"))', 'Key(*text.split("/"))', id="unpacked"),
        pytest.param("Key.numbered(text, 1)", "Key.numbered(text, 1)", id="of what the method is given"),
    ],
)
def test_objects_that_functions_make(made: str, sought: str) -> None:
    assert codes(_index(made, sought)) == ["LP621"]


@pytest.mark.parametrize(
    ("made", "sought"),
    [
        pytest.param("Key.numbered(1, 2)", "Key.numbered(1, 2)", id="numbers given"),
        pytest.param("Key.measured(text)", "Key.measured(text)", id="not given back"),
        pytest.param("Key.parse(text)", "(text, 1)", id="workers make none"),
        pytest.param("text", "Key.parse(text)", id="none crosses"),
    ],
)
def test_functions_that_make_what_finds_its_equals(made: str, sought: str) -> None:
    assert codes(_index(made, sought)) == []


def test_what_is_unpacked_may_be_numbers() -> None:
    text = _KEY + changed(_INDEX, ("MADE", "Key(*map(int, text))"), ("SOUGHT", "Key(*map(int, text))"))
    assert codes(text) == []


def test_keys_of_a_dict_that_a_classmethod_makes() -> None:
    text = _KEY.rstrip() + "\n\n" + _MAKERS
    made = changed(_DICT, ('{Key("a", 1): 7}', '{Key.parse("a"): 7}'), ("rows[Key(name, 1)]", "rows[Key.parse(name)]"))
    assert codes(text + made) == ["LP621"]


def test_what_workers_send_back_is_possible() -> None:
    assert codes(_KEY + _BACK) == []
    assert codes(_KEY + _BACK, pedantic=True) == ["LP621"]


@pytest.mark.parametrize(
    ("text", "use"),
    [
        pytest.param(changed(_KEY, ("name, size):", "name: int, size: int):")), _ITSELF, id="numbers by annotation"),
        pytest.param(_KEY, _ITSELF.replace('"a"', "2"), id="numbers given"),
        pytest.param(changed(_KEY, ("hash((name, size))", "hash(len(name))")), _ITSELF, id="a number"),
        pytest.param(changed(_KEY, ("return self._hash", "return hash(self.name)")), _ITSELF, id="taken anew"),
        pytest.param(
            changed(
                _KEY,
                (
                    "    def __hash__",
                    "    def __reduce__(self):\n        return Key, (self.name, self.size)\n\n    def __hash__",
                ),
            ),
            _ITSELF,
            id="made anew",
        ),
        pytest.param(
            changed(
                _KEY,
                (
                    "    def __hash__",
                    "    def __setstate__(self, state):\n        self.__init__(**state)\n\n    def __hash__",
                ),
            ),
            _ITSELF,
            id="taken anew when it is unpickled",
        ),
        pytest.param(_KEY, changed(_ITSELF, ("key in {Key(name, 1)}", "key.name == name")), id="workers make none"),
        pytest.param(
            _KEY, changed(_ITSELF, ('args=(Key("a", 1), "a")', 'args=("k", Key("a", 1).name)')), id="none crosses"
        ),
        pytest.param(
            _KEY,
            changed(_ITSELF, ("multiprocessing.Process", 'multiprocessing.get_context("fork").Process')),
            id="forked",
        ),
        pytest.param(
            _KEY,
            changed(
                _ITSELF,
                (
                    "def main():",
                    "def again():\n    os.environ['PYTHONHASHSEED'] = '0'\n    os.execv('python', [])\n\n\ndef main():",
                ),
            ),
            id="started again with a seed",
        ),
    ],
)
def test_nothing_is_said(text: str, use: str) -> None:
    assert codes(text + use, pedantic=True) == []
