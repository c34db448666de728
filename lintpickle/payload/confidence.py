"""How sure linking is that a hazard bites: this module defines *certain*, *likely* and *possible*.

*certain*: a trail from a boundary on which every step is understood. Nothing on the way left a doubt
(`lintpickle.interpreter.abstract_values.Doubt`): the boundary's call is reached whatever conditions say, there are
workers, and each value is the only one that it can be.

*likely*: a trail from a boundary with a doubt; or a class that is made to be shipped, in a program in which nothing
speaks against it. Datasets, collate functions and processes are, unless all loaders of the library have no workers, or
all that are seen to get the object. Of torch modules most programs save nothing but the state, and one that a boundary
ships is found by its trail. So they are made to be shipped only where others may do it, in a class that a library
offers to its users (`lintpickle.payload.public_api`), or where `copy.deepcopy` fails as well, which programs do to
whole models: on locks and dict views, not on functions. Neither counts in a program that saves nothing but their state,
unless it copies whole modules. Locks, queues and what else belongs to one process are kept on purpose, so these are
likely only where the program copies or writes whole modules (`lintpickle.payload.module_use`). And of all those only
what every instance holds is likely.

With the setting `library`, classes that are public are shipped by the users of the program: they are likely, whatever
their kind, and however the program's own examples use them. An object of no such kind that holds something of one
process (a lock, a thread, an open file) stays possible: it is made to stay where it is.

*possible*: all else; among it, hooks of modules that no boundary is seen to ship; transforms that a function makes, if
no boundary is seen to ship what holds them; files that nothing in the project reads, or that only a torch refuses which
it does not allow; boundaries in branches to which none of the calls that are seen leads, unless a library offers the
function to its users, behind options that nothing sets (`lintpickle.payload.unset_options`), behind values of
parameters that no call gives (`lintpickle.payload.never_given`), or without workers unless the user asks for some
(`lintpickle.payload.no_workers_by_default`); boundaries in functions, classes and modules that nothing in a program of
scripts uses (`lintpickle.payload.unused`); what is made for one text of a setting that the program sets to others
(`lintpickle.payload.other_settings`, `lintpickle.payload.never_chosen`); loaders of notebooks in
which Lightning refuses to train; files that only Python 2 can run, or that import a name which is not there, and places
to which only Python 2 gets; and what a class that is made to be shipped holds only by a default that is never used
where the program makes its objects, or behind an option that nobody turns on (`lintpickle.payload.constructions`); and
datasets and transforms that nothing in a program of scripts makes, loads or keeps (`lintpickle.payload.never_loaded`,
`lintpickle.payload.unused`), and datasets of a program without loaders
(`lintpickle.payload.without_loaders`).

Nothing is said of a class that is not made to be shipped in a script, or a complete program, that makes its objects and
does nothing but call their methods and read them (`lintpickle.payload.never_loaded`).

Test runners import the files of tests, which then are not `__main__`: what goes wrong only in a script is *possible*
there, unless a file among the tests is a script itself (it has a main guard, and no tests).

What only tests, examples, docs, benchmarks, vendored or retired code show counts one step less, unless they are all
that was asked for, or benchmarks in a package with which installed scripts begin; and what a test ships says nothing
about the library. So does what stands under the main guard of a module that others import, which tries it out
(`lintpickle.analyses.at_import.self_tests`).
"""

from __future__ import annotations

import re

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.diagnostics import STRENGTH, Confidence
from lintpickle.interpreter.abstract_values import AbstractValue, Doubt, GeneratorValue, ProductValue
from lintpickle.interpreter.slots import MODULE_KINDS
from lintpickle.payload.crossings import Crossing
from lintpickle.program.module import Module
from lintpickle.program.program import Program

_STRONGEST_FIRST = tuple(Confidence)
_PYTHON_2 = re.compile(
    r"^(?:import|from) +(?P<module>cPickle|cStringIO|StringIO|ConfigParser|Queue|Tkinter|urllib2|urlparse|httplib|"
    r"HTMLParser|SocketServer|BaseHTTPServer|SimpleHTTPServer|xmlrpclib|copy_reg|__builtin__|commands|exceptions|cookielib|"
    r"Cookie|UserDict|anydbm|md5|sha|sets|robotparser|htmlentitydefs|tkMessageBox)\b"
    r"|^from +(?:types +import +(?:.*\b)?(?:String|Unicode|Tuple|List|Dict|Dictionary|Int|Long|Float|Boolean|Class|"
    r"Instance|File)Types?|itertools +import +(?:.*\b)?(?:i(?:zip|map|filter)|izip_longest)|string +import +(?:.*\b)?"
    r"(?:maketrans|letters|lowercase|uppercase|join|atoi)|urllib +import +(?:.*\b)?"
    r"(?:url(?:open|encode|retrieve)|(?:un)?quote(?:_plus)?))\b",
    re.MULTILINE,
)


def is_of_python_2(module: Module, program: Program) -> bool:
    """Whether a module imports, whatever comes, what the standard library of Python 3 has not, and no one else has
    either (a program may have a module `commands`): a module, or a name."""
    named = (each["module"] for each in _PYTHON_2.finditer(module.code)) if module.has(_PYTHON_2) else ()
    return any(name is None or program.file_of(name, module) is None for name in named)


def weaker(first: Confidence, second: Confidence) -> Confidence:
    """The lower of two confidences."""
    return max(first, second, key=STRENGTH.__getitem__)


def lowered(confidence: Confidence, steps: int) -> Confidence:
    """The confidence lowered by that many steps."""
    return _STRONGEST_FIRST[min(STRENGTH[confidence] + steps, len(_STRONGEST_FIRST) - 1)]


def of_crossing(crossing: Crossing) -> Confidence:
    """How sure it is that a value crosses."""
    root = crossing.root
    if root.spec is None and root.kind in MODULE_KINDS:
        is_likely = not crossing.doubts and (root.is_offered or cannot_be_copied(crossing.value))
        return root.confidence if is_likely else Confidence.POSSIBLE
    if root.spec is None and Doubt.EXCLUDED in crossing.doubts:
        return Confidence.POSSIBLE
    return weaker(root.confidence, Confidence.LIKELY) if crossing.doubts else root.confidence


def cannot_be_copied(value: AbstractValue) -> bool:
    """Whether a value is a part of a model with which `copy.deepcopy` of it fails."""
    match value:
        case GeneratorValue():
            return True
        case ProductValue(product=product):
            return product.fails == "dumps" and "deepcopy" not in product.crosses
        case _:
            return False


def of_boundary(boundary: BoundaryCall) -> Confidence:
    """How sure it is that a call is a boundary, and is reached."""
    if Doubt.EXCLUDED in boundary.doubts:
        return Confidence.POSSIBLE
    return Confidence.LIKELY if boundary.doubts else Confidence.CERTAIN
