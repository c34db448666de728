"""LP233: django-not-set-up."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver
from tests.pages import PageTests


class TestPage(PageTests):
    code = "LP233"


MANAGE = """\
import os
import sys


def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "site.settings")
    from django.core.management import execute_from_command_line

    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    {main}
"""
MODELS = """\
from django.db import models


class Document(models.Model):
    title = models.CharField(max_length=20)
"""
PLAIN = "def plain(key):\n    return key\n\n\ndef begin():\n    print('begins')\n"
THUMBS = "from documents.models import Document\n\n\ndef thumb(key):\n    return Document.objects.get(pk=key).title\n"
READY = f"import django\n\ndjango.setup()\n\n{THUMBS}".replace("def thumb", "def late")
BASE = """\
from concurrent.futures import ProcessPoolExecutor

from django.core.management.base import BaseCommand


class ParallelCommand(BaseCommand):
    def process(self, function, keys):
        with ProcessPoolExecutor(max_workers=2) as executor:
            return list(executor.map(function, keys))
"""
COMMAND = """\
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import Pool, Process

import django
from django.core.management.base import BaseCommand

from documents.base import ParallelCommand
from documents.plain import begin, plain
from documents.ready import late
from documents.thumbs import thumb


class Command({base}):
    def handle(self, *args, **options):
        {body}
"""


def _found(folder: Path, body: str, base: str = "BaseCommand", main: str = "main()") -> list[tuple[str, int]]:
    app = folder / "documents"
    commands = app / "management" / "commands"
    commands.mkdir(parents=True)
    for package in app, app / "management", commands:
        (package / "__init__.py").write_text("")
    (folder / "manage.py").write_text(MANAGE.format(main=main))
    texts = {"models": MODELS, "plain": PLAIN, "thumbs": THUMBS, "ready": READY, "base": BASE}
    for name, text in texts.items():
        (app / f"{name}.py").write_text(text)
    (commands / "thumbnails.py").write_text(COMMAND.format(base=base, body=dedent(body).replace("\n", "\n        ")))
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder)).diagnostics
    return [(Path(each.location.path).name, each.location.start.row) for each in found if each.code == "LP233"]


@pytest.mark.parametrize(
    ("body", "row"),
    [
        ("with ProcessPoolExecutor() as executor:\n    list(executor.map(thumb, [1, 2]))", 17),
        ("with ProcessPoolExecutor(2, initializer=begin) as executor:\n    executor.submit(thumb, 1).result()", 17),
        ("with Pool(2) as pool:\n    pool.map(thumb, [1, 2])", 17),
        ("context = multiprocessing.get_context('spawn')\nwith context.Pool(2) as pool:\n    pool.map(thumb, [1])", 18),
        ("process = Process(target=thumb, args=(1,))\nprocess.start()\nprocess.join()", 16),
    ],
)
def test_functions_whose_module_imports_models(tmp_path: Path, body: str, row: int) -> None:
    """Measured with Django 5.2 on CPython 3.11, under spawn and forkserver."""
    assert _found(tmp_path, body) == [("thumbnails.py", row)]


def test_a_command_that_its_base_class_runs_in_parallel(tmp_path: Path) -> None:
    assert _found(tmp_path, "self.process(thumb, [1, 2])", "ParallelCommand") == [("base.py", 9)]


@pytest.mark.parametrize(
    "body",
    [
        "with ProcessPoolExecutor() as executor:\n    list(executor.map(plain, [1, 2]))",
        "with ProcessPoolExecutor(initializer=django.setup) as executor:\n    list(executor.map(thumb, [1, 2]))",
        "with ProcessPoolExecutor(2, None, django.setup) as executor:\n    executor.submit(thumb, 1).result()",
        "with ProcessPoolExecutor(**options) as executor:\n    executor.submit(thumb, 1).result()",
        "with ProcessPoolExecutor(initializer=options['begin']) as executor:\n    executor.submit(thumb, 1).result()",
        "with ProcessPoolExecutor() as executor:\n    list(executor.map(late, [1, 2]))",
        "with ThreadPoolExecutor() as executor:\n    list(executor.map(thumb, [1, 2]))",
        "context = multiprocessing.get_context('fork')\nwith context.Pool(2) as pool:\n    pool.map(thumb, [1])",
        "print([thumb(key) for key in (1, 2)])",
    ],
)
def test_workers_that_need_no_setup_or_have_it(tmp_path: Path, body: str) -> None:
    assert _found(tmp_path, body) == []


def test_a_script_that_sets_django_up_where_workers_import_it(tmp_path: Path) -> None:
    body = "with ProcessPoolExecutor() as executor:\n    list(executor.map(thumb, [1, 2]))"
    assert _found(tmp_path, body, main="main()\n\ndjango.setup()") == []


def test_a_base_class_with_a_function_that_imports_no_models(tmp_path: Path) -> None:
    assert _found(tmp_path, "self.process(plain, [1, 2])", "ParallelCommand") == []
