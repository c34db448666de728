"""What calls get of `**options` from which the key was popped that tells what to call, where there are several."""

from __future__ import annotations

import pytest

from tests.support import marks

TEXT = """\
from torch.utils.data import DataLoader, Dataset

def crop(size):
    def _crop(image):
        return image[:size]
    return _crop

class Flip:
    def __init__(self, share=0.5):
        self.share = share

    def __call__(self, image):
        return image

class Scaled:
    def __init__(self, scale=255.0, made=None):
        self.scale, self.made = scale, made

    def __call__(self, image):
        return image

TABLE = {{"crop": crop, "flip": Flip, "scaled": Scaled}}
CONFIG = [{config}]

def make(config):
    steps = []
    for item in config:
        {step}
    return steps

class Images(Dataset):
    def __init__(self, steps):
        self.steps = steps

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return self.steps[0](index)

if __name__ == "__main__":
    for _ in DataLoader(Images(make(CONFIG)), num_workers=2, multiprocessing_context="spawn"):
        pass
"""
STEPS = "{'name': 'crop', 'size': 2}, {'name': 'flip', 'share': 0.3}, {'name': 'scaled'}"
COPY = "item = dict(item)\n        name = item.pop('name')\n        steps.append(TABLE[name](**item))"


def _codes(step: str, config: str = STEPS) -> list[str]:
    return [code for _, code in marks(TEXT.format(step=step, config=config))]


@pytest.mark.parametrize(
    "step",
    [
        COPY,
        "item = item.copy()\n        name = item.pop('name')\n        steps.append(TABLE[name](**item))",
        "item = {**item}\n        name = item.pop('name')\n        steps.append(TABLE[name](**item))",
        "options = dict(item)\n        steps.append(TABLE[options.pop('name')](**options))",
        "item = dict(item)\n        name = item['name']\n        del item['name']\n"
        "        steps.append(TABLE[name](**item))",
        "item = dict(item, scale=1)\n        name = item.pop('name')\n        item.pop('scale')\n"
        "        steps.append(TABLE[name](**item))",
        "steps.append(TABLE[item['name']](**{k: v for k, v in item.items() if k != 'name'}))",
    ],
)
def test_what_a_call_gives_that_gets_the_rest(step: str) -> None:
    assert _codes(step) == ["LP103"]


@pytest.mark.parametrize("order", [1, -1])
def test_values_under_one_key_of_several(order: int) -> None:
    made = ["{'name': 'scaled', 'made': lambda: 1}", "{'name': 'scaled', 'made': 3}"]
    assert _codes(COPY, ", ".join(made[::order])) == ["LP102"]


@pytest.mark.parametrize(
    "config",
    [
        "{'name': 'flip', 'share': 0.3}, {'name': 'scaled', 'scale': 2}, {'name': 'scaled'}",
        "{'name': 'flip'}",
    ],
)
def test_nothing_that_the_table_does_not_make(config: str) -> None:
    text = TEXT.format(step=COPY, config=config).replace('"crop": crop, ', "")
    assert not marks(text)


def test_a_function_that_has_no_such_parameter() -> None:
    config = "{'name': 'crop', 'share': 1}"
    assert not _codes(COPY, config)  # TypeError: it is never made.


def test_a_dict_that_is_no_copy() -> None:
    step = "name = item.pop('name')\n        steps.append(TABLE[name](**item))"
    assert not _codes(step)  # gap: what a loop goes over, or a parameter, is not seen to lose a key.
