"""A bus with a queue of the class."""
import multiprocessing as mp
import sys


class Bus:
    inbox = mp.Queue()
    closed = mp.Event()

    @classmethod
    def listen(cls, results):
        results.put(cls.inbox.get())


def main():
    results = mp.Queue()
    listener = mp.Process(target=Bus.listen, args=(results,))
    listener.start()
    Bus.inbox.put("hello")
    print(results.get())
    listener.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
