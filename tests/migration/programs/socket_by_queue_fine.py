"""A server hands accepted connections to a worker by a queue."""
import multiprocessing
import socket
import sys


def serve(connections):
    connection = connections.get()
    connection.sendall(connection.recv(10).upper())
    connection.close()


def main():
    server = socket.create_server(("127.0.0.1", 0))
    connections = multiprocessing.Queue()
    worker = multiprocessing.Process(target=serve, args=(connections,))
    worker.start()
    client = socket.create_connection(server.getsockname())
    accepted, _ = server.accept()
    connections.put(accepted)
    client.sendall(b"name")
    print(client.recv(10))
    worker.join()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
