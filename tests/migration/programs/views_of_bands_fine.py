"""Bands of an array over shared memory are each filled by a process, which makes the array itself."""

import ctypes
import multiprocessing
import sys

import numpy


class Grid:
    def __init__(self, rows, columns):
        self.shape = (rows, columns)
        self.raw = multiprocessing.Array(ctypes.c_double, rows * columns, lock=False)

    def view(self):
        return numpy.frombuffer(self.raw, dtype=numpy.float64).reshape(self.shape)

    def bands(self, count):
        step, whole = self.shape[0] // count, self.view()
        return [whole[number * step : (number + 1) * step] for number in range(count)]


def relax(grid, count, number, value):
    band = grid.bands(count)[number]
    band += value
    band[:, 0] = 0.0


def run(grid, count):
    processes = []
    for number in range(count):
        process = multiprocessing.Process(target=relax, args=(grid, count, number, number + 1.0))
        process.start()
        processes.append(process)
    for process in processes:
        process.join()


def main():
    grid = Grid(4, 3)
    run(grid, 2)
    print(grid.view().sum())


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
