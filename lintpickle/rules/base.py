"""What a rule is: class data that describes it, and hooks that judge what linking shows it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, ClassVar, Generic

from msgspec import Struct, field
from msgspec.structs import replace

from lintpickle.boundaries.calls import BoundaryCall
from lintpickle.catalog import Error
from lintpickle.diagnostics import Applicability, Confidence, Fix, Severity, StartMethod
from lintpickle.interpreter.abstract_values import AbstractValue, ClassValue, FunctionValue, Hop, Site
from lintpickle.interpreter.root_frames import RootFrame
from lintpickle.payload.linker import CARRIES_FUNCTIONS, PICKLED_ON_START, Linker
from lintpickle.payload.payload import Crossing
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
HOOKS = ("crossing", "worker", "boundary", "class_", "function", "module")
"""The methods of a rule that are shown what linking finds."""
_OF_TEXT = frozenset({"class_", "function", "module"})
"""The hooks that only see text with a word of the rule."""


class Hazard(Struct, Generic[Subject], frozen=True):
    """What a rule found: where, and the data of its message.

    `noun` describes the hazard as the last step of the trail ("the lambda"). `error` is the run-time error word for
    word, as Python 3.11 words it (`worded` tells it as the program's own does). `subject` carries what the `fix` of a
    `Rule[Subject]` needs. `confidence` is only set where it differs from that of what the hook is shown (certain for
    boundaries, likely for classes, functions and modules).
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
    """What has to be changed, if that is the definition of a function or class which the site only leads to."""
    cause: str | None = None
    """What the whole program lacks, if that is the one culprit of all hazards of the rule that say so."""
    rests_on: tuple[Module, ...] = ()
    """Modules that hand over what is judged, so that there is no hazard without them."""
    start_methods: tuple[StartMethod, ...] | None = None
    """Set where the hazard bites under fewer start methods than the payload is pickled under."""


class Rule(Generic[Subject]):
    """A rule: one hazard, one message, one fix. The first line of the docstring says what is found.

    A `Rule[Crossing]` gives its hazards a `Crossing` as the subject, which its `fix` gets back. A hook that a rule does
    not override finds nothing. Hooks get facts and linking, never files or output.

    A class with a `code` is checked when it is made: TypeError says what of its declarations would leave it blind.
    """

    code: ClassVar[str]
    """`LP` and three digits; the first digit is the family."""
    name: ClassVar[str]
    """Kebab-case, names the bad pattern: "allow dict-view-attribute" must read right."""
    severity: ClassVar[Severity] = Severity.ERROR
    start_methods: ClassVar[tuple[StartMethod, ...]] = PICKLED_ON_START
    """Start methods under which the hazard bites."""
    applicability: ClassVar[Applicability | None] = None
    """The best fix that the rule can offer, or None."""
    since: ClassVar[str] = "0.1.0"
    """The first version with the rule."""
    default: ClassVar[bool] = True
    """Whether the rule is selected when nothing else is said."""
    message: ClassVar[str] = ""
    """A one-line template over `Hazard.data`, plus {error} and {where}: "ClassName.attribute" or the argument."""
    help: ClassVar[str | None] = None
    """What to do instead, for the `help:` line."""
    value_types: ClassVar[tuple[type[AbstractValue], ...]] = (AbstractValue,)
    """The sorts of values that the hook `crossing` judges."""
    marks: ClassVar[frozenset[str]] = frozenset()
    """For a rule with the hook `crossing`, which must say so: the forms (`lintpickle.prefilter.marks`) one of which a
    class must hold, or something that it leads to. Empty if none need be there."""
    words: ClassVar[frozenset[str]] = frozenset()
    """Substrings one of which every text contains in which this rule can find a hazard: the screen's input. A rule with
    one of the hooks `class_`, `function` and `module` must say so, unless its `marks` are forms, which have words."""
    class_words: ClassVar[frozenset[str] | None] = None
    """The words for the hook `class_`, where they are fewer."""
    function_words: ClassVar[frozenset[str] | None] = None
    """The words for the hook `function`, where they are fewer."""
    class_kinds: ClassVar[frozenset[str]] = frozenset()
    """The payload kinds of the classes that the hook `class_` judges; empty if it judges any class."""

    once_per_file: ClassVar[bool] = False
    """Whether one hazard is enough for each file."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        declared = _declared(cls)
        if "words" not in declared and "marks" in declared and not _OF_TEXT.isdisjoint(cls.hooks()):
            cls.words = words_of(cls.marks)
        faults = [*_faults(cls)] if "code" in vars(cls) else []
        if faults:
            raise TypeError(f"{cls.__module__}.{cls.__qualname__}: {'; '.join(faults)}")

    @classmethod
    def hooks(cls) -> tuple[str, ...]:
        """The hooks that the rule overrides."""
        return tuple(name for name in HOOKS if getattr(cls, name) is not getattr(Rule, name))

    @property
    def label(self) -> str:
        """How to name the rule to its users: by code and name."""
        return f"{self.code} ({self.name})"

    def crossing(self, crossing: Crossing, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge one value that crosses a boundary (or would, by the kind of its class)."""
        return ()

    def worker(self, code: WorkerCode, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge the functions that run in the workers of one boundary."""
        return ()

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge one boundary call (`DataLoader(...)`, `mp.spawn(...)`) with its arguments by name, whether or not
        anything crosses there (`linker.boundaries.crosses(call)` tells)."""
        return ()

    def class_(self, class_: ClassValue, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge a first-party class that is not defined in a function. The rule's words choose the parsed blocks."""
        return ()

    def function(self, root: RootFrame, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge a first-party function, method or module body (`root.function`, whose events can be
        evaluated in `root.frame`). The rule's words choose the parsed blocks."""
        return ()

    def module(self, module: Module, linker: Linker) -> Iterable[Hazard[Subject]]:
        """Judge what a first-party module does when it is imported. The rule reads the parsed blocks that it wants."""
        return ()

    def fix(self, hazard: Hazard[Subject]) -> Fix | None:
        """The edits that mend a hazard, in the file of its site; None where no sound edit is known."""
        return None


def _declared(rule: type[Rule]) -> frozenset[str]:
    """What a rule, or a base of rules that it derives from, says itself."""
    return frozenset(name for class_ in rule.__mro__ if class_ is not Rule for name in vars(class_))


def _faults(rule: type[Rule]) -> Iterator[str]:
    """What is wrong with the declarations of a rule: without them, the prefilter hides what it is about."""
    hooks, declared = rule.hooks(), _declared(rule)
    if not re.fullmatch(r"LP\d{3}", rule.code):
        yield f"the code {rule.code!r} must be LP and three digits"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", getattr(rule, "name", "")):
        yield "it needs a `name` in kebab-case"
    if "crossing" in hooks and "marks" not in declared:
        yield "the hook `crossing` needs `marks`: the forms that can be the hazard; `frozenset()` if there are none"
    unknown = sorted(rule.marks - ALL_MARKS - LEADING)
    if unknown:
        yield f"there is no mark {unknown[0]!r}; the marks are {', '.join(sorted(ALL_MARKS | LEADING))}"
    if "module" in hooks and "words" not in declared and not rule.words:
        yield "the hook `module` needs `words`; `frozenset()` if any module can be meant"
    for hook, fewer in (("class_", rule.class_words), ("function", rule.function_words)):
        if hook in hooks and not (rule.words if fewer is None else fewer):
            yield f"the hook `{hook}` needs `words`: substrings one of which stands in every text that it is about"
        if hook not in hooks and fewer is not None:
            yield f"words for the hook `{hook}`, which it does not have"
        if not (fewer or frozenset()) <= rule.words:
            yield f"{sorted((fewer or frozenset()) - rule.words)} must be in `words` too"
    if rule.class_kinds and "class_" not in hooks:
        yield "`class_kinds` are for the hook `class_`, which it does not have"


def worded(rule: Rule, hazard: Hazard, linker: Linker) -> tuple[str, str | None]:
    """The message of a hazard, and its run-time error, in the words of the Python that the program runs on."""
    if hazard.error is None:
        return rule.message.format(**hazard.data, error=""), None
    error, since = linker.error(hazard.error), linker.fails_since(hazard.error)
    message = rule.message.format(**hazard.data, error=error)
    return message if since is None else f"{message}, from Python {since[0]}.{since[1]} on", error


def at_culprit(hazard: Hazard) -> Hazard | None:
    """The hazard, told where its culprit is defined; None if it stands there, or has none."""
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
    """How to name the place of a crossing value in a message: "Dataset.transform", or "the argument dataset"."""
    held = crossing.held
    if held is not None and crossing.holder is not None:
        owner = held.owner.facts.name if held.owner is not None else crossing.holder.class_.facts.name
        return f"{owner}.{held.attribute}"
    return crossing.path


def excerpt_of(crossing: Crossing, limit: int = 50) -> str:
    """The source of the crossing expression on one line."""
    return excerpt_at(crossing.site, limit)


def excerpt_at(site: Site, limit: int = 50) -> str:
    """The source of a place on one line."""
    text = " ".join(site.module.document.text[site.span.start : site.span.end].split())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


def carries_functions(crossing: Crossing) -> bool:
    """Whether the boundary takes functions by value or by reference, so that their names do not matter
    (cloudpickle and loky do; copy.deepcopy shares functions)."""
    return crossing.root.kind in CARRIES_FUNCTIONS


def is_worker_function(crossing: Crossing) -> bool:
    """Whether the value itself is what the boundary calls in the worker (`collate_fn`, `target`)."""
    spec = crossing.root.spec
    return spec is not None and crossing.held is None and crossing.role in spec.functions
