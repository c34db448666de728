"""A number of another module that the group sets before its command runs."""

import multiprocessing
import sys

import click
import settings


@click.group()
@click.option("--scale", default=3)
def cli(scale):
    settings.scale = scale


@cli.command()
@click.argument("method")
def run(method):
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(settings.scaled, [2]))


if __name__ == "__main__":
    cli(["run", *sys.argv[1:]])
