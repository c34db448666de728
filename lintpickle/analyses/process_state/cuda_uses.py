"""Calls of torch that use a GPU: CUDA is initialised by the first one in a process, and cannot be in a process that was
forked after that (torch 2.13, `torch/cuda/__init__.py`: `_lazy_init`, which asks `_is_in_bad_fork`)."""

from __future__ import annotations

from collections.abc import Iterator

from lintpickle.analyses.calls_and_values.values import external_names
from lintpickle.facts.values import Attribute, Call, Expr
from lintpickle.interpreter.abstract_values import (
    ConstantValue,
    ExternalResult,
    ExternalValue,
    Frame,
    ModuleValue,
)
from lintpickle.payload.linker import Linker

_CUDA = "cuda"
_INITIALISING = frozenset(
    f"torch.cuda.{name}"
    for name in (
        *("can_device_access_peer", "cudart", "current_blas_handle", "current_device", "current_stream"),
        *("default_stream", "get_device_capability", "get_device_name", "get_device_properties", "init"),
        *("ipc_collect", "is_bf16_supported", "mem_get_info", "memory.mem_get_info", "set_device", "synchronize"),
    )
)
"""What calls `_lazy_init` itself, or by what it calls. `empty_cache` and what tells of memory do nothing before CUDA is
initialised, `manual_seed` waits for that, and `device_count` asks the driver's manager."""
_ASKING = "torch.cuda.is_available"
"""It initialises the driver, and makes torch refuse to initialise CUDA in forks from then on ("poison fork" in the
documentation), but raises no error there itself."""


def moves_to_gpu(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call surely puts something onto a GPU: `.cuda()`, `.to("cuda:1")`, `torch.zeros(9, device="cuda")`."""
    devices = _devices(call, frame, linker)
    return _is_moved(call, frame, linker) or any(all(_are_gpus(device, frame, linker)) for device in devices)


def may_use_gpu(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call initialises CUDA on a machine that has a GPU: also by a device that is the CPU on others."""
    if _is_moved(call, frame, linker) or not _INITIALISING.isdisjoint(_names(call, frame, linker)):
        return True
    return any(any(_are_gpus(device, frame, linker)) for device in _devices(call, frame, linker))


def asks_for_gpu(call: Call, frame: Frame, linker: Linker) -> bool:
    """Whether a call asks if there is a GPU, by way of the driver."""
    return _ASKING in _names(call, frame, linker)


def _names(call: Call, frame: Frame, linker: Linker) -> set[str]:
    return set(external_names(call.function, frame, linker))


def _is_moved(call: Call, frame: Frame, linker: Linker) -> bool:
    match call.function:
        case Attribute(base=base, name="cuda") if not call.arguments:
            return not _is_library(base, frame, linker)
        case _:
            return False


def _devices(call: Call, frame: Frame, linker: Linker) -> Iterator[Expr]:
    """What a call may name as the device of what it makes or gives."""
    match call.function:
        case Attribute(base=base, name="to") if not _is_library(base, frame, linker):
            yield from (each.value for each in call.arguments if each.keyword in (None, "device"))
        case _:
            device = call.keyword("device")
            if device is not None and any(name.startswith("torch.") for name in _names(call, frame, linker)):
                yield device


def _are_gpus(device: Expr, frame: Frame, linker: Linker) -> Iterator[bool]:
    """Of each device that an expression may be, whether it is a GPU: `"cuda"`, `"cuda:1"`, `torch.device("cuda")`."""
    for traced in linker.evaluate(device, frame):
        match traced.value:
            case ConstantValue(value=str() as name):
                yield name.partition(":")[0] == _CUDA
            case ExternalResult(path="torch.device", call=Call(arguments=(first, *_)), frame=Frame() as maker):
                yield from _are_gpus(first.value, maker, linker)
            case _:
                yield False


def _is_library(base: Expr, frame: Frame, linker: Linker) -> bool:
    return any(isinstance(traced.value, ModuleValue | ExternalValue) for traced in linker.evaluate(base, frame))
