"""LP503: checkpoint-refused-by-weights-only."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from lintpickle.diagnostics import Confidence
from tests.pages import PageTests
from tests.rules.written_to_files import lint_files, written
from tests.support import lint, marks


class TestPage(PageTests):
    code = "LP503"


CHECKPOINT = """\
import argparse
import collections
import datetime
import enum
import pathlib

import numpy as np
import torch
from easydict import EasyDict
from torch import nn, optim


class Color(enum.Enum):
    RED = 1


class Meter:
    pass


def made():
    return optim.Adam([])


def save(path, acc, tensor):
    parser = argparse.ArgumentParser()
    net = nn.Linear(1, 1)
    rng, steps = np.random.RandomState(42), optim.lr_scheduler.StepLR(optim.Adam(net.parameters()), 1)
    torch.save({"epoch": 1, "x": %s}, path)


def restore(path):
    return torch.load(path%s)
"""


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("parser.parse_args()", "argparse.Namespace"),
        ("parser.parse_known_args()[0]", "argparse.Namespace"),
        ("argparse.Namespace(a=1)", "argparse.Namespace"),
        ("EasyDict(a=1)", "easydict.EasyDict"),
        ("np.array([1])", "numpy._core.multiarray._reconstruct"),
        ("tensor.cpu().numpy()", "numpy._core.multiarray._reconstruct"),
        ("torch.ones(2).numpy()", "numpy._core.multiarray._reconstruct"),
        ("made()", "torch.optim.adam.Adam"),
        ("np.random.get_state()", "numpy._core.multiarray._reconstruct"),
        ("np.random.RandomState(3).get_state()", "numpy._core.multiarray._reconstruct"),
        ("rng.get_state()", "numpy._core.multiarray._reconstruct"),
        ("np.mean([1, 2])", "numpy._core.multiarray.scalar"),
        ("np.int64(acc)", "numpy._core.multiarray.scalar"),
        ("np.int64([1, 2])", "numpy._core.multiarray._reconstruct"),
        ("np.uint8(tuple(range(3)))", "numpy._core.multiarray._reconstruct"),
        ("collections.defaultdict(list)", "collections.defaultdict"),
        ("collections.deque()", "collections.deque"),
        ("pathlib.Path('a')", "pathlib.PosixPath"),
        ("datetime.datetime.now()", "datetime.datetime"),
        ("range(3)", "range"),
        ("frozenset({1})", "frozenset"),
        ("optim.Adam(net.parameters())", "torch.optim.adam.Adam"),
        ("optim.lr_scheduler.StepLR(optim.Adam(net.parameters()), 1)", "torch.optim.lr_scheduler.StepLR"),
        ("steps or None", "torch.optim.lr_scheduler.StepLR"),
        ("Meter()", "example.Meter"),
        ("[Meter()]", "example.Meter"),
        ("Meter", "example.Meter"),
        ("save", "example.save"),
    ],
)
def test_what_torch_load_refuses_is_reported_with_its_name(value: str, name: str) -> None:
    (found,) = lint(CHECKPOINT % (value, "")).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)
    assert f"GLOBAL {name}" in (found.error or "")
    assert "GLOBAL" in found.message


@pytest.mark.parametrize(
    "value",
    [
        "vars(parser.parse_args())",
        "np.array([1]).tolist()",
        "np.mean([1, 2]).item()",
        "float(np.mean([1, 2]))",
        "torch.from_numpy(np.array([1]))",
        "collections.OrderedDict()",
        "collections.Counter()",
        "{1, 2}",
        "str(pathlib.Path('a'))",
        "optim.Adam(net.parameters()).state_dict()",
        "net.state_dict()",
        "max(acc, 0.5)",
        "acc",
        "tensor",
        "torch.get_rng_state()",
        "torch.Generator().get_state()",
        "net.get_state()",
        "steps and steps.state_dict()",
        "acc and steps and steps.state_dict()",
        "Meter().value",
        "b'a'",
        "np.inf",
    ],
)
def test_what_torch_load_allows_is_not_reported(value: str) -> None:
    assert written(CHECKPOINT % (value, "")) == []


@pytest.mark.parametrize("decision", [", weights_only=False", ", weights_only=trusted", ", pickle_module=pickle"])
def test_a_project_that_decides_how_it_loads_is_left_alone(decision: str) -> None:
    assert written(CHECKPOINT % ("Meter()", decision)) == []
    assert written(CHECKPOINT % ("Meter()", ", weights_only=True")) != []


@pytest.mark.parametrize(
    ("options", "is_found"),
    [
        ('options["weights_only"] = False', False),
        ("options = {'weights_only': False, 'map_location': 'cpu'}", False),
        ('options = {"weights_only": trusted}', False),
        ('options.setdefault("weights_only", False)', False),
        ('options["pickle_module"] = pickle', False),
        ('options["weights_only"] = True', True),
        ('options = {"weights_only": True}', True),
        ('options["map_location"] = "cpu"', True),
    ],
)
def test_how_it_loads_may_be_decided_in_options_that_are_passed_on(options: str, is_found: bool) -> None:
    text = (CHECKPOINT % ("Meter()", ", **options")).replace("    return torch", f"    {options}\n    return torch")
    assert bool(written(text)) is is_found


def test_one_of_several_values_is_likely() -> None:
    text = (CHECKPOINT % ("made(path)", "")).replace(
        "def made():\n    return optim.Adam([])", "def made(path):\n    if path:\n        return Meter()\n    return 1"
    )
    (found,) = lint(text).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.LIKELY)
    (found,) = lint(CHECKPOINT % ("Meter()", "")).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)


def test_without_a_load_in_sight_it_is_merely_possible() -> None:
    text = (CHECKPOINT % ("Meter()", "")).replace("torch.load(path)", "path")
    assert written(text) == []


def test_a_script_that_loads_another_file_leaves_it_likely() -> None:
    text = (CHECKPOINT % ("Meter()", "")).replace(", path)", ', "run.pt")')
    text += '\n\nif __name__ == "__main__":\n    restore("run.pt")\n'
    (found,) = lint(text.replace("torch.load(path)", 'torch.load("other.pt")')).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.LIKELY)
    (found,) = lint(text.replace("torch.load(path)", 'torch.load("run.pt")')).diagnostics
    assert (found.code, found.confidence) == ("LP503", Confidence.CERTAIN)


def test_arguments_parsed_at_module_level_are_known() -> None:
    text = """\
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    args = parser.parse_args()


    def save(path):
        torch.save({"args": args}, path)
        return torch.load(path)
    """
    assert written(text) == [(9, "LP503")]


ALONE = """\
import argparse
import torch


def save(folder, weights):
    args = argparse.ArgumentParser().parse_args()
    torch.save({saved}, {path})


def read(folder):
    return torch.load({read})
"""


@pytest.mark.parametrize(
    ("saved", "path", "read", "expected"),
    [
        ("args", "folder + '/training_args.bin'", "folder", []),
        ("args", "folder + '/training_args.bin'", "folder + '/training_args.bin'", ["LP503"]),
        ("args", "folder + '/training_args.bin'", "torch.save(1, folder + '/training_args.bin')", []),
        ("args", "folder", "folder", ["LP503"]),
        ("{'args': args, 'weights': weights}", "folder + '/last.pth'", "folder", ["LP503"]),
    ],
    ids=[
        "nothing reads it",
        "the program reads it",
        "it is saved twice",
        "what file that is is not seen",
        "a checkpoint with weights",
    ],
)
def test_a_file_without_weights_that_nothing_reads_is_not_shown(
    saved: str, path: str, read: str, expected: list[str]
) -> None:
    assert [code for _, code in written(ALONE.format(saved=saved, path=path, read=read))] == expected


_SCRIPT = """\
import argparse
import os

import torch


def train(args):
    torch.save(
        args,
        os.path.join(args.folder, "training_args.bin"),
    )


def main():
    args = argparse.ArgumentParser().parse_args()
    train(args)
    {then}


if __name__ == "__main__":
    main()
"""
_READING = 'torch.load(os.path.join(args.folder, "training_args.bin"))'


@pytest.mark.parametrize(
    ("then", "other", "expected"),
    [
        ("pass", _SCRIPT.format(then="pass"), []),
        ("pass", _SCRIPT.format(then=_READING), ["other.py"]),
        (_READING, _SCRIPT.format(then="pass"), ["train.py"]),
        ("pass", f"import os\nimport torch\n\n\ndef read(args):\n    return {_READING}\n", ["train.py"]),
    ],
    ids=["no script reads it", "another one reads its own", "it reads its own", "a reader of what others write"],
)
def test_scripts_that_write_files_of_one_name(tmp_path: Path, then: str, other: str, expected: list[str]) -> None:
    reader = "import torch\n\n\ndef weights(path):\n    return torch.load(path)\n"
    found = lint_files(tmp_path, {"train.py": _SCRIPT.format(then=then), "other.py": other, "reader.py": reader})
    shown = [each for each in found if each.confidence is not Confidence.POSSIBLE]
    assert [(Path(each.location.path).name, each.code) for each in shown] == [(name, "LP503") for name in expected]


def test_one_object_that_a_module_writes_often_is_one_finding() -> None:
    text = """\
    import argparse
    import torch


    def save(path, epoch):
        args = argparse.ArgumentParser().parse_args()
        other = argparse.Namespace(a=1)
        torch.save({"args": args}, path + "first.pt")
        torch.save({"args": args, "epoch": epoch}, path + "last.pt")
        torch.save({"args": other}, path + "other.pt")
        return torch.load(path)
    """
    first, second = lint(dedent(text)).diagnostics
    assert [each.location.start.row for each in first.related] == [8, 9]
    assert (first.location.start.row, second.location.start.row, second.related) == (8, 10, ())


_KEPT = """\
import numpy as np
import torch


class Checkpointer:
    def __init__(self):
        self.best = float("inf")
        self.curve = []

    def step(self, model, losses):
        loss = np.mean(losses)
        {store}

    def write(self, path):
        torch.save({{"best": {written}}}, path)

    def read(self, path):
        return torch.load(path)
"""


@pytest.mark.parametrize(
    ("store", "value", "fires"),
    [
        ("self.best = loss", "self.best", True),
        ("self.best = np.mean(losses)", "self.best", True),
        ("self.best = float(loss)", "self.best", False),
        ("self.best = loss.item()", "self.best", False),
        ("self.best = min(self.best, loss)", "self.best", True),
        ("self.best = max(np.mean(losses), self.best)", "self.best", True),
        ("self.best = min(self.best, float(loss))", "self.best", False),
        ("self.best = min(losses, key=np.mean)", "self.best", False),
        ("self.best = min(float(min(self.best, loss)), 1.0)", "self.best", False),
        ("self.best = loss", "float(self.best)", False),
        ("self.best = loss", "self.curve", False),
        ("model.best = loss", "self.best", False),
    ],
)
def test_what_a_method_has_stored_before(store: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_KEPT.format(store=store, written=value))]
    assert ("LP503" in found) is fires


_HYDRA = """\
import hydra
import torch


class Trainer:
    def __init__(self, options):
        self.options = options

    def write(self, path):
        torch.save({{"options": {written}}}, path)


{decorator}
def main(config{more}):
    Trainer(config).write("last.pt")
    torch.load("last.pt")


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("decorator", "more", "value", "fires"),
    [
        ("@hydra.main(config_path='conf')", "", "self.options", True),
        ("@hydra.main(config_path='conf')", "", "dict(a=self.options.a)", False),
        ("@hydra.main(config_path='conf')", ", other", "self.options", False),
        ("@print", "", "self.options", False),
        ("@hydra.other", "", "self.options", False),
    ],
)
def test_the_configuration_that_hydra_passes(decorator: str, more: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_HYDRA.format(decorator=decorator, more=more, written=value))]
    assert ("LP503" in found) is fires


_FILLED = """\
import numpy as np
import torch


class History:
    def __init__(self):
        self.kept = {{"loss": [], "best": []}}

    def log(self, key, value):
        if key in self.kept:
            self.kept[key].append(value)

    def reset(self, kept):
        self.kept = kept

    def state(self):
        return self.kept


class Trainer:
    def __init__(self):
        self.history = History()
        self.losses = []
        self.by_name = {{}}

    def step(self, model, losses):
        loss = np.mean(losses)
        {filled}

    def write(self, path):
        torch.save({{"x": {written}}}, path)

    def read(self, path):
        self.history.reset(torch.load(path)["x"])
"""


@pytest.mark.parametrize(
    ("filled", "value", "fires"),
    [
        ("self.losses.append(loss)", "self.losses", True),
        ("self.losses += [loss]", "self.losses", True),
        ("self.by_name['loss'] = loss", "self.by_name", True),
        ("self.history.kept['loss'].append(loss)", "self.history.kept", True),
        ("self.history.log('loss', loss)", "self.history.kept", True),
        ("self.history.log('loss', loss)", "self.history.state()", True),
        ("self.losses.append(float(loss))", "self.losses", False),
        ("self.losses.append(loss)", "[float(each) for each in self.losses]", False),
        ("self.losses.append(loss)", "self.by_name", False),
        ("self.losses.append(loss)", "len(self.losses)", False),
        ("self.history.log('loss', loss.item())", "self.history.state()", False),
        ("self.history.log('loss', loss)", "self.losses", False),
        ("model.losses.append(loss)", "self.losses", False),
    ],
)
def test_what_methods_have_put_into_containers_before(filled: str, value: str, fires: bool) -> None:
    found = [code for _, code in written(_FILLED.format(filled=filled, written=value))]
    assert ("LP503" in found) is fires


def test_the_trail_names_the_value_the_save_and_the_load() -> None:
    text = _FILLED.format(filled="self.losses.append(loss)", written="self.losses")
    (found,) = lint(text).diagnostics
    assert [step.location.start.row for step in found.trail] == [27, 31, 34, 31]
    assert found.confidence is Confidence.LIKELY


_METER = """\
import numpy as np
import torch


class Meter:
    def __init__(self):
        self.values = []

    @property
    def average(self):
        return {average}


class History:
    def __init__(self):
        self.best = float("inf")

    def close(self, meter):
        self.best = min(self.best, {given})

    def summary(self):
        return {{"best": self.best}}


class Trainer:
    def __init__(self):
        self.history = History()

    def epoch(self):
        meter = Meter()
        self.history.close(meter)

    def write(self, path):
        torch.save(self.history.summary(), path)

    def read(self, path):
        return torch.load(path)
"""


@pytest.mark.parametrize(
    ("average", "given", "fires"),
    [
        ("np.mean(self.values)", "meter.average", True),
        ("float(np.mean(self.values))", "meter.average", False),
        ("np.mean(self.values)", "float(meter.average)", False),
        ("sum(self.values) / len(self.values)", "meter.average", False),
        ("np.mean(self.values)", "len(meter.values)", False),
    ],
)
def test_the_least_of_what_a_property_of_an_argument_gives(average: str, given: str, fires: bool) -> None:
    found = lint(_METER.format(average=average, given=given)).diagnostics
    assert [(each.code, each.confidence) for each in found] == ([("LP503", Confidence.LIKELY)] if fires else [])


_COUNTED = """\
from collections import defaultdict

import torch


def write(names, path):
    first, second = defaultdict(int), defaultdict(int)
    for name in names:
        first[name] += 1
    {made}
    torch.save({{"first": {saved}, "second": second}}, path)


def read(path):
    return torch.load(path)
"""


@pytest.mark.parametrize(
    ("made", "saved", "fires"),
    [
        ("", "first", True),
        ("first, second = dict(first), dict(second)", "first", False),
        ("second = dict(second)", "dict(first)", False),
        ("second = dict(second)", "dict(rows=first)", True),
        ("second = dict(second)", "{**first}", False),
    ],
)
def test_a_dict_of_what_another_one_holds(made: str, saved: str, fires: bool) -> None:
    found = [code for _, code in written(_COUNTED.format(made=made, saved=saved))]
    assert ("LP503" in found) is fires


RETURNED = """\
import numpy as np
import torch


def score(values):
    return {returned}


def save(values, path):
    first, last = score(values)
    torch.save({{"epoch": 1, "score": {value}}}, path)


def restore(path):
    return torch.load(path)
"""


@pytest.mark.parametrize(
    ("returned", "value", "fires"),
    [
        ("np.mean(values)", "score(values)", True),
        ("float(np.mean(values))", "score(values)", False),
        ("1, np.mean(values)", "last", True),
        ("1, np.mean(values)", "first", False),
        ("1, np.mean(values)", "score(values)", True),
        ("{'mean': np.mean(values), 'size': 1}", "score(values)['mean']", True),
        ("{'mean': np.mean(values), 'size': 1}", "score(values)['size']", False),
        ("np.mean(values).item()", "score(values)", False),
    ],
)
def test_what_a_function_returns(returned: str, value: str, fires: bool) -> None:
    found = [each.code for each in lint(RETURNED.format(returned=returned, value=value)).diagnostics]
    assert found == (["LP503"] if fires else [])


_PARSED = """\
import argparse
import pathlib
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import torch


def rate(text):
    return Fraction(text)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--verbose", action="store_true")
    group = parser.add_argument_group("files")
    group.add_argument("--out", {option})
    return parser.parse_args()


def convert(args):
    return {{key: str(value) if isinstance(value, Path) else value for key, value in vars(args).items()}}


def main():
    args = parse()
    {before}
    torch.save({{"epoch": args.epochs, "options": {saved}}}, "last.pt")
    return torch.load("last.pt")


if __name__ == "__main__":
    main()
"""


def _parsed(option: str, saved: str = "vars(args)", before: str = "pass") -> list[str]:
    text = _PARSED.format(option=option, saved=saved, before=before)
    return [code for _, code in marks(text) if code == "LP503"]


@pytest.mark.parametrize(
    "option",
    [
        "type=Path, required=True",
        "type=pathlib.Path",
        "type=Path, default='runs'",
        "type=lambda text: Path(text)",
        "type=rate, default=Fraction(1, 2)",
        "default=Path('runs')",
        "nargs='+', type=Path",
    ],
)
def test_arguments_of_the_command_line(option: str) -> None:
    assert _parsed(option) == ["LP503"]


@pytest.mark.parametrize(
    "saved", ["args.__dict__", "dict(vars(args))", "{**vars(args)}", "args.out", "vars(args).copy()"]
)
def test_ways_to_the_arguments(saved: str) -> None:
    assert _parsed("type=Path, required=True", saved) == ["LP503"]


@pytest.mark.parametrize(
    "option", ["type=str", "type=int, default=1", "default='runs'", "type=float, nargs=2", "action='append'", "type=f"]
)
def test_arguments_that_are_plain(option: str) -> None:
    assert _parsed(option) == []


@pytest.mark.parametrize(
    ("saved", "before"),
    [
        ("vars(args)", "args.out = str(args.out)"),
        ("{key: str(value) for key, value in vars(args).items()}", "pass"),
        ("convert(args)", "pass"),
        ("args.epochs", "pass"),
        ("str(args.out)", "pass"),
        ("args.out.name", "pass"),
    ],
)
def test_arguments_that_are_made_plain(saved: str, before: str) -> None:
    assert _parsed("type=Path, required=True", saved, before) == []


SUMMARY = """\
import numpy as np
import torch


def evaluate(rows, path):
    losses, scores = np.array(rows), np.array(rows)
    {}


def show(path):
    print(torch.load(path))
"""


@pytest.mark.parametrize(
    ("saving", "expected"),
    [
        ('torch.save({"losses": losses, "scores": scores, "rows": rows}, path)', [2]),
        ('summary = {"losses": losses, "scores": scores}\n    torch.save(summary, path)', [2]),
        ('torch.save({"test": {"losses": losses, "scores": scores}}, path)', [2]),
        ('torch.save({"losses": losses, "rows": rows}, path)', [0]),
        ('torch.save({"a": losses}, path)\n    torch.save({"b": scores}, path + "b")', [0, 0]),
    ],
)
def test_values_of_one_dict_are_one_finding(saving: str, expected: list[int]) -> None:
    found = [each for each in lint(SUMMARY.format(saving)).diagnostics if each.code == "LP503"]
    assert [len(each.related) for each in found] == expected


def test_a_folder_that_can_be_no_package_is_in_no_name(tmp_path: Path) -> None:
    (tmp_path / "my-project" / "data").mkdir(parents=True)
    saving = """
        import torch
        from data.rows import Rows


        def save(path):
            torch.save(Rows(), path)


        def load(path):
            return torch.load(path)
    """
    files = {"my-project/data/rows.py": "class Rows:\n    pass\n", "my-project/data/__init__.py": ""}
    (found,) = lint_files(tmp_path, {**files, "my-project/saving.py": saving})
    assert found.error is not None and "GLOBAL data.rows.Rows" in found.error


RUNS = """\
import os

import numpy as np
import torch


class Run:
    def __init__(self, folder):
        self.folder = folder

    def load_buffer(self, path):
        return torch.load(path)["steps"]

    def save(self, model):
        state = {{"model": model.state_dict(), "draws": np.random.get_state()}}
        torch.save(state, os.path.join(self.folder, "checkpoint.pt"))

    def load(self, folder):
        return torch.load({path})
"""


@pytest.mark.parametrize(
    ("path", "row"),
    [
        pytest.param("os.path.join(folder, 'checkpoint.pt')", 19, id="the one that names the file"),
        pytest.param("folder", 12, id="the first one where none does"),
        pytest.param("os.path.join(folder, 'best-checkpoint.pt')", 12, id="another file"),
    ],
)
def test_the_trail_names_what_reads_the_file(path: str, row: int) -> None:
    found = [each for each in lint(RUNS.format(path=path)).diagnostics if each.code == "LP503"]
    reading = [step.location.start.row for each in found for step in each.trail if "are loaded" in step.message]
    assert reading == [row]


EXTRAS = """\
import dataclasses

import torch


@dataclasses.dataclass
class Options:
    rate: float = 0.1


class Store:
    def __init__(self, path):
        self.path = path

    def save(self, step, model, **extra):
        {made}
        torch.save(state, self.path)

    def restore(self):
        return torch.load(self.path)


class Trainer:
    def __init__(self, model, options):
        self.model, self.options, self.store = model, options, Store("state.pt")

    def fit(self):
        self.store.save(1, self.model, {given})


def main(model):
    trainer = Trainer(model, Options())
    trainer.fit()
    return trainer.store.restore()
"""
SPREAD = 'state = {"step": step, "model": model.state_dict(), **extra}'


def _refused(made: str = SPREAD, given: str = "options=self.options") -> bool:
    return "LP503" in [code for _, code in marks(EXTRAS.format(made=made, given=given))]


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"given": "options=Options()"},
        {"given": "epoch=3, options=self.options"},
        {"given": "extra={'options': self.options}"},
        {"given": "**{'options': self.options}"},
        {"made": "state = dict(step=step, **extra)"},
        {"made": "state = {'step': step, 'extra': extra}"},
        {"made": "state = extra"},
    ],
)
def test_what_is_given_as_further_keywords(change: dict[str, str]) -> None:
    assert _refused(**change)


@pytest.mark.parametrize(
    "change",
    [
        {"given": "options=vars(self.options)"},
        {"given": "options=dataclasses.asdict(self.options)"},
        {"given": "rate=self.options.rate"},
        {"given": "epoch=3"},
        {"given": "**make()"},
        {"made": "state = {'step': step, 'names': list(extra)}"},
        {"made": "state = {'step': step, 'count': len(extra)}"},
        {"made": "state = {'step': step}\n        print(extra)"},
    ],
)
def test_further_keywords_that_are_plain_or_stay(change: dict[str, str]) -> None:
    assert not _refused(**change)


BEST = """\
import numpy as np
import torch


class Meter:
    def __init__(self):
        self.values = []

    def mean(self):
        return np.mean(self.values)


class Best:
    def __init__(self):
        self.best = float("inf")
        self.epoch = -1

    def step(self, epoch, value):
        if value < self.best:
            {kept}
            return True
        return False

    def state(self):
        return {{"best": self.best, "epoch": self.epoch}}


class Store:
    def save(self, model, **extra):
        torch.save({{"model": model.state_dict(), **extra}}, "last.pt")

    def restore(self):
        return torch.load("last.pt")


def fit(model, meter, epochs):
    tracker, other, store = Best(), Best(), Store()
    for epoch in range(epochs):
        {told}
        store.save(model, {given})
    return store.restore()


fit(torch.nn.Linear(1, 1), Meter(), 2)
"""
KEPT = "self.best, self.epoch = value, epoch"
TOLD = "tracker.step(epoch, meter.mean())"


@pytest.mark.parametrize(
    ("kept", "told", "given", "fires"),
    [
        (KEPT, TOLD, "tracker=tracker.state()", True),
        (KEPT, TOLD, "best=tracker.best", True),
        ("self.best = value", TOLD, "tracker=tracker.state()", True),
        (KEPT, "score = meter.mean()\n        tracker.step(epoch, score)", "tracker=tracker.state()", True),
        (KEPT, "tracker.step(epoch, value=np.float64(epoch))", "tracker=tracker.state()", True),
        (KEPT, TOLD, "tracker={'inner': tracker.state()}", True),
        (KEPT, "tracker.step(epoch, float(meter.mean()))", "tracker=tracker.state()", False),
        (KEPT, "tracker.step(epoch, meter.mean().item())", "tracker=tracker.state()", False),
        ("self.best, self.epoch = float(value), epoch", TOLD, "tracker=tracker.state()", False),
        ("self.last = value", TOLD, "tracker=tracker.state()", False),
        (KEPT, "other.step(epoch, meter.mean())", "tracker=tracker.state()", False),
        (KEPT, TOLD, "epoch=tracker.epoch", False),
        (KEPT, "tracker.step(epoch, epoch / 2)", "tracker=tracker.state()", False),
    ],
)
def test_what_a_method_is_told_and_keeps(kept: str, told: str, given: str, fires: bool) -> None:
    text = BEST.format(kept=kept, told=told, given=given)
    assert [code for _, code in marks(text) if code == "LP503"] == ["LP503"] * fires


RESULTS = """\
import torch


class Result(dict):
    def __init__(self, data, label):
        super().__init__()
        self["data"] = data
        self["label"] = label


class Results(dict):
    def __init__(self, name):
        super().__init__()

    def __setitem__(self, key, item):
{setitem}


class Experiment:
    def __init__(self, name=None):
        self.results = dict()
        if name is not None:
            self.results = {made}

    def add_result(self, name, value):
        element = Result(value, name)
        self.results[name] = element

    def save(self, path):
        torch.save({{"results": dict(self.results)}}, path)

    def run(self):
        self.add_result("loss", 1.0)
        self.save("results.pt")


def main():
    Experiment("first").run()
    print(torch.load("results.pt"))
"""


@pytest.mark.parametrize(
    ("setitem", "made", "found"),
    [
        ("        super().__setitem__(key, item['data'])", "Results(name)", False),
        (
            "        data = item['data'] if 'data' in item else item\n        super().__setitem__(key, data)",
            "Results(name)",
            False,
        ),
        ("        dict.__setitem__(self, key, float(item['data']))", "Results(name)", False),
        ("        super().__setitem__(key, item)", "Results(name)", True),
        ("        print(key)\n        dict.__setitem__(self, key, item)", "Results(name)", True),
        ("        super().__setitem__(key, item['data'])", "dict()", True),
    ],
)
def test_a_class_that_stores_items_in_its_own_way(setitem: str, made: str, found: bool) -> None:
    assert any(code == "LP503" for _, code in marks(RESULTS.format(setitem=setitem, made=made))) == found


_METRICS = """\
import numpy as np
import torch
from torch import nn


def evaluate(count):
    losses = [1.0 * each for each in range(count)]
    {returns}


class Keeper:
    def __init__(self, monitor="loss"):
        self.monitor = monitor
        self.best = 9.0

    def update(self, net, metrics):
        {stores}
        torch.save({{"net": net.state_dict(), "best": {best}}}, "a.pt")


def main():
    metrics = evaluate(3)
    {between}
    Keeper().update(nn.Linear(2, 1), metrics)
    return torch.load("a.pt")
"""
_RETURNS = 'return {"loss": np.mean(losses), "n": len(losses)}'


def _of_metrics(
    best: str = 'metrics["loss"]', returns: str = _RETURNS, stores: str = "pass", between: str = "pass"
) -> list[str]:
    return [code for _, code in marks(_METRICS.format(best=best, returns=returns, stores=stores, between=between))]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({}, id="a key"),
        pytest.param({"best": 'metrics.get("loss")'}, id="get"),
        pytest.param({"best": "metrics[self.monitor]"}, id="a key that an attribute has"),
        pytest.param({"best": "self.best", "stores": "self.best = metrics[self.monitor]"}, id="kept in an attribute"),
        pytest.param(
            {"returns": 'found = {}\n    found["loss"] = np.mean(losses)\n    return found'}, id="filled later"
        ),
        pytest.param({"returns": "return dict(loss=np.mean(losses))"}, id="dict(…)"),
        pytest.param(
            {"returns": 'return {"val": {"loss": np.mean(losses)}}', "best": 'metrics["val"]["loss"]'}, id="two deep"
        ),
        pytest.param({"returns": "return len(losses), np.mean(losses)", "best": "metrics[1]"}, id="of a tuple"),
    ],
)
def test_an_item_of_what_an_evaluation_returns(changed: dict[str, str]) -> None:
    assert _of_metrics(**changed) == ["LP503"]


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"best": 'metrics["n"]'}, id="another key"),
        pytest.param({"best": 'float(metrics["loss"])'}, id="made a float where it is written"),
        pytest.param({"returns": 'return {"loss": float(np.mean(losses))}'}, id="made a float at once"),
        pytest.param({"between": 'metrics["loss"] = float(metrics["loss"])'}, id="replaced"),
        pytest.param({"between": "metrics = {k: float(v) for k, v in metrics.items()}"}, id="another dict"),
        pytest.param({"best": "self.best", "stores": "self.best = float(metrics[self.monitor])"}, id="kept as a float"),
        pytest.param({"best": "metrics[self.monitor]", "stores": 'self.monitor = "n"'}, id="another key is kept"),
        pytest.param({"returns": "return len(losses), np.mean(losses)", "best": "metrics[0]"}, id="another place"),
    ],
)
def test_an_item_that_is_plain_data(changed: dict[str, str]) -> None:
    assert _of_metrics(**changed) == []
