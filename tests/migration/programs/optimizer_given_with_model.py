import sys

import torch
import torch.multiprocessing as mp
from torch import nn, optim


def train(model, optimizer):
    model(torch.ones(1, 1)).sum().backward()
    optimizer.step()


def main():
    model = nn.Linear(1, 1, bias=False)
    nn.init.zeros_(model.weight)
    optimizer = optim.SGD(model.parameters(), lr=1.0)
    process = mp.get_context(sys.argv[1]).Process(target=train, args=(model, optimizer))
    process.start()
    process.join()
    print(model.weight.item())


if __name__ == "__main__":
    main()
