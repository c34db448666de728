"""torch's default type, which `worker_init_fn` sets in each worker."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


def set_type(number=0):
    torch.set_default_dtype(torch.float64)


class Numbers(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.zeros(1)


def main():
    set_type()
    for batch in DataLoader(Numbers(), num_workers=1, worker_init_fn=set_type, multiprocessing_context=sys.argv[1]):
        print(batch.dtype)


if __name__ == "__main__":
    main()
