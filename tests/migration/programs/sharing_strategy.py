"""How torch shares tensors is set by main."""

import sys

import torch
from torch.utils.data import DataLoader, Dataset


class Names(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return torch.multiprocessing.get_sharing_strategy()


def main(method):
    torch.multiprocessing.set_sharing_strategy("file_system")
    for batch in DataLoader(Names(), num_workers=1, multiprocessing_context=method):
        print(batch)


if __name__ == "__main__":
    main(sys.argv[1])
