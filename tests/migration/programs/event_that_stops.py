"""A worker ticks until it is told to stop."""
import multiprocessing as mp
import sys
import time

STOP = mp.Event()


def tick(counter):
    while not STOP.is_set():
        with counter.get_lock():
            counter.value += 1
        time.sleep(0.01)


def main():
    counter = mp.Value("i", 0)
    ticker = mp.Process(target=tick, args=(counter,))
    ticker.start()
    time.sleep(0.2)
    STOP.set()
    ticker.join()
    print(counter.value > 0)


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
