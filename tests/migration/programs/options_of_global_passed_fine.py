"""Options in a global, which main hands over."""
import argparse
import multiprocessing
import sys
from multiprocessing import Process, Queue

OPTIONS = None


def configure(options):
    global OPTIONS
    OPTIONS = options


def work(number, options, results):
    results.put(number * options.scale)


def start(number):
    results = Queue()
    process = Process(target=work, args=(number, OPTIONS, results))
    process.start()
    process.join()
    return results.get(timeout=3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=3)
    configure(parser.parse_args([]))
    print(start(2))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
