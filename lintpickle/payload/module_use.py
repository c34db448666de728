"""What a program does with its torch modules: whether it saves nothing but their state, and whether it copies or writes
whole ones."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from lintpickle.payload.file_purposes import FilePurposes
from lintpickle.prefilter.words import Words
from lintpickle.program.first_party import FirstPartyModules
from lintpickle.program.module import Module

_WHOLE = (
    r"(?:\w+\.)*(?!\w*(?:dict|state|weights|params))\w*(?:model|module|net|network|encoder|decoder|backbone|generator|layer|actor|critic|policy)"
    r"(?:\.module)?\s*"
)
"""What has the name of a whole torch module (`self.model`, `ema_net`, and not `model_state`)."""
_STATE_WORDS = Words({"state_dict("})
_SAVES = re.compile(r"^(?![ \t]*>>>)[^\n]*\btorch\s*\.\s*save\s*\(", re.MULTILINE)
_STATE = re.compile(r"\.\s*state_dict\s*\(")
_CHECKPOINTING_WORDS = Words(
    {
        *("DetectionCheckpointer(", "PeriodicCheckpointer(", "ModelCheckpoint("),
        *("EpochBasedRunner", "IterBasedRunner", "CheckpointHook(", "Runner.from_cfg("),
    }
)
"""Classes of detectron2, fvcore, Lightning, mmcv and mmengine that save the state of a model (mmcv 1.7:
`mmcv.runner.checkpoint.save_checkpoint`; mmengine 0.10: `Runner.save_checkpoint`)."""
_DEFINES = re.compile(r"^[ \t]*(?:async )?def\b", re.MULTILINE)
_WRITING_WORDS = Words({"torch.save(", "dump(", "dumps("})
_WRITES = re.compile(
    rf"\b(?:torch\s*\.\s*save|(?!cloud)\w*pickle\s*\.\s*dumps?|joblib\s*\.\s*dump)\(\s*(?P<what>{_WHOLE}),"
)
"""Writing with what refuses functions that have no name: cloudpickle and dill take them."""
_IS_CHECKPOINT = r"(?<![\w.]){0}\s*(?:=\s*(?:\w+\.)*\w*(?:checkpoint|ckpt|state|dict)\w*\(|\[\s*[\"'])"
"""What shows that a name stands for a dict: it is what such a function gives, or has items under names."""
_COPYING_WORDS = Words({"deepcopy(", "AveragedModel(", "ModelEma(", "ModelEmaV2("})
_COPIES = re.compile(rf"\bdeepcopy\(\s*{_WHOLE}[,)]|\b(?:AveragedModel|ModelEma|ModelEmaV2)\(")


class ModuleUse:
    """Answers for one program. `asker` is as for `FirstPartyModules.search`."""

    def __init__(self, first_party: FirstPartyModules, purposes: FilePurposes) -> None:
        self._first_party = first_party
        self._purposes = purposes
        self._known: dict[tuple[Words, tuple[str, ...]], bool] = {}

    def saves_only_state(self, asker: str) -> bool:
        """Whether a function in the folder of the asker's package saves a `state_dict()`, or leaves that to a library,
        and nothing writes what has the name of a whole module: what the recipes beside a library save says nothing of
        its users."""
        top = self._top(asker)
        saves = self._has(_STATE_WORDS, asker, _saves_state, lambda path: path.startswith(top)) or self._has(
            _CHECKPOINTING_WORDS, asker, lambda module: True, lambda path: path.startswith(top)
        )
        return saves and not self._writes_whole(asker)

    def _top(self, path: str) -> str:
        """The folder of the project's root in which a path lies; the root itself, if it lies in none."""
        root = self._purposes.root.rstrip(os.sep) + os.sep
        if not path.startswith(root):
            return ""
        first, inside, _ = path.removeprefix(root).partition(os.sep)
        return f"{root}{first}{inside}" if inside else root

    def copies_whole(self, asker: str) -> bool:
        """Whether the library copies or writes what has the name of a torch module."""
        return self._has(_COPYING_WORDS, asker, lambda module: module.has(_COPIES)) or self._writes_whole(asker)

    def _writes_whole(self, asker: str) -> bool:
        return self._has(_WRITING_WORDS, asker, _writes_module)

    def _has(
        self,
        words: Words,
        asker: str,
        holds: Callable[[Module], bool],
        counts: Callable[[str], bool] = lambda path: True,
    ) -> bool:
        """Whether that holds for a module of the library in which one of the words stands, if its path counts."""
        paths = tuple(filter(counts, self._first_party.search_texts(words, asker)))
        key = (words, paths)
        if key not in self._known:
            library = self._first_party.modules([path for path in paths if self._purposes.is_library(path)])
            self._known[key] = any(map(holds, library))
        return self._known[key]


def _writes_module(module: Module) -> bool:
    """Whether a function of a module writes what has the name of a torch module, and is not seen to be a dict."""
    return module.has(_WRITES) and any(
        not re.search(_IS_CHECKPOINT.format(re.escape(found["what"].strip())), function)
        for function in _DEFINES.split(module.code)
        for found in _WRITES.finditer(function)
    )


def _saves_state(module: Module) -> bool:
    """Whether one function of a module asks for a state, and saves."""
    return any(_SAVES.search(function) and _STATE.search(function) for function in _DEFINES.split(module.code))
