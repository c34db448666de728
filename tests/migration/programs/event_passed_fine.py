"""Workers get the event as an argument."""
import multiprocessing as mp
import sys


def run(name, start, results):
    start.wait()
    results.put(name)


def main():
    start = mp.Event()
    results = mp.Queue()
    runner = mp.Process(target=run, args=("a", start, results))
    runner.start()
    start.set()
    print(results.get())
    runner.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
