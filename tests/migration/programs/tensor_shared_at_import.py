"""A tensor in shared memory that the module makes at import: each worker has its own."""

import sys

import torch
import torch.multiprocessing as mp

total = torch.zeros(1).share_memory_()


def work():
    total[0] += 1


if __name__ == "__main__":
    process = mp.get_context(sys.argv[1]).Process(target=work)
    process.start()
    process.join()
    print(total.tolist())
