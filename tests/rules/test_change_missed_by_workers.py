"""LP412: change-missed-by-workers."""

from __future__ import annotations

import pytest

from tests.pages import PageTests
from tests.support import marks


class TestPage(PageTests):
    code = "LP412"


_DATA = """
import multiprocessing as mp

import torch
from torch.utils.data import DataLoader, Dataset, IterableDataset
from tqdm import tqdm


class Crops(Dataset):
    def __init__(self, n):
        self.n = n
        self.epoch = 0
        self.shared = mp.Value("i", 0)
        self.logged = None

    def set_epoch(self, epoch):
        self.epoch = epoch

    def set_shared(self, epoch):
        self.shared.value = epoch

    def note(self, epoch):
        self.logged = epoch

    def __len__(self):
        return self.n

    def __getitem__(self, index):
        return self._seed(index), self.shared.value

    def _seed(self, index):
        return index + self.epoch
"""
_LOOP = """
def train(model, epochs):
    crops = Crops(4)
    loader = DataLoader(crops, num_workers={workers}, persistent_workers={persistent})
    for epoch in range(epochs):
        {change}
        {use}
"""
_USE = "for batch in loader:\n            model(batch)"


@pytest.mark.parametrize(
    ("change", "use", "persistent", "fires"),
    [
        ("crops.set_epoch(epoch)", _USE, "True", True),
        ("crops.epoch = epoch", _USE, "True", True),
        ("loader.dataset.set_epoch(epoch)", _USE, "True", True),
        ("loader.dataset.epoch = epoch", _USE, "True", True),
        ("crops.set_epoch(epoch)", "for i, batch in enumerate(tqdm(loader)):\n            model(batch)", "True", True),
        ("crops.set_epoch(epoch)", "model.fit(loader)", "True", True),
        ("crops.set_epoch(epoch)", _USE, "False", False),
        ("crops.set_epoch(epoch)", _USE, "epochs > 1", False),
        ("crops.set_shared(epoch)", _USE, "True", False),
        ("crops.note(epoch)", _USE, "True", False),
        ("model.set_epoch(epoch)", _USE, "True", False),
        ("crops.set_epoch(epoch)", "model.fit(epoch)", "True", False),
        ("loader._iterator = None; crops.set_epoch(epoch)", _USE, "True", False),
        ("loader = DataLoader(crops, num_workers=2)", _USE, "True", False),
    ],
)
def test_loops_that_change_the_dataset(change: str, use: str, persistent: str, fires: bool) -> None:
    text = _DATA + _LOOP.format(workers=2, persistent=persistent, change=change, use=use)
    assert ("LP412" in [code for _, code in marks(text)]) is fires


@pytest.mark.parametrize(
    ("change", "fires"),
    [
        ("data = loader.dataset\nif hasattr(data, 'set_epoch'):\n    data.set_epoch(epoch)", True),
        ("data = loader.dataset\nif not hasattr(data, 'set_epoch'):\n    continue\ndata.set_epoch(epoch)", True),
        ("data = getattr(loader, 'dataset', None)\nif data is not None:\n    data.set_epoch(epoch)", True),
        ("if callable(getattr(loader.dataset, 'set_epoch', None)):\n    loader.dataset.set_epoch(epoch)", True),
        ("tell = getattr(loader.dataset, 'set_epoch', None)\nif callable(tell):\n    tell(epoch)", True),
        ("if (tell := getattr(loader.dataset, 'set_epoch', None)) is not None:\n    tell(epoch)", True),
        ("tell = getattr(crops, 'set_epoch', print)\ntell(epoch)", True),
        ("data = loader.dataset\nif hasattr(data, 'epoch'):\n    data.epoch = epoch", True),
        ("data = loader.dataset\nif not hasattr(data, 'set_epoch'):\n    data.epoch = epoch", False),
        ("if not hasattr(crops, 'set_epoch'):\n    crops.epoch = epoch", False),
        ("data = loader.dataset\nif hasattr(data, 'reseed'):\n    data.reseed(epoch)", False),
        ("tell = getattr(loader.dataset, 'set_shared', None)\nif tell:\n    tell(epoch)", False),
        ("tell = getattr(loader.sampler, 'set_epoch', None)\nif tell:\n    tell(epoch)", False),
    ],
)
def test_what_the_loop_asks_of_the_dataset_first(change: str, fires: bool) -> None:
    written = change.replace("\n", "\n        ")
    text = _DATA + _LOOP.format(change=written, use=_USE, workers=2, persistent="True")
    assert [code for _, code in marks(text) if code == "LP412"] == ["LP412"] * fires


_OPTION = """

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default={default})
    train(print, 2, parser.parse_args(), Config())


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("workers", "persistent", "fires"),
    [
        ("args.workers", "args.workers > 0", True),
        ("args.workers", "args.workers >= 1", True),
        ("args.workers", "args.workers != 0", True),
        ("args.workers", "0 < args.workers", True),
        ("args.workers", "bool(args.workers)", True),
        ("args.workers", "True if args.workers else False", True),
        ("args.workers", "False if not args.workers else True", True),
        ("config.n", "config.n > 0", True),
        ("config.n", "bool(config.n)", True),
        ("2", "epochs > 1 and config.fast", False),
        ("2", "epochs > 4", False),
        ("args.workers", "args.workers > 4", False),
        ("args.workers", "args.workers == 0", False),
        ("args.workers", "not args.workers", False),
        ("args.workers", "args.fast > 0", False),
        ("config.n", "config.m > 0", False),
        ("args.workers", "False if args.workers else True", False),
        ("args.workers", "config.fast if args.workers else False", False),
    ],
)
def test_persistent_where_there_are_workers(workers: str, persistent: str, fires: bool) -> None:
    loop = _LOOP.format(workers=workers, persistent=persistent, change="crops.set_epoch(epoch)", use=_USE)
    loop = loop.replace("(model, epochs)", "(model, epochs, args, config)")
    text = "import argparse\nfrom settings import Config\n" + _DATA + loop + _OPTION.format(default=1)
    assert [code for _, code in marks(text) if code == "LP412"] == ["LP412"] * fires


def test_persistent_as_who_makes_the_loader_passes_it_on() -> None:
    text = (
        _DATA
        + """
def made(data, n, keep):
    return DataLoader(data, num_workers=n, persistent_workers=keep)


def train(model, epochs, workers=2):
    crops = Crops(4)
    loader = made(crops, workers, {keep})
    for epoch in range(epochs):
        crops.set_epoch(epoch)
        for batch in loader:
            model(batch)
"""
    )
    assert "LP412" in [code for _, code in marks(text.format(keep="workers > 0"))]
    assert "LP412" not in [code for _, code in marks(text.format(keep="workers > 2"))]


def test_no_workers() -> None:
    text = _DATA + _LOOP.format(workers=0, persistent=True, change="crops.set_epoch(epoch)", use=_USE)
    assert "LP412" not in [code for _, code in marks(text)]


def test_a_change_before_the_first_epoch_arrives() -> None:
    text = """
def train(model, epoch):
    crops = Crops(4)
    loader = DataLoader(crops, num_workers=2, persistent_workers=True)
    crops.set_epoch(epoch)
    for batch in loader:
        model(batch)
"""
    assert "LP412" not in [code for _, code in marks(_DATA + text)]


_OTHER_PLACES = {
    "trainer": """
class Trainer:
    def __init__(self, model):
        self.model = model
        self.crops = Crops(4)
        self.loader = DataLoader(self.crops, num_workers=2, persistent_workers=True)

    def fit(self):
        for epoch in range(10):
            self.crops.set_epoch(epoch)
            for batch in self.loader:
                self.model(batch)
""",
    "factory": """
def make_loader(dataset):
    return DataLoader(dataset, num_workers=2, persistent_workers=True)


def train(model):
    crops = Crops(4)
    loader = make_loader(crops)
    for epoch in range(10):
        crops.set_epoch(epoch)
        for batch in loader:
            model(batch)
""",
}


@pytest.mark.parametrize("place", list(_OTHER_PLACES))
def test_loaders_that_are_made_elsewhere(place: str) -> None:
    assert "LP412" in [code for _, code in marks(_DATA + _OTHER_PLACES[place])]


def test_a_loader_for_each_epoch() -> None:
    text = """
def train(model):
    crops = Crops(4)
    for epoch in range(10):
        loader = DataLoader(crops, num_workers=2, persistent_workers=True)
        crops.set_epoch(epoch)
        for batch in loader:
            model(batch)
"""
    assert "LP412" not in [code for _, code in marks(_DATA + text)]


@pytest.mark.parametrize(("length", "fires"), [("self.epoch + 1", True), ("self.n", False)])
def test_a_property_that_reads_it(length: str, fires: bool) -> None:
    text = f"""
class Growing(Crops):
    @property
    def length(self):
        return {length}

    def __getitem__(self, index):
        return torch.full((self.length,), index)


def train(model):
    rows = Growing(4)
    loader = DataLoader(rows, num_workers=2, persistent_workers=True)
    for epoch in range(10):
        rows.set_epoch(epoch)
        for batch in loader:
            model(batch)
"""
    assert ("LP412" in [code for _, code in marks(_DATA + text)]) is fires


_CALLBACKS = """
class Callback:
    def on_epoch_start(self, trainer, epoch):
        pass


class Curriculum(Callback):
    def on_epoch_start(self, trainer, epoch):
        {change}


class Data:
    defaults = {{"num_workers": 2, "persistent_workers": {persistent}}}

    def __init__(self, dataset, **options):
        self.dataset = dataset
        self.options = {{**self.defaults, **options}}
        self._loader = None

    def loader(self):
        if self._loader is None:
            self._loader = DataLoader(self.dataset, **self.options)
        return self._loader


class Trainer:
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)
        self.data = None

    def emit(self, hook, *args):
        for callback in self.callbacks:
            getattr(callback, hook)(self, *args)

    def fit(self, data, epochs):
        self.data = data
        for epoch in range(epochs):
            {loop}


def main():
    Trainer([{callback}()]).fit(Data(Crops(4)), 3)
"""
_EMITS = 'self.emit("on_epoch_start", epoch)\n            for batch in data.loader():\n                print(batch)'
_DIRECT = (
    "for callback in self.callbacks:\n                callback.on_epoch_start(self, epoch)\n"
    "            for batch in data.loader():\n                print(batch)"
)
_SETS = "trainer.data.dataset.set_epoch(epoch)"


@pytest.mark.parametrize(
    ("change", "loop", "callback", "persistent", "fires"),
    [
        (_SETS, _EMITS, "Curriculum", "True", True),
        (_SETS, _DIRECT, "Curriculum", "True", True),
        ("trainer.data.dataset.epoch = epoch", _EMITS, "Curriculum", "True", True),
        ("trainer.data.dataset.note(epoch)", _EMITS, "Curriculum", "True", False),
        ("trainer.data.dataset.set_shared(epoch)", _EMITS, "Curriculum", "True", False),
        (_SETS, _EMITS, "Callback", "True", False),
        (_SETS, _EMITS, "Curriculum", "False", False),
        (_SETS, _EMITS.replace("on_epoch_start", "on_epoch_end"), "Curriculum", "True", False),
        (_SETS, "for batch in data.loader():\n                print(batch)", "Curriculum", "True", False),
    ],
)
def test_callbacks_of_the_loop(change: str, loop: str, callback: str, persistent: str, fires: bool) -> None:
    text = _DATA + _CALLBACKS.format(change=change, loop=loop, callback=callback, persistent=persistent)
    assert bool(marks(text)) is fires


_OPTIONS = """
def build(crops, workers, persistent):
    options = {"batch_size": 8, "num_workers": workers}
    FILL
    return DataLoader(crops, **options)


def train(model, epochs, persistent):
    crops = Crops(4)
    loader = build(crops, NUMBER, persistent)
    for epoch in range(epochs):
        crops.set_epoch(epoch)
        for batch in loader:
            model(batch)
"""


@pytest.mark.parametrize(
    ("fill", "number", "fires"),
    [
        ("if workers:\n        options.update(persistent_workers=True, prefetch_factor=2)", 2, True),
        ("if workers:\n        options['persistent_workers'] = True", 2, True),
        ("if workers > 0:\n        options['persistent_workers'] = True", 2, True),
        ("if options['num_workers'] > 0:\n        options['persistent_workers'] = True", 2, True),
        ("options['persistent_workers'] = True", 2, True),
        ("options.update(persistent_workers=True)", 2, True),
        ("if workers:\n        options['persistent_workers'] = True", 0, False),
        ("if workers:\n        options['persistent_workers'] = False", 2, False),
        ("if workers:\n        options['prefetch_factor'] = 4", 2, False),
        ("if persistent:\n        options['persistent_workers'] = True", 2, False),
        ("if workers and persistent:\n        options['persistent_workers'] = True", 2, False),
        ("if not workers:\n        options['persistent_workers'] = True", 2, False),
        ("options['persistent_workers'] = persistent", 2, False),
        ("options['persistent_workers'] = workers > 4 and persistent", 2, False),
        ("options['persistent_workers'] = True\n    options.pop('persistent_workers')", 2, False),
    ],
)
def test_options_in_a_dict(fill: str, number: int, fires: bool) -> None:
    text = _DATA + _OPTIONS.replace("FILL", fill).replace("NUMBER", str(number))
    assert ("LP412" in [code for _, code in marks(text)]) is fires


_HELD = """
import multiprocessing as mp

from torch.utils.data import DataLoader, Dataset


class Schedule:
    def __init__(self):
        self.epoch = 0
        self.seen = 0
        self.shared = mp.Value("i", 0)

    def advance(self, epoch):
        self.epoch = epoch

    def share(self, epoch):
        self.shared.value = epoch

    def note(self, epoch):
        self.seen = epoch

    @property
    def length(self):
        return 4 + 4 * self.epoch


class Crops(Dataset):
    def __init__(self, schedule):
        self.schedule = schedule

    def __len__(self):
        return 32

    def __getitem__(self, index):
        return READ


def train(model, epochs):
    schedule, other = Schedule(), Schedule()
    crops = Crops(schedule)
    loader = DataLoader(crops, num_workers=2, persistent_workers=PERSISTENT)
    for epoch in range(epochs):
        CHANGE
        for batch in loader:
            model(batch)
    print(other.epoch)
"""


@pytest.mark.parametrize(
    ("change", "read", "persistent", "fires"),
    [
        ("schedule.advance(epoch)", "self.schedule.epoch", "True", True),
        ("schedule.advance(epoch)", "self.schedule.length", "True", True),
        ("schedule.epoch = epoch", "index + self.schedule.length", "True", True),
        ("crops.schedule.advance(epoch)", "self.schedule.epoch", "True", True),
        ("crops.schedule.epoch = epoch", "self.schedule.epoch", "True", True),
        ("loader.dataset.schedule.epoch = epoch", "self.schedule.epoch", "True", True),
        ("schedule.advance(epoch)", "self.schedule.epoch", "False", False),
        ("schedule.advance(epoch)", "index", "True", False),
        ("schedule.advance(epoch)", "self.schedule.shared.value", "True", False),
        ("schedule.share(epoch)", "self.schedule.shared.value", "True", False),
        ("schedule.note(epoch)", "self.schedule.epoch", "True", False),
        ("other.advance(epoch)", "self.schedule.epoch", "True", False),
        ("model.schedule.advance(epoch)", "self.schedule.epoch", "True", False),
        ("loader = DataLoader(crops, num_workers=2)", "self.schedule.epoch", "True", False),
    ],
)
def test_objects_that_the_dataset_holds(change: str, read: str, persistent: str, fires: bool) -> None:
    text = _HELD.replace("CHANGE", change).replace("READ", read).replace("PERSISTENT", persistent)
    assert ("LP412" in [code for _, code in marks(text)]) is fires


_TRAINER = """
def build(dataset, workers):
    return DataLoader(dataset, num_workers=workers, persistent_workers=PERSISTENT)


class Trainer:
    def __init__(self, model, loader, crops):
        self.model = model
        self.loader = loader
        self.crops = crops

    def fit(self, epochs):
        for epoch in range(epochs):
            CHANGE
            USE

    def run_epoch(self):
        for batch in self.loader:
            self.model(batch)

    def show(self):
        print(self.model)


def fit(model, loader, crops, epochs):
    for epoch in range(epochs):
        crops.set_epoch(epoch)
        for batch in loader:
            model(batch)


def main(model):
    crops = Crops(8)
    loader = build(crops, 2)
    START
"""
_TRAINS = "Trainer(model, loader, crops).fit(3)"


@pytest.mark.parametrize(
    ("change", "use", "start", "persistent", "fires"),
    [
        ("self.crops.set_epoch(epoch)", "self.run_epoch()", _TRAINS, "True", True),
        ("self.crops.epoch = epoch", "print(self.run_epoch())", _TRAINS, "True", True),
        ("self.loader.dataset.set_epoch(epoch)", "self.run_epoch()", _TRAINS, "True", True),
        ("self.crops.set_epoch(epoch)", "list(self.loader)", _TRAINS, "True", True),
        ("pass", "pass", "fit(model, loader, crops, 3)", "True", True),
        ("self.crops.set_epoch(epoch)", "self.run_epoch()", _TRAINS, "False", False),
        ("self.crops.set_epoch(epoch)", "self.show()", _TRAINS, "True", False),
        ("self.crops.note(epoch)", "self.run_epoch()", _TRAINS, "True", False),
        ("self.model.set_epoch(epoch)", "self.run_epoch()", _TRAINS, "True", False),
        ("pass", "self.run_epoch()", "crops.set_epoch(1); " + _TRAINS, "True", False),
        ("self.crops.set_epoch(epoch)", "self.run_epoch()", "Trainer(model, [], crops).fit(3)", "True", False),
        ("pass", "pass", "fit(model, [], crops, 3)", "True", False),
    ],
)
def test_a_trainer_that_is_given_the_loader(change: str, use: str, start: str, persistent: str, fires: bool) -> None:
    text = _TRAINER.replace("CHANGE", change).replace("USE", use).replace("START", start)
    found = [code for _, code in marks(_DATA + text.replace("PERSISTENT", persistent))]
    assert ("LP412" in found) is fires


_CURRICULUM = """
class Curriculum:
    def __init__(self, crops, stages, **options):
        self.crops = crops
        self.stages = stages
        self.options = options
        self.loader = DataLoader(crops, **options)

    def __iter__(self):
        for stage in range(self.stages):
            {change}
            {given}

    def count(self):
        for stage in range(self.stages):
            yield stage


def train(model, stages):
    curriculum = Curriculum(Crops(4), stages, num_workers=2, persistent_workers={persistent})
    for {header}:
        for batch in loader:
            model(batch)
"""
_BY_STAGE = "stage, loader in curriculum"


@pytest.mark.parametrize(
    ("change", "given", "header", "persistent", "fires"),
    [
        ("self.crops.set_epoch(stage)", "yield stage, self.loader", _BY_STAGE, "True", True),
        ("self.crops.epoch = stage", "yield stage, self.loader", _BY_STAGE, "True", True),
        ("self.crops.set_epoch(stage)", "yield self.loader", "loader in curriculum", "True", True),
        ("self.crops.set_epoch(stage)", "yield stage, self.loader", _BY_STAGE, "False", False),
        ("self.crops.set_shared(stage)", "yield stage, self.loader", _BY_STAGE, "True", False),
        ("self.crops.note(stage)", "yield stage, self.loader", _BY_STAGE, "True", False),
        ("self.crops.set_epoch(stage)", "yield stage, self.options", _BY_STAGE, "True", False),
        ("self.crops.set_epoch(stage)", "yield stage, DataLoader(self.crops, num_workers=2)", _BY_STAGE, "True", False),
    ],
)
def test_generators_that_give_the_loader(change: str, given: str, header: str, persistent: str, fires: bool) -> None:
    text = _DATA + _CURRICULUM.format(change=change, given=given, header=header, persistent=persistent)
    assert ("LP412" in [code for _, code in marks(text)]) is fires


_STAGES = """
def stages(crops, count):
    for stage in range(count):
        crops.set_epoch(stage)
        yield stage


def numbers(crops, count):
    crops.set_epoch(count)
    for stage in range(count):
        yield stage


class Stages:
    def __init__(self, crops, count):
        self.crops = crops
        self.count = count

    def __iter__(self):
        for stage in range(self.count):
            self.crops.set_epoch(stage)
            yield stage


def train(model, count):
    crops = Crops(4)
    loader = DataLoader(crops, num_workers=2, persistent_workers=True)
    {before}
    for {header}:
        {body}
"""
_BATCHES = "for batch in loader:\n            model(batch)"
_ANEW = "loader = DataLoader(crops, num_workers=2, persistent_workers=True)\n        " + _BATCHES


@pytest.mark.parametrize(
    ("header", "before", "body", "fires"),
    [
        ("stage in stages(crops, count)", "", _BATCHES, True),
        ("stage in stages(crops, count)", "", "print(sum(model(batch) for batch in loader))", True),
        ("stage in stages(crops, count)", "", "model.fit(loader)", True),
        ("stage in Stages(crops, count)", "", _BATCHES, True),
        ("stage in plan", "plan = Stages(crops, count)", _BATCHES, True),
        ("stage in plan", "plan = stages(crops, count)", _BATCHES, True),
        ("stage in stages(Crops(8), count)", "", "print(stage)", False),
        ("stage in stages(crops, count)", "", _ANEW, False),
        ("stage in list(stages(crops, count))", "", _BATCHES, False),
        ("stage in plan", "plan = [*stages(crops, count)]", _BATCHES, False),
        ("stage in numbers(crops, count)", "", _BATCHES, False),
        ("stage in stages(crops, count)", "", "model(stage)", False),
    ],
)
def test_generators_that_the_loop_goes_over(header: str, before: str, body: str, fires: bool) -> None:
    text = _DATA + _STAGES.format(header=header, before=before, body=body)
    assert ("LP412" in [code for _, code in marks(text)]) is fires


_IN_PLACE = """
import random

import numpy as np
import torch
from torch.utils.data import ConcatDataset, DataLoader, Dataset, DistributedSampler, Subset


class Corpus(Dataset):
    def __init__(self, n, table):
        self.stage = 0
        self.order = list(range(n))
        self.index = np.arange(n)
        self.weights = {}
        self.shared = torch.zeros(n).share_memory_()
        self.table = table
        self.log = []

    def advance(self):
        self.stage += 1

    def set_stage(self, stage):
        self._reset(stage)

    def _reset(self, stage):
        self.stage = stage

    def shuffle(self):
        random.shuffle(self.order)

    def shuffle_index(self):
        np.random.shuffle(self.index)

    def weigh(self, stage):
        self.weights[0] = stage

    def share(self, stage):
        self.shared[0] = stage
        self.shared += 1
        self.table += 1

    def note(self, stage):
        self.log.append(stage)

    def __len__(self):
        return len(self.order)

    def __getitem__(self, i):
        return self.order[i], self.index[i], self.weights[i], self.stage, self.shared[i], self.table[i]


class Curriculum:
    def on_epoch_end(self, trainer):
        trainer.loader.dataset.advance()


class Trainer:
    def __init__(self, dataset, callbacks, **kwargs):
        self.loader = DataLoader(dataset, **{**DEFAULTS, **kwargs})
        self.callbacks = list(callbacks)

    def run_epoch(self, stage):
        self.loader.dataset.set_stage(stage)
        return sum(float(each) for each in self.loader)

    def fit(self):
        for stage in range(3):
            BODY


DEFAULTS = dict(batch_size=16, num_workers=WORKERS, persistent_workers=PERSISTENT)


def main():
    corpus, other = Corpus(8, load()), Corpus(4, load())
    sampler = DistributedSampler(corpus)
    loader = DataLoader(WRAPPED, sampler=sampler, **DEFAULTS)
    for stage in range(3):
        CHANGE
        print(sum(float(each) for each in loader))


def last():
    corpus = Corpus(8, load())
    loader = DataLoader(corpus, **DEFAULTS)
    for stage in range(3):
        print(sum(float(each) for each in loader))
        LAST
    for batch in loader:
        corpus.stage = len(batch)


def start():
    Trainer(Corpus(8, load()), [Curriculum()]).fit()
"""
_RUN = "for batch in self.loader:\n                print(batch)\n            "


def _in_place(
    change: str = "pass",
    body: str = "pass",
    last: str = "pass",
    wrapped: str = "corpus",
    workers: int = 2,
    persistent: bool = True,
) -> bool:
    text = _IN_PLACE.replace("CHANGE", change).replace("BODY", body).replace("LAST", last).replace("WRAPPED", wrapped)
    text = text.replace("WORKERS", str(workers)).replace("PERSISTENT", str(persistent))
    return "LP412" in [code for _, code in marks(text)]


_CHANGING = [
    "corpus.advance()",
    "corpus.set_stage(stage)",
    "corpus.shuffle()",
    "corpus.shuffle_index()",
    "corpus.weigh(stage)",
    "corpus.stage += 1",
    "corpus.weights[0] = stage",
    "corpus.order.reverse()",
    "random.shuffle(loader.dataset.order)",
]


@pytest.mark.parametrize("change", _CHANGING)
def test_changes_in_place(change: str) -> None:
    assert _in_place(change=change)
    assert not _in_place(change=change, persistent=False)
    assert not _in_place(change=change, workers=0)


_NOT_MISSED = [
    "corpus.share(stage)",
    "corpus.shared += 1",
    "corpus.table += 1",
    "corpus.note(stage)",
    "corpus.log.append(stage)",
    "sampler.set_epoch(stage)",
    "loader.sampler.set_epoch(stage)",
    "other.advance()",
]


@pytest.mark.parametrize("change", _NOT_MISSED)
def test_changes_in_place_of_what_is_shared_or_not_read(change: str) -> None:
    assert not _in_place(change=change)


def test_a_change_behind_the_loop_over_the_batches() -> None:
    assert _in_place(last="corpus.advance()")
    assert not _in_place()


@pytest.mark.parametrize("wrapped", ["Subset(corpus, [1, 2])", "ConcatDataset([corpus, other])"])
def test_datasets_in_those_of_torch(wrapped: str) -> None:
    assert _in_place(change="corpus.advance()", wrapped=wrapped)
    assert not _in_place(change="corpus.advance()", wrapped=wrapped, persistent=False)


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        (_RUN + "for each in self.callbacks:\n                each.on_epoch_end(self)", True),
        ("print(self.run_epoch(stage))", True),
        (_RUN, False),
    ],
)
def test_callbacks_and_methods_that_change_in_place(body: str, fires: bool) -> None:
    assert _in_place(body=body) is fires


_HOOKS = """
class EpochHook:
    def __init__(self, target):
        self.target = target

    def __call__(self, epoch):
        {told}


class Loop:
    def __init__(self, crops, hooks=()):
        self.loader = DataLoader(crops, num_workers=2, persistent_workers={persistent})
        self.hooks = list(hooks)

    def run(self, epochs):
        for epoch in range(epochs):
            for hook in self.hooks:
                {called}
            for batch in self.loader:
                print(batch)


class Pass:
    def __init__(self, loader):
        self.loader = loader

    def __call__(self):
        return [batch for batch in self.loader]


def main():
    crops, others = Crops(4), Crops(8)
    {runs}
"""
_HOOKED = "Loop(crops, hooks=[print, EpochHook(crops)]).run(3)"
_OF_ITS_OWN = """hook = EpochHook(crops)
    loader = DataLoader(crops, num_workers=2, persistent_workers=True)
    one = Pass(loader)
    for epoch in range(3):
        hook(epoch)
        one()"""


@pytest.mark.parametrize(
    ("runs", "told", "called", "persistent", "fires"),
    [
        (_HOOKED, "self.target.set_epoch(epoch)", "hook(epoch)", True, True),
        (_HOOKED, "self.target.epoch = epoch", "hook(epoch)", True, True),
        ("Loop(crops, hooks=[crops.set_epoch]).run(3)", "pass", "hook(epoch)", True, True),
        ("Loop(crops, hooks=(print, crops.set_epoch)).run(3)", "pass", "hook(epoch)", True, True),
        (_OF_ITS_OWN, "self.target.set_epoch(epoch)", "hook(epoch)", True, True),
        (_HOOKED, "self.target.set_epoch(epoch)", "hook(epoch)", False, False),
        (_HOOKED, "self.target.set_epoch(epoch)", "print(hook, epoch)", True, False),
        (_HOOKED, "self.target.set_shared(epoch)", "hook(epoch)", True, False),
        (_HOOKED, "self.target.note(epoch)", "hook(epoch)", True, False),
        ("Loop(crops, hooks=[EpochHook(others)]).run(3)", "self.target.set_epoch(epoch)", "hook(epoch)", True, False),
        ("Loop(crops, hooks=[others.set_epoch]).run(3)", "pass", "hook(epoch)", True, False),
        ("Loop(crops, hooks=[crops.note, crops.set_shared]).run(3)", "pass", "hook(epoch)", True, False),
    ],
)
def test_hooks_that_are_called_themselves(runs: str, told: str, called: str, persistent: bool, fires: bool) -> None:
    text = _DATA + _HOOKS.format(runs=runs, told=told, called=called, persistent=persistent)
    assert ("LP412" in [code for _, code in marks(text)]) is fires


_COPIED = """
class Views(Crops):
    def clone(self):
        return copy.copy(self)

    def again(self, epoch):
        VIEW
        view.epoch = epoch
        return view


def train(model, epochs):
    views = Views(4)
    loader = DataLoader(views.again(0), num_workers=2, persistent_workers=True)
    for epoch in range(epochs):
        print(len(views.again(epoch)))
        for batch in loader:
            model(batch)
"""


@pytest.mark.parametrize(
    ("view", "fires"), [("view = copy.copy(self)", False), ("view = self.clone()", False), ("view = self", True)]
)
def test_a_copy_that_a_method_makes_is_not_the_dataset_of_the_loader(view: str, fires: bool) -> None:
    text = "import copy\n" + _DATA + _COPIED.replace("VIEW", view)
    assert ("LP412" in [code for _, code in marks(text)]) is fires
