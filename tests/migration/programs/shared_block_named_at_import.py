"""A block of shared memory that the import makes under a name: a worker finds the name taken."""

import multiprocessing
import sys
from multiprocessing import shared_memory

block = shared_memory.SharedMemory("lintpickle_block", create=True, size=8)


def mark(place):
    block.buf[place] = 1


def main():
    try:
        process = multiprocessing.Process(target=mark, args=(1,))
        process.start()
        process.join()
        print(list(block.buf[:3]))
    finally:
        block.close()
        block.unlink()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
