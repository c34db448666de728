"""A server starts a process for a connection."""
import multiprocessing
import socket
import sys


def serve(connection, address):
    connection.sendall(connection.recv(10).upper())
    connection.close()


def main():
    server = socket.create_server(("127.0.0.1", 0))
    client = socket.create_connection(server.getsockname())
    connection, address = server.accept()
    worker = multiprocessing.Process(target=serve, args=(connection, address))
    worker.start()
    client.sendall(b"name")
    print(client.recv(10))
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
