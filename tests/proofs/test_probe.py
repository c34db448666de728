"""The probe on real torch: what it names is what the rule pages prove, and the line is the one that `check` names."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lintpickle.diagnostics import StartMethod
from lintpickle.probing import injected
from lintpickle.rulebook.pages import Page, ProofRow, load_pages

from ..probing.programs import ROOT, lintpickle, probed
from .harness import HANG_LIMIT, LIMIT, Zygote, run, script_for
from .test_proofs import name as name_of

pytestmark = pytest.mark.proof

FIXTURE = ROOT / "tests" / "fixtures" / "uniad_shape"
_PICKLING = re.compile(r"cannot pickle|Can't pickle|cannot be pickled|Tried to serialize|of parametrized modules")
_PAGES = ("LP1", "LP20", "LP60")
ROWS = [
    (page, row)
    for page in load_pages()
    if page.code.startswith(_PAGES)
    for row in page.proof
    if "=" not in row.label  # the first examples of each page
]
FAILING = [(page, row) for page, row in ROWS if _PICKLING.search(row.outcomes[StartMethod.SPAWN])]
CROSSING = [(page, row) for page, row in ROWS if row.outcomes[StartMethod.SPAWN] == "ok" and row.label != "bad"]


def row_id(case: tuple[Page, ProofRow]) -> str:
    return name_of((*case, StartMethod.FORK))


@pytest.fixture(scope="session", autouse=True)
def torch_is_needed(torch_is_there: None) -> None: ...


class Probed:
    """A zygote that was under the probe before it imported torch, and so is what is forked from it."""

    def __init__(self, zygote: Zygote, events: Path) -> None:
        self._zygote = zygote
        self._events = events

    def seen_beside_fork(self, case: tuple[Page, ProofRow], folder: Path) -> list[dict[str, Any]]:
        """What a block is said to ship that spawn refuses, while it runs under fork."""
        page, row = case
        for path in self._events.iterdir():
            path.unlink()
        limit = HANG_LIMIT if row.outcomes[StartMethod.FORK] == "hang" else LIMIT
        run(script_for(page, row), StartMethod.FORK, folder, limit, self._zygote)
        events = [json.loads(each.read_text()) for each in sorted(self._events.glob("event-*.json"))]
        return [event for event in events if event["error"] is not None]


@pytest.fixture(scope="module")
def under_probe(torch_is_there: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Probed]:
    events = tmp_path_factory.mktemp("events")
    asked = {"folder": str(events), "start_method": "spawn", "tell": False}
    with Zygote(Path(injected.__file__).parent, LINTPICKLE_PROBE=json.dumps(asked)) as zygote:
        yield Probed(zygote, events)


@pytest.mark.parametrize("case", FAILING, ids=row_id)
def test_what_the_page_says_is_refused_is_named(
    case: tuple[Page, ProofRow], under_probe: Probed, tmp_path: Path
) -> None:
    errors = [each["error"] for event in under_probe.seen_beside_fork(case, tmp_path) for each in event["culprits"]]
    wanted = re.sub(r"0x[0-9a-f….]+.*", "", case[1].outcomes[StartMethod.SPAWN]).rpartition(": ")[2][:40]
    assert any(wanted in error for error in errors), (wanted, errors)


@pytest.mark.parametrize("case", CROSSING, ids=row_id)
def test_nothing_is_named_that_crosses(case: tuple[Page, ProofRow], under_probe: Probed, tmp_path: Path) -> None:
    assert [event["culprits"] for event in under_probe.seen_beside_fork(case, tmp_path)] == []


LOADER = """\
import sys
import threading

from torch.utils.data import DataLoader, Dataset


class Config:
    def __init__(self):
        self.names = {"car": 1}.keys()


class Images(Dataset):
    def __init__(self):
        self.config = Config()
        self.lock = threading.Lock()

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return index


def collate(items):
    return items


if __name__ == "__main__":
    for batch in DataLoader(Images(), num_workers=2, multiprocessing_context=sys.argv[1]):
        print(batch)
"""


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_loader_that_starts_workers(method: str, tmp_path: Path) -> None:
    value = probed(tmp_path, LOADER, "--start-method", "spawn", arguments=(method,))
    (event,) = value["events"]
    assert event["boundary"] == "DataLoader"
    assert event["beside"] is (method == "fork")
    assert event["location"]["location"]["row"] == 29
    rows = [(each["path"], each["rule"]["code"], each["location"]["location"]["row"]) for each in event["culprits"]]
    assert rows == [("dataset.config.names", "LP101", 9), ("dataset.lock", "LP111", 15)]


@pytest.mark.parametrize("method", ["spawn", "forkserver", "fork"])
def test_a_loader_without_culprits_runs_as_it_would(method: str, tmp_path: Path) -> None:
    text = LOADER.replace("threading.Lock()", "None").replace('{"car": 1}.keys()', '["car"]')
    (tmp_path / "program.py").write_text(text)
    command = ("probe", "--isolated", "--python", sys.executable, "--start-method", "spawn", "program.py", method)
    ran = lintpickle(tmp_path, *command)
    assert (ran.returncode, ran.stdout) == (0, "tensor([0])\ntensor([1])\n"), ran.stderr


OTHERS = """\
import io
import sys

import torch
import torch.multiprocessing as mp
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 1))
        self.body[0].register_forward_hook(lambda module, given, got: got)
        self.scale = lambda x: x


def work(rank, net, loss):
    pass


if __name__ == "__main__":
    if sys.argv[1] == "save":
        torch.save(Net(), io.BytesIO())
    elif sys.argv[1] == "spawn":
        mp.spawn(work, args=(Net(), torch.ones(1, requires_grad=True) * 2), nprocs=1)
    else:
        mp.get_context("spawn").SimpleQueue().put({"loss": torch.ones(1, requires_grad=True) * 2})
"""


@pytest.mark.parametrize(
    ("how", "boundary", "paths"),
    [
        ("save", "torch.save", ["Net.body.0._forward_hooks[0]", "Net.scale"]),
        ("spawn", "torch.multiprocessing.spawn", ["args[0].body.0._forward_hooks[0]", "args[0].scale", "args[1]"]),
        ("queue", "Queue.put", ["dict['loss']"]),
    ],
)
def test_other_boundaries(how: str, boundary: str, paths: list[str], tmp_path: Path) -> None:
    (event,) = probed(tmp_path, OTHERS, arguments=(how,))["events"]
    assert event["boundary"] == boundary
    assert [
        re.sub(r"\[\d+\]$", "[0]", each["path"]) if "hooks" in each["path"] else each["path"]
        for each in event["culprits"]
    ] == paths


TEST = """\
from torch.utils.data import DataLoader
from projects.mmdet3d_plugin.datasets import NuScenesE2EDataset

if __name__ == "__main__":
    dataset = NuScenesE2EDataset(ann_file=["a", "b"])
    for batch in DataLoader(dataset, num_workers=2, multiprocessing_context="spawn"):
        print(batch)
"""
CONFIG = {"class_range": {"car": 50, "barrier": 30}, "dist_fcn": "center", "dist_ths": [0.5]}


def test_the_founding_case(tmp_path: Path) -> None:
    """A live dataset leads to the line to which `check` leads: in a dependency of a dependency."""
    project = tmp_path / "project"
    shutil.copytree(FIXTURE, project)
    site = project / "env" / "lib" / "python3.11" / "site-packages"
    configs = site / "nuscenes" / "eval" / "detection" / "configs"
    configs.mkdir()
    (configs / "detection_cvpr_2019.json").write_text(json.dumps(CONFIG))
    (project / "test.py").write_text(TEST)
    command = (
        f"import sys; sys.path.insert(0, {str(site)!r}); import runpy; runpy.run_path('test.py', {{}}, '__main__')"
    )
    options = ("probe", "--config", "python = 'env'", "--output-format", "json", "--")
    ran = lintpickle(project, *options, sys.executable, "-c", command)
    (event,) = json.loads(ran.stdout)["events"]
    (culprit,) = event["culprits"]
    assert culprit["path"] == "dataset.eval_detection_configs.class_names"
    assert (culprit["type"], culprit["rule"]["code"]) == ("dict_keys", "LP101")
    checked = json.loads(lintpickle(project, "check", "--no-cache", "--output-format", "json", "projects").stdout)
    last = next(each for each in checked if each["code"] == "LP101")["trail"][-1]
    assert culprit["location"]["filename"] == last["filename"]
    assert culprit["location"]["location"]["row"] == last["location"]["row"]


def test_asking_beside_fork_costs_little(tmp_path: Path) -> None:
    """Workers of one loader are asked about once, and tensors are not copied."""
    text = LOADER.replace("threading.Lock()", "[{'n': n} for n in range(20000)]").replace(
        "self.config = Config()", "import torch; self.config = torch.zeros(50_000_000)"
    )
    text = text.replace(
        "    for batch in", "    import time; data = Images(); t = time.process_time()\n    for batch in"
    )
    text = text.replace("DataLoader(Images()", "DataLoader(data")
    text += "    print('took', time.process_time() - t)\n"
    took = []
    for asked in ({"folder": None}, {"folder": None, "start_method": "spawn"}):
        (tmp_path / "program.py").write_text(text)
        environ = {
            **os.environ,
            "PYTHONPATH": str(Path(injected.__file__).parent),
            "LINTPICKLE_PROBE": json.dumps(asked),
        }
        command = [sys.executable, "program.py", "fork"]
        began = time.monotonic()
        ran = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
        assert time.monotonic() - began < 120
        took.append(float(ran.stdout.split()[-1]))
    assert took[1] - took[0] < 1.0, took
