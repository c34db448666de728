"""A server of the standard library whose method a process runs."""

import http.server
import multiprocessing
import sys


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


class TestServer:
    def __init__(self, port=0):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]

    def start(self):
        self.process = multiprocessing.Process(target=self.server.serve_forever, daemon=True)
        self.process.start()

    def stop(self):
        self.process.terminate()
        self.process.join()
        self.server.server_close()


def main():
    server = TestServer()
    server.start()
    print("up", server.process.is_alive())
    server.stop()


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1])
    main()
