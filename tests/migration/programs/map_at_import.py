"""Memory without a file that the module maps at import, and workers write to."""

import mmap
import multiprocessing
import sys

BOARD = mmap.mmap(-1, 8)


def write(slot):
    BOARD[slot] = slot + 1


def main(method):
    worker = multiprocessing.get_context(method).Process(target=write, args=(3,))
    worker.start()
    worker.join()
    print(list(BOARD[:4]))


if __name__ == "__main__":
    main(sys.argv[1])
