"""torch's seed, which only main sets."""

import multiprocessing
import sys

import torch


def work(number):
    return round(float(torch.rand(1)), 6) == 0.496257


def main():
    torch.manual_seed(0)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
