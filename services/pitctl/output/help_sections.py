"""Groups of commands: help in sections, and a group that has a command of its own."""

from __future__ import annotations

from typing import Any, Final

from typer.core import TyperGroup

GAMES: Final = "Hands, games and odds"
ROUNDS: Final = "Rounds"
SURVEILLANCE: Final = "Surveillance"
BOOKS: Final = "Books"
CAGE: Final = "Cage, count room and promotions desk"
FLOOR: Final = "Stack, tables and logs"
SECTIONS: Final = (GAMES, ROUNDS, SURVEILLANCE, BOOKS, CAGE, FLOOR)


class Sectioned(TyperGroup):
    """Lists its commands by what they are for, as their `rich_help_panel` says."""

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


class Showing(TyperGroup):
    """A group whose name alone, or with something that is none of its commands, means `show`."""

    alone = "show"
    otherwise = "show"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if not args:
            args = [self.alone]
        elif args[0] not in self.commands and args[0] != "--help":
            args = [self.otherwise, *args]
        return super().parse_args(ctx, args)


class Listing(Showing):
    """The same for a group whose name alone, or with options, means `list`."""

    alone = "list"
    otherwise = "list"
