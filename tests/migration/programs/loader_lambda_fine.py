"""A dataset that keeps numbers."""

import sys

from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.offset = 1

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return index + self.offset


def main():
    for batch in DataLoader(Numbers(), num_workers=1, multiprocessing_context=sys.argv[1]):
        print(batch)


if __name__ == "__main__":
    main()
