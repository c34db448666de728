"""The event is a global of each worker, set by the initializer."""
import multiprocessing as mp
import sys

START = None


def adopt(event):
    global START
    START = event


def run(number):
    START.wait()
    return number * 2


def main():
    start = mp.Event()
    with mp.Pool(2, initializer=adopt, initargs=(start,)) as pool:
        found = pool.map_async(run, range(4))
        start.set()
        print(found.get())


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
