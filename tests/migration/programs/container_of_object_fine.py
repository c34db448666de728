"""A container of an object, which goes along with it."""

import multiprocessing
import sys


class Crawler:
    seen = {"/robots.txt"}

    def __init__(self):
        self.seen = set(self.seen)

    def mark(self, url):
        self.seen.add(url)

    def is_new(self, url):
        return url not in self.seen


def main(method):
    crawler = Crawler()
    crawler.mark("/a")
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(crawler.is_new, ["/a", "/b"]))


if __name__ == "__main__":
    main(sys.argv[1])
