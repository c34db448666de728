"""The base class of rules: class data that describes a rule, and hooks that receive the results of linking."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from msgspec import Struct, field
from msgspec.structs import replace

from lintpickle.boundaries.boundary_call import BoundaryCall
from lintpickle.catalog import Error
from lintpickle.diagnostics import Applicability, Confidence, Fix, Severity, StartMethod
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, FunctionValue, Hop, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.crossings import Crossing
from lintpickle.payload.linker import CARRIES_FUNCTIONS, PICKLED_ON_START, Linker
from lintpickle.payload.unpicklable_bases import OF_CLASS
from lintpickle.payload.worker_side import WorkerCode
from lintpickle.prefilter.forms import words_of
from lintpickle.prefilter.marks import ALL_MARKS, LEADING
from lintpickle.program.module import Module

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    Subject = TypeVar("Subject", default=Any)
else:
    from typing import TypeVar

    Subject = TypeVar("Subject")

_NO_SUBJECT: Any = None
ALL_START_METHODS = (StartMethod.FORK, StartMethod.SPAWN, StartMethod.FORKSERVER)
_OF_METHOD = ".__self__"
_ARGUMENT = re.compile(r"\w+|(?:init|kw)?args\[[^]]*\]")
"""The path of an argument of a boundary, not of a part of it."""
HOOKS = ("crossing", "worker", "boundary", "class_", "function", "module")
"""The methods of a rule that receive the results of linking."""
_OF_TEXT = frozenset({"class_", "function", "module"})
"""The hooks that see only text that contains one of the rule's words."""


class Hazard(Struct, Generic[Subject], frozen=True):
    """A rule's finding: its place, and the data of its message.

    `noun` describes the hazard as the last step of the trail ("the lambda"). `error` is the exact run-time error of
    Python 3.11 (`worded` converts it to that of the program's Python). `subject` carries what the `fix` of a
    `Rule[Subject]` needs. `confidence` is set only if it differs from the confidence of the hook's argument (likely
    for classes and functions, certain for modules; crossings, workers and boundaries have their own).
    """

    site: Site
    noun: str
    error: Error | None
    data: dict[str, str] = field(default_factory=dict)
    hops: tuple[Hop, ...] = ()
    help: str | None = None
    subject: Subject = _NO_SUBJECT
    confidence: Confidence | None = None
    culprit: FunctionValue | ClassValue | None = None
    """The definition that has to be changed, if the site only leads to that function or class."""
    cause: str | None = None
    """What the whole program or a file of it lacks. All hazards of the rule with the same value are one finding."""
    rests_on: tuple[Module, ...] = ()
    """Modules that pass on the value, without which there would be no hazard."""
    start_methods: tuple[StartMethod, ...] | None = None
    """The start methods under which the hazard bites, if the payload is pickled under others as well."""
    is_sure_of_absence: bool = False
    """Of a rule `of_absence`: whether what was not read cannot have what is missed."""


class Rule(Generic[Subject]):
    """A rule: one hazard, one message, one fix. The first line of the docstring is the rule's summary.

    A `Rule[Crossing]` gives its hazards a `Crossing` as their subject, and receives it in `fix`. A hook that a rule
    does not override finds nothing. Hooks receive facts and the linker, never files or output. A class with a `code` is
    checked when it is defined: it raises a TypeError that lists the declarations without which the rule would never see
    its code.
    """

    code: ClassVar[str]
    """`LP` and three digits; the first digit is the family."""
    name: ClassVar[str]
    """The bad pattern in kebab-case: "allow dict-view-attribute" must make sense."""
    severity: ClassVar[Severity] = Severity.ERROR
    start_methods: ClassVar[tuple[StartMethod, ...]] = PICKLED_ON_START
    """Start methods under which the hazard bites."""
    applicability: ClassVar[Applicability | None] = None
    """The best fix that the rule can offer, or None."""
    since: ClassVar[str] = "0.1.0"
    """The first version of lintpickle with the rule."""
    default: ClassVar[bool] = True
    """Whether the rule is selected by default."""
    message: ClassVar[str] = ""
    """A one-line template with the keys of `Hazard.data`, {error}, and {where}: "ClassName.attribute" or the
    argument."""
    help: ClassVar[str | None] = None
    """The text of the `help:` line: what to do instead."""
    value_types: ClassVar[tuple[type[AbstractValue], ...]] = (AbstractValue,)
    """The types of values that the hook `crossing` receives."""
    marks: ClassVar[frozenset[str]] = frozenset()
    """Names of forms of code (`lintpickle.prefilter.marks`), one of which must occur in a class or in something that it
    leads to. Required with the hook `crossing`; empty if no form is needed."""
    words: ClassVar[frozenset[str]] = frozenset()
    """Substrings, at least one of which occurs in every text in which this rule can find a hazard: the screen's input.
    Required with the hooks `class_`, `function` and `module` (there, `frozenset()` stands for every module). If a rule
    declares `marks` instead, and each has a row in `lintpickle.prefilter.forms`, the words of these rows count."""
    class_words: ClassVar[frozenset[str] | None] = None
    """The words for the hook `class_`, if it needs only some of `words`."""
    function_words: ClassVar[frozenset[str] | None] = None
    """The words for the hook `function`, if it needs only some of `words`."""
    class_kinds: ClassVar[frozenset[str]] = frozenset()
    """The payload kinds of the classes that the hook `class_` receives; empty for all classes."""

    of_results: ClassVar[bool] = False
    """Whether the hook `crossing` receives what workers send back, too; that is pickled under every start method."""
    of_functions: ClassVar[bool] = False
    """Whether what the hook `worker` finds depends on the functions that run in workers, and on where these start, but
    on no value that they are given except constants: it is asked once of workers that only differ in other values."""
    of_absence: ClassVar[bool] = False
    """Whether the rule concludes from what it does not find, such as a call that seeds a generator. Its hazards are
    only possible where something was not read, because a limit was reached (`lintpickle.limits.Limit.hides`)."""
    of_fresh_workers: ClassVar[bool] = False
    """Whether the hook `worker` receives what runs in workers, too, that import all modules anew under every start
    method (`WorkerCode.is_fresh`)."""
    of_what_is_written: ClassVar[bool] = False
    """Whether the hook `boundary` judges what a boundary has written: nothing, if it fails itself by another rule."""
    once_per_file: ClassVar[bool] = False
    """Whether to report only one hazard per file."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = _declared(cls)
        if "words" not in declared and "marks" in declared and not _OF_TEXT.isdisjoint(cls.hooks()):
            cls.words = words_of(cls.marks)
        faults = [*_faults(cls)] if "code" in vars(cls) else []
        if faults:
            raise TypeError(f"{cls.__module__}.{cls.__qualname__}: {'; '.join(faults)}")

    @classmethod
    @cache
    def hooks(cls) -> tuple[str, ...]:
        """The hooks that the rule overrides."""
        return tuple(name for name in HOOKS if getattr(cls, name) is not getattr(Rule, name))

    @property
    def label(self) -> str:
        """The rule's code and name, for messages."""
        return f"{self.code} ({self.name})"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards of one value that crosses a boundary (or would, by the kind of its class)."""
        return ()

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards in the functions that run in the workers of one boundary."""
        return ()

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards of one boundary call (`DataLoader(...)`, `mp.spawn(...)`) with its arguments by name,
        whether or not anything crosses there (see `linker.boundaries.crosses(call)`)."""
        return ()

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards of a first-party class that is not defined in a function. The rule's words select the
        parsed blocks."""
        return ()

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards of a first-party function, method or module body: `root.function`, whose events can be
        evaluated in `root.frame`. The rule's words select the parsed blocks."""
        return ()

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Yield the hazards of importing a first-party module. The rule chooses which parsed blocks to read."""
        return ()

    def fix(self, hazard: Hazard[Subject]) -> Fix | None:
        """The edits that remove a hazard, in the file of its site; None if no sound edit is known."""
        return None


def _declared(rule: type[Rule]) -> frozenset[str]:
    """The names that the rule, or a base class of it below `Rule`, declares."""
    return frozenset(name for class_ in rule.__mro__ if class_ is not Rule for name in vars(class_))


def _faults(rule: type[Rule]) -> Iterator[str]:
    """The faults in a rule's declarations, because of which the prefilter would hide its code."""
    hooks, declared = rule.hooks(), _declared(rule)
    if not re.fullmatch(r"LP\d{3}", rule.code):
        yield f"the code {rule.code!r} must be LP and three digits"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", getattr(rule, "name", "")):
        yield "it needs a `name` in kebab-case"
    if "crossing" in hooks and "marks" not in declared:
        yield "the hook `crossing` needs `marks`: the forms that can be the hazard; `frozenset()` if any code can"
    unknown = sorted(rule.marks - ALL_MARKS - LEADING)
    if unknown:
        yield f"there is no mark {unknown[0]!r}; the marks are {', '.join(sorted(ALL_MARKS | LEADING))}"
    if "module" in hooks and "words" not in declared and not rule.words:
        yield "the hook `module` needs `words`; `frozenset()` if it needs every module"
    for hook, fewer in (("class_", rule.class_words), ("function", rule.function_words)):
        if hook in hooks and not (rule.words if fewer is None else fewer):
            yield f"the hook `{hook}` needs `words`: substrings, one of which occurs in every text with such a hazard"
        if hook not in hooks and fewer is not None:
            yield f"words for the hook `{hook}`, which it does not have"
        if not (fewer or frozenset()) <= rule.words:
            yield f"{sorted((fewer or frozenset()) - rule.words)} must be in `words` too"
    if rule.class_kinds and "class_" not in hooks:
        yield "`class_kinds` are for the hook `class_`, which it does not have"


def worded(rule: Rule, hazard: Hazard, linker: Linker) -> tuple[str, str | None]:
    """The message of a hazard and its run-time error, as the program's version of Python words them."""
    if hazard.error is None:
        return rule.message.format(**hazard.data, error=""), None
    error, since = linker.error(hazard.error), linker.fails_since(hazard.error)
    message = rule.message.format(**hazard.data, error=error)
    return message if since is None else f"{message}, from Python {since[0]}.{since[1]} on", error


def at_culprit(hazard: Hazard) -> Hazard | None:
    """The hazard moved to the definition of its culprit; None if it is already there, or has no culprit."""
    culprit = hazard.culprit
    if culprit is None:
        return None
    is_lambda = culprit.facts.name == "<lambda>"
    site = Site(culprit.module, culprit.facts.span if is_lambda else culprit.facts.header)
    if site.module is hazard.site.module and site.span.start == hazard.site.span.start:
        return None
    excerpt = excerpt_at(site) if is_lambda else culprit.facts.name
    return replace(hazard, site=site, data={**hazard.data, "excerpt": excerpt})


def where(crossing: Crossing) -> str:
    """The place of a crossing value for a message: "Dataset.transform", or "the argument dataset"."""
    held = crossing.held
    if held is not None and crossing.holder is not None:
        owner = held.owner.facts.name if held.owner is not None else crossing.holder.class_.facts.name
        return f"{owner}{held.place}"
    return crossing.path.removesuffix(OF_CLASS)


def how_held(crossing: Crossing) -> str:
    """How a value crosses, for a message: "kept in `Dataset.transform`", or "passed as `args[1]`" if it is what the
    boundary itself is given."""
    place = where(crossing)
    if place.endswith(_OF_METHOD):
        return f"sent along with its method, which is passed as `{place.removesuffix(_OF_METHOD)}`"
    return f"passed as `{place}`" if _ARGUMENT.fullmatch(place) else f"kept in `{place}`"


def excerpt_of(crossing: Crossing, limit: int = 50) -> str:
    """The source of the crossing expression on one line: of a method, that of its object."""
    text = excerpt_at(crossing.site, limit)
    return text.rpartition(".")[0] or text if where(crossing).endswith(_OF_METHOD) else text


def excerpt_at(site: Site, limit: int = 50) -> str:
    """The source of a place on one line."""
    text = " ".join(site.module.document.text[site.span.start : site.span.end].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def carries_functions(crossing: Crossing) -> bool:
    """Whether the boundary sends functions by value or shares them, so that their names do not matter (cloudpickle and
    loky send the code; copy.deepcopy shares functions)."""
    return crossing.root.kind in CARRIES_FUNCTIONS


def is_worker_function(crossing: Crossing) -> bool:
    """Whether the boundary calls the value itself in the worker (`collate_fn`, `target`)."""
    spec = crossing.root.spec
    return spec is not None and crossing.held is None and crossing.role in spec.functions
