"""Workers hand back results by a queue of the module; main takes what there is."""
import multiprocessing as mp
import queue
import sys

RESULTS = mp.Queue()


def square(number):
    RESULTS.put(number * number)


def main():
    worker = mp.Process(target=square, args=(3,))
    worker.start()
    try:
        print(RESULTS.get(timeout=2))
    except queue.Empty:
        print("nothing")
    worker.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
