"""Seeds and threads are set by main: a loader gives its workers their own, which follow from torch's seed."""

import sys

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Noise(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        drawn = torch.rand(1).item() + np.random.rand()
        return f"{drawn:.3f} by {torch.get_num_threads()}"


def main(method):
    torch.manual_seed(0)
    np.random.seed(0)
    torch.set_num_threads(2)
    for batch in DataLoader(Noise(), num_workers=1, multiprocessing_context=method):
        print(batch)


if __name__ == "__main__":
    main(sys.argv[1])
