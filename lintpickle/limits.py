"""How far lintpickle follows code: every limit, what is cut where it is reached, and what a user loses by that.

Code can be longer, deeper and more tangled than anybody has time for. Beyond a limit nothing is claimed: what is not
followed is unknown, and unknown is no hazard. That one was reached is recorded (`Cut`) and told by
`lintpickle check --verbose`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct


class Limit(Struct, frozen=True):
    """A limit: `counts` is what there is at most, `cut` what happens to the rest, `lost` what a user misses by that.
    One that is not `told` concerns one question alone, whose answer is then that it is not known."""

    name: str
    most: int
    counts: str
    cut: str
    lost: str
    told: bool = True


class Cut(Struct, frozen=True, order=True):
    """A limit that was reached: what was being followed (a boundary, a class, a function) stands in which file (""
    if it was the program as a whole) and row, and how often that was."""

    limit: str
    path: str
    row: int
    times: int


EVALUATIONS = Limit(
    "evaluations",
    60_000,
    "expressions evaluated for one root (a boundary, a class, a start of workers)",
    "all values of that root that were not evaluated by then are unknown",
    "findings deep in the largest objects",
)
DEPTH = Limit(
    "depth",
    9,
    "calls that a value is followed through, one inside the other",
    "what a deeper call gives is unknown",
    "findings made by helpers of helpers",
)
NESTING = Limit(
    "nesting",
    80,
    "evaluations and constructors that wait for one another (each takes some five calls of Python's stack)",
    "the innermost value is unknown",
    "findings in values that are built up in very long chains",
)
RECURSION = Limit(
    "recursion",
    2,
    "entries of a function on one way that are told what they are given",
    "a further call is one of unknown arguments, the same for all",
    "nothing but what depends on the arguments of a deep recursion",
    told=False,
)
VALUES = Limit(
    "values",
    12,
    "things that one expression can be",
    "of others it is known only that there are any",
    "findings on further alternatives, such as the entries of a large registry",
)
ITEMS = Limit(
    "items",
    1000,
    "items of one container that is put together from others",
    "the other items are unknown",
    "findings in further items of very large containers",
)
STEPS = Limit(
    "steps",
    40,
    "steps on the way to one value: three times the longest trail met in four million lines",
    "what is further away is left out",
    "findings at the end of such a way",
)
CROSSINGS = Limit(
    "crossings",
    1000,
    "things that cross together, those with the shortest ways first: one root in a hundred has more",
    "the other things are not looked at",
    "findings in the deepest parts of very large objects",
)
TRAIL = Limit(
    "trail",
    24,
    "steps from a boundary to a thing that crosses",
    "what is further away is not looked at",
    "findings in very deep parts of what is shipped",
)
CALLERS = Limit(
    "callers",
    24,
    "call sites of one function from which what it is given is taken",
    "further call sites are not looked for",
    "findings in what only those pass",
)
LEVELS = Limit(
    "levels",
    3,
    "callers of callers that hand a parameter on",
    "the parameter is unknown",
    "findings in what is handed on more often",
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
    "the others are not looked at",
    "findings of the rules about what workers do",
)
WORKER_CALLS = Limit(
    "worker-calls",
    12,
    "steps from a boundary to a function that runs in its workers",
    "what is called from further away is not looked at",
    "findings of the rules about what workers do",
)
START_CALLS = Limit(
    "start-calls",
    6,
    "calls that a start of workers is looked for in, one inside the other",
    "deeper calls are taken to start nothing",
    "unguarded starts deep in other functions",
)
START_FUNCTIONS = Limit(
    "start-functions",
    300,
    "functions that are followed from one statement to find a start of workers",
    "the others are taken to start nothing",
    "unguarded starts in very large programs",
)
SAVED_PARTS = Limit(
    "saved-parts",
    200,
    "parts into which an object is taken that is written to a file",
    "the other parts are not looked at",
    "findings on further entries of a checkpoint",
)
SAVED_DEPTH = Limit(
    "saved-depth",
    6,
    "containers in containers into which such an object is taken apart",
    "what is deeper is not looked at",
    "findings on deeper entries of a checkpoint",
)
SEED_CALLS = Limit(
    "seed-calls",
    2,
    "calls that a seeding of random numbers is looked for in, one inside the other",
    "deeper calls are taken to seed nothing",
    "findings on seeds that deeper helpers set",
)
TESTED_STEPS = Limit(
    "tested-steps",
    12,
    "assignments to variables that a test is followed back through",
    "how the test comes out is not known",
    "a finding is likely in place of certain",
    told=False,
)
PASSED_FLAGS = Limit(
    "passed-flags",
    12,
    "calls that a flag is followed through which is passed on",
    "whether two tests ask the same is not known",
    "a finding is likely in place of certain",
    told=False,
)
PLAIN_DEPTH = Limit(
    "plain-depth",
    3,
    "containers in containers that are looked through for plain data",
    "what is deeper is taken to be more than plain data",
    "nothing: more is followed than would be needed",
    told=False,
)
BASES = Limit(
    "bases",
    20,
    "classes from which one derives, or names on the way to one, that are looked through for its kind and its methods",
    "the others are not looked at",
    "that a class is a dataset, if that is said further away",
    told=False,
)
BASES_IN_ORDER = Limit(
    "bases-in-order",
    30,
    "classes of one line in the order in which Python looks methods up",
    "the others are not looked at",
    "methods of further bases",
    told=False,
)
ALIASES = Limit(
    "aliases",
    24,
    "imports from one module to the next that a name is followed through",
    "what the name stands for is unknown",
    "findings on what is exported again that often",
    told=False,
)
IMPORTS = Limit(
    "imports",
    12,
    "imports through which a place is looked for that may hold a hazard",
    "the place is not looked at",
    "findings of classes shipped by their kind",
    told=False,
)
ROUNDS = Limit(
    "rounds",
    5,
    "classes and functions made from one another that stand in for a boundary",
    "further ones are not known as boundaries",
    "findings at calls of those",
    told=False,
)
MAKERS = Limit(
    "makers",
    4,
    "functions that give what other functions give, looked through for a hazard before anything is followed",
    "the class is not followed by its kind",
    "findings of classes shipped by their kind",
    told=False,
)
CHOICES = Limit(
    "choices",
    8,
    "values that branches give one variable",
    "all others together are unknown",
    "findings on further alternatives",
    told=False,
)
TESTS = Limit(
    "tests",
    8,
    "tests of one value that are kept with it",
    "further tests change nothing",
    "precision: a value that a test excludes is still followed",
    told=False,
)
HOOK_STEPS = Limit(
    "hook-steps",
    4000,
    "statements and expressions that one run of a `__getstate__` goes through",
    "the hook is taken to leave out what does not pickle",
    "attributes that very long hooks let through",
    told=False,
)
HOOK_RUNS = Limit(
    "hook-runs",
    64,
    "ways through a `__getstate__` that its undecided conditions leave open",
    "the hook is taken to leave out what does not pickle",
    "attributes that hooks with many conditions let through",
    told=False,
)
HOOK_CALLS = Limit(
    "hook-calls",
    5,
    "methods that a `__getstate__` calls, one inside the other",
    "what a deeper call gives is unknown",
    "attributes that are let through by helpers of helpers",
    told=False,
)
HOOK_VALUES = Limit(
    "hook-values",
    4,
    "containers in containers that a `__getstate__` gets the names of attributes from",
    "what is deeper is unknown",
    "attributes that are let through because of such names",
    told=False,
)
BRANCH_ENDS = Limit(
    "branch-ends",
    50,
    "conditions in conditions through which the end of a branch is looked for",
    "the branch is taken to go on",
    "precision: a value that an early return excludes is still followed",
    told=False,
)
NAME_LENGTH = Limit(
    "name-length",
    200,
    "characters of a dotted name, or of a name and what stands between it and a call, that are looked at in text",
    "the name is not seen",
    "findings that hang on such a name",
    told=False,
)
MODULE_NAME = Limit(
    "module-name",
    100,
    "dots in the name of a module that is imported",
    "the module is not looked for",
    "findings on what such a module gives",
    told=False,
)
CATALOG_ALIASES = Limit(
    "catalog-aliases",
    100,
    "names that the aliases of catalogs give to one thing, each by the one before",
    "further names are not looked up",
    "findings on what only those know",
    told=False,
)
ORIGINS = Limit(
    "origins",
    8,
    "assignments and calls through which `migrate` looks for where a value comes from",
    "it cannot tell whether the value crosses, and names the place it got to",
    "a boundary that is ready",
    told=False,
)
LIMITS: Mapping[str, Limit] = {value.name: value for value in tuple(vars().values()) if isinstance(value, Limit)}
"""All limits by name, in the order of this file."""


def merged(cuts: Iterable[Cut]) -> tuple[Cut, ...]:
    """Each limit and place once, in order: several processes may have been there."""
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
