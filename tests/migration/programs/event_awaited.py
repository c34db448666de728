"""Start workers, let them warm up, then release them together."""
import multiprocessing as mp
import sys

START = mp.Event()


def run(name, results):
    START.wait()
    results.put(name)


def main():
    results = mp.Queue()
    runners = [mp.Process(target=run, args=(name, results)) for name in ("a", "b")]
    for runner in runners:
        runner.start()
    START.set()
    names = sorted(results.get() for _ in runners)
    for runner in runners:
        runner.join()
    print(names)


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
