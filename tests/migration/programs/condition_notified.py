"""Main wakes a worker."""
import multiprocessing as mp
import sys
import time

READY = mp.Condition()


def wait_for_data(results):
    with READY:
        READY.wait()
    results.put("woken")


def main():
    results = mp.Queue()
    waiter = mp.Process(target=wait_for_data, args=(results,))
    waiter.start()
    time.sleep(0.5)
    with READY:
        READY.notify_all()
    print(results.get())
    waiter.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
