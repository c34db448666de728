"""Workers wait a second for the start."""
import multiprocessing as mp
import sys

START = mp.Event()


def run(name, results):
    started = START.wait(timeout=1)
    results.put((name, started))


def main():
    results = mp.Queue()
    runner = mp.Process(target=run, args=("a", results))
    runner.start()
    START.set()
    print(results.get())
    runner.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
