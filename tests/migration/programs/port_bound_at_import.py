"""The module binds a port at import."""

import multiprocessing
import socket
import sys

SERVER = socket.socket()
SERVER.bind(("127.0.0.1", 47391))
SERVER.listen()


def work():
    print("work")


def main(method):
    process = multiprocessing.get_context(method).Process(target=work)
    process.start()
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
