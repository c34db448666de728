"""What is found although no boundary ships it: transforms made by calls, functions that methods store."""

from __future__ import annotations

from textwrap import dedent

import pytest

from lintpickle.api import lint_source
from lintpickle.diagnostics import Confidence, Diagnostic
from lintpickle.settings import SettingsResolver
from tests.support import marks

COMPOSE = """\
from torchvision import transforms


def build(size):
    chain = transforms.Compose([transforms.ToTensor(), {}])
    return {}
"""


LOADER = """

def load(dataset):
    from torch.utils.data import DataLoader

    return DataLoader(dataset, num_workers=2)
"""


METHOD = """\
from torchvision import transforms


class Views:
    def __init__(self, size):
        self.chain = transforms.Compose([transforms.ToTensor(), {}])
"""


def pedantic(text: str) -> list[Diagnostic]:
    resolver = SettingsResolver(isolated=True, overrides={"pedantic": True})
    return list(lint_source(dedent(text), "example.py", resolver=resolver).diagnostics)


@pytest.mark.parametrize(
    ("step", "code"),
    [("lambda image: image + size", "LP102"), ("transforms.Lambda(lambda image: image + 1)", "LP102")],
)
def test_a_transform_that_a_method_makes_is_likely_to_cross(step: str, code: str) -> None:
    assert marks(METHOD.format(step) + LOADER) == [(6, code)]


@pytest.mark.parametrize("step", ["lambda image: image + size", "transforms.Lambda(lambda image: image + 1)"])
def test_a_transform_that_a_function_makes_is_merely_possible(step: str) -> None:
    text = COMPOSE.format(step, "chain") + LOADER
    assert marks(text) == []
    assert [(each.code, each.confidence) for each in pedantic(text)] == [("LP102", Confidence.POSSIBLE)]


def test_so_is_one_with_a_local_function() -> None:
    text = "from torchvision import transforms\n\n\ndef build():\n    def double(image):\n        return image * 2\n\n"
    text += "    return transforms.Compose([double])\n" + LOADER
    assert marks(text) == []
    assert [(each.code, each.confidence) for each in pedantic(text)] == [("LP103", Confidence.POSSIBLE)]


def test_a_transform_in_a_program_without_loaders_is_possible() -> None:
    text = COMPOSE.format("lambda image: image + size", "chain")
    assert marks(text) == []
    assert [(each.code, each.confidence) for each in pedantic(text)] == [("LP102", Confidence.POSSIBLE)]


@pytest.mark.parametrize(
    ("step", "result"),
    [
        ("transforms.CenterCrop(size)", "chain"),
        ("lambda image: image + size", "chain(size)"),
        ("str", "sorted(size, key=lambda item: item[1])"),
    ],
    ids=["no-lambda", "applied-here", "lambda-elsewhere"],
)
def test_a_transform_without_lambda_or_applied_on_the_spot_is_silent(step: str, result: str) -> None:
    assert marks(COMPOSE.format(step, result) + LOADER) == []


APPLIED = """\
from torchvision import transforms
{}
transform = transforms.Compose([transforms.Lambda(lambda image: image + 1), transforms.ToTensor()])
{}
"""


@pytest.mark.parametrize(
    "use",
    [
        "def encode(sample):\n    return transform(sample)",
        "class Encoder:\n    def encode(self, sample):\n        return transform(sample)",
        "def make():\n    def encode(sample):\n        return transform(sample)\n    return encode",
        "print([transform(sample) for sample in range(3)])",
    ],
)
def test_a_transform_of_the_module_that_its_functions_apply_does_not_cross(use: str) -> None:
    assert marks(APPLIED.format("", use) + LOADER) == []
    guarded = dedent(APPLIED.format("", use)).splitlines()
    main = "if __name__ == '__main__':\n" + "\n".join(f"    {line}" for line in guarded)
    assert marks(main + LOADER) == []


@pytest.mark.parametrize(
    "use",
    [
        "def encode(sample, transform):\n    return transform(sample)",
        "def encode(self):\n    return self.transform(self)",
        "def encode():\n    return transform",
        "def encode():\n    return transform.transforms",
        "def encode(sample):\n    transform = sample.get()\n    return transform(sample)",
    ],
)
def test_a_transform_of_the_module_that_others_only_name_probably_does(use: str) -> None:
    assert marks(APPLIED.format("", use) + LOADER) == [(3, "LP102")]


@pytest.mark.parametrize(
    ("use", "is_found"),
    [
        ("transform = build(3)\nprint(transform(4))", False),
        ("transform = build(3)\n\n\ndef encode(sample):\n    return transform(sample)", False),
        ("if True:\n    transform = build(3)\n    print([transform(each) for each in range(3)])", False),
        ("transform = build(3)\nprint(transform)", True),
        ("transform = build(3)\nkeep(transform)", True),
        ("transform = build(3)\nprint(transform(4))\nother = build(4)\nkeep(other)", True),
    ],
)
def test_a_transform_that_the_code_of_a_module_gets_and_applies(use: str, is_found: bool) -> None:
    text = COMPOSE.format("lambda image: image + size", "chain")
    assert [each.code for each in pedantic(f"{text}\n\n{use}\n{LOADER}")] == ["LP102"] * is_found


def test_what_a_transform_that_is_applied_holds_does_not_cross_either() -> None:
    assert marks(COMPOSE.format("transforms.Lambda(lambda image: image + 1)", "chain(size)") + LOADER) == []


JITTER = """\
from torchvision import transforms


class Jitter:
    def __init__(self, strength):
        self.strength = strength

    def draw(self):
        steps = []
        if self.strength:
            steps.append(transforms.Lambda(lambda image: image * self.strength))
        return transforms.Compose(steps)

    {}
"""


def test_a_transform_that_all_callers_of_its_maker_apply_does_not_cross() -> None:
    apply = "def __call__(self, image):\n        drawn = self.draw()\n        return drawn(image)"
    assert marks(JITTER.format(apply) + LOADER) == []


@pytest.mark.parametrize(
    "use",
    [
        "",
        "def __call__(self, images):\n        return [images, self.draw()]",
        "def __call__(self, image):\n        return self.draw()(image)\n\n"
        "    def drawn(self):\n        return self.draw()",
    ],
    ids=["no-caller", "kept", "one-of-two"],
)
def test_a_transform_that_a_caller_of_its_maker_keeps_probably_does(use: str) -> None:
    assert marks(JITTER.format(use) + LOADER) == [(11, "LP102")]


PROCESSOR = """\
from torchvision import transforms


class Processor:
    def __init__(self):
        self.chain = transforms.Compose([lambda image: image / 255])

    def {}(self, image):
        return self.{}(image)
"""


def test_a_transform_that_the_object_applies_which_keeps_it_does_not_cross() -> None:
    assert marks(PROCESSOR.format("prepare", "chain") + LOADER) == []


@pytest.mark.parametrize(("method", "attribute"), [("__call__", "chain"), ("prepare", "other")])
def test_a_transform_of_an_object_that_loaders_call_probably_does(method: str, attribute: str) -> None:
    assert marks(PROCESSOR.format(method, attribute) + LOADER) == [(6, "LP102")]


LOADED = """\
from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def train(path):
    chain = transforms.Compose([transforms.Lambda(lambda image: image * 255)])
    return DataLoader(datasets.ImageFolder(path, chain){workers})
"""


@pytest.mark.parametrize(
    ("workers", "confidence"), [("", Confidence.POSSIBLE), (", num_workers=2", Confidence.CERTAIN)]
)
def test_a_transform_whose_loader_is_in_sight_is_as_likely_as_its_workers(workers: str, confidence: Confidence) -> None:
    found = [each.confidence for each in pedantic(LOADED.format(workers=workers) + LOADER) if each.code == "LP102"]
    assert found == [confidence]


KEPT = """\
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


class Images(Dataset):
    def __init__(self):
        self.chain = transforms.Compose([lambda image: image * 255])


def test():
    return DataLoader(Images(){workers})
"""


@pytest.mark.parametrize(
    ("workers", "confidence"), [("", Confidence.POSSIBLE), (", num_workers=2", Confidence.CERTAIN)]
)
def test_what_a_dataset_keeps_is_told_of_the_dataset_alone(workers: str, confidence: Confidence) -> None:
    found = [each for each in pedantic(KEPT.format(workers=workers) + LOADER) if each.code == "LP102"]
    assert [(each.confidence, "Images.chain" in each.message) for each in found] == [(confidence, True)]


@pytest.mark.parametrize("workers", ["POOL", "LOADER_WITHOUT"])
def test_a_transform_is_only_possible_where_no_loader_has_workers(workers: str) -> None:
    pool = "\n\ndef work(items):\n    import multiprocessing\n\n    multiprocessing.Pool(2).map(len, items)\n"
    text = COMPOSE.format("lambda image: image + size", "chain")
    text += pool if workers == "POOL" else LOADER.replace("num_workers=2", "num_workers=0")
    assert [mark for mark in marks(text) if mark[1] == "LP102"] == []
    assert [each.confidence for each in pedantic(text) if each.code == "LP102"] == [Confidence.POSSIBLE]


DATASET = """\
from torch.utils.data import DataLoader, Dataset


def to_map_style(items):
    class Listed({}):
        def __init__(self, items):
            self.items = list(items)

        def __getitem__(self, index):
            return self.items[index]

    {}
"""


@pytest.mark.parametrize("result", ["return Listed(items)", "return Listed", "data = Listed(items)\n    return data"])
def test_a_dataset_of_a_local_class_that_is_returned_is_likely_to_cross(result: str) -> None:
    assert marks(DATASET.format("Dataset", result)) == [(5, "LP104")]


@pytest.mark.parametrize(
    ("base", "result"),
    [
        ("object", "return Listed(items)"),
        ("Dataset", "return list(Listed(items))"),
        ("Dataset", "return len(Listed(items).items)"),
        ("Dataset", "Listed(items)"),
    ],
)
def test_other_local_classes_are_silent(base: str, result: str) -> None:
    assert marks(DATASET.format(base, result)) == []


@pytest.mark.parametrize(
    "inner",
    ["register('rows', lambda: Listed(items))", "def make():\n        return Listed(items)\n\n    register(make)"],
)
def test_what_an_inner_function_returns_of_a_local_dataset_is_merely_possible(inner: str) -> None:
    text = DATASET.format("Dataset", inner).replace("\n\n\n", "\nfrom catalog import register\n\n\n", 1)
    assert marks(text) == []
    assert [(each.code, each.confidence) for each in pedantic(text)] == [("LP104", Confidence.POSSIBLE)]


@pytest.mark.parametrize("inner", ["register(lambda: list(Listed(items)))", "register(lambda: items)"])
def test_an_inner_function_that_returns_none(inner: str) -> None:
    assert [each.code for each in pedantic(DATASET.format("Dataset", inner))] == []


def test_a_local_dataset_whose_loader_is_in_sight_is_reported_there_alone() -> None:
    text = DATASET.format("Dataset", "return Listed(items)") + "\n\nDataLoader(to_map_style([1]), num_workers=2)\n"
    assert [mark for mark in marks(text) if mark[1] == "LP104"] == [(12, "LP104")]


LATER = """\
from torch import nn


class Net(nn.Module):
    def freeze(self):
        {}
"""


@pytest.mark.parametrize(
    "store",
    [
        "self.train = lambda mode=True: mode",
        "def train(mode=True):\n            return mode\n        self.train = train",
        "self.train = lambda mode=True: mode\n        if self.fast:\n            del self.train",
        "self.train = lambda mode=True: mode\n        del self.other",
    ],
)
def test_a_function_stored_by_any_method_is_possible(store: str) -> None:
    text = LATER.format(store)
    assert marks(text) == []
    (found,) = pedantic(text)
    assert (found.code in ("LP102", "LP103"), found.confidence) == (True, Confidence.POSSIBLE)


@pytest.mark.parametrize(
    "store",
    [
        "self.file = open('x')",
        "self.call = print",
        "local = lambda: 1",
        "self.n = len",
        "self.train = lambda mode=True: mode\n        self(1)\n        del self.train",
        "try:\n            self.train = lambda mode=True: mode\n        finally:\n            del self.train",
    ],
)
def test_other_things_stored_later_are_silent(store: str) -> None:
    assert pedantic(LATER.format(store)) == []


HOOKED = """\
from torch import nn


class Net(nn.Module):
    def __getstate__(self):
        return {{key: value for key, value in self.__dict__.items() if key not in ({})}}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self.call = lambda rows: self(rows)
"""


@pytest.mark.parametrize(("dropped", "expected"), [("'call', 'rows'", set()), ("'rows', 'files'", {"LP102", "LP120"})])
def test_what_getstate_drops_may_be_stored_by_setstate(dropped: str, expected: set[str]) -> None:
    assert {each.code for each in pedantic(HOOKED.format(dropped))} == expected


def test_what_construction_stores_is_reported_once() -> None:
    head = "from torch.utils.data import Dataset\n\n\nclass Net(Dataset):\n"
    text = head + "    def __init__(self):\n        self.f = lambda x: x\n"
    assert [each.confidence for each in pedantic(text)] == [Confidence.LIKELY]


MODULE = """\
from {} import {} as name
from torch.utils.data import Dataset


class Net(Dataset):
    def __init__(self):
        self.it = name
"""


@pytest.mark.parametrize(
    ("package", "name", "found"),
    [
        ("torch.nn", "functional", [(7, "LP113")]),
        ("torchvision", "transforms", [(7, "LP113")]),
        ("pycocotools", "mask", [(7, "LP113")]),
        ("torch", "nn", [(7, "LP113")]),
        ("torch.nn", "Linear", []),
        ("torch.nn.functional", "relu", []),
        ("itertools", "chain", []),
        ("nowhere", "thing", []),
    ],
)
def test_a_module_imported_from_its_package_is_a_module(package: str, name: str, found: list[tuple[int, str]]) -> None:
    assert marks(MODULE.format(package, name)) == found


USED = """\
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms


def get_transform(crop=None):
    steps = [transforms.ToTensor()]
    if crop is not None:
        steps.append(transforms.Lambda(lambda image: image.crop(crop)))
    return transforms.Compose(steps)


class Images(Dataset):
    def __init__(self, names):
        self.names = names
        {0}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, index):
        {1}


def main(names):
    return DataLoader(Images(names), num_workers=2)
"""


@pytest.mark.parametrize(
    ("kept", "used", "found"),
    [
        ("pass", "return self.names.apply(get_transform((1, 2)))", False),
        ("pass", "made = get_transform((1, 2))\n        return made(self.names[index])", False),
        ("self.made = get_transform()", "return self.made(self.names[index])", False),
        ("self.made = get_transform()", "return self.names.apply(get_transform((1, 2)))", False),
        ("self.made = get_transform((1, 2))", "return self.made(self.names[index])", True),
    ],
)
def test_what_a_dataset_makes_for_one_item_is_used_up(kept: str, used: str, found: bool) -> None:
    """Workers make it and throw it away. What is kept has only those steps that its arguments ask for."""
    assert any(code == "LP102" for _, code in marks(USED.format(kept, used))) == found


NEVER_READ = """\
from torch.utils.data import DataLoader
from torchvision import transforms


class Scenes:
    def prepare(self, path):
        {}

    def loader(self):
        return DataLoader(self.rows, num_workers=4)
"""
UNREAD = [
    "steps = [transforms.Lambda(lambda image: image * 2)]",
    "steps = []\n        steps += [transforms.ToTensor(), transforms.Lambda(lambda image: image * 2)]",
    "steps = []\n        steps.append(transforms.Lambda(lambda image: image * 2))\n        self.rows = read(path)",
    "chain = transforms.Compose([transforms.Lambda(lambda image: image * 2)])",
]
READ = [
    "steps = [transforms.Lambda(lambda image: image * 2)]\n        self.rows = read(path, steps)",
    "steps = []\n        steps += [transforms.Lambda(lambda image: image * 2)]\n        return steps",
    "steps = self.steps\n        steps.append(transforms.Lambda(lambda image: image * 2))",
    "global steps\n        steps = [transforms.Lambda(lambda image: image * 2)]",
    "chain = transforms.Compose([transforms.Lambda(lambda image: image * 2)])\n        self.rows = read(locals())",
]


@pytest.mark.parametrize(("making", "expected"), [(each, []) for each in UNREAD] + [(each, ["LP102"]) for each in READ])
def test_transforms_in_a_variable_that_nobody_reads(making: str, expected: list[str]) -> None:
    assert [code for _, code in marks(NEVER_READ.format(making))] == expected


GIVEN = """\
from torch.utils.data import DataLoader
from torchvision import transforms


class Scenes:
    {decorator}
    def scale(self):
        return transforms.Lambda(lambda image: image * 2)

    def collate(self, batch):
        return {used}

    def loader(self):
        return DataLoader(self.rows, num_workers=4)


class Far(Scenes):
    {decorator}
    def scale(self):
        return transforms.Lambda(lambda image: image * 3)
"""


@pytest.mark.parametrize(
    ("decorator", "used", "expected"),
    [
        ("@property", "self.scale(batch)", 0),
        ("@property", "[self.scale(each) for each in batch]", 0),
        ("@property", "Rows(batch, self.scale)", 2),
        ("@property", "batch", 2),
        ("@cached_property", "self.scale(batch)", 2),
    ],
)
def test_transforms_that_a_property_gives_to_be_called(decorator: str, used: str, expected: int) -> None:
    assert len(marks(GIVEN.format(decorator=decorator, used=used))) == expected


TIMES = """\
from collections import OrderedDict, namedtuple

Right = namedtuple("Right", "name seconds")


class Times({base}):
    Entry = namedtuple("Entry", "name seconds")
    known = []

    def __init__(self):
        super().__init__()
        self.rows = []
        self.by_name = {{}}

    def add(self, name, seconds):
        {store}
"""


@pytest.mark.parametrize(
    ("base", "store"),
    [
        ("", "self.last = self.Entry(name, seconds)"),
        ("", "self.rows.append(self.Entry(name, seconds))"),
        ("", "self.by_name[name] = Times.Entry(name, seconds)"),
        ("OrderedDict", "self[name] = self.Entry(name, seconds)"),
        ("list", "self.append(self.Entry(name, seconds))"),
    ],
)
def test_a_record_of_a_class_in_a_class_that_a_method_keeps(base: str, store: str) -> None:
    assert [each.code for each in pedantic(TIMES.format(base=base, store=store))] == ["LP121"]


@pytest.mark.parametrize(
    ("base", "store"),
    [
        ("", "self.last = Right(name, seconds)"),
        ("", "self.rows.append(Right(name, seconds))"),
        ("", "self.known.append(self.Entry(name, seconds))"),
        ("", "self.rows.append(self.Entry(name, seconds).seconds)"),
        ("", "self.last = list(self.Entry(name, seconds))"),
        ("", "rows = []\n        rows.append(self.Entry(name, seconds))"),
        ("", "self.by_name[name] = lambda: seconds"),
        ("UnknownBase", "self[name] = self.Entry(name, seconds)"),
    ],
)
def test_other_records_that_a_method_makes(base: str, store: str) -> None:
    assert pedantic(TIMES.format(base=base, store=store)) == []


GIVEN_BACK = """\
from torch.utils.data import DataLoader
from torchvision import transforms


def load(rows):
    return DataLoader(rows, num_workers=4)


class Describer:
    {about}

    def steps(self):
        {made}
"""


@pytest.mark.parametrize(
    ("about", "made", "expected"),
    [
        ("size = 3", "return transforms.Lambda(lambda image: image * 2)", 0),
        ("size = 3", "return transforms.Compose([transforms.Lambda(lambda image: image * 2)]), None", 0),
        (
            "size = 3",
            "chain = transforms.Compose([transforms.Lambda(lambda image: image * 2)])\n        return None, chain",
            0,
        ),
        ("size = 3", "self.rows = Rows(transforms.Lambda(lambda image: image * 2))", 1),
        ("kind = RowsDataset", "return transforms.Lambda(lambda image: image * 2)", 1),
        ("def dataloader(self):\n        return 1", "return transforms.Lambda(lambda image: image * 2)", 1),
    ],
)
def test_transforms_that_a_method_gives_back(about: str, made: str, expected: int) -> None:
    assert len(marks(GIVEN_BACK.format(about=about, made=made))) == expected


@pytest.mark.parametrize(("base", "is_found"), [("logging.Logger", False), ("logging.Filter", True), ("object", True)])
def test_what_pickle_finds_again_by_its_name_has_no_state_that_crosses(base: str, is_found: bool) -> None:
    text = (
        f"import logging\n\n\nclass Quiet({base}):\n    def silence(self):\n        self.debug = lambda message: None\n"
    )
    assert [each.code for each in pedantic(text)] == ["LP102"] * is_found
