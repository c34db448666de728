"""Main gives slots one by one."""
import multiprocessing as mp
import sys

SLOTS = mp.Semaphore(0)


def take(number):
    SLOTS.acquire()
    return number


def main():
    with mp.Pool(2) as pool:
        waiting = pool.map_async(take, range(3))
        for _ in range(3):
            SLOTS.release()
        print(waiting.get())


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
