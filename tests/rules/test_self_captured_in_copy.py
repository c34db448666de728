"""LP120: self-captured-in-copy."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import NET, codes
from tests.support import marks


class TestPage(PageTests):
    code = "LP120"


@pytest.mark.parametrize(
    ("statement", "fires"),
    [
        ("self.act = lambda x: self.linear(x)", True),
        ("self.acts = [lambda x: self.linear(x)]", True),
        ("self.act = lambda x: x * 2", False),
        ("self.act = lambda x, factor=2: x * factor", False),
        ("self.act = self.forward", False),
    ],
)
@pytest.mark.parametrize("copied", [True, False])
def test_a_function_that_keeps_the_original(statement: str, fires: bool, copied: bool) -> None:
    more = "\ndef averaged():\n    return copy.deepcopy(Net())\n" if copied else ""
    assert ("LP120" in codes(NET.format(body=" " * 8 + statement) + more)) is (fires and copied)


STEPS = """\
import copy

from torch import nn


class Stride(nn.Module):
    def __init__(self, step=2):
        super().__init__()
        self.step = step
        {step}

    def forward(self, x):
        {first}
        return x[..., :: self.step]

{more}
class Block(nn.Module):
    def __init__(self, wide, kind="stride"):
        super().__init__()
        self.bias = nn.Parameter(wide)
        if kind == "stride":
            self.stride = {made}
            self.narrow = lambda x: {of}
        else:
            self.narrow = nn.Linear(2, 1)

    @staticmethod
    def pad(x):
        return x * 2

    def shifted(self, x):
        return x + self.bias

    def forward(self, x):
        return self.narrow(x)


def averaged():
    return copy.deepcopy(Block(2))
"""
_MORE = "    def widen(self):\n        self.step += 1\n"


@pytest.mark.parametrize(
    ("change", "fires"),
    [
        pytest.param({}, False, id="a module without weights"),
        pytest.param({"made": "Stride(step=3)"}, False, id="of another number"),
        pytest.param({"of": "self.pad(x)"}, False, id="a static method"),
        pytest.param({"of": "self.shifted(self.stride(x))"}, True, id="a method that reads weights"),
        pytest.param({"of": "self.stride(x) + self.bias"}, True, id="weights"),
        pytest.param({"of": "shift(self, x)"}, True, id="itself"),
        pytest.param({"step": "self.weight = nn.Parameter(step)"}, True, id="a module with weights"),
        pytest.param({"step": "self.register_buffer('mean', step)"}, True, id="a module with a buffer"),
        pytest.param({"first": "x = x if self.training else x * 2"}, True, id="a module that asks if it is trained"),
        pytest.param({"more": _MORE}, True, id="a module that changes its number"),
        pytest.param({"made": "nn.Linear(2, 1)"}, True, id="a module of torch"),
    ],
)
def test_a_function_that_uses_nothing_of_the_original(change: dict[str, str], fires: bool) -> None:
    parts = {"step": "pass", "first": "pass", "more": "", "made": "Stride()", "of": "self.pad(self.stride(x))"}
    assert ("LP120" in codes(STEPS.format(**{**parts, **change}))) is fires


def test_a_function_that_keeps_another_object() -> None:
    maker = "class Maker:\n    def made(self):\n        return lambda x: self.scale(x)\n"
    copied = "\ndef averaged():\n    return copy.deepcopy(Net())\n"
    assert "LP120" not in codes(maker + NET.format(body=" " * 8 + "self.act = Maker().made()") + copied)


POLICY = """\
import copy


class Policy:
    def __init__(self, size):
        self.size, self.weights, self.name = size, [0.0] * size, "policy"
        {stores}

    def logit(self, row):
        return sum(map(float.__mul__, self.weights, row))

    def scaled(self, row):
        return self.logit(row) / self.size

    def title(self):
        return self.name.title()

    def update(self, row, error):
        for place, value in enumerate(row):
            self.weights[place] -= error * value


def train(rows, frozen):
    policy = Policy(3)
    for row in rows:
        {copies}
        policy.update(row, policy.act(row) - 1)
    return frozen
"""
DEEP = "frozen.append(copy.deepcopy(policy))"


@pytest.mark.parametrize(
    "stores",
    [
        pytest.param("self.act = lambda row: max(0.0, self.logit(row))", id="by a method"),
        pytest.param("self.act = lambda row: self.scaled(row)", id="by two methods"),
        pytest.param("self.act = lambda row: self.weights[0] * row[0]", id="itself"),
        pytest.param("self.acts = {'linear': lambda row: self.logit(row)}", id="in a dict"),
        pytest.param(
            "def act(row):\n            return self.logit(row)\n        self.act = act", id="a local function"
        ),
    ],
)
def test_what_reads_what_is_trained(stores: str) -> None:
    assert [code for _, code in marks(POLICY.format(stores=stores, copies=DEEP))] == ["LP120"]


@pytest.mark.parametrize(
    "stores",
    [
        pytest.param("self.act = lambda row: sum(row) / self.size", id="nothing changes what it reads"),
        pytest.param("self.act = lambda row: self.title() + str(row)", id="nor what its method reads"),
        pytest.param("self.act = lambda row: sum(row)", id="it captures nothing"),
        pytest.param("self.act = self.logit", id="a method"),
        pytest.param("weights = self.weights\n        self.act = lambda row: weights[0]", id="a list, not the object"),
    ],
)
def test_what_reads_nothing_that_is_trained(stores: str) -> None:
    assert marks(POLICY.format(stores=stores, copies=DEEP)) == []


@pytest.mark.parametrize("copies", ["frozen.append(copy.copy(policy))", "frozen.append(list(policy.weights))"])
def test_no_deep_copy_of_the_policy(copies: str) -> None:
    assert marks(POLICY.format(stores="self.act = lambda row: self.logit(row)", copies=copies)) == []


def test_a_policy_that_says_how_it_is_copied() -> None:
    stores = (
        "self.act = lambda row: self.logit(row)\n\n    def __deepcopy__(self, memo):\n        return Policy(self.size)"
    )
    assert marks(POLICY.format(stores=stores, copies=DEEP)) == []
