"""Everything that rule authors import.

A rule imports from here, from `lintpickle.rules._shared`, `lintpickle.analyses`, `lintpickle.catalog` and
`lintpickle.diagnostics`, and from no other part of lintpickle. An import contract checks this.

Which hook to write, by what the hazard is about:

| the hazard is | hook | receives |
| --- | --- | --- |
| a value that cannot be pickled, or comes back wrong | `crossing` | a `Crossing`: the value, its trail, its holder |
| what workers do | `worker` | `WorkerCode`: the functions that workers run, each with how it is called |
| how a boundary is called | `boundary` | a `BoundaryCall`: its arguments by name |
| how a class is written, shipped or not | `class_` | a `ClassValue` |
| what a function does, in workers or not | `function` | a `RootFrame`: a function in whose frame can be evaluated |
| what happens when a module is imported | `module` | a `Module` |

A rule must tell the prefilter which text it needs to see. `crossing` needs `marks`: the names of the forms of code that
can be the hazard (a row of `lintpickle.prefilter.forms`, `PRODUCT` or `IMPORTED`). `class_`, `function` and `module`
need `words`, at least one of which occurs in every text in which the rule can find a hazard. If a rule declares `marks`
instead, and each of them has a row in `forms`, the words of these rows count. `worker` and `boundary` need neither,
because lintpickle always looks for boundaries. A rule without what its hooks need raises a TypeError on import.

Source code is represented by `Expr` (`Call`, `Attribute`, `Constant` …) and `Event` (`Called`, `Store` …); a possible
run-time value is an `AbstractValue`. `linker.evaluate(expr, frame)` returns the values that an expression can have;
`literals`, `external_names` and `resolves_to` (`lintpickle.analyses.calls_and_values.values`) answer common questions.
Do not report a value that is unknown.
"""

from __future__ import annotations

from lintpickle.boundaries.boundary_call import BoundaryCall as BoundaryCall
from lintpickle.boundaries.dropped_results import is_result_dropped as is_result_dropped
from lintpickle.boundaries.program_wide import is_test_file as is_test_file
from lintpickle.boundaries.proxies import PROXY as PROXY
from lintpickle.facts.records import (
    Called as Called,
    ClassFacts as ClassFacts,
    Delete as Delete,
    Event as Event,
    FunctionFacts as FunctionFacts,
    Implied as Implied,
    ItemStore as ItemStore,
    Iterated as Iterated,
    Raised as Raised,
    Store as Store,
)
from lintpickle.facts.values import (
    Argument as Argument,
    Attribute as Attribute,
    Call as Call,
    Captured as Captured,
    Choice as Choice,
    Collection as Collection,
    Constant as Constant,
    Expr as Expr,
    Imported as Imported,
    Item as Item,
    Mapping as Mapping,
    Name as Name,
    Parameter as Parameter,
    Sum as Sum,
    Super as Super,
    chain as chain,
    ending_name as ending_name,
    options_of as options_of,
    says_none as says_none,
    without_narrowing as without_narrowing,
)
from lintpickle.fixes.hoist import (
    define_lambda as define_lambda,
    hoist_function as hoist_function,
    hoist_lambda as hoist_lambda,
)
from lintpickle.fixes.imports import import_edit as import_edit
from lintpickle.fixes.initializers import initializer_for as initializer_for
from lintpickle.fixes.lookup_guard import guard_lookup as guard_lookup
from lintpickle.fixes.operators import replace_lambda as replace_lambda
from lintpickle.fixes.partial import bind_function as bind_function, bind_lambda as bind_lambda
from lintpickle.fixes.reducers import add_reduce as add_reduce
from lintpickle.fixes.settings_line import call_after_imports as call_after_imports
from lintpickle.fixes.state_hooks import STATE_HOOKS as STATE_HOOKS, state_hooks as state_hooks
from lintpickle.fixes.wrap import wrap_function as wrap_function
from lintpickle.interpreter.abstract_values import (
    SOME_ITEM as SOME_ITEM,
    AbstractValue as AbstractValue,
    Bound as Bound,
    ClassValue as ClassValue,
    ConstantValue as ConstantValue,
    ContainerValue as ContainerValue,
    Doubt as Doubt,
    ExternalResult as ExternalResult,
    ExternalValue as ExternalValue,
    Frame as Frame,
    FunctionValue as FunctionValue,
    GeneratorValue as GeneratorValue,
    Hop as Hop,
    InstanceValue as InstanceValue,
    ModuleValue as ModuleValue,
    ProductValue as ProductValue,
    Site as Site,
    Slot as Slot,
    SuperValue as SuperValue,
    TracedValue as TracedValue,
    is_indefinite as is_indefinite,
)
from lintpickle.interpreter.classes import Classes as Classes
from lintpickle.interpreter.evaluator import Evaluator as Evaluator
from lintpickle.interpreter.frames import Arguments as Arguments
from lintpickle.interpreter.held import Held as Held, mangled as mangled
from lintpickle.interpreter.pickling_hooks import SENDING_HOOKS as SENDING_HOOKS, Shipped as Shipped
from lintpickle.interpreter.plain_bases import is_without_state as is_without_state
from lintpickle.interpreter.protocols import Ancestor as Ancestor
from lintpickle.interpreter.reducers import pickles_its_class as pickles_its_class
from lintpickle.interpreter.root_frames import RootFrame as RootFrame
from lintpickle.interpreter.slots import MODULE_KINDS as MODULE_KINDS, excerpt as excerpt
from lintpickle.parsing.syntax import is_special_name as is_special_name
from lintpickle.payload.by_kind import SHIPPED_KINDS as SHIPPED_KINDS
from lintpickle.payload.components import WORKER_KINDS as WORKER_KINDS
from lintpickle.payload.confidence import weaker as weaker
from lintpickle.payload.crossings import Crossing as Crossing
from lintpickle.payload.file_purposes import holds_tests as holds_tests
from lintpickle.payload.linker import (
    CARRIES_FUNCTIONS as CARRIES_FUNCTIONS,
    PICKLED_ON_START as PICKLED_ON_START,
    Linker as Linker,
)
from lintpickle.payload.starts import Start as Start
from lintpickle.payload.worker_results import (
    results_sent as results_sent,
    senders as senders,
    sends_results as sends_results,
)
from lintpickle.payload.worker_side import (
    WorkerCode as WorkerCode,
    WorkerFunction as WorkerFunction,
)
from lintpickle.prefilter.forms import (
    GENERATOR as GENERATOR,
    LAMBDA as LAMBDA,
    LOCAL_CLASS as LOCAL_CLASS,
    LOCAL_FUNCTION as LOCAL_FUNCTION,
    VIEW as VIEW,
)
from lintpickle.prefilter.marks import ALL_MARKS as ALL_MARKS, IMPORTED as IMPORTED, PRODUCT as PRODUCT
from lintpickle.prefilter.words import Words as Words
from lintpickle.program.module import Module as Module
from lintpickle.resolution.bindings_in_force import in_the_end as in_the_end
from lintpickle.rules.base import (
    ALL_START_METHODS as ALL_START_METHODS,
    Hazard as Hazard,
    Rule as Rule,
    carries_functions as carries_functions,
    excerpt_of as excerpt_of,
    how_held as how_held,
    is_worker_function as is_worker_function,
    where as where,
)
