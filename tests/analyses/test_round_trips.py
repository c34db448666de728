"""LP604: what `__getstate__` leaves out is missing on a copy, too, that is made by pickling in the same process. All of
it measured with CPython 3.11."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint, lint_files

COUNTER = """\
import copy
import pickle
import shelve
import threading


class Counter:
    def __init__(self, name="first"):
        self.name = name
        self.lock = threading.Lock()
        self.count = 0

    def __getstate__(self):
        state = self.__dict__.copy()
        del state["lock"]
        return state
{restore}
    def add(self):
        with self.lock:
            self.count += 1

    def title(self):
        return self.name.title()


def main():
    counter = Counter()
    {body}


if __name__ == "__main__":
    main()
"""
RESTORE = """
    def __setstate__(self, state):
        self.__dict__.update(state)
        self.lock = threading.Lock()
"""


def _found(body: str, restore: str = "") -> list[tuple[str, str]]:
    text = COUNTER.format(body=body.replace("\n", "\n    "), restore=restore)
    return [(each.code, each.confidence.value) for each in lint(text).diagnostics]


COPIES = [
    "other = pickle.loads(pickle.dumps(counter))\n{use}",
    "data = pickle.dumps(counter)\nother = pickle.loads(data)\n{use}",
    "other = copy.deepcopy(counter)\n{use}",
    "with shelve.open('counters') as shelf:\n    shelf['first'] = counter\n    other = shelf['first']\n    {use}",
]


@pytest.mark.parametrize("copies", COPIES)
def test_a_method_that_uses_it_on_the_copy(copies: str) -> None:
    assert _found(copies.format(use="other.add()")) == [("LP604", "likely")]


@pytest.mark.parametrize("copies", COPIES)
@pytest.mark.parametrize(
    "use",
    [
        "print(other.title())",
        "counter.add()",
        "other.lock = threading.Lock(); other.add()",
        "other = Counter(); other.add()",
    ],
)
def test_a_use_that_works(copies: str, use: str) -> None:
    assert _found(copies.format(use=use)) == []


@pytest.mark.parametrize("copies", COPIES)
def test_a_class_that_restores_it(copies: str) -> None:
    assert _found(copies.format(use="other.add()"), RESTORE) == []


@pytest.mark.parametrize(
    "body",
    [
        "other = pickle.loads(pickle.dumps(counter))\ntry:\n    other.add()\nexcept AttributeError:\n    print('none')",
        "other = pickle.loads(open('counter', 'rb').read())\nother.add()",  # what stands there is not known
        "other = copy.copy(counter.name)\nother.add()",
        "other = pickle.loads(pickle.dumps(counter.name))\nother.add()",
    ],
)
def test_what_is_no_surprise_or_not_known(body: str) -> None:
    assert _found(body) == []


_COPIER = "def copy_of(value):\n    return {copied}\n\n\ndef main"


def _copied_by(copied: str, use: str = "other.add()", restore: str = "") -> list[str]:
    body = f"other = copy_of(counter)\n    {use}"
    text = COUNTER.format(body=body, restore=restore).replace("def main", _COPIER.format(copied=copied))
    return [each.code for each in lint(text).diagnostics]


@pytest.mark.parametrize("copied", ["pickle.loads(pickle.dumps(value))", "copy.deepcopy(value)"])
def test_a_copy_that_a_function_makes(copied: str) -> None:
    assert _copied_by(copied) == ["LP604"]
    assert _copied_by(copied, "print(other.title())") == []
    assert _copied_by(copied, "counter.add()") == []
    assert _copied_by(copied, restore=RESTORE) == []


@pytest.mark.parametrize("copied", ["value", "copy.deepcopy(value.name)", "Counter(value.name)"])
def test_what_a_function_gives_that_is_no_such_copy(copied: str) -> None:
    assert _copied_by(copied) == []


def _found_apart(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restore: str = "") -> list[str]:
    """What is found where the class stands in a file of its own, in a folder of the program or of its environment."""
    monkeypatch.chdir(tmp_path)
    text = COUNTER.format(body="other = copy.deepcopy(counter)\n    other.add()", restore=restore)
    class_, _, rest = text.partition("def main")
    files = {
        "pyproject.toml": "",
        ".venv/pyvenv.cfg": "",
        f"{home}/__init__.py": "",
        f"{home}/counter.py": class_,
        "main.py": f"import copy\n\nfrom counters.counter import Counter\n\n\ndef main{rest}",
    }
    return [each.code for each in lint_files(tmp_path, files)]


@pytest.mark.parametrize("home", ["counters", ".venv/lib/python3.11/site-packages/counters"])
def test_a_class_that_stands_elsewhere(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found_apart(Path(home), tmp_path, monkeypatch) == ["LP604"]


@pytest.mark.parametrize("home", ["counters", ".venv/lib/python3.11/site-packages/counters"])
def test_a_class_elsewhere_that_restores_it(home: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found_apart(Path(home), tmp_path, monkeypatch, RESTORE) == []
