"""A process changes a tensor in place that an object keeps, and is given for each trial."""

import multiprocessing
import sys

import torch


def perturb(weights, scale):
    weights.mul_(scale)
    print(float(weights.sum()), flush=True)


class Search:
    def __init__(self, size):
        self.weights = torch.ones(size)

    def trial(self, scale):
        process = multiprocessing.Process(target=perturb, args=(self.weights, scale))
        process.start()
        process.join()


def main():
    search = Search(4)
    for scale in (2.0, 3.0):
        search.trial(scale)
    print(search.weights.tolist(), flush=True)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
