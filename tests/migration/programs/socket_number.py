"""The number of a socket as an argument."""
import socket
import multiprocessing
import sys
from multiprocessing import Process


def answer(number):
    connection = socket.socket(fileno=number)
    connection.sendall(b"name")


def main():
    ours, theirs = socket.socketpair()
    process = Process(target=answer, args=(theirs.fileno(),))
    process.start()
    process.join()
    print(process.exitcode)


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
