"""LP402: conflicting-loader-arguments."""

from __future__ import annotations

from tests.pages import PageTests
from tests.rules.loader_wiring import IMPORTS
from tests.support import lint


class TestPage(PageTests):
    code = "LP402"


def test_shuffling_beside_a_sampler_that_may_be_none_is_only_likely() -> None:
    found = lint(
        f"{IMPORTS}def build(dataset, distributed):\n"
        "    sampler = DistributedSampler(dataset) if distributed else None\n"
        "    return DataLoader(dataset, sampler=sampler, shuffle=True)\n"
    ).diagnostics
    assert [(each.code, each.confidence.value) for each in found] == [("LP402", "likely")]
