"""Plugins that main alone runs by their paths, and whose decorator puts them into a table."""

import multiprocessing
import sys
from pathlib import Path

from actions import ACTIONS, run_all


def act(text):
    return ACTIONS["shout"](text)


def main(method):
    folder = Path(__file__).parent
    run_all(folder)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(sorted(ACTIONS), pool.map(act, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
