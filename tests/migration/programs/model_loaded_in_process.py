import multiprocessing
import sys

import torch
from torch import nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(1, 1, bias=False)
        nn.init.zeros_(self.net.weight)

    def learn(self):
        self.net.load_state_dict({"weight": torch.ones(1, 1)})


def work(agent):
    agent.learn()


def main():
    agent = Agent()
    process = multiprocessing.get_context(sys.argv[1]).Process(target=work, args=(agent,))
    process.start()
    process.join()
    print(agent.net.weight.item())


if __name__ == "__main__":
    main()
