"""Workers import a module that locks a file."""

import multiprocessing
import sys

import single


def work(number):
    return single.held(), number


def run(sender, number):
    sender.send(work(number))


def main(method):
    context = multiprocessing.get_context(method)
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=run, args=(sender, 1))
    process.start()
    sender.close()
    print(receiver.recv())
    process.join()


if __name__ == "__main__":
    main(sys.argv[1])
