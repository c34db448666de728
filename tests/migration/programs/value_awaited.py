"""Workers spin until the shared flag is up."""
import multiprocessing as mp
import sys
import time

GO = mp.Value("b", 0)


def work(number):
    while not GO.value:
        time.sleep(0.01)
    return number


def main():
    with mp.Pool(2) as pool:
        found = pool.map_async(work, range(3))
        GO.value = 1
        print(found.get())


if __name__ == "__main__":
    mp.set_start_method(sys.argv[1], force=True)
    main()
