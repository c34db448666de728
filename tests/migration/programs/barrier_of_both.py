"""Main and a worker meet."""
import multiprocessing as mp
import sys

MEETING = mp.Barrier(2)


def work(results):
    MEETING.wait()
    results.put("met")


def main():
    results = mp.Queue()
    worker = mp.Process(target=work, args=(results,))
    worker.start()
    MEETING.wait()
    print(results.get())
    worker.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
