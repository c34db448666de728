"""What one condition makes, and another one ships that is never true together with it, also across functions."""

from __future__ import annotations

import pytest

from tests.loading import HEAD
from tests.support import lint

SILENT = {
    "set up by what the constructor calls, where nothing is distributed": """\
class Trainer:
    def __init__(self, config):
        self.config = config
        self.writer = None
        self.choose_devices()
        self.set_up()

    def choose_devices(self):
        if os.environ.get("WORLD_SIZE"):
            self.distributed = True
        else:
            self.distributed = self.config.devices > 1

    def set_up(self):
        if not self.distributed:
            self.open_writer()
            return
        print("later")

    def open_writer(self):
        self.writer = open(self.config.log, "a")

    def train(self):
        if self.distributed:
            workers = [mp.Process(target=self.run) for _ in range(self.config.devices)]
            for worker in workers:
                worker.start()
        else:
            self.run()

    def run(self):
        print(self.config)

Trainer(argparse.Namespace(devices=2, log="train.log")).train()
""",
    "functions that ask the same": """\
def is_hosted():
    return bool(os.environ.get("HOSTED"))

def get_queue():
    if is_hosted():
        return queue.Queue()
    return mp.Queue()

def get_process():
    if is_hosted():
        return threading.Thread
    return mp.Process

def main():
    items = get_queue()
    worker: mp.Process = get_process()(target=work, args=(items,))
    worker.start()
""",
    "functions that ask the same, as expressions": """\
def is_hosted():
    return bool(os.environ.get("HOSTED"))

def get_process():
    if not is_hosted():
        return mp.Process
    return threading.Thread

def get_safe_queue():
    return queue.Queue() if is_hosted() else mp.Queue()

def main():
    worker: mp.Process = get_process()(target=work, args=(get_safe_queue(),))
    worker.start()
""",
    "lambda only when no workers": """\
def main(workers):
    collate = None
    if workers == 0:
        collate = lambda b: b
    DataLoader(Data(), num_workers=workers, collate_fn=collate)
""",
    "lambda only when no workers, expression": """\
def main(args):
    collate = (lambda b: b) if args.workers == 0 else work
    DataLoader(Data(), num_workers=args.workers, collate_fn=collate)
""",
    "an event and a worker": """\
class Recorder:
    def __init__(self, use_threads=True):
        self.use_threads = use_threads
        Event = threading.Event if use_threads else mp.Event
        self.stop = Event()
        if use_threads:
            self.worker = threading.Thread(target=work, args=(self.stop,))
        else:
            self.worker = mp.Process(target=work, args=(self.stop,))
""",
    "an event and a worker across methods": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        self.stop = threading.Event() if self.use_threads else mp.Event()

    def start(self):
        if self.use_threads:
            worker = threading.Thread(target=work, args=(self.stop,))
        else:
            worker = mp.Process(target=work, args=(self.stop,))
        worker.start()
""",
    "an event and a worker across methods, parameter": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        if use_threads:
            self.stop = threading.Event()
        else:
            self.stop = mp.Event()

    def start(self):
        if not self.use_threads:
            worker = mp.Process(target=work, args=(self.stop,))
            worker.start()
""",
    "channel none": """\
class Learner:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        channel = None
        if use_threads:
            channel = threading.Lock()
        self.run(channel)

    def run(self, channel):
        Worker = threading.Thread if self.use_threads else mp.Process
        Worker(target=work, args=(channel,)).start()
""",
    "a factory, two flags": """\
def make(use_processes):
    lock = mp.Lock() if use_processes else threading.Lock()
    launch(lock, use_processes)

def launch(lock, use_processes):
    if use_processes:
        mp.Process(target=work, args=(lock,)).start()
    else:
        threading.Thread(target=work, args=(lock,)).start()
""",
    "both chosen": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        Event = threading.Event if use_threads else mp.Event
        self.stop = Event()

    def start(self):
        Worker = threading.Thread if self.use_threads else mp.Process
        Worker(target=work, args=(self.stop,)).start()
""",
    "words of one setting": """\
class Recorder:
    def __init__(self, backend="thread"):
        self.backend = backend
        if backend == "thread":
            self.lock = threading.Lock()
        else:
            self.lock = None

    def run(self, items):
        if self.backend == "process":
            with Pool(2) as pool:
                return pool.map(self.one, items)

    def one(self, item):
        return item
""",
    "flag that a function tells": """\
class Handler:
    def __init__(self, use_threads):
        if use_threads:
            from threading import Event
        else:
            from multiprocessing import Event
        self.stop = Event()

def use_threads(config):
    return config.concurrency == "threads"

def main(config):
    is_threaded = use_threads(config)
    handler = Handler(is_threaded)
    entity = None
    if use_threads(config):
        from threading import Thread
        entity = Thread
    else:
        from multiprocessing import Process
        entity = Process
    entity(target=work, args=(handler.stop,)).start()
""",
}
SILENT |= {
    "a queue and an executor that one call chooses": """\
class Executor:
    pass

def parts(use_threads):
    if not use_threads:
        try:
            import _multiprocessing
        except ImportError:
            use_threads = True
    if use_threads:
        messages = queue.Queue(-1)
        executor_class = ThreadPoolExecutor
    else:
        messages = mp.Queue(-1)
        executor_class = ProcessPoolExecutor
    return messages, executor_class

class Runner(Executor):
    def run(self, use_threads):
        messages, executor_class = parts(use_threads)
        with executor_class(max_workers=2, initializer=work, initargs=(messages,)) as executor:
            executor.submit(work, 1)
""",
    "an actor that replaces its start": """\
class Actor(mp.Process):
    def __init__(self, forks):
        mp.Process.__init__(self)
        if not forks:
            self.start = lambda: None
            self.close = lambda: None

    def run(self):
        pass

def main():
    actor = Actor(load())
    actor.start()
""",
}
SILENT |= {
    "no workers beside it": """\
def main(debug):
    if debug:
        collate = lambda b: b
        workers = 0
    else:
        collate = work
        workers = 4
    DataLoader(Data(), num_workers=workers, collate_fn=collate)
""",
    "no workers beside it, expressions": """\
def main(debug):
    workers = 0 if debug else 4
    collate = (lambda b: b) if debug else work
    DataLoader(Data(), num_workers=workers, collate_fn=collate)
""",
    "no workers beside it, one dict": """\
def main(debug):
    settings = {"collate": lambda b: b, "workers": 0} if debug else {"collate": work, "workers": 4}
    DataLoader(Data(), num_workers=settings["workers"], collate_fn=settings["collate"])
""",
    "no workers beside it, passed on": """\
def build(collate, workers):
    return DataLoader(Data(), num_workers=workers, collate_fn=collate)

def main(debug):
    if debug:
        collate, workers = (lambda b: b), 0
    else:
        collate, workers = work, 4
    build(collate, workers)
""",
    "two calls, each with its pair": """\
def build(collate, workers):
    return DataLoader(Data(), num_workers=workers, collate_fn=collate)

def main():
    build(lambda b: b, 0)
    build(work, 4)
""",
    "two objects, each with its pair": """\
class Loaders:
    def __init__(self, collate, workers):
        self.collate = collate
        self.workers = workers

    def train(self):
        return DataLoader(Data(), num_workers=self.workers, collate_fn=self.collate)

def main():
    Loaders(lambda b: b, 0).train()
    Loaders(work, 4).train()
""",
}
SILENT |= {
    "a lock and the class of an executor": """\
import functools

class Manager:
    def __init__(self, backend, jobs):
        self.backend = backend
        self.jobs = jobs

    def fit(self):
        if self.backend == "thread":
            executor_class = ThreadPoolExecutor
            lock = threading.Lock()
        elif self.backend == "process":
            executor_class = functools.partial(ProcessPoolExecutor, mp_context=mp.get_context("spawn"))
            lock = mp.Manager().Lock()
        else:
            raise ValueError(self.backend)
        with executor_class(max_workers=2) as executor:
            for job in self.jobs:
                executor.submit(work, (lock, job))
""",
    "a lock and the class of an executor, by what is not compared": """\
def main(jobs):
    if os.environ.get("THREADS"):
        Executor, lock = ThreadPoolExecutor, threading.Lock()
    else:
        Executor, lock = ProcessPoolExecutor, None
    executor = Executor(2)
    for job in jobs:
        executor.submit(work, (lock, job))
""",
    "a lock and the executor that is made": """\
def main(use_threads, jobs):
    lock = threading.Lock() if use_threads else None
    executor = ThreadPoolExecutor(2) if use_threads else ProcessPoolExecutor(2)
    for job in jobs:
        executor.submit(work, (lock, job))
""",
    "a lock and an executor that an object keeps": """\
class Runner:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        self.executor = ThreadPoolExecutor(2) if use_threads else ProcessPoolExecutor(2)

    def run(self, jobs):
        lock = threading.Lock() if self.use_threads else None
        for job in jobs:
            self.executor.submit(work, (lock, job))
""",
}
REPORTED = {
    "a lock and the class of an executor, the wrong way": """\
class Manager:
    def __init__(self, backend, jobs):
        self.backend = backend
        self.jobs = jobs

    def fit(self):
        if self.backend == "thread":
            executor_class = ThreadPoolExecutor
            lock = None
        else:
            executor_class = ProcessPoolExecutor
            lock = threading.Lock()
        with executor_class(max_workers=2) as executor:
            for job in self.jobs:
                executor.submit(work, (lock, job))
""",
    "a lock for both, and the class of an executor": """\
def main(jobs):
    lock = threading.Lock()
    if os.environ.get("THREADS"):
        Executor = ThreadPoolExecutor
    else:
        Executor = ProcessPoolExecutor
    executor = Executor(2)
    for job in jobs:
        executor.submit(work, (lock, job))
""",
    "a lock and an executor, asked by two flags": """\
def main(use_threads, locked, jobs):
    lock = threading.Lock() if locked else None
    executor = ThreadPoolExecutor(2) if use_threads else ProcessPoolExecutor(2)
    for job in jobs:
        executor.submit(work, (lock, job))
""",
    "an executor that an object keeps, whose flag changes": """\
class Runner:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        self.executor = ThreadPoolExecutor(2) if use_threads else ProcessPoolExecutor(2)

    def switch(self):
        self.use_threads = not self.use_threads

    def run(self, jobs):
        lock = threading.Lock() if self.use_threads else None
        for job in jobs:
            self.executor.submit(work, (lock, job))
""",
    "set up by what the constructor calls, and changed from outside": """\
class Trainer:
    def __init__(self, devices):
        self.choose_devices(devices)
        if not self.distributed:
            self.writer = open("train.log", "a")

    def choose_devices(self, devices):
        self.distributed = devices > 1

    def train(self):
        if self.distributed:
            mp.Process(target=self.run).start()

    def run(self):
        print(self)

trainer = Trainer(int(os.environ["DEVICES"]))
trainer.choose_devices(2)
trainer.train()
""",
    "set up by what the constructor calls, under another flag": """\
class Trainer:
    def __init__(self, devices, logs):
        self.logs = logs
        self.choose_devices(devices)
        self.set_up()

    def choose_devices(self, devices):
        self.distributed = devices > 1

    def set_up(self):
        if not self.logs:
            self.open_writer()

    def open_writer(self):
        self.writer = open("train.log", "a")

    def train(self):
        if self.distributed:
            mp.Process(target=self.run).start()

    def run(self):
        print(self)

Trainer(int(os.environ["DEVICES"]), "logs" in os.environ).train()
""",
    "functions that ask the same, the wrong way round": """\
def is_hosted():
    return bool(os.environ.get("HOSTED"))

def get_queue():
    if is_hosted():
        return queue.Queue()
    return mp.Queue()

def get_process():
    if is_hosted():
        return mp.Process
    return threading.Thread

def main():
    items = get_queue()
    worker: mp.Process = get_process()(target=work, args=(items,))
    worker.start()
""",
    "functions that ask what changes": """\
hosted = False

def connect():
    global hosted
    hosted = True

def is_hosted():
    return hosted

def get_queue():
    if is_hosted():
        return queue.Queue()
    return mp.Queue()

def get_process():
    if is_hosted():
        return threading.Thread
    return mp.Process

def main():
    connect()
    items = get_queue()
    worker: mp.Process = get_process()(target=work, args=(items,))
    worker.start()
""",
    "two functions that are asked": """\
def is_hosted():
    return bool(os.environ.get("HOSTED"))

def is_fast():
    return bool(os.environ.get("FAST"))

def get_queue():
    if is_fast():
        return queue.Queue()
    return mp.Queue()

def get_process():
    if is_hosted():
        return threading.Thread
    return mp.Process

def main():
    items = get_queue()
    worker: mp.Process = get_process()(target=work, args=(items,))
    worker.start()
""",
    "workers beside it": """\
def main(debug):
    if debug:
        collate = lambda b: b
        workers = 2
    else:
        collate = work
        workers = 0
    DataLoader(Data(), num_workers=workers, collate_fn=collate)
""",
    "workers that another condition decides": """\
def main(debug, slow):
    if debug:
        collate = lambda b: b
    else:
        collate = work
    workers = 0 if slow else 3
    DataLoader(Data(), num_workers=workers, collate_fn=collate)
""",
    "two calls, the pair that does not go": """\
def build(collate, workers):
    return DataLoader(Data(), num_workers=workers, collate_fn=collate)

def main():
    build(lambda b: b, 4)
    build(work, 0)
""",
    "a queue and an executor of two calls": """\
class Executor:
    pass

def parts(use_threads):
    if not use_threads:
        try:
            import _multiprocessing
        except ImportError:
            use_threads = True
    if use_threads:
        messages = queue.Queue(-1)
        executor_class = ThreadPoolExecutor
    else:
        messages = mp.Queue(-1)
        executor_class = ProcessPoolExecutor
    return messages, executor_class

class Runner(Executor):
    def run(self, use_threads):
        messages, _ = parts(True)
        _, executor_class = parts(use_threads)
        with executor_class(max_workers=2, initializer=work, initargs=(messages,)) as executor:
            executor.submit(work, 1)
""",
    "an actor that replaces its start elsewhere": """\
class Actor(mp.Process):
    def __init__(self, forks, quiet):
        mp.Process.__init__(self)
        if not forks:
            self.start = self.run
        if quiet:
            self.close = lambda: None

    def run(self):
        pass

def main():
    actor = Actor(load(), load())
    actor.start()
""",
    "lambda when workers": """\
def main(args):
    collate = (lambda b: b) if args.workers > 0 else work
    DataLoader(Data(), num_workers=args.workers, collate_fn=collate)
""",
    "an event and a worker the wrong way": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        self.stop = mp.Event() if self.use_threads else threading.Event()

    def start(self):
        if self.use_threads:
            worker = threading.Thread(target=work, args=(self.stop,))
        else:
            worker = mp.Process(target=work, args=(self.stop,))
        worker.start()
""",
    "a factory, two flags wrong": """\
def make(use_processes):
    lock = threading.Lock() if use_processes else mp.Lock()
    launch(lock, use_processes)

def launch(lock, use_processes):
    if use_processes:
        mp.Process(target=work, args=(lock,)).start()
    else:
        threading.Thread(target=work, args=(lock,)).start()
""",
    "flag that changes": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        self.stop = threading.Event() if self.use_threads else mp.Event()

    def switch(self):
        self.use_threads = not self.use_threads

    def start(self):
        if not self.use_threads:
            mp.Process(target=work, args=(self.stop,)).start()
""",
    "flags of other names": """\
class Recorder:
    def __init__(self, use_threads, quick):
        self.use_threads = use_threads
        self.quick = quick
        self.stop = threading.Event() if self.use_threads else mp.Event()

    def start(self):
        if not self.quick:
            mp.Process(target=work, args=(self.stop,)).start()
""",
    "flag bound anew": """\
def make(use_processes):
    lock = mp.Lock() if use_processes else threading.Lock()
    use_processes = True
    launch(lock, use_processes)

def launch(lock, use_processes):
    if use_processes:
        mp.Process(target=work, args=(lock,)).start()
""",
    "other flag passed": """\
def make(use_processes, other):
    lock = mp.Lock() if use_processes else threading.Lock()
    launch(lock, other)

def launch(lock, use_processes):
    if use_processes:
        mp.Process(target=work, args=(lock,)).start()
""",
    "the other class": """\
class Recorder:
    def __init__(self, use_threads):
        self.use_threads = use_threads
        Event = mp.Event if use_threads else threading.Event
        self.stop = Event()

    def start(self):
        Worker = threading.Thread if self.use_threads else mp.Process
        Worker(target=work, args=(self.stop,)).start()
""",
    "words of one setting, the same": """\
class Recorder:
    def __init__(self, backend):
        self.backend = backend
        if backend == "process":
            self.lock = threading.Lock()
        else:
            self.lock = None

    def run(self, items):
        if self.backend == "process":
            with Pool(2) as pool:
                return pool.map(self.one, items)

    def one(self, item):
        return item
""",
    "flag that a function tells, the wrong way": """\
class Handler:
    def __init__(self, use_threads):
        if use_threads:
            from threading import Event
        else:
            from multiprocessing import Event
        self.stop = Event()

def use_threads(config):
    return config.concurrency == "threads"

def main(config):
    is_threaded = use_threads(config)
    handler = Handler(is_threaded)
    entity = None
    if not use_threads(config):
        from threading import Thread
        entity = Thread
    else:
        from multiprocessing import Process
        entity = Process
    entity(target=work, args=(handler.stop,)).start()
""",
    "flag that a function may change": """\
class Handler:
    def __init__(self, use_threads):
        if use_threads:
            from threading import Event
        else:
            from multiprocessing import Event
        self.stop = Event()

def use_threads(config):
    config.asked += 1
    return config.concurrency == "threads"

def main(config):
    is_threaded = use_threads(config)
    handler = Handler(is_threaded)
    entity = None
    if use_threads(config):
        from threading import Thread
        entity = Thread
    else:
        from multiprocessing import Process
        entity = Process
    entity(target=work, args=(handler.stop,)).start()
""",
}


def _found(text: str) -> list[str]:
    return [each.code for each in lint(HEAD + text).diagnostics if each.code != "LP203"]


@pytest.mark.parametrize("text", SILENT.values(), ids=SILENT)
def test_what_is_never_there_is_silent(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize("text", REPORTED.values(), ids=REPORTED)
def test_what_may_be_there_is_reported(text: str) -> None:
    assert _found(text) != []


IN_WORKERS = """\
import multiprocessing, os, threading

host = []

def is_hosted():
    return bool(os.environ.get("HOSTED"))

def connect():
    host.append(open("host"))

def get_process():
    if {asked}:
        return threading.Thread
    return multiprocessing.Process

def send(name):
    return host[0].read(name)

def run(name):
    if is_hosted() and name:
        return send(name)
    return name

def main():
    connect()
    worker: multiprocessing.Process = get_process()(target=run, args=("a",))
    worker.start()

if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(("asked", "expected"), [("is_hosted()", []), ("os.name == 'nt'", ["LP208"])])
def test_what_workers_call_only_where_there_are_threads(asked: str, expected: list[str]) -> None:
    assert [each.code for each in lint(IN_WORKERS.format(asked=asked)).diagnostics] == expected
