"""A signal handler that only main installs."""

import multiprocessing
import signal
import sys

def ignore(signum, frame):
    pass


def work(number):
    return signal.getsignal(signal.SIGUSR1) is ignore


def main():
    signal.signal(signal.SIGUSR1, ignore)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
