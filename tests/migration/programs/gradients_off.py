"""Gradients are switched off by main."""

import multiprocessing
import sys

import torch


def scored(number):
    weight = torch.ones(1, requires_grad=True)
    return (weight * number).requires_grad


def main(method):
    torch.set_grad_enabled(False)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(scored, [2]))


if __name__ == "__main__":
    main(sys.argv[1])
