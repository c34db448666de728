"""Trains on boxes, with four workers. `lintpickle check examples/first` says what happens when they are spawned."""

from boxes.dataset import Boxes
from torch.utils.data import DataLoader


def main():
    dataset = Boxes(["a.png", "b.png"], {"car": 50, "bus": 40})
    for batch in DataLoader(dataset, batch_size=2, num_workers=4):
        print(batch)


if __name__ == "__main__":
    main()
