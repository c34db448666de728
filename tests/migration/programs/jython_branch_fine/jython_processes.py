from queue import Queue
from threading import Thread

class Process(Thread):
    pass
