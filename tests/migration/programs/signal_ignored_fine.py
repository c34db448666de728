"""Main lets a signal be ignored, which every process inherits that it starts."""

import multiprocessing
import os
import signal
import sys


def work(number):
    os.kill(os.getpid(), signal.SIGHUP)
    return number


def main(method):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    main(sys.argv[1])
