"""The page on catalogs: its example gives what it shows, and the schema accepts what the reader accepts."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lintpickle.catalog import load_catalog
from lintpickle.catalog.reading import builtin_files
from lintpickle.catalog.schema import catalog_schema
from lintpickle.toml_text import read_toml
from tests.integrations.conftest import need

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "catalogs.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL))
OUTPUTS = re.findall(r"<!-- output: lintpickle ([^>\n]+) -->\n```text\n(.*?)```", PAGE, re.DOTALL)
MISTAKES = re.findall(r"<!-- mistake: ([^>\n]+) -> ([^>\n]+) -->\n```text\n(.*?)```", PAGE, re.DOTALL)


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lintpickle", *arguments, "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")


def _write(folder: Path) -> None:
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")


def test_without_the_catalog_nothing_is_found(tmp_path: Path) -> None:
    _write(tmp_path)
    assert _run(tmp_path, "check", "--isolated").returncode == 0


@pytest.mark.parametrize(("arguments", "output"), OUTPUTS)
def test_the_example_gives_what_is_shown(tmp_path: Path, arguments: str, output: str) -> None:
    _write(tmp_path)
    assert _run(tmp_path, *arguments.split()).stdout == output


@pytest.mark.parametrize(("right", "wrong", "message"), MISTAKES)
def test_mistakes_are_told_as_shown(tmp_path: Path, right: str, wrong: str, message: str) -> None:
    _write(tmp_path)
    catalog = tmp_path / "lintpickle-catalog.toml"
    text = catalog.read_text(encoding="utf-8")
    assert right in text
    catalog.write_text(text.replace(right, wrong), encoding="utf-8")
    run = _run(tmp_path, "check")
    assert (run.returncode, run.stderr.replace(f"{tmp_path}/", "")) == (2, message)


def test_fine_takes_back_what_the_catalog_knows(tmp_path: Path) -> None:
    _write(tmp_path)
    catalog = load_catalog((str(tmp_path / "fine.toml"),))
    assert catalog.product("h5py.File") is None
    assert catalog.kind_of_class("ourlib.data.x.TrainDataset") == "dataset"


def test_every_table_is_described() -> None:
    assert {f"[[{table}]]" for table in catalog_schema()["properties"]} <= set(re.findall(r"\[\[\w+\]\]", PAGE))


@pytest.mark.integration
class TestSchema:
    @pytest.fixture
    def validate(self) -> Any:
        need("jsonschema")
        import jsonschema

        return jsonschema.Draft7Validator(json.loads(json.dumps(catalog_schema())))

    @pytest.mark.parametrize("path", builtin_files(), ids=lambda path: path.name)
    def test_it_accepts_the_catalogs_that_ship(self, validate: Any, path: Path) -> None:
        data = read_toml(path.read_text(encoding="utf-8"))
        own = {table: rows for table, rows in data.items() if table not in ("error", "frame")}
        assert [error.message for error in validate.iter_errors(own)] == []

    def test_it_accepts_the_example(self, validate: Any) -> None:
        for name in ("lintpickle-catalog.toml", "fine.toml"):
            assert list(validate.iter_errors(read_toml(FILES[name]))) == []

    @pytest.mark.parametrize(
        "text",
        [
            "[[prodct]]\ncall = 'a'",
            "[[product]]\ncall = 'a'",
            "[[product]]\ncall = 'a'\nfine = false",
            "[[product]]\ncall = 3\nkind = 'file'",
            "[[product]]\ncall = 'a'\nkind = 'file'\nreopen = 'yes'",
            "[[product]]\ncall = 'a'\nkind = 'file'\nsince = '3'",
            "[[boundary]]\ncall = 'a'\nkind = 'pool'\nparameters = []\npayload = []\nstart-methods = ['thread']",
            "[[function]]\nname = 'a'\nresult = 'hold'",
            "[product]\ncall = 'a'\nkind = 'file'",
        ],
    )
    def test_it_refuses_mistakes(self, validate: Any, text: str) -> None:
        assert list(validate.iter_errors(read_toml(text)))
