"""A socket of a pair as an argument of a task of a pool."""
import multiprocessing
import socket
import sys


def answer(connection):
    connection.sendall(connection.recv(10).upper())
    return 1


def main():
    ours, theirs = socket.socketpair()
    with multiprocessing.Pool(1) as pool:
        done = pool.apply_async(answer, (theirs,))
        ours.sendall(b"name")
        print(ours.recv(10), done.get(5))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
