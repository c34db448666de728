"""Plugins that are run by their paths, in main and by an initializer in every worker."""

import multiprocessing
import sys
from pathlib import Path

from actions import ACTIONS, run_all


def act(text):
    return ACTIONS["shout"](text)


def main(method):
    folder = Path(__file__).parent
    run_all(folder)
    with multiprocessing.get_context(method).Pool(1, run_all, (folder,)) as pool:
        print(sorted(ACTIONS), pool.map(act, ["a"]))


if __name__ == "__main__":
    main(sys.argv[1])
