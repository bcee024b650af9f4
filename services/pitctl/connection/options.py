"""Options of every command that calls a service, added by one decorator."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import typer

from pitctl.output.exit import report_rejections

Stack = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="STACK_DIR",
        show_default=False,
        help="Folder of the running stack; default: build/stack.",
    ),
]
Identity = Annotated[
    str,
    typer.Option(
        metavar="FOLDER",
        envvar="IDENTITY_FOLDER",
        show_default=False,
        help="Folder with your tls.key, tls.crt and ca.crt; default: the stack's.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Write JSON.")]


class CommandCall(NamedTuple):
    """The service that a command calls, the caller's identity, and the form of the output."""

    as_json: bool
    stack: str
    address: str
    identity: str

    @property
    def where(self) -> tuple[str, str, str]:
        """The arguments of `ServiceClient.find`."""
        return (self.address, self.identity, self.stack)


Command = Callable[..., int]


def text(name: str, metavar: str, help: str) -> typer.models.OptionInfo:
    option: typer.models.OptionInfo = typer.Option(
        name, metavar=metavar, show_default=False, help=help
    )
    return option


def count(name: str, help: str, *, most: int | None = None) -> typer.models.OptionInfo:
    """An option that takes a number from 1."""
    option: typer.models.OptionInfo = typer.Option(name, metavar="N", min=1, max=most, help=help)
    return option


def address(setting: str, service: str, purpose: str = "") -> typer.models.OptionInfo:
    """The address of a service; `setting` names it in the environment."""
    option: typer.models.OptionInfo = typer.Option(
        metavar="HOST:PORT",
        envvar=setting,
        show_default=False,
        help=f"Address of {service}{purpose}; default: the stack's.",
    )
    return option


def service_command(
    setting: str,
    service: str,
    *,
    has_json: bool = True,
) -> Callable[[Command], Callable[..., None]]:
    """Add --json, --stack, --address and --identity to a command.

    The command gets them as `call`, and returns its exit status. Its errors are reported here: a
    rejected request ends with status 1, any other error with 2.
    """
    options = {
        "json": Json,
        "stack": Stack,
        "address": Annotated[str, address(setting, service)],
        "identity": Identity,
    }
    if not has_json:
        del options["json"]

    def decorate(command: Command) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)
        own = [option for option in signature.parameters.values() if option.name != "call"]
        added = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=False if name == "json" else "",
                annotation=annotation,
            )
            for name, annotation in options.items()
        ]

        def run(**arguments: Any) -> None:
            call = CommandCall(
                arguments.pop("json") if has_json else arguments.get("json", False),
                *(arguments.pop(name) for name in ("stack", "address", "identity")),
            )
            with report_rejections(as_json=call.as_json):
                status = command(**arguments, call=call)
            raise typer.Exit(status)

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [*(option.replace(kind=keyword) for option in own), *added]
        vars(run).update(
            __name__=command.__name__,
            __doc__=command.__doc__,
            __module__=command.__module__,
            __signature__=signature.replace(parameters=parameters, return_annotation=None),
        )
        run.__name__, run.__doc__ = command.__name__, command.__doc__
        run.__annotations__ = {option.name: option.annotation for option in parameters}
        return run

    return decorate
