"""Help of commands and groups: commands in sections, arguments without types, default commands."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import typer
from typer.core import TyperArgument, TyperCommand, TyperGroup

GAMES: Final = "Hands, games and odds"
ROUNDS: Final = "Rounds"
SURVEILLANCE: Final = "Surveillance"
BOOKS: Final = "Books"
CAGE: Final = "Cage, count room and promotions"
FLOOR: Final = "Stack, tables and logs"
SECTIONS: Final = (GAMES, ROUNDS, SURVEILLANCE, BOOKS, CAGE, FLOOR)

_TYPE: Final = re.compile(r" <[^>]*>")
"""`typer` writes the Python type behind the name of an argument or option."""
_RANGE: Final = re.compile(r"(?:; )?(?:\d+<=)?x[<>]=\d+")
"""And the range of a number, which an error names where it matters."""


class PlainCommand(TyperCommand):
    """A command whose help names arguments as they are typed, without braces and types."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        pieces = [self.options_metavar or ""]
        for param in self.get_params(ctx):
            if isinstance(param, TyperArgument):
                name = param.display_name_raw.removesuffix("...")
                name = name if param.required else f"[{name}]"
                pieces.append(f"{name}..." if param.nargs != 1 else name)
        return pieces

    def format_options(self, ctx: Any, formatter: Any) -> None:
        rows: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                is_argument = isinstance(param, TyperArgument)
                name, words = record
                name = name if "|" in name else _TYPE.sub(_metavar, name)
                if isinstance(param, TyperArgument):
                    name = param.display_name_raw
                    words = words.replace("required]", "]")
                words = _RANGE.sub("", words).replace("; ]", "]").replace("  []", "")
                rows["Arguments" if is_argument else "Options"].append((name, words))
        for section, records in rows.items():
            if records:
                with formatter.section(section):
                    formatter.write_dl(records)


def _metavar(match: re.Match[str]) -> str:
    return " N" if "int" in match.group() else " TEXT"


class CommandApp(typer.Typer):
    """An application whose commands have plain help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(add_completion=False, rich_markup_mode=None, **options)

    def command(self, *args: Any, **options: Any) -> Callable[..., Any]:
        return super().command(*args, **{"cls": PlainCommand, **options})


class SectionedGroup(TyperGroup):
    """A group that lists its commands by section, the `rich_help_panel` of each."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        known = [(name, self.commands[name]) for name in self.list_commands(ctx)]
        widest = max(len(name) for name, _ in known)
        for section in SECTIONS:
            rows = [
                (f"{name:<{widest}}", command.get_short_help_str(formatter.width - widest - 6))
                for name, command in known
                if getattr(command, "rich_help_panel", None) == section and not command.hidden
            ]
            if rows:
                with formatter.section(section):
                    formatter.write_dl(rows)


class ShowGroup(TyperGroup):
    """A group whose name alone, or with a word that is not a command of it, means `show`."""

    alone = "show"
    otherwise = "show"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            args = [self.alone]
        elif args[0] not in self.commands and args[0] != "--help":
            args = [self.otherwise, *args]
        return super().parse_args(ctx, args)


class ListGroup(ShowGroup):
    """The same for a group whose name alone, or with options, means `list`."""

    alone = "list"
    otherwise = "list"
