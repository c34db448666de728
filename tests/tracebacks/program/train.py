"""Starts a process with it."""

import multiprocessing

from data import Config, Other, Samples


def work(samples):
    print(len(samples))


def train():
    samples = Samples("images", Config({"car": 1}))
    context = multiprocessing.get_context("spawn")
    process = context.Process(target=work, args=(samples,))
    process.start()
    process.join()


def evaluate():
    with multiprocessing.Pool(2) as pool:
        pool.apply(work, (Other({}),))


def main():
    train()


if __name__ == "__main__":
    main()
