"""A flag that workers read and that only a handler of a signal changes, which none gets."""

import multiprocessing
import signal
import sys


class State:
    running = True


def stop(number, frame):
    State.running = False


def work(number):
    return number if State.running else None


def main(method):
    signal.signal(signal.SIGHUP, stop)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
