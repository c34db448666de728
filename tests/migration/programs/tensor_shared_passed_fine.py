"""A tensor in shared memory that workers are given."""

import sys

import torch
import torch.multiprocessing as mp


def work(total):
    total[0] += 1


if __name__ == "__main__":
    shared = torch.zeros(1).share_memory_()
    process = mp.get_context(sys.argv[1]).Process(target=work, args=(shared,))
    process.start()
    process.join()
    print(shared.tolist())
