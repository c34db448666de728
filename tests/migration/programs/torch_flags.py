"""A flag of torch's backends that only main sets."""

import multiprocessing
import sys

import torch


def work(number):
    return torch.backends.cudnn.benchmark, number


def main():
    torch.backends.cudnn.benchmark = True
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
