"""Attributes of modules that code sets on what it is given, or looks up by name. The programs were run with CPython
3.11 under fork, spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.migration.model import Verdict

from .test_verdicts import migrated, worst

ENDPOINTS = 'billing = "https://billing.invalid"\n'
SITE = """\
import importlib
import json
import sys

SITE = '{{"inventory": "i", "orders": "o"}}'


def install({parameters}):
    {body}
"""
POLLER = """\
import multiprocessing

import endpoints
from site_config import install


def plan(path):
    return {read} + "/" + path


def main():
    {call}
    with multiprocessing.Pool(2{begin}) as pool:
        print(pool.map(plan, ["health", "version"]))


if __name__ == "__main__":
    main()
"""
EACH = "for name, value in json.loads(SITE).items():\n        setattr({0}, name, value)"
BY_NAME = f"module = sys.modules[module_name]\n    {EACH.format('module')}"
ORDERS = "endpoints.orders"


def said(
    folder: Path,
    parameters: str,
    body: str,
    call: str = "install(endpoints)",
    read: str = ORDERS,
    begin: str = "",
    endpoints: str = ENDPOINTS,
) -> Verdict:
    (folder / "endpoints.py").write_text(endpoints, encoding="utf-8")
    (folder / "site_config.py").write_text(SITE.format(parameters=parameters, body=body), encoding="utf-8")
    return worst(migrated(folder, POLLER.format(call=call, read=read, begin=begin)))


@pytest.mark.parametrize(
    ("parameters", "body", "call"),
    [
        pytest.param("module_name", BY_NAME, 'install("endpoints")', id="sys.modules"),
        pytest.param(
            "module_name",
            BY_NAME.replace("[module_name]", ".get(module_name)"),
            'install("endpoints")',
            id="sys.modules.get",
        ),
        pytest.param(
            "module_name",
            BY_NAME.replace("sys.modules[module_name]", "importlib.import_module(module_name)"),
            'install("endpoints")',
            id="importlib",
        ),
        pytest.param("module", EACH.format("module"), "install(endpoints)", id="the module"),
        pytest.param("text=SITE, *, target", EACH.format("target"), "install(target=endpoints)", id="by keyword"),
        pytest.param("module", "vars(module).update(json.loads(SITE))", "install(endpoints)", id="vars"),
        pytest.param("module", "module.__dict__.update(json.loads(SITE))", "install(endpoints)", id="__dict__"),
        pytest.param(
            "module",
            'for name in ("inventory", "orders"):\n        setattr(module, name, name)',
            "install(endpoints)",
            id="names of a display",
        ),
        pytest.param("module", 'module.orders = "o"', "install(endpoints)", id="by its name"),
        pytest.param("module", 'setattr(module, "orders", "o")', "install(endpoints)", id="by a text"),
        pytest.param(
            "module_name",
            f"_fill(sys.modules[module_name])\n\n\ndef _fill(module):\n    {EACH.format('module')}",
            'install("endpoints")',
            id="handed on",
        ),
    ],
)
def test_what_main_alone_sets_on_a_module_breaks(parameters: str, body: str, call: str, tmp_path: Path) -> None:
    assert said(tmp_path, parameters, body, call) is Verdict.BREAKS


@pytest.mark.parametrize("call", ["install(endpoints)", "install(module=endpoints)"])
def test_what_the_module_has_at_import_changes(call: str, tmp_path: Path) -> None:
    endpoints = f'{ENDPOINTS}orders = "none"\n'
    assert said(tmp_path, "module", EACH.format("module"), call, endpoints=endpoints) is Verdict.CHANGES


@pytest.mark.parametrize(
    ("parameters", "body", "call", "begin"),
    [
        pytest.param("module_name", BY_NAME, "pass", ', install, ("endpoints",)', id="by workers alone"),
        pytest.param("module_name", BY_NAME, 'install("endpoints")', ', install, ("endpoints",)', id="by workers too"),
        pytest.param(
            "module", f"{EACH.format('module')}\n\n\nimport endpoints\n\ninstall(endpoints)", "pass", "", id="at import"
        ),
    ],
)
def test_what_workers_set_on_a_module_is_there(
    parameters: str, body: str, call: str, begin: str, tmp_path: Path
) -> None:
    assert said(tmp_path, parameters, body, call, begin=begin) is Verdict.READY


@pytest.mark.parametrize(
    ("read", "body", "call"),
    [
        pytest.param(
            "endpoints.billing", "for name in ('orders',):\n        setattr(module, name, 1)", "", id="others"
        ),
        pytest.param("endpoints.billing", EACH.format("module"), "install(multiprocessing)", id="another module"),
        pytest.param("getattr(endpoints, 'orders', '')", EACH.format("module"), "", id="with a default"),
    ],
)
def test_what_is_set_on_others_is_ready(read: str, body: str, call: str, tmp_path: Path) -> None:
    assert said(tmp_path, "module", body, call or "install(endpoints)", read) is Verdict.READY


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("for name in ('inventory', 'other'):\n        setattr(module, name, 1)", id="other names"),
        pytest.param(
            "for name, value in json.load(open('s')).items():\n        setattr(module, name, value)", id="file"
        ),
        pytest.param("print(module)", id="nobody"),
    ],
)
def test_what_no_code_surely_sets_cannot_be_told(body: str, tmp_path: Path) -> None:
    read = f"{ORDERS}_now"  # `orders` is a text of the program
    assert said(tmp_path, "module", body, read=read) is Verdict.CANNOT_TELL


@pytest.mark.parametrize(
    "more",
    [
        "def __getattr__(name):\n    return name\n",
        "import sys\n\n\nclass Site:\n    orders = 'o'\n\n\nsys.modules[__name__] = Site()\n",
        "for name in ('orders',):\n    globals()[name] = name\n",
        "from os import *\n",
        "exec('orders = 1')\n",
        "if (orders := 1) > 2:\n    pass\n",
        "try:\n    from fast import orders\nexcept ImportError:\n    orders = 'o'\n",
        "def init():\n    global orders\n    orders = 'o'\n\n\ninit()\n",
    ],
)
def test_modules_that_have_more_than_is_written_out_are_ready(more: str, tmp_path: Path) -> None:
    assert said(tmp_path, "module", "print(module)", endpoints=f"{ENDPOINTS}{more}") is Verdict.READY


def test_a_submodule_is_no_missing_attribute(tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "names.py").write_text("first = 'a'\n", encoding="utf-8")
    read = "(pack.names.first + endpoints.billing)"
    call = "install(endpoints)\n\n\nimport pack.names\n\n\ndef rest():"
    assert said(tmp_path, "module", "print(module)", call, read) is Verdict.READY
