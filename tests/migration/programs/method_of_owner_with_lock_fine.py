"""A method of an object that keeps plain data."""

import multiprocessing
import sys


class Server:
    def __init__(self):
        self.port = 21

    def serve(self):
        print("served", self.port)

    def start(self):
        process = multiprocessing.Process(target=self.serve)
        process.start()
        process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    Server().start()
