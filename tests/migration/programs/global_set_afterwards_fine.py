"""A global that main changes when its workers have ended."""

import multiprocessing
import sys

phase = "map"


def tag(number):
    return f"{phase}{number}"


def main(method):
    global phase
    with multiprocessing.get_context(method).Pool(1) as pool:
        mapped = pool.map(tag, [0])
    phase = "reduce"
    print(mapped, tag(9))


if __name__ == "__main__":
    main(sys.argv[1])
