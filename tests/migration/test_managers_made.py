"""Managers that a function makes, and another one starts: what is registered with their class crosses there. Measured
with CPython 3.11 under spawn and forkserver."""

from __future__ import annotations

from pathlib import Path

import pytest

from lintpickle.api import lint_paths
from lintpickle.migration.model import Verdict
from lintpickle.settings import SettingsResolver

from .test_verdicts import migrated

CODE = """\
from multiprocessing.managers import BaseManager


class Stock:
    def __init__(self, amounts=()):
        self.amounts = dict(amounts)

    def take(self, article):
        return self.amounts.pop(article, 0)


class Shop(BaseManager):
    pass


def open_shop(amounts):
    {registered}
    {made}


"""
MAIN = """\
def main():
    manager = open_shop({"lamp": 3})
    manager.start()
    print(manager.stock().take("lamp"))


if __name__ == "__main__":
    main()
"""
ASKING = MAIN.replace("manager.start()", "manager.connect()")
SERVING = MAIN.replace("manager.start()", "manager.get_server().serve_forever()")
LAMBDA = 'stock = Stock(amounts)\n    Shop.register("stock", callable=lambda: stock)'
LOCAL = 'def give():\n        return Stock(amounts)\n\n    Shop.register("stock", give)'
PLAIN = 'Shop.register("stock", callable=Stock)'
AT_ONCE = 'return Shop(authkey=b"shop")'
KEPT = "made = Shop()\n    return made"


def _verdicts(folder: Path, code: str) -> list[tuple[str, Verdict]]:
    return [(each.what, each.verdict) for each in migrated(folder, code).boundaries]


@pytest.mark.parametrize("registered", [LAMBDA, LOCAL])
@pytest.mark.parametrize("made", [AT_ONCE, KEPT])
def test_what_cannot_be_pickled(tmp_path: Path, registered: str, made: str) -> None:
    code = CODE.format(registered=registered, made=made) + MAIN
    assert _verdicts(tmp_path, code) == [("manager.start()", Verdict.BREAKS)]


@pytest.mark.parametrize("made", [AT_ONCE, KEPT])
def test_a_class_is_found_again_by_its_name(tmp_path: Path, made: str) -> None:
    code = CODE.format(registered=PLAIN, made=made) + MAIN
    assert _verdicts(tmp_path, code) == [("manager.start()", Verdict.READY)]


@pytest.mark.parametrize("rest", [ASKING, SERVING])
@pytest.mark.parametrize("registered", [LAMBDA, LOCAL])
def test_managers_that_start_no_process(tmp_path: Path, registered: str, rest: str) -> None:
    assert _verdicts(tmp_path, CODE.format(registered=registered, made=AT_ONCE) + rest) == []


@pytest.mark.parametrize(
    ("registered", "verdict"), [(LAMBDA, Verdict.BREAKS), (LOCAL, Verdict.BREAKS), (PLAIN, Verdict.READY)]
)
def test_started_by_another_module(tmp_path: Path, registered: str, verdict: Verdict) -> None:
    (tmp_path / "shop.py").write_text(CODE.format(registered=registered, made=AT_ONCE))
    assert _verdicts(tmp_path, f"from shop import open_shop\n\n\n{MAIN}") == [("manager.start()", verdict)]


def test_an_object_that_starts_its_manager(tmp_path: Path) -> None:
    desk = (
        "class Desk:\n    def __init__(self, amounts):\n        self.manager = open_shop(amounts)\n\n"
        "    def __enter__(self):\n        self.manager.start()\n        return self.manager.stock()\n\n"
        "    def __exit__(self, *exc):\n        self.manager.shutdown()\n\n\n"
        'def main():\n    with Desk({"lamp": 3}) as stock:\n        print(stock.take("lamp"))\n\n\n'
        'if __name__ == "__main__":\n    main()\n'
    )
    code = CODE.format(registered=LAMBDA, made=AT_ONCE) + desk
    assert _verdicts(tmp_path, code) == [("self.manager.start()", Verdict.BREAKS)]


@pytest.mark.parametrize(
    ("registered", "rest", "codes"),
    [
        (LAMBDA, MAIN, ["LP201"]),
        (LOCAL, MAIN, ["LP202"]),
        (PLAIN, MAIN, []),
        (LAMBDA, ASKING, []),
        (LOCAL, SERVING, []),
    ],
)
def test_check_follows_the_function_of_its_module(tmp_path: Path, registered: str, rest: str, codes: list[str]) -> None:
    (tmp_path / "main.py").write_text(CODE.format(registered=registered, made=AT_ONCE) + rest)
    resolver = SettingsResolver(cwd=tmp_path, isolated=True)
    assert [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics] == codes


POOL = """\
from concurrent.futures import ProcessPoolExecutor


class Crew({base}):
    pass


def hire(count):
    return Crew(count)


def double(number):
    return 2 * number


def main():
    crew = hire(2)
    print(crew.submit({work}, 3).result())


if __name__ == "__main__":
    main()
"""
DERIVED = "ProcessPoolExecutor"


@pytest.mark.parametrize(
    ("base", "work", "codes"),
    [
        (DERIVED, "lambda number: 2 * number", ["LP201"]),
        (DERIVED, "double", []),
        ("Threads", "lambda number: 2 * number", []),
    ],
)
def test_pools_of_an_own_class_that_a_function_makes(tmp_path: Path, base: str, work: str, codes: list[str]) -> None:
    code = POOL.format(base=base, work=work)
    if base != DERIVED:
        code = code.replace(DERIVED, f"ThreadPoolExecutor as {base}")
    (tmp_path / "main.py").write_text(code)
    resolver = SettingsResolver(cwd=tmp_path, isolated=True)
    assert [each.code for each in lint_paths([str(tmp_path)], resolver=resolver).diagnostics] == codes
