"""A socket of a pair as an argument of a process."""
import multiprocessing
import socket
import sys


def answer(connection):
    connection.sendall(connection.recv(10).upper())
    connection.close()


def main():
    ours, theirs = socket.socketpair()
    process = multiprocessing.Process(target=answer, args=(theirs,))
    process.start()
    ours.sendall(b"name")
    print(ours.recv(10))
    process.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
