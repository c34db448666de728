"""Modules that import a name from another one that has it no more."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import lint_files

SCRIPT = """\
{imports}
import multiprocessing


def main():
    lock = multiprocessing.Process(target=lambda: print(total()))
    lock.start()


if __name__ == "__main__":
    main()
"""
ORDERS = "import os\n\n\ndef new_total():\n    return 3\n"


def _codes(folder: Path, imports: str, orders: str = ORDERS) -> list[str]:
    files = {
        "pyproject.toml": "[project]\nname = 'shop'\n",
        "shop/__init__.py": "",
        "shop/orders.py": orders,
        "shop/plugins/__init__.py": "",
        "orders.py": ORDERS,
        "report.py": SCRIPT.format(imports=imports),
    }
    return [each.code for each in lint_files(folder, files) if each.location.path.endswith("report.py")]


def test_nothing_runs_behind_an_import_that_fails(tmp_path: Path) -> None:
    assert _codes(tmp_path, "from shop.orders import total") == []


@pytest.mark.parametrize(
    ("imports", "orders"),
    [
        ("from shop.orders import new_total as total", ORDERS),
        ("from shop.orders import os", ORDERS),
        ("from shop.plugins import total", ORDERS),
        ("from orders import total", ORDERS),
        ("from elsewhere.orders import total", ORDERS),
        ("import sys\nsys.path.append('..')\nfrom shop.orders import total", ORDERS),
        ("try:\n    from shop.orders import total\nexcept ImportError:\n    total = None", ORDERS),
        ("from shop.orders import total", f"{ORDERS}\n\ndef __getattr__(name):\n    return new_total\n"),
        ("from shop.orders import total", f"from elsewhere import *\n{ORDERS}"),
        ("from shop.orders import total", f"{ORDERS}\n\nfor name in ('total',):\n    globals()[name] = new_total\n"),
        ("from shop.orders import total", f"{ORDERS}\n\nif os.name:\n    total = new_total\n"),
    ],
)
def test_an_import_that_may_succeed(tmp_path: Path, imports: str, orders: str) -> None:
    assert len(_codes(tmp_path, imports, orders)) == 1
