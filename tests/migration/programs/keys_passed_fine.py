"""Keys and values of a table that are attributes of the object whose method is the target."""

import multiprocessing
import sys

TABLE = {"a": 1, "b": 2}


class Task:
    def __init__(self, name, size):
        self.name = name
        self.size = size

    def run(self, results):
        results.put(self.name * self.size)


def main(method):
    context = multiprocessing.get_context(method)
    results = context.SimpleQueue()
    for name, size in sorted(TABLE.items()):
        task = Task(name, size)
        worker = context.Process(target=task.run, args=(results,))
        worker.start()
        worker.join()
        print(results.get())


if __name__ == "__main__":
    main(sys.argv[1])
