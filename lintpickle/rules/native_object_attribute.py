from __future__ import annotations

from lintpickle.rules._shared.products import ProductRule


class NativeObjectAttribute(ProductRule):
    """An object of an extension module that cannot be pickled: cv2, av, decord, onnxruntime, hashlib, ctypes."""

    code = "LP115"
    name = "native-object-attribute"
    kinds = frozenset({"native"})
    noun = "native object"
    help = "keep what it is made from, and create it on first use in the worker"
