"""A dataset that keeps a lambda."""

import sys

from torch.utils.data import DataLoader, Dataset


class Numbers(Dataset):
    def __init__(self):
        self.transform = lambda number: number + 1

    def __len__(self):
        return 1

    def __getitem__(self, index):
        return self.transform(index)


def main():
    for batch in DataLoader(Numbers(), num_workers=1, multiprocessing_context=sys.argv[1]):
        print(batch)


if __name__ == "__main__":
    main()
