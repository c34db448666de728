"""Numbers of NumPy that are computed from others: what a checkpoint holds under `best_score`."""

from __future__ import annotations

import pytest

from tests.rules.written_to_files import written
from tests.support import marks

_SCORES = """\
import numpy as np
import pandas as pd
import torch


def score(rows, count, weights):
    hits, misses, found = np.zeros((5,)), np.zeros(5), np.array([1, [2]], dtype=object)
    table = pd.DataFrame(rows)
    total = 0
    for row in rows:
        hits[row] += np.logical_and(row, rows).sum()
        total += np.mean(row)
    return {value}


def save(model, path, rows):
    best = score(rows, len(rows), torch.ones(2))
    torch.save({{"model": model.state_dict(), "best": best}}, path)


def restore(path):
    return torch.load(path)
"""


@pytest.mark.parametrize(
    "value",
    [
        "2 * hits[0] / (2 * hits[0] + misses[0])",
        "4 / np.sum(1.0 / (hits + 1e-6))",
        "0.3 * hits[0] + 0.7 * hits[1]",
        "1 - np.mean(rows)",
        "2 ** np.mean(rows)",
        "total / len(rows)",
        "total",
        "hits[1]",
        "hits[1:]",
        "hits.mean()",
        "(hits + 1).max()",
        "np.sqrt(np.mean(rows))",
        "abs(np.mean(rows))",
        "round(np.mean(rows), 2)",
        "sum(np.mean(row) for row in rows)",
        "np.logical_and(rows, rows).sum()",
        "table['loss'].mean()",
        "table['loss'].sum() / 2",
        "pd.Series(rows).std()",
        "np.mean(rows) / count",
    ],
)
def test_numbers_that_are_computed_from_some_of_numpy(value: str) -> None:
    assert [code for _, code in written(_SCORES.format(value=value))] == ["LP503"]


@pytest.mark.parametrize(
    "value",
    [
        "np.mean(rows) * weights",
        "np.mean(rows) + weights",
        "weights * np.mean(rows)",
        "1 / weights.mean()",
        "float(hits[0] / misses[0])",
        "hits.sum().item()",
        "(hits / misses).tolist()",
        "round(np.mean(rows))",
        "round(float(np.mean(rows)), 2)",
        "found[1]",
        "len(rows) / 2",
        "4 / sum(1.0 / len(row) for row in rows)",
        "table['loss'].tolist()",
        "table['loss'].nunique()",
        "float(table['loss'].mean())",
        "len(table) / 2",
        "hits.shape",
    ],
)
def test_what_is_no_number_of_numpy(value: str) -> None:
    assert written(_SCORES.format(value=value)) == []


_RECORDER = """\
import pandas as pd
import torch


class Recorder:
    def __init__(self, hits, misses):
        self.hits, self.misses = hits, misses
        self.precision = self.compute()

    def compute(self):
        if self.hits == 0:
            return 0
        return {share}


class Metrics:
    def __init__(self, rows):
        self.table = pd.DataFrame([*rows], columns=["hits", "misses"])
        self.recorder = Recorder(self.table["hits"].sum(), self.table["misses"].sum())

    @property
    def score(self):
        return 0.3 * self.recorder.precision


def main(model, rows):
    metrics = Metrics(rows)
    torch.save({{"model": model.state_dict(), "best": metrics.score}}, "a.pt")
    return torch.load("a.pt")
"""


@pytest.mark.parametrize(
    ("share", "fires"),
    [
        ("self.hits / (self.hits + self.misses)", True),
        ("float(self.hits / (self.hits + self.misses))", False),
        ("len(str(self.hits)) / 2", False),
    ],
)
def test_numbers_that_objects_keep(share: str, fires: bool) -> None:
    found = [code for _, code in marks(_RECORDER.format(share=share))]
    assert ("LP503" in found) is fires


_SHARED = """\
import numpy as np
import torch


def save(path, rows):
    best = np.mean(rows)
{lines}
    torch.save({{"best": best}}, path)


def restore(path):
    return torch.load(path)
"""


def test_long_formulas_cost_no_more_than_they_are_long() -> None:
    """What a variable holds is asked once, however often the next formula names it."""
    doubled = "\n".join(["    best = best * best"] * 20)
    assert [code for _, code in written(_SHARED.format(lines=doubled))] == ["LP503"]
    # gap: no further than limits.COMPUTED
    assert written(_SHARED.format(lines="\n".join(["    best = best * best"] * 60))) == []
