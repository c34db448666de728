"""Objects that are containers themselves: classes that derive from `dict`, `list` and the like."""

from __future__ import annotations

import pytest

from tests.support import lint, marks

TEXT = """\
import collections
import multiprocessing


class Config({base}):
    {body}


class Job:
    def __init__(self, name="", log=None, **others):
        self.name, self.log = name, log


def work(given):
    print(given)


def main():
    config = {made}
    process = multiprocessing.Process(target=work, args=({given},))
    process.start()


if __name__ == "__main__":
    main()
"""
INIT = "def __init__(self, path='', **options):\n        "
PASSED_ON = """def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self"""
BY_OTHER = "def __init__(self):\n        self.read()\n    def read(self):\n        self['log'] = open('log')"
CALLED = "Config('p')"


def codes(base: str, body: str, made: str, given: str = "config") -> list[str]:
    return sorted({code for _, code in marks(TEXT.format(base=base, body=body, made=made, given=given))})


@pytest.mark.parametrize(
    ("base", "body", "made", "code"),
    [
        ("dict", "pass", "Config(name='a', log=open('log'))", "LP110"),
        ("dict", "pass", "Config({'log': open('log')})", "LP110"),
        ("collections.OrderedDict", "pass", "Config(key=lambda row: row)", "LP102"),
        ("collections.UserDict", "pass", "Config(key=lambda row: row)", "LP102"),
        ("dict", INIT + "super().__init__(**options)", "Config(log=open('log'))", "LP110"),
        ("dict", INIT + "dict.__init__(self, options)", "Config(log=open('log'))", "LP110"),
        ("dict", PASSED_ON, "Config(name='a', log=open('log'))", "LP110"),
        ("dict", INIT + "self['key'] = lambda row: row[0]", CALLED, "LP102"),
        ("dict", INIT + "self['key'] = None\n        self['key'] = lambda row: row[0]", CALLED, "LP102"),
        ("dict", INIT + "self.update(key=lambda row: row[0])", CALLED, "LP102"),
        ("dict", INIT + "self.update({'key': lambda row: row[0]})", CALLED, "LP102"),
        ("dict", INIT + "self.setdefault('key', lambda row: row[0])", CALLED, "LP102"),
        ("dict", INIT + "super().update(key=lambda row: row[0])", CALLED, "LP102"),
        ("dict", BY_OTHER, "Config()", "LP110"),
        ("dict", INIT + "self['log'] = open('log')\n    def __getstate__(self):\n        return {}", CALLED, "LP110"),
        ("collections.defaultdict", INIT + "super().__init__(lambda: 0)", CALLED, "LP102"),
        ("list", INIT + "self.append(lambda row: row)", CALLED, "LP102"),
        ("list", INIT + "super().__init__([1, lambda row: row])", CALLED, "LP102"),
        ("list", "pass", "Config([lambda row: row])", "LP102"),
        ("set", INIT + "self.add(lambda row: row)", CALLED, "LP102"),
    ],
)
def test_items_cross_with_their_object(base: str, body: str, made: str, code: str) -> None:
    assert codes(base, body, made) == [code]


@pytest.mark.parametrize(
    ("base", "body", "made"),
    [
        ("dict", "pass", "Config(name='a', log='log')"),
        ("dict", "pass", "Config({open('log'): 'log'}.values())"),
        ("object", INIT + "self['key'] = lambda row: row[0]", CALLED),
        ("dict", INIT + "self['key'] = lambda row: row[0]\n        self['key'] = None", CALLED),
        ("dict", INIT + "self['log'] = open('log')\n        self.pop('log').close()", CALLED),
        ("dict", INIT + "self['log'] = open('log')\n        self.clear()", CALLED),
        ("dict", INIT + "self['log'] = open('log')\n    def __setitem__(self, key, value):\n        pass", CALLED),
        ("dict", INIT + "self['log'] = open('log')\n    def __reduce__(self):\n        return dict, ()", CALLED),
        ("dict", INIT + "super().__init__(path=path)", "Config(log=open('log'))"),
        ("dict", INIT + "pass", "Config(log=open('log'))"),
        ("collections.defaultdict", INIT + "super().__init__(int)", CALLED),
        ("list", INIT + "self.append(lambda row: row)\n    def append(self, value):\n        pass", CALLED),
    ],
)
def test_what_is_no_item_does_not_cross(base: str, body: str, made: str) -> None:
    assert codes(base, body, made) == []


@pytest.mark.parametrize(
    "given",
    ["config['log']", "config.get('log')", "Job(**config)", "Job(log=config['log'])", "dict(config)", "config.copy()"],
)
def test_items_are_read_from_their_object(given: str) -> None:
    assert codes("dict", "pass", "Config(name='a', log=open('log'))", given) == ["LP110"]
    assert codes("dict", INIT + "self['log'] = open('log')", CALLED, given) == ["LP110"]


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ("pass", "config['name']"),
        ("pass", "config.get('name')"),
        ("pass", "Job(config['name'])"),
        ("pass", "list(config)"),
        ("def __getitem__(self, key):\n        return key", "config['log']"),
    ],
)
def test_other_items_are_not_read(body: str, given: str) -> None:
    assert codes("dict", body, "Config(name='a', log=open('log'))", given) == []


def test_the_item_is_named() -> None:
    text = TEXT.format(base="dict", body="pass", made="Config(log=open('log'))", given="config")
    (found,) = lint(text).diagnostics
    assert "kept in `Config['log']`" in found.message
