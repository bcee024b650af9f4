"""Options of every command that asks a service: where it is, who asks, and in which form."""

from __future__ import annotations

from typing import Annotated

import typer

Stack = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="STACK_DIR",
        show_default=False,
        help="The folder of the stack that is up; build/stack if not said.",
    ),
]
Identity = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="IDENTITY_FOLDER",
        show_default=False,
        help="The folder with our tls.key, tls.crt and ca.crt, if not the stack's.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="For programs.")]


def text(name: str, metavar: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        name, metavar=metavar, show_default=False, help=help
    )
    return option


def address(setting: str, who: str) -> typer.models.OptionInfo:
    """Where a service answers; `setting` names it in the environment."""
    option: typer.models.OptionInfo = typer.Option(
        metavar="HOST:PORT",
        envvar=setting,
        show_default=False,
        help=f"Where {who} answers, if not the one of the stack.",
    )
    return option
