"""An attribute of its own that an object gets when main makes it."""

import multiprocessing
import sys


class Crawler:
    agent = "bot/1.0"

    def __init__(self, agent=None):
        if agent:
            self.agent = agent

    def fetch(self, url):
        return f"{url} as {self.agent}"

    def crawl(self, method):
        with multiprocessing.get_context(method).Pool(1) as pool:
            return pool.map(self.fetch, ["/a"])


if __name__ == "__main__":
    print(Crawler("research/2.0").crawl(sys.argv[1]))
