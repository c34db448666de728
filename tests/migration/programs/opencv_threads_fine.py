"""OpenCV's threads are switched off by main and by each worker."""

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


def one_thread(worker_id):
    cv2.setNumThreads(1)


def main(method):
    one_thread(0)
    loader = DataLoader(Thumbnails(), num_workers=1, multiprocessing_context=method, worker_init_fn=one_thread)
    for batch in loader:
        print(batch)


if __name__ == "__main__":
    main(sys.argv[1])
