"""A list that main extends by another name."""

import multiprocessing
import sys

from rules import ACTIVE as enabled
from rules import check


def main(method):
    enabled.extend(["todo"])
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(check, ["a todo"]))


if __name__ == "__main__":
    main(sys.argv[1])
