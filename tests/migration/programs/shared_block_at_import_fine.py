"""A block of shared memory that main makes, and that workers open by its name."""

import multiprocessing
import sys
from multiprocessing import shared_memory


def mark(name, place):
    block = shared_memory.SharedMemory(name)
    block.buf[place] = 1
    block.close()


def main():
    block = shared_memory.SharedMemory(create=True, size=8)
    with multiprocessing.Pool(1) as pool:
        pool.starmap(mark, [(block.name, 0), (block.name, 2)])
    print(list(block.buf[:3]))
    block.close()
    block.unlink()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
