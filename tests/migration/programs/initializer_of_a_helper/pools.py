"""Pools whose workers are set up by whoever asks for one."""

import multiprocessing


def _set_up(function, options):
    function(**options)


def pool_with(function, options, method):
    return multiprocessing.get_context(method).Pool(1, initializer=_set_up, initargs=(function, options))
