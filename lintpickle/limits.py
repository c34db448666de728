"""How far lintpickle follows code: every limit, what is cut when it is reached, and what a user may miss.

Code can be long, deep and tangled. Beyond a limit, values are unknown, and an unknown value is never a hazard. A limit
that was reached is recorded as a `Cut` and shown by `lintpickle check --verbose`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct


class Limit(Struct, frozen=True):
    """A limit: at most `most` of `counts`. `cut` says what happens to the rest, and `lost` what a user may miss. A
    `minor` limit concerns a single question, whose answer is then "unknown". Beyond one that `hides`, code is not read
    at all: a rule that finds nothing there cannot conclude that there is nothing."""

    name: str
    most: int
    counts: str
    cut: str
    lost: str
    minor: bool = False
    hides: bool = False


class Cut(Struct, frozen=True, order=True):
    """A limit that was reached, and how often: `path` and the 1-based `row` are those of the boundary, class or
    function that was being followed, or of the code that is not followed further. `path` is "" for the program as a
    whole."""

    limit: str
    path: str
    row: int
    times: int


EVALUATIONS = Limit(
    "evaluations",
    30_000,
    "expressions evaluated for one root (a boundary, a class, a start of workers; a third for what is only pickled)",
    "all values of that root that were not evaluated by then are unknown",
    "findings deep in the largest objects",
    hides=True,
)
SHARED_BUDGET = Limit(
    "shared-budget",
    10_000,
    "expressions evaluated for the calls that lead to one boundary (a third for all that one function only pickles), "
    "before further calls get less",
    "for each further call that leads there, 300 expressions are evaluated (30 for what is only pickled)",
    "findings deep in objects that only some of many callers make",
)
PICKLED_ALLOWANCE = EVALUATIONS.most // 3
"""How much is evaluated for an object that is pickled, saved or copied, without workers that run its code."""
START_ALLOWANCE = EVALUATIONS.most // 3
"""How much is evaluated to find what a module starts when it is imported: many are asked, few start anything."""
SPENT_ALLOWANCE = EVALUATIONS.most // 100
"""How much is evaluated for a further call that leads to a boundary, if others have used up all that they may."""
DEPTH = Limit(
    "depth",
    9,
    "nested calls through which a value is followed",
    "the result of a deeper call is unknown",
    "findings in helpers of helpers",
)
NESTING = Limit(
    "nesting",
    80,
    "nested evaluations, constructors and conditions (each takes about seven frames of Python's stack)",
    "the innermost value is unknown",
    "findings in values that are built up in very long chains",
)
RECURSION = Limit(
    "recursion",
    2,
    "recursive calls of a function with known arguments",
    "a further call has unknown arguments",
    "findings that depend on the arguments of a deep recursion",
    minor=True,
)
VALUES = Limit(
    "values",
    12,
    "values that one expression can have",
    "only the existence of others is known",
    "findings on further alternatives, such as the entries of a large registry",
)
PATH_STEPS = Limit(
    "path-steps",
    12,
    "steps back along which the end of a path of a file is sought",
    "the end of the path is unknown",
    "findings about files that functions open by the ending of their names (`np.load` of an archive)",
    minor=True,
)
TEXTS = Limit(
    "texts",
    12,
    "texts that one concatenation or f-string can be",
    "the others are ignored",
    "findings that depend on further alternatives of a text",
    minor=True,
)
ITEMS = Limit(
    "items",
    1000,
    "items of one container that is combined from others",
    "the other items are unknown",
    "findings in further items of very large containers",
)
STEPS = Limit(
    "steps",
    40,
    "steps on the way to one value: three times the longest trail met in four million lines",
    "values further away are left out",
    "findings at the end of such a path",
)
CROSSINGS = Limit(
    "crossings",
    1000,
    "objects that cross together, shortest trails first (one root in a hundred has more)",
    "the other objects are not checked",
    "findings in the deepest parts of very large objects",
)
TRAIL = Limit(
    "trail",
    24,
    "steps from a boundary to an object that crosses",
    "objects further away are not checked",
    "findings in very deep parts of what is shipped",
)
CALLERS = Limit(
    "callers",
    24,
    "call sites of one function from which its arguments are taken",
    "further call sites are ignored",
    "findings in arguments that only those pass",
)
OBJECT_CALLERS = Limit(
    "object-callers",
    400,
    "functions that call something by a name under which an object with `__call__` is kept",
    "further functions are not asked for calls of the object",
    "findings in arguments that only those pass",
)
LEVELS = Limit(
    "levels",
    3,
    "callers of callers that pass a parameter on",
    "the parameter is unknown",
    "findings in arguments that are passed on more often",
)
INLINED = Limit(
    "inlined",
    60,
    "methods that the construction of one object runs",
    "the others are not run",
    "attributes that they would have stored",
)
WORKER_FUNCTIONS = Limit(
    "worker-functions",
    400,
    "functions that are followed in the workers of one boundary",
    "the others are not checked",
    "findings of the rules about what workers do",
    hides=True,
)
WORKER_CALLS = Limit(
    "worker-calls",
    12,
    "steps from a boundary to a function that runs in its workers",
    "functions called from further away are not checked",
    "findings of the rules about what workers do",
    hides=True,
)
WORKER_WAYS = Limit(
    "worker-ways",
    1_000,
    "calls with different arguments by which workers may get to one place",
    "one of the others is taken to lead there",
    "nothing: what no worker does may be reported",
    minor=True,
)
START_CALLS = Limit(
    "start-calls",
    6,
    "nested calls that are searched for a start of workers",
    "deeper calls are assumed to start nothing",
    "unguarded starts deep in other functions",
)
START_FUNCTIONS = Limit(
    "start-functions",
    300,
    "functions that are followed from one statement to find a start of workers",
    "the others are assumed to start nothing",
    "unguarded starts in very large programs",
)
DEPENDENCY_STEPS = Limit(
    "dependency-steps",
    2,
    "definitions of an installed package that lead to one another, searched for a boundary",
    "what is further away is assumed to pickle nothing",
    "what is passed to functions that pickle it deep in their package",
    minor=True,
)
STORING_CALLS = Limit(
    "storing-calls",
    3,
    "nested calls that are searched for what they store on an object that they are given",
    "what deeper calls store is unknown",
    "findings in attributes that helpers of helpers store",
    minor=True,
)
PUT_ASIDE_CALLS = Limit(
    "put-aside-calls",
    3,
    "methods of an object that call each other, before one that puts an attribute aside while the object is pickled",
    "callers further away are not looked at",
    "precision: an attribute that is put aside further away is still followed",
    minor=True,
)
SAVED_PARTS = Limit(
    "saved-parts",
    200,
    "parts of an object written to a file",
    "the other parts are not checked",
    "findings on further entries of a checkpoint",
)
SAVED_DEPTH = Limit(
    "saved-depth",
    6,
    "nested containers of an object written to a file",
    "deeper parts are not checked",
    "findings on deeper entries of a checkpoint",
)
SEED_CALLS = Limit(
    "seed-calls",
    2,
    "nested calls that are searched for a random seed",
    "deeper calls are assumed to seed nothing",
    "findings on seeds that deeper helpers set",
)
COMPUTED = Limit(
    "computed",
    24,
    "operations within each other of which a number is computed that is written to a file",
    "it is not known whether NumPy makes it",
    "findings on numbers in a checkpoint that long formulas give",
    minor=True,
)
MENTIONS = Limit(
    "mentions",
    6,
    "parts of an expression within each other that are searched for a parameter (a chain such as `a.b[0].c` is one)",
    "deeper parts are taken to mention none",
    "findings in arguments that are passed deep in an expression",
    minor=True,
)
HELD_MODULES = Limit(
    "held-modules",
    3,
    "torch modules within each other that are searched for trainable weights",
    "the outermost is taken to have none",
    "findings on tensors of the graph that such a module gives",
    minor=True,
)
LOADER_WRAPPERS = Limit(
    "loader-wrappers",
    3,
    "calls around a loader, such as `tqdm(enumerate(loader))`, through which a loop iterates it",
    "the loop is taken to iterate something else",
    "findings on datasets that such a loop changes",
    minor=True,
)
TESTED_STEPS = Limit(
    "tested-steps",
    12,
    "assignments through which a condition is followed back",
    "the result of the condition is unknown",
    "a finding is likely instead of certain",
    minor=True,
)
PASSED_FLAGS = Limit(
    "passed-flags",
    12,
    "calls through which a flag is followed",
    "whether two conditions test the same flag is unknown",
    "a finding is likely instead of certain",
    minor=True,
)
BASES = Limit(
    "bases",
    20,
    "base classes, and names that lead to one, in which a class's kind and methods are looked up",
    "the others are ignored",
    "the kind of a class, if a base further away decides it",
    minor=True,
)
BASES_IN_ORDER = Limit(
    "bases-in-order",
    30,
    "classes in a method resolution order",
    "the others are ignored",
    "methods of further bases",
    minor=True,
)
ALIASES = Limit(
    "aliases",
    24,
    "lookups through which a name is followed (an import takes three)",
    "the meaning of the name is unknown",
    "findings on names that are re-exported more often",
    minor=True,
)
IMPORTS = Limit(
    "imports",
    12,
    "imports through which a place with a possible hazard is searched",
    "the place is not checked",
    "findings of classes shipped by their kind",
    minor=True,
)
ROUNDS = Limit(
    "rounds",
    5,
    "classes and functions, each made from the one before, that are aliases of a boundary",
    "further aliases are not recognised",
    "findings at calls of those aliases",
    minor=True,
)
MAKERS = Limit(
    "makers",
    4,
    "functions that return another function's result, searched for a hazard before values are followed",
    "the class is not followed by its kind",
    "findings of classes shipped by their kind",
    minor=True,
)
CHOICES = Limit(
    "choices",
    8,
    "values that branches assign to one variable",
    "all others are one unknown value",
    "findings on further alternatives",
    minor=True,
)
TESTS = Limit(
    "tests",
    8,
    "conditions on one value that are kept with it",
    "further conditions are ignored",
    "precision: a value that a condition excludes is still followed",
    minor=True,
)
HOOK_STEPS = Limit(
    "hook-steps",
    4000,
    "statements and expressions in one run of a `__getstate__`",
    "the hook is assumed to leave out what cannot be pickled",
    "attributes that very long hooks keep",
    minor=True,
)
HOOK_RUNS = Limit(
    "hook-runs",
    64,
    "paths through a `__getstate__` with undecided conditions",
    "the hook is assumed to leave out what cannot be pickled",
    "attributes that hooks with many conditions keep",
    minor=True,
)
HOOK_CALLS = Limit(
    "hook-calls",
    5,
    "nested method calls of a `__getstate__`",
    "the result of a deeper call is unknown",
    "attributes that helpers of helpers keep",
    minor=True,
)
HOOK_VALUES = Limit(
    "hook-values",
    4,
    "nested containers from which a `__getstate__` takes attribute names",
    "deeper names are unknown",
    "attributes that are kept because of such names",
    minor=True,
)
ORIGINS = Limit(
    "origins",
    8,
    "assignments and calls through which `migrate` searches for the origin of a value",
    "it cannot decide whether the value crosses, and names the last place",
    "a boundary that is ready",
    minor=True,
)
IMPORT_CALLS = Limit(
    "import-calls",
    3,
    "nested calls of the program's functions that importing a module makes",
    "what deeper functions do is unknown",
    "values made anew, and actions repeated, by imports through helpers of helpers",
    minor=True,
)
LIMITS: Mapping[str, Limit] = {value.name: value for value in tuple(vars().values()) if isinstance(value, Limit)}
"""All limits by name, in the order of this file."""


def merged(cuts: Iterable[Cut]) -> tuple[Cut, ...]:
    """Each limit and place once, sorted, because several processes may have reached it."""
    most: dict[tuple[str, str, int], int] = {}
    for cut in cuts:
        key = (cut.limit, cut.path, cut.row)
        most[key] = max(most.get(key, 0), cut.times)
    return tuple(sorted(Cut(*key, times) for key, times in most.items()))


def counts(cuts: Iterable[Cut]) -> dict[str, int]:
    """How often each limit was reached, by name."""
    found: dict[str, int] = {}
    for cut in merged(cuts):
        found[cut.limit] = found.get(cut.limit, 0) + cut.times
    return found
