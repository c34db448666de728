"""Processes fill a mapped file that an object keeps which they are given."""

import multiprocessing
import os
import sys
import tempfile

import numpy


class Table:
    def __init__(self, path, rows):
        self.path = path
        self.data = numpy.memmap(path, dtype=numpy.int64, mode="w+", shape=(rows,))

    def read(self):
        return numpy.fromfile(self.path, dtype=numpy.int64).tolist()


def fill(table, rows):
    for row in rows:
        table.data[row] = row * row
    table.data.flush()


def main():
    with tempfile.TemporaryDirectory() as folder:
        table = Table(os.path.join(folder, "table.bin"), 4)
        processes = [multiprocessing.Process(target=fill, args=(table, rows)) for rows in ((0, 1), (2, 3))]
        for process in processes:
            process.start()
        for process in processes:
            process.join()
        print(table.read())


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
