"""LP220: proxy-item-changed."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.worker_functions import codes


class TestPage(PageTests):
    code = "LP220"


MAIN = (
    "def main():\n    m = mp.Manager()\n    d = m.{made}\n    mp.Process(target=g, args=(d,)).start()\n"
    "if __name__ == '__main__':\n    main()\n"
)


@pytest.mark.parametrize(
    ("change", "made"),
    [
        ("d['a'].append(1)", "dict(a=[])"),
        ("d['a']['b'] = 1", "dict({'a': {}})"),
        ("d[0].extend([1])", "list([[]])"),
        ("d['a'].update(b=1)", "dict(a={})"),
    ],
)
def test_an_item_changed_in_place(change: str, made: str) -> None:
    assert codes(f"def g(d):\n    {change}\n{MAIN.format(made=made)}") == ["LP220"]


@pytest.mark.parametrize(
    ("change", "made"),
    [
        pytest.param("d['a'] = 1", "dict()", id="an item is stored"),
        pytest.param("d.append(1)", "list()", id="the proxy itself is changed"),
        pytest.param("x = d['a']\n    x.append(1)\n    d['a'] = x", "dict(a=[])", id="stored again"),
        pytest.param("d['a'].append(1)", "dict(a=m.list())", id="made by the manager"),
        pytest.param("d['a'].append(1)", "dict()\n    d['a'] = m.list()", id="put in by the manager"),
        pytest.param("print(d['a'].copy())", "dict(a=[])", id="only read"),
        pytest.param("e = {'a': []}\n    e['a'].append(1)", "dict(a=[])", id="a dict of its own"),
    ],
)
def test_nothing_is_lost(change: str, made: str) -> None:
    assert codes(f"def g(d):\n    {change}\n{MAIN.format(made=made)}") == []
