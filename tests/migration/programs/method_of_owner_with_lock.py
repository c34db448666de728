"""A method of an object that keeps a lock of threads."""

import multiprocessing
import sys
import threading


class Server:
    def __init__(self):
        self.lock = threading.Lock()

    def serve(self):
        print("served")

    def start(self):
        process = multiprocessing.Process(target=self.serve)
        process.start()
        process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    Server().start()
