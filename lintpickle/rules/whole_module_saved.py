from __future__ import annotations

from collections.abc import Iterable

from lintpickle.analyses.pickle_hooks.local_hooks import has_local_hook
from lintpickle.analyses.written_files.debugging import is_for_debugging
from lintpickle.analyses.written_files.loading import Readers, is_of_test, is_read_back_here_alone, loads_modules
from lintpickle.analyses.written_files.written import TORCH_SAVE, never_refuses, parts
from lintpickle.analyses.written_files.written_modules import annotated_module, model_name, module_path, used_as_module
from lintpickle.diagnostics import Confidence, Severity
from lintpickle.rules.authoring import ALL_START_METHODS, BoundaryCall, Hazard, Linker, Rule


class WholeModuleSaved(Rule):
    """A whole torch module, not its state_dict, that `torch.save` writes to a file."""

    code = "LP501"
    name = "whole-module-saved"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
    of_what_is_written = True
    message = (
        "`torch.save` writes the whole module `{what}`, which `torch.load` refuses unless it is called with "
        "weights_only=False, and which can be loaded only while the code of its class stays where it is: {error}"
    )
    help = "save `model.state_dict()`, and load it into a module that the program builds"
    words = frozenset({"torch"})

    def boundary(self, call: BoundaryCall, linker: Linker) -> Iterable[Hazard]:
        if call.spec.path not in TORCH_SAVE:
            return
        asker = call.frame.module.path
        if is_read_back_here_alone(call.frame.module, linker):
            return
        is_fine = loads_modules(asker, linker) or never_refuses(asker, linker) or is_of_test(call, linker)
        is_fine = is_fine or is_for_debugging(call)
        for part in parts(call, linker):
            name = module_path(part, linker)
            sure = name is not None and not part.is_chosen
            if name is None:
                name = annotated_module(part, linker)
            if name is None and not part.label:
                name = model_name(call, part, linker)
            if name is None and not part.label and Readers.of(call.site.module, linker).load:
                name = used_as_module(call, part, linker)
            if name is not None and not has_local_hook(part, linker):
                yield Hazard(
                    site=call.site if not part.label else part.site,
                    noun="the module is written",
                    error="_pickle.UnpicklingError: Weights only load failed.",
                    data={"what": name},
                    rests_on=(part.frame.module,),
                    confidence=Confidence.POSSIBLE if is_fine else None if sure else Confidence.LIKELY,
                )
