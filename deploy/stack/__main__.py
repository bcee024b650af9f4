"""python -m deploy.stack up|down|status|topics|env|warm|jars"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from dataclasses import asdict

from deploy.stack.errors import StackError, indented
from deploy.stack.settings import NAMES, read_settings
from deploy.stack.stack import Condition, Stack, without_own
from deploy.stack.warm import warm

COMMANDS = {
    "up": "start what does not run: servers, topics, services",
    "down": "end everything, in reverse order; data stay",
    "status": "one line each; 0 if all is well, 3 otherwise",
    "topics": "make the topics that are missing; 3 if one is not as it should be",
    "env": "addresses and folders of this stack, for a shell's eval, pitctl and grpcurl",
    "warm": "spend half a minute once, to halve every later start of Kafka",
    "jars": "remake the list of Kafka's jars from its roots",
}
NOT_WELL = 3
PIPE_CLOSED = 141
"""What a shell reports for a program that SIGPIPE ended."""


def parser() -> argparse.ArgumentParser:
    settings = "\n".join(f"  {name:<28} {text}" for name, text in NAMES.items())
    made = argparse.ArgumentParser(
        prog="python -m deploy.stack",
        description="A local Kafka and PostgreSQL, and our services.",
        epilog=f"settings, from the environment:\n{settings}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = made.add_subparsers(dest="command", required=True, metavar="command")
    added = {name: commands.add_parser(name, help=text) for name, text in COMMANDS.items()}
    for name in ("status", "env"):
        added[name].add_argument("--json", action="store_true", help="for programs")
    added["topics"].add_argument(
        "--accept-loss",
        metavar="TOPIC",
        action="append",
        default=[],
        help="create TOPIC empty though services have read one of that name; may be repeated",
    )
    added["down"].add_argument("--remove-data", action="store_true", help="and forget everything")
    return made


def main(arguments: list[str] | None = None) -> int:
    asked = parser().parse_args(arguments)
    try:
        status = carry_out(asked)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except StackError as error:
        print(f"{asked.command}: {error}", file=sys.stderr)
        return 1
    except OSError as error:  # a full disk, another user's folder
        print(f"{asked.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\n{asked.command}: interrupted; what was started goes on", file=sys.stderr)
        return 130


def publish(line: str) -> None:
    """One step is done; that nobody reads it any more (`| head`) does not undo the next one."""
    try:
        print(line, flush=True)
    except BrokenPipeError:
        drop_output()


def drop_output() -> None:
    """What is still in the buffer would raise again at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def carry_out(asked: argparse.Namespace) -> int:
    settings = without_own(read_settings(os.environ))
    stack = Stack(settings, report=publish)
    command: str = asked.command
    match command:
        case "up":
            stack.up()
        case "down":
            stack.down(remove_data=asked.remove_data)
        case "status":
            return show_status(stack, as_json=asked.json)
        case "topics":
            outcome = stack.make_topics(accepted=asked.accept_loss)
            for name in outcome.created:
                print(f"made      {name}")
            for name in outcome.existing:
                print(f"found     {name}")
            for difference in outcome.differences:
                print(f"differs   {difference}")
            return NOT_WELL if outcome.differences else 0
        case "env":
            known = stack.operator_environment(stack.state)
            if asked.json:
                print(json.dumps(known, indent=2))
            else:
                for name, value in known.items():
                    print(f"export {name}={shlex.quote(value)}")
        case "warm":
            print(f"made      {warm(settings)}")
        case "jars":
            from deploy.stack.jar_list import remake

            made = remake(settings.maven_repository)
            print(f"{len(made.jars)} jars for {', '.join(made.roots)}")
        case _:  # the parser admits no other
            raise AssertionError(command)
    return 0


def show_status(stack: Stack, *, as_json: bool) -> int:
    parts = list(stack.status())
    if as_json:
        folder = str(stack.settings.folder)
        print(json.dumps({"folder": folder, "parts": [asdict(part) for part in parts]}, indent=2))
    else:
        for part in parts:
            print(part)
            if part.tail:
                print(f"{indented(part.tail)}\n  the whole of it: {part.log}")
    return 0 if all(part.condition is Condition.OK for part in parts) else NOT_WELL


if __name__ == "__main__":
    sys.exit(main())
