import multiprocessing
import sys

import torch


class Box:
    def __init__(self):
        self.rows = torch.zeros(2)


def work(box):
    box.rows = box.rows + 1


def main():
    box = Box()
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(box,))
    process.start()
    process.join()
    print(box.rows.tolist())


if __name__ == "__main__":
    main()
