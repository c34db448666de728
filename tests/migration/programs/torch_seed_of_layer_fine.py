"""The seed of torch, where a worker makes a layer without weights."""

import multiprocessing
import sys

import torch


def positive(numbers):
    torch.set_num_threads(1)
    return torch.nn.ReLU()(torch.tensor(numbers)).tolist()


def main(method):
    torch.manual_seed(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(positive, [[2.0, -1.0]]))


if __name__ == "__main__":
    main(sys.argv[1])
