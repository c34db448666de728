"""Options on a class, which main sets and passes to the workers."""
import argparse
import multiprocessing
import sys
from multiprocessing import Process, Queue


class Options:
    current = None

    @classmethod
    def load(cls, argv):
        parser = argparse.ArgumentParser()
        parser.add_argument("--scale", type=int, default=3)
        cls.current = parser.parse_args(argv)
        return cls.current


def work(number, options, results):
    results.put(number * options.scale)


def start(number):
    results = Queue()
    process = Process(target=work, args=(number, Options.current, results))
    process.start()
    process.join()
    return results.get(timeout=3)


def main():
    Options.load([])
    print(start(2))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
