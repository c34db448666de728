"""`lintpickle clean`: remove the cache."""

from __future__ import annotations

import os

import click


@click.command(short_help="Remove the cache of earlier runs.")
@click.option("--cache-dir", metavar="DIR", help="The folder of the cache, if it is not the default one.")
def command(cache_dir: str | None) -> None:
    """Remove the cache of earlier runs, which all projects of a user share. The next runs take longer. Other files in
    the folder are not removed."""
    from lintpickle.cache.store import CacheStore, cache_folder
    from lintpickle.diagnostics import LintpickleError
    from lintpickle.report.summary import plural

    folder = cache_folder(cache_dir, os.environ)
    if folder is None:
        raise LintpickleError("there is no folder for a cache: neither LINTPICKLE_CACHE_DIR nor a home folder is set")
    try:
        count, size = CacheStore(folder).clean()
    except OSError as error:
        raise LintpickleError(f"{error.filename}: cannot be removed: {error.strerror or error}") from None
    if count:
        click.echo(f"Removed {plural(count, 'file')} ({_amount(size)}) from {folder}")
    else:
        click.echo(f"Nothing is kept in {folder}")


def _amount(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 100_000 else f"{size / 1e3:.1f} kB"
