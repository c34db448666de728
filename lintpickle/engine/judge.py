"""Everything that judging the modules of one program needs, in one object: it links them, and shows them to the
rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from msgspec import Struct

from lintpickle.catalog import Catalog
from lintpickle.diagnostics import StartMethod
from lintpickle.engine.results import Results
from lintpickle.engine.rule_runner import RuleRunner
from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.payload.linker import Linker
from lintpickle.prefilter.screen import Screen
from lintpickle.program.cross_module import CrossModuleFacts
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module
from lintpickle.program.program import Program
from lintpickle.program.stages import Stage
from lintpickle.pythons import Version
from lintpickle.rules.base import Rule
from lintpickle.watchdog import Budget


class Judge(Struct, frozen=True, eq=False):
    """Judges modules of a program. `purposes` says what its files are there for; `pedantic`, whether what is merely
    possible counts; `is_library`, whether users of the program ship its public classes; `moving_to`, under which start
    method it is to be judged as if nothing else were asked for; `always_forks`, whether its processes are forked if it
    does not ask for anything else; `link` makes the linker."""

    program: Program
    catalog: Catalog
    rules: Sequence[type[Rule]]
    screen: Screen
    pythons: tuple[Version, ...]
    purposes: FilePurposes
    start_methods: Collection[StartMethod]
    pedantic: bool
    is_library: bool = False
    moving_to: StartMethod | None = None
    always_forks: bool = False
    link: Callable[..., Linker] = Linker

    def linked(
        self, first_party: FirstPartyModules, scope: Sequence[Module], told: CrossModuleFacts | None = None
    ) -> Linker:
        """The program, linked as far as the modules of `scope` need it. `told` is what other modules have told."""
        return self.link(
            self.program,
            self.catalog,
            first_party,
            scope,
            self.screen,
            self.pythons,
            self.purposes,
            told,
            self.moving_to,
            self.is_library,
            self.always_forks,
        )

    def shown_to_rules(self, linker: Linker) -> RuleRunner:
        """A linked program with the rules that bite under the start methods."""
        return RuleRunner(linker, self.rules, self.start_methods, linker.first_party.paths, self.purposes)

    def results(
        self,
        first_party: FirstPartyModules,
        paths: Iterable[str],
        told: CrossModuleFacts | None,
        budget: Budget,
        stage: Stage | None = None,
    ) -> Results:
        """The results of judging the modules at these paths. `budget` is the time allowed for each; `stage` is told how
        far it has got."""
        linker = self.linked(first_party, list(first_party.modules(frozenset(paths))), told)
        linker.stage = stage
        watchdog = linker.defects.watchdog
        watchdog.budget = budget
        with watchdog.ticking():
            return Results.of(linker, self.shown_to_rules(linker), self.pedantic)
