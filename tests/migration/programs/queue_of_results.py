"""Workers hand back results by a queue of the module."""
import multiprocessing as mp
import sys

RESULTS = mp.Queue()


def square(number):
    RESULTS.put(number * number)


def main():
    workers = [mp.Process(target=square, args=(number,)) for number in range(3)]
    for worker in workers:
        worker.start()
    print(sorted(RESULTS.get() for _ in workers))
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
