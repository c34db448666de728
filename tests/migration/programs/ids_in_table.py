"""A table by the ids of objects, which a worker is given together with the objects."""

import multiprocessing
import sys


class Graph:
    def __init__(self, names):
        self.nodes = [[name] for name in names]
        self.rank = {id(node): index for index, node in enumerate(self.nodes)}

    def order(self):
        return [self.rank.get(id(node), -1) for node in self.nodes]


def show(graph):
    print(graph.order(), flush=True)


def main(method):
    worker = multiprocessing.get_context(method).Process(target=show, args=(Graph("ab"),))
    worker.start()
    worker.join()


if __name__ == "__main__":
    main(sys.argv[1])
