"""A type is registered with a lambda in main."""
import multiprocessing
import sys
from multiprocessing import Process
from multiprocessing.managers import BaseManager


class SharedManager(BaseManager):
    pass


def work(table):
    table.update({"a": 1})


def main():
    store = {}
    SharedManager.register("table", callable=lambda: store)
    with SharedManager() as manager:
        table = manager.table()
        process = Process(target=work, args=(table,))
        process.start()
        process.join()
        print(table.get("a"))


if __name__ == "__main__":
    multiprocessing.set_start_method(sys.argv[1], force=True)
    main()
