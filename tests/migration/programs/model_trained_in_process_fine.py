import copy
import sys

import torch
import torch.multiprocessing as mp
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(self.layer.weight)

    def forward(self, x):
        return self.layer(x)


def train(model, queue):
    model = copy.deepcopy(model)
    optimizer = optim.SGD(model.parameters(), lr=1.0)
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.ones(1, 1)).sum().backward()
        optimizer.step()
    queue.put(model.layer.weight.item())


def main():
    context = mp.get_context(sys.argv[1])
    model, queue = Net(), context.SimpleQueue()
    found = []
    for _ in range(2):
        process = context.Process(target=train, args=(model, queue))
        process.start()
        found.append(queue.get())
        process.join()
    print(found)


if __name__ == "__main__":
    main()
