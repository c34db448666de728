"""A worker that asks for the context of the command that main runs."""

import multiprocessing

import click


def lint(name):
    return len(name) <= click.get_current_context().obj["limit"]


@click.command()
@click.argument("method")
@click.pass_context
def run(context, method):
    context.obj = {"limit": 10}
    with multiprocessing.get_context(method).Pool(1) as pool:
        print(pool.map(lint, ["short"]))


if __name__ == "__main__":
    run()
