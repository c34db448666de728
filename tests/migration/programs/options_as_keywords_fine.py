"""Options as keywords."""
import argparse
import multiprocessing
import sys
from multiprocessing import Process


def work(scale, name):
    print(name, scale)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scale", type=int, default=3)
    parser.add_argument("--name", default="run")
    options = parser.parse_args([])
    process = Process(target=work, kwargs=vars(options))
    process.start()
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
