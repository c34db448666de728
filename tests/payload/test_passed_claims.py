"""What is known of the arguments of workers where these are started."""

from __future__ import annotations

import pytest

from tests.support import lint

PROGRAM = """\
import argparse
import multiprocessing as mp
import sys

import torch.multiprocessing as tmp

SETTINGS = {{"size": 1}}


def parse(argv):
    parser = argparse.ArgumentParser()
    parser.add_argument("command")
    parser.add_argument("--debug", action="store_true")
    return parser.parse_args(argv)


def export():
    return SETTINGS["size"]


{program}

if __name__ == "__main__":
    SETTINGS["size"] = 2
    main()
"""

SILENT = {
    "a command that only this process runs": """\
def worker(rank, args, world):
    if args.command == "train":
        print(rank, world)
    elif args.command == "export":
        export()

def main(args=None):
    args = parse(args or sys.argv[1:])
    world = 3
    if args.command == "export" or world <= 1:
        worker(0, args, 1)
    else:
        tmp.spawn(worker, args=(args, world), nprocs=world)
""",
    "read by the function itself": """\
def worker(rank, args):
    if args.command == "export":
        print(SETTINGS["size"])

def main():
    args = parse(sys.argv[1:])
    if args.command == "export":
        worker(0, args)
    else:
        tmp.spawn(worker, args=(args,), nprocs=4)
""",
    "passed on": """\
def work(options):
    if options.debug:
        export()

def run(options):
    work(options)

def main():
    args = parse(None)
    if args.debug:
        run(args)
        return
    mp.Process(target=run, args=(args,)).start()
""",
    "a number of processes": """\
def run(name, count):
    if count == 1:
        export()
    print(name)

def main():
    count = int(sys.argv[1])
    if count == 1:
        run("all", count)
    else:
        for _ in range(count):
            mp.Process(target=run, args=("one", count)).start()
""",
    "a flag": """\
def run(debug):
    if debug:
        export()

def main():
    debug = bool(sys.argv[1:])
    if debug:
        run(debug)
    else:
        mp.Process(target=run, args=(debug,)).start()
""",
    "a method": """\
class Runner:
    def run(self, mode):
        if mode == "export":
            export()

def main(mode=sys.argv[1]):
    runner = Runner()
    if mode != "export":
        mp.Process(target=runner.run, args=(mode,)).start()
""",
}

REPORTED = {
    "another command": """\
def worker(rank, args):
    if args.command == "export":
        export()

def main():
    args = parse(sys.argv[1:])
    if args.command == "train":
        worker(0, args)
    else:
        tmp.spawn(worker, args=(args,), nprocs=2)
""",
    "another argument": """\
def worker(rank, args, mode):
    if mode == "export":
        export()

def main():
    args, mode = parse(sys.argv[1:]), sys.argv[-1]
    if args.command == "export":
        worker(0, args, mode)
    else:
        tmp.spawn(worker, args=(args, mode), nprocs=2)
""",
    "bound again in between": """\
def worker(rank, args):
    if args.command == "export":
        export()

def main():
    args = parse(sys.argv[1:])
    if args.command == "export":
        return
    args = parse(sys.argv[2:])
    tmp.spawn(worker, args=(args,), nprocs=2)
""",
    "stored in between": """\
def worker(rank, args):
    if args.command == "export":
        export()

def main():
    args = parse(sys.argv[1:])
    if args.command == "export":
        return
    args.command = sys.argv[3]
    tmp.spawn(worker, args=(args,), nprocs=2)
""",
    "stored by the worker": """\
def worker(rank, args):
    args.command = sys.argv[3]
    if args.command == "export":
        export()

def main():
    args = parse(sys.argv[1:])
    if args.command == "export":
        return
    tmp.spawn(worker, args=(args,), nprocs=2)
""",
    "bound again by the worker": """\
def run(mode):
    mode = mode or "export"
    if mode == "export":
        export()

def main(mode=sys.argv[1]):
    if mode == "export":
        return
    mp.Process(target=run, args=(mode,)).start()
""",
    "a list that the worker empties": """\
def run(names):
    while names:
        print(names.pop())
    if not names:
        export()

def main():
    names = sys.argv[1:]
    if names:
        mp.Process(target=run, args=(names,)).start()
""",
    "one of two ways": """\
def worker(rank, args):
    if args.command == "export":
        export()

def main():
    args = parse(sys.argv[1:])
    if args.command == "export" and args.debug:
        worker(0, args)
    else:
        tmp.spawn(worker, args=(args,), nprocs=2)
""",
}


def _codes(program: str) -> list[str]:
    return [each.code for each in lint(PROGRAM.format(program=program)).diagnostics]


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_what_workers_are_never_told_to_do_is_silent(program: str) -> None:
    assert _codes(program) == []


@pytest.mark.parametrize("program", REPORTED.values(), ids=REPORTED)
def test_what_workers_may_be_told_to_do_is_reported(program: str) -> None:
    assert _codes(program) == ["LP210"]
