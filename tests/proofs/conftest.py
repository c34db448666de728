"""What all proofs need."""

from __future__ import annotations

import importlib.util
import os

import pytest


@pytest.fixture(scope="session")
def torch_is_there() -> None:
    if importlib.util.find_spec("torch") is not None:
        return
    if os.environ.get("LINTPICKLE_REQUIRE_PROOFS") == "1":
        pytest.fail("torch is not installed, but LINTPICKLE_REQUIRE_PROOFS=1: install the group 'proof'")
    pytest.skip("torch is not installed: `pip install --group proof` to run the proofs")
