"""A base class lets its subclasses start what handles a request; the process gets a function."""

import multiprocessing
import selectors
import sys


def answer(request):
    print(request.upper(), flush=True)


class Server:
    def __init__(self):
        self.selector = selectors.DefaultSelector()

    def handle(self, request):
        task = self.start_task(target=answer, args=(request,))
        task.start()
        task.join()

    def start_task(self, *args, **kwargs):
        raise NotImplementedError


class ProcessServer(Server):
    def start_task(self, *args, **kwargs):
        return multiprocessing.Process(*args, **kwargs)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    ProcessServer().handle("hello")
