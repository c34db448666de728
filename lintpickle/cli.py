"""The command `lintpickle`. Each command is a module in `lintpickle.commands`."""

import gc
import sys
import time

from lintpickle import __version__


def main() -> int:
    """Run the command line of this process. Returns or exits with 0 (clean), 1 (findings) or 2 (an error).

    Answers from the cache are given before anything else is imported.
    """
    arguments = sys.argv[1:]
    if arguments in (["--version"], ["-V"]):
        print(f"lintpickle {__version__}")
        return 0
    question = None
    if arguments[:1] == ["check"]:
        from lintpickle.cache.answers import asked, give

        gc.disable()  # What a check makes lives until its end.
        question = asked(arguments[1:], time.time_ns())
        known = question.answer() if question is not None else None
        if known is not None:
            give(*known)
        if "--watch" not in arguments:
            from lintpickle.standby import stand_by

            code = stand_by()
            if code is not None:
                _leave(code)
    from lintpickle.commands import app
    from lintpickle.deep_calls import with_room

    try:
        with_room(lambda: app.main(prog_name="lintpickle", obj=question))
    except SystemExit as ended:
        _flush()
        if question is not None and isinstance(ended.code, int):
            _leave(ended.code)
        raise
    finally:
        gc.freeze()  # The end of the interpreter would else search all that there is for cycles.
    return 0


def _flush() -> None:
    """Write what is still to be written. If the disk is full, the process ends with 2: Python would end it with 120."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (BrokenPipeError, ValueError):
        return
    except OSError as error:
        import os

        os.write(2, f"error: the output cannot be written: {error.strerror}\n".encode())
        os._exit(2)


def _leave(code: int) -> None:
    """End the process without cleaning up, unless nobody reads the output: then the interpreter reports the error."""
    import os

    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except (OSError, ValueError):
        return
    os._exit(code)
