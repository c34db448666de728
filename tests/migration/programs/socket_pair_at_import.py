"""Two sockets that the module joins at import; a worker answers at one of them."""

import multiprocessing
import socket
import sys

OURS, THEIRS = socket.socketpair()
OURS.settimeout(2)


def answer():
    THEIRS.sendall(b"done")


def main(method):
    worker = multiprocessing.get_context(method).Process(target=answer)
    worker.start()
    worker.join()
    print(OURS.recv(4))


if __name__ == "__main__":
    main(sys.argv[1])
