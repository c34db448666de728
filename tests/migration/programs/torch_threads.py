"""The number of torch's threads is set by main."""

import multiprocessing
import sys

import torch


def threads(rank):
    return torch.get_num_threads()


def main(method):
    torch.set_num_threads(3)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(threads, [0]))


if __name__ == "__main__":
    main(sys.argv[1])
