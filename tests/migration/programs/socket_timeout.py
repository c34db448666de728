"""The default timeout of sockets, which only main sets."""

import multiprocessing
import socket
import sys


def work(number):
    with socket.socket() as connection:
        return connection.gettimeout()


def main():
    socket.setdefaulttimeout(5)
    with multiprocessing.Pool(1) as pool:
        print(pool.map(work, [1]))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
