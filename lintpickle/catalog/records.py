"""The records that the catalog hands out: plain, frozen, typed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from lintpickle.diagnostics import StartMethod
from lintpickle.pythons import Version

RECEIVER = "receiver"
"""The parameter name for the object whose method is called, where that is what is pickled."""

SLICE = "[:]"
"""The method name for a slice of an object (`view[2:8]`), where that is of another kind than an item (`view[2]`)."""

Fails: TypeAlias = Literal["dumps", "loads", "worker"]
"""Where it fails: while pickling, while unpickling, or only in a worker that is really spawned."""

ArgumentUse: TypeAlias = Literal[
    "consume",
    "iterate",
    "keep",
    "default",
    "copy",
    "change",
    "first",
    "last",
    "class",
    "wrap",
    "parts",
    "element",
    "fields",
]
"""The effect of a call on its arguments; see `Catalog.converter`."""

NAMING = frozenset({"class", "wrap"})
"""The effects by which the result gets a name that pickle looks for."""

KnownArguments: TypeAlias = Mapping[int | str, object]
"""The known arguments of a call: position (from 0) or keyword -> the literal value, or `...` when the argument is given
but its value is not known."""


class VersionedError(Struct, frozen=True):
    """A run-time error whose wording differs between Python versions beyond what wording.toml describes."""

    error: str
    """As Python 3.11 words it."""
    errors: tuple[tuple[Version, str], ...]
    """Other wordings, each with the Python from which it holds; see `Catalog.error_on`."""


class Product(Struct, frozen=True):
    """An object that cannot cross a process boundary, as a call makes it or a name holds it."""

    kind: str
    """"file", "archive", "database", "h5", "lock", "generator", ...: what rules group by."""
    type: str
    """The type as the error names it: "_io.TextIOWrapper"."""
    error: str
    """The run-time error word for word (Python 3.11, libraries of 2026)."""
    fails: Fails
    cloudpickle: bool | None
    """Whether cloudpickle can send it; None if not tested."""
    dill: bool | None
    """Whether dill can send it; None if not tested."""
    reopen: bool
    """Whether the call can be repeated lazily in the worker (a path is kept, the handle is reopened)."""
    note: str | None
    since: Version | None
    """The first Python on which it fails; None: on every Python that lintpickle supports."""
    until: Version | None
    """The first Python on which it no longer fails; None: it still does."""
    fine_on: tuple[Version, ...] = ()
    """Pythons in between on which it does not fail."""
    crosses: tuple[str, ...] = ()
    """Kinds of boundary (`BoundarySpec.kind`) that accept it anyway: "deepcopy" for functions, "save" for non-leaf
    weights, "dataloader", "process" and "spawn" for locks of the worker's own context; or "proxy" for what may be put
    into a manager's proxy."""
    errors: tuple[tuple[Version, str], ...] = ()
    """Other wordings of `error`, each with the Python from which it holds; see `Catalog.error_on`."""
    error_at_start: str | None = None
    """The error when a process receives it at its start, if it differs."""
    error_in_copy: str | None = None
    """The error of `copy.deepcopy`, if it differs."""
    crosses_after: tuple[str, ...] = ()
    """Methods after which it has nothing left that cannot cross, and opens itself again when it is used."""

    def fails_on(self, python: Version) -> bool:
        """Whether the object fails on that Python."""
        if python in self.fine_on:
            return False
        return (self.since is None or python >= self.since) and (self.until is None or python < self.until)

    def first_failing(self, pythons: Iterable[Version]) -> Version | None:
        """The first of some Pythons on which the object fails; None: it fails on none of them."""
        return next((python for python in pythons if self.fails_on(python)), None)


Error: TypeAlias = str | VersionedError | Product
"""A run-time error in the wording of Python 3.11 and of other versions; see `Catalog.error_on`."""


class SettingSpec(Struct, frozen=True):
    """A setting of the process or of a library, which only forked processes inherit. All names may end in ".*", for
    every name below."""

    what: str
    """The setting's description in a message: "the locale"."""
    by: tuple[str, ...]
    """The paths of calls that set it, of attributes that are stored, and with "[]" of those into which something is
    put: `logging.getLogger().handlers[]`."""
    methods: tuple[str, ...]
    """The names of methods that set it, in modules that name `word`."""
    read: tuple[str, ...]
    """The paths of functions and classes that depend on it; `csv.reader(dialect@1` if only calls do that are given the
    argument of that name, or at that 0-based place."""
    read_methods: tuple[str, ...]
    """The names of methods that do, in modules that name `word`."""
    own: tuple[str, ...]
    """The paths with which code makes the setting itself: workers that use one do not depend on it."""
    unless: tuple[str, ...]
    """The keyword arguments with which a call does not depend on it; `weights_only=False`: with that value."""
    only: StartMethod | None
    """The only start method under which it is missing, if others pass it on."""
    word: str
    seldom: bool
    """Whether most programs need it only in the main process."""
    once: tuple[str, ...]
    """The paths, and the names of methods, that workers must not repeat: no fix does."""
    arguments: int
    """With how many arguments or more a call of `by` sets it: with fewer, it only asks."""
    shown: tuple[str, ...]
    """The paths of functions and classes whose results depend on it only as text (`str(x)`, `print(x)`)."""
    reckoned: tuple[str, ...]
    """The paths of functions and classes whose results depend on it where code reckons with them (`x / y`)."""
    given_by: tuple[str, ...]
    """The kinds of boundaries whose workers get the setting, or one of their own, from the library that starts them."""
    error: str | None
    """How its use ends without it, of what is there only while what `by` decorates runs: the context of a command."""
    default: str | None
    """What there is without it, as messages say it ("28 digits")."""
    lacking: str | None
    """How its use ends where the default does not do, which is why programs set it."""
    inherited: tuple[str, ...]
    """The names that stand in a call of `by` whose effect new processes do inherit."""
    help: str | None
    """What to do instead of making the setting in every worker, too."""
    outcome: str | None
    """What a worker has instead, as messages say it, if that is no value: "there it is not registered"."""
    there: tuple[str, ...]
    """The texts by which calls of `read` ask for what is there anyway."""
    owners: tuple[str, ...]
    """What functions call the objects with `read_methods` that they are given, in modules that do not name `word`."""
    contexts: tuple[str, ...]
    """The paths of what makes it for as long as it is entered, and nothing otherwise; with a text of `there`, that is
    what is there anyway."""
    named: str | None
    """The argument that gives it a name (`name@0`, as in `read`): only what asks for that name depends on it. "any" if
    that is not seen."""
    kept_in: tuple[str, ...]
    """The names of the tables that hold it: code that takes something out of one sets it back."""
    unlimited: str | None
    """The number that sets no limit at all, of a setting that is one."""
    same: tuple[str, ...]
    """The texts and paths that set what is there anyway."""


class StateSpec(Struct, frozen=True):
    """Objects of libraries that have a state in memory, which only forked processes inherit."""

    names: tuple[str, ...]
    """The paths of what makes one; `sqlite3.connect(:memory:` if the first argument is that text."""
    methods: tuple[str, ...]
    """The names of its methods that change it."""
    functions: tuple[str, ...]
    """The names of built-in functions that change their first argument."""
    stores: bool
    """Whether it is changed by what is stored on it, and in its attributes, whoever reads these."""
    shared: bool
    """Whether workers change it too as they use it, so that what they do to it sets nothing."""
    own: tuple[str, ...]
    """The names of the methods by which a worker gives it a state of its own."""
    seeded: bool
    """Whether it is the same in all processes only if an argument made it so."""
    outcome: str
    """What a worker has instead, in words."""
    error: str | None
    """The error in which a worker's use of it ends."""


class WaitingSpec(Struct, frozen=True):
    """Objects at which one process waits for what another one does to the same object."""

    names: tuple[str, ...]
    """The paths of what makes one; `multiprocessing.Semaphore(0` if the first argument is that number."""
    waits: tuple[str, ...]
    """The names of the methods that wait, unless they are told how long; `<with>` for a `with` statement."""
    asks: tuple[str, ...]
    """What gives a truth value for which a loop may wait: methods, or attributes that are stored."""
    until: tuple[str, ...]
    """The names of the methods, or of the attribute, by which another one ends it."""
    guards: tuple[str, ...]
    """The names of the methods with which code asks whether it would have to wait."""
    instead: tuple[str, ...]
    """The names of the methods that fail where they would have to wait."""
    failing: str | None
    """The error of these, and of those that wait where these are told how long."""


class FreshSpec(Struct, frozen=True):
    """Calls that give another value in each process."""

    names: tuple[str, ...]
    """The paths of functions; a method of what a call gives is written `datetime.datetime.now().strftime`."""
    what: str
    """What a worker gets, in words: "another id"."""
    seldom: bool
    """Whether it rarely matters that workers have their own, unless it becomes a part of a text."""
    changes: bool
    """Whether the call changes its first argument, rather than giving the value."""
    seeded: bool
    """Whether it is the same everywhere if the import seeds random numbers before."""
    having: tuple[str, ...]
    """Texts one of which must stand in the first argument, as it is written."""
    after: str
    """The path of what the main process must call later; without that, all processes get the same."""
    relative: bool
    """Whether it is another one only if the first argument, or what made the object, is a path that is not absolute."""

    @property
    def is_time(self) -> bool:
        """Whether it is the time at which it is called."""
        return all(name.startswith(("time.", "datetime.")) for name in self.names)


class RepeatedSpec(Struct, frozen=True):
    """Calls at import that do something again in each process that imports the module again."""

    names: tuple[str, ...]
    """The paths of functions; a method of what a call gives is written `socket.socket().bind`."""
    outcome: str
    """What becomes of it in a worker, in words."""
    error: str | None
    """How it ends when it is done again, unless the code asks before or catches that."""
    destroys: bool
    """Whether it destroys what is there: that counts only for what the program uses elsewhere."""
    quiet: bool
    """Whether nothing is lost: it counts only for who moves to another start method."""
    fresh: bool
    """Whether it counts only with an argument that is another one in each process."""
    unless: tuple[str, ...]
    """The keyword arguments with which nothing happens."""
    mode: str
    """The first letter of the mode in which a file must be opened."""
    having: tuple[str, ...]
    """Texts one of which must stand in the first argument, as it is written."""
    lacking: tuple[str, ...]
    """Texts none of which may stand there, nor where the object is made whose method it is."""
    needs: tuple[str, ...]
    """The first parameters, in order, that must be given something but None or False."""
    told: tuple[str, ...]
    """Texts all of which must stand in the arguments behind the first."""
    untold: tuple[str, ...]
    """Texts none of which may stand there."""
    held: bool
    """Whether it counts only for a file or the like that the process then keeps open."""
    reads: bool
    """Whether it reads a file: that counts only for a path in the current folder, which main has left since."""


INITIALIZER = "initializer"
"""The parameter of pools and executors for the function with which each worker begins (Python 3.11,
`multiprocessing.pool.Pool` and `concurrent.futures.ProcessPoolExecutor`)."""


class BoundarySpec(Struct, frozen=True):
    """A call at which objects are pickled, or will be when workers start."""

    path: str
    """The callable as it was asked for; for methods `<kind of receiver>.<method>`."""
    kind: str
    """"dataloader", "process", "spawn", "pool", "executor", "manager", "joblib", "save", "pickle", "cloudpickle",
    "dill", "deepcopy" or "queue"."""
    parameters: tuple[str, ...]
    """Positional parameters in order, without self; "*args" and "**kwargs" stand for the rest."""
    payload: tuple[str, ...]
    """Parameters whose values cross."""
    functions: tuple[str, ...]
    """The parameters in `payload` that are called in the other process."""
    workers: str | None
    """The parameter that says how many workers there are; None: the call always crosses."""
    workers_default_zero: bool
    """Whether leaving `workers` out means that nothing crosses."""
    context: str | None
    """The parameter that fixes the start method."""
    start_methods: tuple[StartMethod, ...]
    """The start methods under which the payload is pickled."""
    receiver: tuple[str, ...] = ()
    """For a method: a keyword argument of the call that made the receiver, and a word that its value must hold
    ("strategy", "spawn")."""
    given: tuple[str, ...] = ()
    """A parameter, and the kind of product, or the constant, that it must be given: with others, nothing crosses."""
    elements: tuple[str, ...] = ()
    """The parameters in `payload` that the parent iterates: their items cross, not they themselves."""
    machinery: tuple[str, ...] = ()
    """The attributes of the object's class by which it makes workers, sends to them and gets back: a class of the
    program that replaces one may do all that in another way."""
    threads: tuple[str, ...] = ()
    """Keyword arguments with which it runs its tasks in threads ("prefer=threads"); the first that is given decides."""
    threads_in: tuple[str, ...] = ()
    """The paths of what a `with` around it calls, with one of these values, to the same end."""
    pickler: str | None = None
    """What pickles, if that is not what pickles at other boundaries of the kind: "dill" for `multiprocess`."""
    run_by: str | None = None
    """The path of the boundary that runs what this one makes or gets."""
    asks: str | None = None
    """The start method that it has of itself, whatever the program sets, if its `context` is not given."""
    unordered: tuple[str, ...] = ()
    """The methods among several of one row that give results in the order of their completion; or an argument of
    the call that made the receiver, with which that is so ("return_as=generator_unordered")."""
    unless: tuple[str, ...] = ()
    """Arguments with which no process gets anything ("threadpool=True"), or with any value of theirs ("pm_pool")."""
    starts: bool = False
    """Whether the call starts the processes itself, where others of its kind only send to those that run, or make an
    object that starts them."""
    at_start: tuple[str, ...] = ()
    """The parameters in `payload` that workers get as they start: nothing pickles them under fork."""
    before: int = 0
    """How many arguments the function gets before those that the call is told: one, if they follow each item."""
    awaited: bool = False
    """Whether its functions are coroutine functions, and workers await what they give."""

    @property
    def name(self) -> str:
        """The name of the function, class or method that is called: the last part of its path."""
        return self.path.rpartition(".")[2]

    @property
    def spreads(self) -> bool:
        """Whether each of the elements that it goes through holds all arguments of one call: `starmap`."""
        return self.path.endswith(("starmap", "starmap_async"))

    @property
    def pickled_as(self) -> str:
        """The kind by which it is told what can be pickled: its own, or that of the pickler in its place."""
        return self.pickler or self.kind

    @property
    def only_starts(self) -> bool:
        """Whether it starts workers that get their tasks by other calls, as `Pool()` does: `pool.map` gives them."""
        return self.functions[:1] == (INITIALIZER,)


class ErrorKind(Struct, frozen=True):
    """A family of run-time errors, as tracebacks show them."""

    kind: str
    patterns: tuple[str, ...]
    """Regular expressions on the text of an error; the named groups are explained in errors.toml."""
    means: str
    """What has happened, as a phrase for the user."""
    next: str | None
    """What to look at next, or None."""
    rules: tuple[str, ...]
    """The codes of the rules that find the causes."""
    needs: tuple[str, ...] = ()
    """Kinds of boundary, one of which must appear in the frames, because the text alone is ambiguous."""
    symptom: bool = False
    """Whether it follows from another error, which is then the one to explain."""
    here: str | None = None
    """What the line does at which the frames cross, if that line itself is to be looked at: a phrase."""
