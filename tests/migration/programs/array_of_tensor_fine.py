import multiprocessing
import sys

import torch


def work(row):
    row[0] = 1


def main():
    rows = torch.zeros(2)
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(rows.numpy(),))
    process.start()
    process.join()
    print(rows.tolist())


if __name__ == "__main__":
    main()
