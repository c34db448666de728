"""One worker sets what the other waits for: both have their own."""
import multiprocessing as mp
import sys

LOADED = mp.Event()


def load():
    LOADED.set()


def serve(results):
    LOADED.wait()
    results.put("serving")


def main():
    results = mp.Queue()
    loader = mp.Process(target=load)
    server = mp.Process(target=serve, args=(results,))
    server.start()
    loader.start()
    print(results.get())
    server.join()
    loader.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
