"""Comment lines are told from code and from lines of strings; in doubt, a line is none."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path

import pytest

from lintpickle.source.comment_lines import only_statements, without_comment_lines

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# a\nx = 1\n", "x = 1\n"),
        ("x = 1\n\n\n    # a\ny = 2\n# b", "x = 1\ny = 2"),
        ("def f():\n    # a\n    return 1\n", "def f():\n    return 1\n"),
        ("x = 1  # kept\n", "x = 1  # kept\n"),
        ('x = """\n# text\n\n"""\n# a\ny = 2\n', 'x = """\n# text\n\n"""\ny = 2\n'),
        ("x = '''\n# \"\"\" text\n'''\n# a\n", "x = '''\n# \"\"\" text\n'''\n"),
        ("x = 'a\\\n# text'\n", "x = 'a\\\n# text'\n"),
        ("x = 1\r\n# a\r\ny = 2\r\n", "x = 1\r\ny = 2\r\n"),
        ('x = """a\\"""\n# text\n"""\n', 'x = """a\\"""\n# text\n"""\n'),
    ],
)
def test_comment_lines_and_blank_lines_are_left_out(text: str, left: str) -> None:
    assert only_statements(text).rstrip("\n") == left.rstrip("\n")


@pytest.mark.parametrize(
    "text",
    [
        'x = \'"""\'\n# in doubt\n',
        '# """\nx = 1\n',
        "x = 1\r# lone carriage returns\ry = 2\r",
        'x = """never closed\n# text\n',
    ],
)
def test_in_doubt_nothing_is_left_out(text: str) -> None:
    assert only_statements(text) == without_comment_lines(text) == text


def test_no_token_of_our_own_code_is_lost() -> None:
    for path in sorted((ROOT / "lintpickle").rglob("*.py"))[::7]:
        code = path.read_text(encoding="utf-8")
        blank = without_comment_lines(code)
        assert len(blank) == len(code)
        assert _tokens(code) == _tokens(blank) == _tokens(only_statements(code)), path


def _tokens(code: str) -> list[tuple[int, str]]:
    filler = (tokenize.COMMENT, tokenize.NL)
    read = tokenize.generate_tokens(io.StringIO(code).readline)
    return [(each.type, each.string.rstrip("\r\n")) for each in read if each.type not in filler]
