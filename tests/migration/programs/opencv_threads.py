"""OpenCV's threads are switched off by main, and the workers of a loader resize with all of them."""

import sys

import cv2
import numpy as np
from torch.utils.data import DataLoader, Dataset


class Thumbnails(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        small = cv2.resize(np.zeros((8, 8)), (4, 4))
        return f"{small.shape} by {cv2.getNumThreads()}"


def main(method):
    cv2.setNumThreads(1)
    for batch in DataLoader(Thumbnails(), num_workers=1, multiprocessing_context=method):
        print(batch)


if __name__ == "__main__":
    main(sys.argv[1])
