from __future__ import annotations

import io
import tokenize

import pytest
from hypothesis import given, strategies as st

from lintpickle.diagnostics import Span
from lintpickle.source.layout import Layout, scan_layout


def scan(text: str) -> Layout:
    return scan_layout(text, [Span(0, len(text))])


def comments(text: str) -> list[str]:
    return [text[span.start : span.end] for span in scan(text).comments]


def logical_lines(text: str) -> list[str]:
    return [text[span.start : span.end] for span in scan(text).logical_lines]


@pytest.mark.parametrize(
    "text",
    [
        "x = '# noqa'\n",
        'x = "it\'s # noqa"\n',
        'x = """\n# noqa\n"""\n',
        "x = r'\\\\' + '# noqa'\n",
        "x = '\\'# noqa'\n",
        "x = 'a\\\n# noqa'\n",
        "x = b'# noqa'\n",
        "x = f'{a}# noqa'\n",
        "x = f'{a:#x}'\n",
        "x = f'{a:{b}#}'\n",
        "x = f'{{# noqa}}'\n",
        "x = f'{f'{1}'}# noqa'\n",
        "x = f'{d['# noqa']}'\n",
        "x = f'\\N{NUMBER SIGN}# noqa'\n",
        "x = rf'\\{a}# noqa'\n",
        "x = t'{a!r:>#4}'\n",
        'x = f"""\n{a}  # noqa\n"""\n',
    ],
)
def test_strings_hold_no_comments(text: str) -> None:
    assert comments(text + "y = 1  # real\n") == ["# real"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = 1# a\n", ["# a"]),
        ("#a\n# b", ["#a", "# b"]),
        ("f(  # a\n  'x',  # b\n)  # c\n", ["# a", "# b", "# c"]),
        ("x = '''a''' '#' # c\n", ["# c"]),
        ("x = '' # c\n", ["# c"]),
        ('x = """""" # c\n', ["# c"]),
        ("x = 1 # a\r\ny = 2 # b\rz = 3 # c\n", ["# a", "# b", "# c"]),
        ("if x:\f\n  # ff\n", ["# ff"]),
        ('x = f"""{\na  # in a field\n}"""\n', ["# in a field"]),
        ("x = f'{a}' # c\n", ["# c"]),
        ("x = f'{lambda: 1}' # c\n", ["# c"]),
        ("x = 'broken # no\ny = 1  # yes\n", ["# yes"]),
        ("x = f'broken {a # no\n", ["# no"]),
    ],
)
def test_comments(text: str, expected: list[str]) -> None:
    assert comments(text) == expected


def test_logical_lines() -> None:
    text = "\n# c\nif x:  # c\n    y = (1,\n\n  # in\n  2)\nz = 1 + \\\n  2\ns = '''\n\n'''; t = 1\n"
    assert logical_lines(text) == [
        "if x:  # c",
        "y = (1,\n\n  # in\n  2)",
        "z = 1 + \\\n  2",
        "s = '''\n\n'''; t = 1",
    ]


def test_logical_line_lookup() -> None:
    layout = scan("a = 1\n\nb = (\n  2)\n")
    assert layout.logical_line(5) == Span(0, 5)
    assert layout.logical_line(6) is None
    assert layout.logical_line(13) == Span(7, 17)
    assert layout.next_logical_line(6) == Span(7, 17)
    assert layout.next_logical_line(8) is None


@pytest.mark.parametrize(
    ("text", "row_ends"),
    [
        ("a = 1\nb = 2", [5, 11]),
        ("a = 1 + \\\n  2\n", [13]),
        ("a = '''\n'''\n", [11]),
        ("a = (\n1)\n", [5, 8]),
        ("a = '''\n", []),
        ("a = 1 \\\n", []),
    ],
)
def test_open_ends(text: str, row_ends: list[int]) -> None:
    assert sorted(scan(text).open_ends) == row_ends


def test_regions_do_not_leak_into_each_other() -> None:
    text = "x = (\ny = 1  # c\n"
    layout = scan_layout(text, [Span(0, 6), Span(6, len(text))])
    assert [text[span.start : span.end] for span in layout.logical_lines] == ["x = (\n", "y = 1  # c"]


@given(st.text(alphabet="ab#'\"\\{}()[]:fr\n\r \t"))
def test_any_text_is_scanned_to_its_end(text: str) -> None:
    layout = scan(text)
    for span in layout.comments:
        assert text[span.start] == "#"
    for before, after in zip(layout.logical_lines, layout.logical_lines[1:], strict=False):
        assert before.end < after.start
    covered = sum(len(text[span.start : span.end].strip()) for span in layout.logical_lines)
    assert covered or not text.strip() or layout.comments or set(text) <= set("\\\r\n \t")


@given(st.lists(st.sampled_from(["x", "=", "'#'", '"a"', "(", ")", "# c\n", "\n", "1", "'''\n#'''", "\\\n", " "])))
def test_comments_agree_with_tokenize(pieces: list[str]) -> None:
    text = " ".join(pieces)
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    if any(token.type == tokenize.ERRORTOKEN for token in tokens):
        return
    assert comments(text) == [token.string for token in tokens if token.type == tokenize.COMMENT]
