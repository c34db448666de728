"""torch's default type, which only main sets, and a dataset that makes tensors."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.zeros(1)


def main():
    torch.set_default_dtype(torch.float64)
    for batch in DataLoader(Numbers(), num_workers=1, multiprocessing_context=sys.argv[1]):
        print(batch.dtype)


if __name__ == "__main__":
    main()
