"""A pipe of the module."""
import multiprocessing as mp
import sys

OURS, THEIRS = mp.Pipe()


def answer():
    question = THEIRS.recv()
    THEIRS.send(question.upper())


def main():
    worker = mp.Process(target=answer)
    worker.start()
    OURS.send("name")
    print(OURS.recv())
    worker.join()


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
