"""A base class lets its subclasses start what handles a request; the process gets the object with its selector."""

import multiprocessing
import selectors
import sys


class Server:
    def __init__(self):
        self.selector = selectors.DefaultSelector()

    def handle(self, request):
        task = self.start_task(target=self.answer, args=(request,))
        task.start()
        task.join()

    def answer(self, request):
        print(request.upper(), flush=True)

    def start_task(self, *args, **kwargs):
        raise NotImplementedError


class ProcessServer(Server):
    def start_task(self, *args, **kwargs):
        return multiprocessing.Process(*args, **kwargs)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    ProcessServer().handle("hello")
