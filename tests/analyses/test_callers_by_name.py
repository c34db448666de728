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


_EXTRACTOR = """\
class Extractor:
    to_json = False

    def extract(self, title):
        # Set by main() of the script.
        return {"title": title} if self.to_json else title


def heading(text):
    \"\"\"What `main` prints.\"\"\"
    return text.upper()


FORMATS = {"heading": heading}
"""
_SCRIPT = """\
import argparse
import multiprocessing

from .extractor import Extractor


def work(title):
    return Extractor().extract(title)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    Extractor.to_json = parser.parse_args().json
    with multiprocessing.Pool(2) as pool:
        print(pool.map(work, ["a", "b"]))


if __name__ == "__main__":
    main()
"""
_SETUP = """\
from setuptools import setup

setup(name="wiki", entry_points={"console_scripts": ["wiki = wiki.script:main"]})
"""


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("setup.py", _SETUP, True),
        ("wiki/__main__.py", "from .script import main\n\nif __name__ == '__main__':\n    main()\n", True),
        ("wiki/other.py", "from .script import main\n\nmain()\n", False),
        ("wiki/other.py", "from . import script\n\nscript.main()\n", False),
    ],
    ids=["in a string", "by the package", "at import", "at import, by its module"],
)
def test_a_function_that_other_modules_name(tmp_path: Path, name: str, text: str, is_found: bool) -> None:
    (tmp_path / "wiki").mkdir()
    (tmp_path / "wiki/__init__.py").write_text("")
    (tmp_path / "wiki/extractor.py").write_text("from . import other\n" * ("other" in name) + _EXTRACTOR)
    (tmp_path / "wiki/script.py").write_text(_SCRIPT)
    (tmp_path / name).write_text(text)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert ("LP208" in [each.code for each in found]) is is_found


_COUNTS = """\
import multiprocessing


class Counts:
    def __init__(self, table):
        global _table
        _table = table

    def train(self):
        with multiprocessing.Pool(2) as pool:
            return pool.map(count, ["a", "b"])


def count(word):
    return _table[word]
"""
_AROUND = "\n\nif __name__ == '__main__':\n    main()\n"


@pytest.mark.parametrize(
    ("text", "is_likely"),
    [
        ("from counts import Counts\n\ndef main():\n    Counts({}).train()\n", True),
        ("def main():\n    from counts import Counts\n    Counts({}).train()\n", True),
        ("def main():\n    import other\n    other.Counts({}).train()\n", False),
        ("from other import Counts\n\ndef main():\n    Counts({})\n", False),
    ],
    ids=["imported", "imported by the function", "of another module, by the function", "of another module"],
)
def test_callers_that_import_the_program_as_they_run(tmp_path: Path, text: str, is_likely: bool) -> None:
    (tmp_path / "counts.py").write_text(_COUNTS)
    (tmp_path / "other.py").write_text("def Counts(table):\n    return table\n")
    (tmp_path / "run.py").write_text(text + _AROUND)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(isolated=True, cwd=tmp_path)).diagnostics
    assert ("LP208" in [each.code for each in found]) is is_likely
