"""Every row of every proof table, on the real libraries. Needs the dependency group `proof`.

Without torch these tests are skipped, unless LINTPICKLE_REQUIRE_PROOFS=1 says that they must run.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.rulebook import Page, ProofRow, load_pages

from .harness import HANG_LIMIT, LIMIT, Observed, agrees, run, script_for

pytestmark = pytest.mark.proof

CASES = [
    pytest.param(page, row, method, id=f"{page.code}-{row.label}-{method.value}")
    for page in load_pages()
    for row in page.proof
    for method in StartMethod
]


@pytest.fixture(scope="session")
def torch_is_there() -> None:
    if importlib.util.find_spec("torch") is not None:
        return
    if os.environ.get("LINTPICKLE_REQUIRE_PROOFS") == "1":
        pytest.fail("torch is not installed, but LINTPICKLE_REQUIRE_PROOFS=1: install the group 'proof'")
    pytest.skip("torch is not installed: `pip install --group proof` to run the proofs")


@pytest.mark.usefixtures("torch_is_there")
@pytest.mark.parametrize(("page", "row", "method"), CASES)
def test_page_tells_what_really_happens(page: Page, row: ProofRow, method: StartMethod, tmp_path: Path) -> None:
    cell = row.outcomes[method]
    observed = run(script_for(page, row), method, tmp_path, HANG_LIMIT if cell == "hang" else LIMIT)
    assert agrees(cell, observed), (
        f"{page.path}:{row.row}: the page says {cell!r}, the run was {observed.kind!r}:\n{observed.output}"
    )


@pytest.mark.parametrize(
    ("source", "kind", "cell"),
    [
        ("print('fine')", "ok", "ok"),
        ("print('wrong: 2 equal streams')", "wrong", "wrong: 2 equal streams"),
        ("raise TypeError('no')", "error", "TypeError: no"),
        ("raise RuntimeError('worker (pid(s) 12, 13) exited unexpectedly')", "died", "died: (pid(s) N)"),
        ("import time; time.sleep(60)", "hang", "hang"),
    ],
)
def test_the_harness_tells_outcomes_apart(source: str, kind: str, cell: str, tmp_path: Path) -> None:
    observed = run(source, StartMethod.SPAWN, tmp_path, 2.0 if kind == "hang" else LIMIT)
    assert observed.kind == kind
    assert agrees(cell, observed)


@pytest.mark.parametrize(
    ("cell", "observed"),
    [
        ("ok", Observed("error", "TypeError: no")),
        ("hang", Observed("ok", "")),
        ("TypeError: no", Observed("ok", "TypeError: no")),
        ("TypeError: no", Observed("died", "TypeError: no")),
        (
            "TypeError: cannot pickle 'dict_keys' object",
            Observed("error", "TypeError: cannot pickle 'module'"),
        ),
        ("wrong: 3", Observed("wrong", "wrong: 2")),
    ],
)
def test_the_harness_disagrees_with_other_outcomes(cell: str, observed: Observed) -> None:
    assert not agrees(cell, observed)
