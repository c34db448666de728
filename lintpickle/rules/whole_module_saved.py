from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from lintpickle.analyses.written import TORCH_SAVE, WrittenPart, module_path, never_refuses, parts
from lintpickle.diagnostics import Confidence, Severity
from lintpickle.rules.authoring import (
    ALL_START_METHODS,
    UNKNOWN,
    BoundaryCall,
    BrokenSyntax,
    Hazard,
    Linker,
    Parameter,
    Rule,
    Words,
    parse_expression,
)

_TRUST_WORDS = Words({"weights_only", "safe_globals", "add_safe_globals", "torch_load", "pickle_module"})
_TRUSTING = re.compile(
    r"\bweights_only\s*=\s*False\b|\b(?:add_)?safe_globals\s*\(|\bultralytics\.utils\.patches\s+import\b.*\btorch_load\b"
    r"|\btorch\s*\.\s*load\((?:[^()]|\([^()]*\))*\bpickle_module\s*=(?!\s*None\b)"
)
"""Ways in which a program lets `torch.load` read more than weights. `ultralytics.utils.patches.torch_load` passes
`weights_only=False` itself (ultralytics 8.3, `utils/patches.py`), and `torch.load` with a `pickle_module` is not
restricted (torch 2.13, `_default_to_weights_only`)."""
_MODEL_NAME = re.compile(r"(?:\w+\.)*_?(?:model|net|network|netG|netD|encoder|decoder|backbone)(?:\.module)?")


class WholeModuleSaved(Rule):
    """A whole torch module, not its state_dict, that `torch.save` writes to a file."""

    code = "LP501"
    name = "whole-module-saved"
    severity = Severity.WARNING
    start_methods = ALL_START_METHODS
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
        is_fine = _loads_modules(asker, linker) or never_refuses(asker, linker)
        for part in parts(call, linker):
            name = module_path(part, linker)
            sure = name is not None
            if name is None and not part.label and _is_unknown(part, linker):
                name = _model_name(call)
            if name is not None:
                yield Hazard(
                    site=call.site if not part.label else part.site,
                    noun="the module is written",
                    error="_pickle.UnpicklingError: Weights only load failed.",
                    data={"what": name},
                    rests_on=(part.frame.module,),
                    confidence=Confidence.POSSIBLE if is_fine else None if sure else Confidence.LIKELY,
                )


def _loads_modules(asker: str, linker: Linker) -> bool:
    """Whether the program loads whole objects on purpose: it lets `torch.load` read more than weights."""
    return linker.first_party.is_anywhere(_TRUST_WORDS, asker, _TRUSTING)


def _is_unknown(part: WrittenPart, linker: Linker) -> bool:
    """Whether nothing is known about the object, and it is not the argument of an unknown caller."""
    if isinstance(part.value, Parameter):
        return False
    return all(traced.value is UNKNOWN for traced in linker.evaluate(part.value, part.frame))


def _model_name(call: BoundaryCall) -> str | None:
    """The object's name in the call, if it is a name used only for models."""
    text = call.site.module.document.text[call.site.span.start : call.site.span.end]
    try:
        tree = parse_expression(text)
    except BrokenSyntax:
        return None
    if not isinstance(tree, ast.Call):
        return None
    written = tree.args[0] if tree.args else next((k.value for k in tree.keywords if k.arg == "obj"), None)
    name = ast.unparse(written) if isinstance(written, (ast.Name, ast.Attribute)) else ""
    return name if _MODEL_NAME.fullmatch(name) else None
