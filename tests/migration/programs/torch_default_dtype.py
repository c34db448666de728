"""torch's default type, which only main sets."""

import multiprocessing
import sys

import torch


def work(number):
    return str(torch.zeros(1).dtype)


def main():
    torch.set_default_dtype(torch.float64)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
