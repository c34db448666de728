"""Memory that the module maps at import, which the main process alone uses; workers send back what they find."""

import mmap
import multiprocessing
import sys

BOARD = mmap.mmap(-1, 8)


def found(slot):
    return slot, slot + 1


def main(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        for slot, value in pool.map(found, [3]):
            BOARD[slot] = value
    print(list(BOARD[:4]))


if __name__ == "__main__":
    main(sys.argv[1])
