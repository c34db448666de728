"""A table of functions that the method of an object fills, and of which workers take one by its name."""

import multiprocessing
import sys

_tasks = {}


class Engine:
    def __init__(self, method):
        self.context = multiprocessing.get_context(method)

    def submit(self, name, function):
        _tasks[name] = function

    def run(self):
        with self.context.Pool(1) as pool:
            return pool.map(call, sorted(_tasks))


def call(name):
    return _tasks[name]()


def main(method):
    engine = Engine(method)
    engine.submit("one", lambda: 1)
    print(engine.run())


if __name__ == "__main__":
    main(sys.argv[1])
