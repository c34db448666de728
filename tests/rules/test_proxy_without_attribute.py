"""LP133: proxy-without-attribute."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pages import PageTests
from tests.support import changed, lint_files, marks


class TestPage(PageTests):
    code = "LP133"


HEAD = """\
import multiprocessing as mp
from multiprocessing.managers import BaseManager, NamespaceProxy, SyncManager


class Budget:
    kinds = ("news", "shop")

    def __init__(self, credits=3):
        self.credits = credits
        self.rows = []

    def spend(self):
        self.credits -= 1
        return self.exhausted

    def _log(self):
        pass

    @property
    def exhausted(self):
        return self.credits <= 0

    def __len__(self):
        return self.credits

    def __getitem__(self, key):
        return self.rows[key]

    def __setitem__(self, key, row):
        self.rows[key] = row

    def __call__(self):
        return self.credits


class Manager(BaseManager):
    pass


Manager.register("Budget", Budget)


"""
MAIN = HEAD + "def main():\n    with Manager() as m:\n        b = m.Budget(3)\n        {use}\n\n\nmain()\n"


def _found(text: str) -> list[int]:
    return [row for row, code in marks(text) if code == "LP133"]


@pytest.mark.parametrize(
    "use",
    [
        *("print(b.exhausted)", "b.credits", "b._log()", "x = [b.rows]", "print(b.kinds)", "if not b.exhausted: pass"),
        *("b.credits = 5", "len(b)", "b[0]", "b[0] = 1", "b()", "for row in b: pass", "list(b)", "print(1 in b)"),
        "print(m.Budget(3).exhausted)",
    ],
)
def test_what_a_proxy_lacks(use: str) -> None:
    assert len(_found(MAIN.format(use=use))) == 1


@pytest.mark.parametrize(
    "use",
    [
        *("b.spend()", "print(b)", "b.note = 5", "x = b.spend", "print(b == 3, bool(b))", "b.missing"),
        *("c = Budget(); c.exhausted; len(c); c.credits = 5", "hasattr(b, 'credits') and b.credits"),
        *("b = [1] if m else m.Budget(); b[0]", "b = Budget(); len(b)"),
    ],
)
def test_what_is_right(use: str) -> None:
    assert _found(MAIN.format(use=use)) == []


def test_code_that_is_ready_for_the_error() -> None:
    use = "try:\n            b.exhausted\n        except AttributeError:\n            pass"
    assert _found(MAIN.format(use=use)) == []


@pytest.mark.parametrize(
    ("registered", "count"),
    [
        ("Manager.register('Budget', callable=Budget)", 1),
        ("Manager.register(typeid='Budget', callable=Budget, exposed=None)", 1),
        ("budget = Budget()\nManager.register('Budget', lambda _: budget)", 1),
        ("Manager.register('Budget', Budget)\nManager.register('Budget')", 1),
        ("Manager.register('Budget', Budget, NamespaceProxy)", 0),
        ("Manager.register('Budget', Budget, exposed=['spend'])", 0),
        ("Manager.register('Budget', Budget)\nManager.register('Budget', Budget, NamespaceProxy)", 0),
        ("Manager.register('Budget', Budget)\nManager.register('Budget', dict)", 0),
        ("class Other(BaseManager): pass\nOther.register('Budget', Budget)", 0),
    ],
)
def test_how_it_is_registered(registered: str, count: int) -> None:
    text = changed(MAIN.format(use="b.exhausted"), ('Manager.register("Budget", Budget)', registered))
    assert len(_found(text)) == count


@pytest.mark.parametrize(
    "body",
    [
        "def main():\n    m = Manager()\n    m.start()\n    show(m.Budget())\n\n\n"
        "def show(b):\n    print(b.exhausted)\n",
        "def main():\n    m = Manager()\n    m.start()\n    b = m.Budget()\n"
        "    mp.Process(target=work, args=(b,)).start()\n\n\ndef work(b):\n    print(b.exhausted)\n",
        "def made(m):\n    return m.Budget()\n\n\n"
        "def main():\n    m = Manager()\n    m.start()\n    print(made(m).exhausted)\n",
        "class Run:\n    def __init__(self, b):\n        self.b = b\n\n"
        "    def show(self):\n        print(self.b.exhausted)\n"
        "\n\ndef main():\n    with Manager() as m:\n        Run(m.Budget()).show()\n",
        "class Run:\n    def __init__(self):\n        self.m = Manager()\n        self.m.start()\n"
        "        self.b = self.m.Budget()\n\n    def show(self):\n        print(self.b.exhausted)\n"
        "\n\ndef main():\n    Run().show()\n",
    ],
)
def test_ways_of_a_proxy(body: str) -> None:
    assert len(_found(f"{HEAD}{body}\n\nif __name__ == '__main__':\n    main()\n")) == 1


def test_a_manager_of_the_library() -> None:
    text = changed(HEAD, ("class Manager(BaseManager)", "class Manager(SyncManager)"))
    body = "def main():\n    with {}() as m:\n        b = m.Budget()\n        print(b.exhausted)\n\n\nmain()\n"
    assert len(_found(text + body.format("Manager"))) == 1
    text = changed(HEAD, ("Manager.register(", "SyncManager.register("))
    assert _found(text + body.format("mp.Manager")) == []  # gap: registered with the class of the library itself


def test_the_same_function_with_the_object_itself() -> None:
    show = "def show(b):\n    print(b.exhausted)\n\n\n"
    assert _found(f"{HEAD}{show}def main():\n    show(Budget())\n\n\nmain()\n") == []


def test_registered_in_another_module(tmp_path: Path) -> None:
    main = (
        "from budget import Manager\n\n\ndef main():\n    with Manager() as m:\n        print(m.Budget().exhausted)\n"
    )
    found = lint_files(tmp_path, {"budget.py": HEAD, "main.py": f"{main}\n\nif __name__ == '__main__':\n    main()\n"})
    assert [each.code for each in found] == ["LP133"]
