"""LP208: functions that set a global, and by whom they are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

_TOKENIZER = """\
LANGUAGE = "en"


def set_language(language):
    global LANGUAGE
    LANGUAGE = language


def tokenize(text):
    return (LANGUAGE, text)
"""
_START = """\
import multiprocessing

from tools import set_language, tokenize

{at_import}


def main():
    {in_main}
    with multiprocessing.Pool(2) as pool:
        print(pool.map(tokenize, ["a", "b"]))


if __name__ == "__main__":
    main()
"""
_TEMPLATES = """\
from .tokenizer import set_language


def templates():
    set_language("zh")
    return []
"""
_EVALUATION = """\
from tools.templates import templates


def main():
    print(templates())


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("at_import", "in_main", "is_found"),
    [
        ("", "set_language('zh')", True),
        ("", "templates.templates()", True),
        ("set_language('zh')", "pass", False),
        ("", "pass", False),
    ],
    ids=["by the program", "by way of another function", "at import", "by another program"],
)
def test_who_calls_the_setter(tmp_path: Path, at_import: str, in_main: str, is_found: bool) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools/__init__.py").write_text("from .tokenizer import set_language, tokenize\n")
    (tmp_path / "tools/tokenizer.py").write_text(_TOKENIZER)
    (tmp_path / "tools/templates.py").write_text(_TEMPLATES)
    (tmp_path / "evaluate.py").write_text(_EVALUATION)
    start = _START.format(at_import=at_import, in_main=in_main)
    (tmp_path / "start.py").write_text("from tools import templates\n" * ("templates" in in_main) + start)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert [each.code for each in found] == ["LP208"] * is_found
