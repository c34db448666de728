import multiprocessing as mp

shutdown = mp.Event()
jobs = mp.Queue()
