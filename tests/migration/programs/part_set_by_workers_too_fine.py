"""A method opens what a part of an object needs, in whichever process calls it first."""

import multiprocessing
import sys


class Session:
    def __init__(self):
        self.token = None


class Client:
    def __init__(self):
        self.session = Session()

    def login(self):
        if self.session.token is None:
            self.session.token = "t"

    def get(self, path):
        self.login()
        return path, self.session.token


client = Client()


def fetch(path):
    return client.get(path)


def main(method):
    client.login()
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(fetch, ["/"]))


if __name__ == "__main__":
    main(sys.argv[1])
