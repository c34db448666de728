"""The seed of torch, where a worker makes a layer with random weights."""

import multiprocessing
import sys

import torch


def weights(count):
    torch.set_num_threads(1)
    return [round(float(each), 4) for each in torch.nn.Linear(count, 1).bias.detach()]


def main(method):
    torch.manual_seed(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        there = pool.map(weights, [2])
    print(there == [weights(2)])


if __name__ == "__main__":
    main(sys.argv[1])
