"""How many workers a loader has, where that is written somewhere else."""

from __future__ import annotations

import pytest

from tests.loading import HEAD
from tests.support import lint

SILENT = {
    "namespace zero": """\
def test_loader():
    args = SimpleNamespace(workers=0, batch=2)
    DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)
""",
    "namespace passed": """\
def get_data(args):
    return DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)

def test_loader():
    args = SimpleNamespace(workers=0, batch=2)
    return get_data(args)
""",
    "argparse namespace passed": """\
def get_data(args, epoch=0):
    return DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)

def test_loader():
    args = argparse.Namespace(workers=0)
    return get_data(args, epoch=1)
""",
    "set to zero above": """\
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    args.workers = 0
    print("debug")
    loader = DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)
""",
    "set to zero above, in test helper": """\
def parse_args(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=4)
    return parser.parse_args(argv)

def get_loader(args):
    return DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)

def test_all():
    args = parse_args([])
    args.batch_size = 2
    args.workers = 0
    get_loader(args)
""",
    "dataclass config": """\
@dataclass
class Config:
    num_workers: int = 0
    batch: int = 2

def main():
    config = Config()
    DataLoader(Data(), num_workers=config.num_workers, collate_fn=lambda b: b)
""",
    "dataclass config given": """\
@dataclass
class Config:
    num_workers: int = 4
    batch: int = 2

def main():
    config = Config(num_workers=0)
    DataLoader(Data(), num_workers=config.num_workers, collate_fn=lambda b: b)
""",
    "dict config": """\
CONFIG = {"num_workers": 0, "batch": 3}

def main():
    DataLoader(Data(), num_workers=CONFIG["num_workers"], collate_fn=lambda b: b)
""",
    "dict config get": """\
def main():
    config = {"num_workers": 0, "batch": 3}
    DataLoader(Data(), num_workers=config.get("num_workers", 0), collate_fn=lambda b: b)
""",
    "dict get default": """\
def main(options):
    config = {"batch": 3}
    DataLoader(Data(), num_workers=config.get("num_workers", 0), collate_fn=lambda b: b)
""",
    "dict kwargs": """\
def main():
    options = dict(batch_size=2, num_workers=0)
    DataLoader(Data(), collate_fn=lambda b: b, **options)
""",
    "dict kwargs set": """\
def main():
    options = {"batch_size": 2, "num_workers": 4}
    options["num_workers"] = 0
    DataLoader(Data(), collate_fn=lambda b: b, **options)
""",
    "class config": """\
class Config:
    workers = 0

def main():
    DataLoader(Data(), num_workers=Config.workers, collate_fn=lambda b: b)
""",
    "global constant": """\
WORKERS = 0

def main():
    DataLoader(Data(), num_workers=WORKERS, collate_fn=lambda b: b)
""",
    "self workers": """\
class Trainer:
    def __init__(self, workers=0):
        self.workers = workers

    def loader(self):
        return DataLoader(Data(), num_workers=self.workers, collate_fn=lambda b: b)

def main():
    Trainer().loader()
""",
    "local zero": """\
def main():
    workers = 0
    DataLoader(Data(), num_workers=workers, collate_fn=lambda b: b)
""",
    "decided arm": """\
DEBUG = True

def main():
    DataLoader(Data(), num_workers=0 if DEBUG else 4, collate_fn=lambda b: b)
""",
    "or zero": """\
def main():
    workers = None
    DataLoader(Data(), num_workers=workers or 0, collate_fn=lambda b: b)
""",
}
REPORTED = {
    "set to zero if asked": """\
def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    if args.debug > 0:
        args.workers = 0
    return args

def main(args):
    DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)

main(parse())
""",
    "namespace two": """\
def test_loader():
    args = SimpleNamespace(workers=2, batch=2)
    DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)
""",
    "command line": """\
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--workers", type=int, default=4)
    args = parser.parse_args()
    loader = DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)
""",
    "dataclass config four": """\
@dataclass
class Config:
    num_workers: int = 4
    batch: int = 2

def main():
    config = Config()
    DataLoader(Data(), num_workers=config.num_workers, collate_fn=lambda b: b)
""",
    "dict kwargs set positive": """\
def main():
    options = {"batch_size": 2, "num_workers": 0}
    options["num_workers"] = 4
    DataLoader(Data(), collate_fn=lambda b: b, **options)
""",
    "self workers four": """\
class Trainer:
    def __init__(self, workers=0):
        self.workers = workers

    def loader(self):
        return DataLoader(Data(), num_workers=self.workers, collate_fn=lambda b: b)

def main():
    Trainer(4).loader()
""",
    "set to zero below": """\
def main():
    args = SimpleNamespace(workers=2)
    args.workers = 4
    loader = DataLoader(Data(), num_workers=args.workers, collate_fn=lambda b: b)
    args.workers = 0
""",
    "dict get positive": """\
def main():
    config = {"num_workers": 2, "batch": 3}
    DataLoader(Data(), num_workers=config.get("num_workers", 0), collate_fn=lambda b: b)
""",
    "dict get open": """\
def main(options):
    config = {"batch": 3, **options}
    DataLoader(Data(), num_workers=config.get("num_workers", 0), collate_fn=lambda b: b)
""",
    "decided arm the other way": """\
DEBUG = False

def main():
    DataLoader(Data(), num_workers=0 if DEBUG else 4, collate_fn=lambda b: b)
""",
}


def _found(text: str) -> list[str]:
    return [each.code for each in lint(HEAD + text).diagnostics if each.code != "LP203"]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_a_loader_without_workers_is_silent(text: str) -> None:
    assert _found(text) == []


COMMAND_LINE = """\
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-j", "--num-workers", type=int, default={default}, help="how many")
    args = parser.parse_args()
    DataLoader(Data(), num_workers=args.num_workers, collate_fn=lambda batch: batch)
"""


@pytest.mark.parametrize(("default", "confidence"), [("4", "certain"), ("0", "possible"), ("COUNT", "likely")])
def test_an_option_of_the_command_line_has_its_default(default: str, confidence: str) -> None:
    found = lint(HEAD + COMMAND_LINE.format(default=default), pedantic=True).diagnostics
    assert [str(each.confidence.value) for each in found] == [confidence]


@pytest.mark.parametrize("text", REPORTED.values(), ids=REPORTED)
def test_a_loader_with_workers_is_reported(text: str) -> None:
    assert _found(text) != []
