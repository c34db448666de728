import multiprocessing
import sys

import torch


def work(weights):
    weights -= 1


def main():
    weights = torch.zeros(2)
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(weights,))
    process.start()
    process.join()
    print(weights.tolist())


if __name__ == "__main__":
    main()
