"""A block of shared memory that the import makes without a name: each process has another one."""

import multiprocessing
import sys
from multiprocessing import shared_memory

block = shared_memory.SharedMemory(create=True, size=8)


def mark(place):
    block.buf[place] = 1


def main():
    with multiprocessing.Pool(1) as pool:
        pool.map(mark, [0, 2])
    print(list(block.buf[:3]))
    block.close()
    block.unlink()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
