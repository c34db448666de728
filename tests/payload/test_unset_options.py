"""A boundary behind an option of a dict that the program never sets is only possible."""

from __future__ import annotations

import pytest

from tests.support import marks

TRAINING = """\
import pickle

import yaml


class Buffer:
    def __init__(self, sizes):
        self.keys = sizes.keys()


def train(variant, path):
    buffer = Buffer(variant["sizes"])
    steps = variant.get("steps", 100)
    for epoch in range(variant["epochs"]):
        print(epoch, steps, variant.get("rate", 0.1))
    {saving}


def main():
    {made}
    train(variant, "buffer.p")


if __name__ == "__main__":
    main()
"""
WRITTEN = 'variant = dict(sizes={"a": 3}, epochs=3, steps=20, rate=0.1)'
SAVING = 'if variant.get("save_buffer", False):\n        pickle.dump(buffer, open(path, "wb"))'


def _found(saving: str = SAVING, made: str = WRITTEN, pedantic: bool = False) -> list[str]:
    text = TRAINING.format(saving=saving, made=made)
    return [code for _, code in marks(text, pedantic=pedantic) if code == "LP101"]


@pytest.mark.parametrize(
    "saving",
    [
        SAVING,
        SAVING.replace(", False", ""),
        SAVING.replace(", False", ", None"),
        SAVING.replace("False):", "False) and variant['epochs']:"),
        "if not variant.get('save_buffer'):\n        return\n    pickle.dump(buffer, open(path, 'wb'))",
    ],
)
def test_an_option_that_nothing_sets(saving: str) -> None:
    assert _found(saving) == []
    assert _found(saving, pedantic=True) == ["LP101"]


def test_a_dict_display_without_the_key() -> None:
    assert _found(made='variant = {"sizes": {"a": 3}, "epochs": 3, "steps": 20, "rate": 0.1}') == []
    assert _found(made='variant = dict(sizes={"a": 3}, epochs=3)\n    variant["steps"] = 9') == []


@pytest.mark.parametrize(
    "saving",
    [
        pytest.param(SAVING.replace("False", "True"), id="on by default"),
        pytest.param(SAVING.replace("if variant", "if not variant"), id="asked to be off"),
        pytest.param(SAVING.replace("False):", "False) or variant['epochs']:"), id="or something else"),
        pytest.param(SAVING.replace("False", "variant['epochs']"), id="by another option"),
        pytest.param('pickle.dump(buffer, open(path, "wb"))', id="always"),
        pytest.param("variant.setdefault('save_buffer', True)\n    " + SAVING, id="set where it is read"),
    ],
)
def test_an_option_that_need_not_be_set(saving: str) -> None:
    assert _found(saving) == ["LP101"]


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(WRITTEN.replace("epochs=3", "epochs=3, save_buffer=True"), id="as a keyword"),
        pytest.param(f'{WRITTEN}\n    variant["save_buffer"] = True', id="as an item"),
        pytest.param(f'{WRITTEN}\n    variant.update({{"save_buffer": True}})', id="in a display"),
        pytest.param('variant = yaml.safe_load(open("options.yaml"))', id="options of a document"),
        pytest.param('variant = yaml.safe_load(open("options.yaml"))\n    variant["steps"] = 3', id="mostly"),
    ],
)
def test_an_option_that_may_be_set(made: str) -> None:
    assert _found(made=made) == ["LP101"]
