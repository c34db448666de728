"""Pipes whose ends main sorts into those of its own and those of its workers."""

import multiprocessing
import sys


def echo(connection, parent):
    parent.close()
    connection.send(connection.recv() + 1)


class Echoes:
    def __init__(self, context, count):
        self.own, given = zip(*[context.Pipe() for _ in range(count)])
        self.processes = [
            context.Process(target=echo, args=(connection, parent)) for connection, parent in zip(given, self.own)
        ]
        for process in self.processes:
            process.start()

    def ask(self):
        for connection in self.own:
            connection.send(1)
        return [connection.recv() for connection in self.own]


def main(method):
    echoes = Echoes(multiprocessing.get_context(method), 2)
    print(echoes.ask())
    for process in echoes.processes:
        process.join()


if __name__ == "__main__":
    main(sys.argv[1])
