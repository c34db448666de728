"""A global that main changes between two pools."""

import multiprocessing
import sys

phase = "map"


def tag(number):
    return f"{phase}{number}"


def main(method):
    global phase
    for following in ("map", "reduce"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(pool.map(tag, [0]))
        phase = following + "d"


if __name__ == "__main__":
    main(sys.argv[1])
