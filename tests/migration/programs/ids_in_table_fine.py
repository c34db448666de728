"""A table by the ids of objects, which the worker makes itself."""

import multiprocessing
import sys


class Graph:
    def __init__(self, names):
        self.nodes = [[name] for name in names]
        self.rank = {node[0]: index for index, node in enumerate(self.nodes)}

    def order(self):
        by_id = {id(node): self.rank[node[0]] for node in self.nodes}
        return [by_id[id(node)] for node in self.nodes]


def show(graph):
    print(graph.order(), flush=True)


def main(method):
    worker = multiprocessing.get_context(method).Process(target=show, args=(Graph("ab"),))
    worker.start()
    worker.join()


if __name__ == "__main__":
    main(sys.argv[1])
