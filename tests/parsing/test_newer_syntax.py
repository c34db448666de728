"""Syntax that is newer than the Python that runs this: read in older words, and told from what no Python reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from lintpickle.parsing.newer_syntax import in_older_words
from lintpickle.parsing.outline import outline
from lintpickle.parsing.syntax import BrokenSyntax, parse
from lintpickle.source.broken import explained
from tests.support import marks

REWRITTEN = [
    ("def f[T: int = str, *Ts, **P](x: T): ...\n", "def f(                        x: T): ...\n"),
    ("class A[T](B): ...\n", "class A(   B): ...\n"),
    ("class A [T] : ...\n", "class A ( ) : ...\n"),
    ("class A[\n  T: (int,\n\n  str), # c\n]:\n  x = 1\n", "class A(\n          \n\n           \n):\n  x = 1\n"),
    ("type X[T] = list[T]\ny = 1\n", "(0                )\ny = 1\n"),
    ("type X = (\n\n  int\n); y = 1\n", "(0        \n\n     \n); y = 1\n"),
    ("if x:\n  type X = (\n    int\n  )\n", "if x:\n  (0        \n       \n  )\n"),
    ("if x: type X = int # é\n", "if x: (0         ) # é\n"),
    ("try: x\nexcept A, B.c: y\n", "try: x\nexcept A| B.c: y\n"),
    ("try: x\nexcept* A, B.c: y\n", "try: x\nexcept  A| B.c: y\n"),
]
STRINGS = [
    ('x = f"{a[\'k\']}{b["k"]!r:>{c}}" + d\n', "x = (  a['k'], b[\"k\"],       ) + d\n"),
    ("x = f'{a + \"\\n\"}' 'b' f'{c}'\n", 'x = (  a + "\\n",         c,)\n'),
    ('x = f"{\n  a # c\n}"; y\n', "x = (  \n  a,   \n ); y\n"),
    ("x = t'{f(1)} b'\n", "x = (  f(1),  )\n"),
    ("x = f'{(lambda: \"\\n\")}'\n", 'x = (  (lambda: "\\n"),)\n'),
    ('x = f"{\n  a\n}"; y\n', "x = (  \n  a\n,); y\n"),
    ("x = f'é{a + \"\\n\"}'; y\n", 'x = " é          "; y\n'),
]
READ = [
    *(text for text, _ in (*REWRITTEN, *STRINGS)),
    "class A:\n  async def f[T](self, x: T = f'{x['a']}'):\n    type Q = A\n    return f'{x!r:{w}}' f\"{x[\"a\"]}\"\n",
    "def f(a, *, b=f'{x['y']=}'): pass\r\nclass B[T]:\r\n  pass\r\n",
    "x = f'{f'{f'{a}'}'}' + z\n",
    "x = f'''é\n{a + \"\\n\"}ü'''; y = 1\n",
    "print(t'a' # d\n  t'{f(\"x\")}'  # e\n)\n",
    "x = f'{*a, 'b'}' if rf'\\d{x['a']}' else f'{ {1: 'a'}['b'] }'\n",
    "type(x)\ntype = 4\nlazy = type\n",
    "def f(*args: *Ts): x[*a, 1]\n",
    "try: x\nexcept* (A, B): y\n",
    "type X = int\nx = a['t'] + b[\"t\"]\n",
]


@pytest.mark.parametrize("text", READ)
def test_it_is_read_at_the_same_places(text: str) -> None:
    parse(text)
    older = in_older_words(text)
    assert older is not None
    ast.parse(older)
    assert [len(row) for row in older.split("\n")] == [len(row) for row in text.split("\n")]
    assert [len(row.encode()) for row in older.split("\n")] == [len(row.encode()) for row in text.split("\n")]


@pytest.mark.parametrize(("text", "older"), REWRITTEN)
def test_older_words(text: str, older: str) -> None:
    assert in_older_words(text) == older


@pytest.mark.parametrize(("text", "older"), STRINGS)
def test_older_words_for_strings(text: str, older: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lintpickle.parsing.newer_syntax._is_read_here", lambda written: False)
    assert in_older_words(text) == older


BROKEN = [
    ("type X = int\nimport {{ x.y }}\n", 2, "invalid syntax (this looks like a template)"),
    ("x = 1\nprint 'a'\n", 2, "(this looks like Python 2)"),
    ("try: x\nexcept A, e: print 'a'\n", 2, "(this looks like Python 2)"),
    ("def f((a, b,\n       c)):\n    pass\n", 1, "(this looks like Python 2)"),
    ("sort(key=lambda (a, b): a)\n", 1, "(this looks like Python 2)"),
    ("def f[T](x):\n    return 1\n\nx = = 1\n", 4, "invalid syntax"),
    ("x = 1\n<<<<<<< HEAD\nx = 2\n", 2, "invalid syntax (this looks like a merge conflict)"),
    ("version https://git-lfs.github.com/spec/v1\noid sha256:aa\n", 1, "it is a pointer of Git LFS"),
    ("x = f'{a b}'\n", 1, ""),
    ("x = #f'{a}'\ny = 1\n", 1, "invalid syntax"),
    ("try: x\nexcept A, B as e: y\n", 2, ""),
    ("1 = x\ntype X = int\n", 1, "cannot assign to literal"),
]


@pytest.mark.parametrize(("text", "row", "says"), BROKEN)
def test_what_no_python_reads_stays_broken(text: str, row: int, says: str) -> None:
    with pytest.raises(BrokenSyntax) as caught:
        outline(text)
    error = explained(text, caught.value)
    assert error.row == row
    assert says in error.reason


def test_a_letter_in_quotes_is_no_template() -> None:
    older = in_older_words("type X = int\nx = a['t'] + b[\"t\"]\n")
    assert older is not None
    assert older.endswith("x = a['t'] + b[\"t\"]\n")


def _absurd() -> Iterator[str]:
    yield "if a: pass\n" + "elif b: pass\n" * 10000 + "type X = int\n"
    yield "type X = int\nx = (1\n" + "+ 1\n" * 10000 + ")\n"
    yield "type X = int\nx = " + "+ 1" * 10000 + "\n"


@pytest.mark.parametrize("text", list(_absurd()), ids=("elif", "rows", "row"))
def test_libcst_is_not_given_what_it_does_not_bear(text: str) -> None:
    assert in_older_words(text) is None


LOADED = """\
from torch.utils.data import DataLoader, Dataset

type Step = object


class Words[T](Dataset):
    item: T

    def __init__(self, names: list[T]):
        self.step = lambda text: f"{text["a"]}"
        self.keys = {name: f"{name!r}" for name in names}.keys()

    def __len__(self):
        return 4

    def __getitem__[S](self, index: S) -> S:
        try:
            return self.step(index)
        except KeyError, ValueError:
            return index


def main[T](names: list[T]):
    for batch in DataLoader(Words(names), num_workers=2):
        print(batch)


if __name__ == "__main__":
    main(["é"])
"""


def test_files_with_newer_syntax_are_judged() -> None:
    assert marks(LOADED) == [(10, "LP102"), (11, "LP101")]
