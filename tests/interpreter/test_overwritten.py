"""What a function overwrites by conditions that its call decides is not what it returns or stores."""

from __future__ import annotations

import pytest

from tests.support import marks

READER = """\
import h5py
import numpy as np
from torch.utils.data import DataLoader, Dataset


def read_volume(path, key=None, window=None, as_array=True, prepare=None):
    with h5py.File(path, "r") as file:
        data = file[key] if key is not None else file["volume"]
{body}
    return data


class Volume(Dataset):
    def __init__(self, path):
        self.volume = read_volume(path{arguments})

    def __len__(self):
        return len(self.volume)

    def __getitem__(self, index):
        return self.volume[index]


if __name__ == "__main__":
    DataLoader(Volume("brain.h5"), num_workers=2)
"""
EXPRESSION = "        data = np.asarray(data) if as_array else data"
STATEMENT = "        if as_array:\n            data = np.asarray(data)"
CHAIN = f"""\
        data = data[window] if window is not None else data
{EXPRESSION}
        data = prepare(data) if prepare is not None else data"""
NEGATED = "        if not as_array:\n            print(path)\n        else:\n            data = np.asarray(data)"
UNDECIDED = "        data = np.asarray(data) if path.endswith('.small.h5') else data"
UNDECIDED_TOO = "        if as_array and path.endswith('.small.h5'):\n            data = np.asarray(data)"
IN_A_LOOP = "        for each in path.split():\n            if as_array:\n                data = np.asarray(data)"
KEPT = "        kept = data\n        data = np.asarray(data) if as_array else data\n        data = kept"


@pytest.mark.parametrize("body", [EXPRESSION, STATEMENT, CHAIN, NEGATED])
@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        ("", False),
        (', "volume"', False),
        (", as_array=True", False),
        (", as_array=False", True),
        (', "volume", None, 0', True),
    ],
)
def test_the_call_decides_what_is_overwritten(body: str, arguments: str, found: bool) -> None:
    text = READER.format(body=body, arguments=arguments)
    assert any(code == "LP110" for _, code in marks(text)) == found


@pytest.mark.parametrize("body", [UNDECIDED, UNDECIDED_TOO, IN_A_LOOP, KEPT])
def test_what_is_only_sometimes_overwritten_is_returned(body: str) -> None:
    assert any(code == "LP110" for _, code in marks(READER.format(body=body, arguments="")))


def test_an_option_of_the_caller_decides_nothing_that_is_not_known() -> None:
    text = READER.format(body=EXPRESSION, arguments=", as_array=path.endswith('.h5')")
    assert any(code == "LP110" for _, code in marks(text))


CONSTRUCTOR = """\
import h5py
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Volume(Dataset):
    def __init__(self, path, load=True):
        data = h5py.File(path, "r")["volume"]
{body}

    def __len__(self):
        return len(self.data)

    def __getitem__(self, index):
        return self.data[index]


if __name__ == "__main__":
    DataLoader(Volume("brain.h5"{arguments}), num_workers=2)
"""


@pytest.mark.parametrize(
    "body",
    [
        "        if load:\n            data = np.asarray(data)\n        self.data = data",
        "        self.data = np.asarray(data) if load else data",
        "        data = data if not load else np.asarray(data)\n        self.data = data",
    ],
)
@pytest.mark.parametrize(("arguments", "found"), [("", False), (", load=False", True), (", load=ask()", True)])
def test_the_call_of_a_constructor_decides_what_is_stored(body: str, arguments: str, found: bool) -> None:
    text = CONSTRUCTOR.format(body=body, arguments=arguments)
    assert any(code == "LP110" for _, code in marks(text)) == found
