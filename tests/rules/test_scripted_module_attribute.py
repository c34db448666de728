"""LP118: scripted-module-attribute."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.rules.held_objects import NET, codes


class TestPage(PageTests):
    code = "LP118"


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("self.handle = self.linear.register_forward_hook(self.hook)", []),
        ("self.part = torch.jit.script(self.linear)", []),  # shown to pedants
        ("self.part = torch.jit.script(self.linear)\n\ntorch.save(Net(), 'net.pt')", ["LP118"]),
        ("self.part = nn.utils.parametrizations.spectral_norm(self.linear)", []),  # shown to pedants
        ("self.part = nn.utils.weight_norm(self.linear)", []),  # shown to pedants
        ("self.part = nn.utils.remove_weight_norm(self.linear)", []),
    ],
)
def test_parts_of_modules(statement: str, expected: list[str]) -> None:
    assert codes(NET.format(body=" " * 8 + statement)) == expected
