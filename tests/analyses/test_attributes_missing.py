"""LP208: attributes of modules that no import binds, and only the main process sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.settings import SettingsResolver

SETTINGS = """\
def init():
    global cache
    cache = {}
"""
MAIN = """\
from multiprocessing import Process
import settings


def work(word):
    return len(settings.cache)


def main():
    settings.init()
    workers = [Process(target=work, args=(word,)) for word in ("a", "b")]
    for each in workers:
        each.start()
    for each in workers:
        each.join()


if __name__ == "__main__":
    main()
"""
ERROR = "AttributeError: module 'settings' has no attribute 'cache'"


def _errors(folder: Path, main: str = MAIN, settings: str = SETTINGS, **others: str) -> list[str | None]:
    (folder / "pyproject.toml").touch()
    for name, text in {"main": main, "settings": settings, **others}.items():
        (folder / f"{name}.py").write_text(text)
    found = lint_paths([str(folder)], resolver=SettingsResolver(cwd=folder)).diagnostics
    return [each.error for each in found if each.code == "LP208"]


def test_a_function_declares_it_global(tmp_path: Path) -> None:
    assert _errors(tmp_path) == [ERROR]


def test_a_function_of_another_module_reads_it(tmp_path: Path) -> None:
    main = MAIN.replace("import settings\n", "import settings\nfrom lookup import find\n").replace(
        "return len(settings.cache)", "return find(word)"
    )
    assert _errors(tmp_path, main, lookup="import settings\n\ndef find(word):\n    return settings.cache[word]\n") == [
        ERROR
    ]


def test_the_main_process_stores_it_on_the_module(tmp_path: Path) -> None:
    main = MAIN.replace("settings.init()", "settings.cache = {}")
    assert _errors(tmp_path, main, "DEBUG = False\n") == [ERROR]


def test_imported_by_another_name_or_by_the_function(tmp_path: Path) -> None:
    other = MAIN.replace("import settings", "import settings as options").replace("settings.", "options.")
    assert _errors(tmp_path, other) == [ERROR]
    inside = MAIN.replace("def work(word):\n", "def work(word):\n    import settings\n\n")
    assert _errors(tmp_path, inside) == [ERROR]


def test_a_question_whether_it_is_filled_fails_too(tmp_path: Path) -> None:
    asked = "if settings.cache:\n        return 1\n    return 0"
    assert _errors(tmp_path, MAIN.replace("return len(settings.cache)", asked)) == [ERROR]


@pytest.mark.parametrize(
    "read",
    [
        "settings.init()\n    return len(settings.cache)",
        "settings.cache = {}\n    return len(settings.cache)",
        "if not hasattr(settings, 'cache'):\n        settings.init()\n    return len(settings.cache)",
        "return len(settings.cache) if hasattr(settings, 'cache') else 0",
        "try:\n        return len(settings.cache)\n    except AttributeError:\n        return 0",
        "return 'settings.cache'",
        "return word  # settings.cache is for the main process",
    ],
)
def test_workers_that_set_it_or_do_without(read: str, tmp_path: Path) -> None:
    assert _errors(tmp_path, MAIN.replace("return len(settings.cache)", read)) == []


@pytest.mark.parametrize(
    "settings",
    [
        f"{SETTINGS}\n\ninit()\n",
        f"cache = {{}}\n\n\n{SETTINGS}".replace("cache = {}", "cache = dict()"),
        f"from caches import *\n\n\n{SETTINGS}",
        f"try:\n    from fast import cache\nexcept ImportError:\n    cache = load()\n\n\n{SETTINGS}",
        f"globals().update(read())\n\n\n{SETTINGS}",
        f"exec(open('defaults.py').read())\n\n\n{SETTINGS}",
        f"def __getattr__(name):\n    return load(name)\n\n\n{SETTINGS}",
    ],
)
def test_modules_that_have_it_at_import_or_may(settings: str, tmp_path: Path) -> None:
    assert ERROR not in _errors(tmp_path, settings=settings)


def test_a_module_that_the_program_imports_calls_it(tmp_path: Path) -> None:
    assert _errors(tmp_path, f"import start\n{MAIN}", start="import settings\n\nsettings.init()\n") == []


def test_nobody_calls_what_sets_it(tmp_path: Path) -> None:
    assert _errors(tmp_path, MAIN.replace("    settings.init()\n", "")) == []


def test_only_the_main_process_reads_it(tmp_path: Path) -> None:
    main = MAIN.replace("return len(settings.cache)", "return word").replace(
        "    settings.init()\n", "    settings.init()\n    print(len(settings.cache))\n"
    )
    assert _errors(tmp_path, main) == []


def test_a_submodule_of_a_package(tmp_path: Path) -> None:
    package = tmp_path / "settings"
    package.mkdir()
    (package / "__init__.py").write_text(SETTINGS)
    (package / "cache.py").write_text("")
    (tmp_path / "main.py").write_text(MAIN)
    found = lint_paths([str(tmp_path)], resolver=SettingsResolver(cwd=tmp_path)).diagnostics
    assert [each.code for each in found] == []


def test_threads_have_what_the_process_has(tmp_path: Path) -> None:
    main = MAIN.replace("from multiprocessing import Process", "from threading import Thread as Process")
    assert _errors(tmp_path, main) == []


def test_one_task_sets_it_for_itself(tmp_path: Path) -> None:
    read = "if word == 'a':\n        settings.cache = {}\n    return len(settings.cache)"
    assert _errors(tmp_path, MAIN.replace("return len(settings.cache)", read)) == []  # gap: fails for other words
