import sys

import torch
import torch.multiprocessing as mp


def work(weights):
    weights -= 1


def main():
    weights = torch.zeros(2).share_memory_()
    process = mp.get_context(sys.argv[1]).Process(target=work, args=(weights,))
    process.start()
    process.join()
    print(weights.tolist())


if __name__ == "__main__":
    main()
