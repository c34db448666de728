"""Workers take jobs of another module."""
import multiprocessing as mp

import shared
import sys


def work(results):
    while not shared.shutdown.is_set():
        job = shared.jobs.get()
        if job is None:
            return
        results.put(job + 1)


def main():
    results = mp.Queue()
    worker = mp.Process(target=work, args=(results,), daemon=True)
    worker.start()
    shared.jobs.put(1)
    shared.jobs.put(None)
    print(results.get())
    worker.join()
    shared.shutdown.set()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
