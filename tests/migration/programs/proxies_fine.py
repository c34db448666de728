"""What a manager makes is given to processes."""

import multiprocessing
import sys


def worker(tasks, results, number):
    while True:
        task = tasks.get()
        if task is None:
            break
        results[task] = task * number


def main():
    tasks = multiprocessing.Queue()
    with multiprocessing.Manager() as manager:
        results = manager.dict()
        workers = [multiprocessing.Process(target=worker, args=(tasks, results, 3)) for _ in range(2)]
        for process in workers:
            process.start()
        for task in range(4):
            tasks.put(task)
        for _ in workers:
            tasks.put(None)
        for process in workers:
            process.join()
        print(sorted(results.items()))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
