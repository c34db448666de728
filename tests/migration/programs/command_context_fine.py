"""A worker that is given what it needs of the context of the command that main runs."""

import multiprocessing

import click


def lint(name, limit):
    context = click.get_current_context(silent=True)
    return len(name) <= limit, context is not None and name == "verbose"


@click.command()
@click.argument("method")
@click.pass_context
def run(context, method):
    context.obj = {"limit": 10}
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.starmap(lint, [("short", click.get_current_context().obj["limit"])]))


if __name__ == "__main__":
    run()
