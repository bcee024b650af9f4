"""The reference part of docs/events.md, made from the comments of the .proto files.

`python -m tests.wire.events_page` writes it; a test fails where the page is not as written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "events.md"
PROTOS: Final = ROOT / "proto" / "casino" / "table" / "v1"
BEGIN: Final = "<!-- made by tests/wire/events_page.py: begin -->\n"
END: Final = "<!-- made by tests/wire/events_page.py: end -->\n"

GROUPS: Final = {
    "facts_table": "The table",
    "facts_shoe": "The shoe",
    "facts_round": "The round",
    "facts_money": "Money outside a round",
    "facts_patron": "Patrons",
    "facts_promotion": "Promotions",
    "facts_device": "Devices and the controller",
    "rules": "Rule sets",
}


class Item(NamedTuple):
    """A field of a message or a value of an enumeration."""

    name: str
    type: str
    number: str
    says: str


class Block(NamedTuple):
    """A message or an enumeration with its comment."""

    kind: str
    name: str
    says: str
    items: tuple[Item, ...]


def blocks(file: str) -> Iterator[Block]:
    """The messages and enumerations of a file, as `buf format` lays them out."""
    text = (PROTOS / f"{file}.proto").read_text("utf-8")
    found = re.finditer(
        r"((?:^//.*\n)*)^(message|enum) (\w+) \{(\}\n|\n(?:.*\n)*?^\}\n)", text, re.MULTILINE
    )
    for match in found:
        says, kind, name, body = match.groups()
        yield Block(kind, name, _prose(says), tuple(_items(body)))


def _items(body: str) -> Iterator[Item]:
    pattern = r"((?:^ +//.*\n)+) +(?:([\w.<>, ]+?) )?(\w+) = (\d+);"
    for says, kind, name, number in re.findall(pattern, body, re.MULTILINE):
        yield Item(name, kind.replace("google.protobuf.", ""), number, _prose(says))


def _prose(comment: str) -> str:
    return " ".join(line.strip().removeprefix("//").strip() for line in comment.splitlines())


def reference() -> str:
    """The tables of the page."""
    parts = [
        "## The envelope\n\n",
        _fields(next(block for block in blocks("event") if block.name == "TableEvent"), most=6),
        "\n## The facts\n\nThe number is that of the field in `oneof fact`.\n",
    ]
    facts = {item.type: item for block in blocks("event") for item in block.items[6:]}
    for file, title in GROUPS.items():
        parts.append(f"\n### {title}\n\n| | field | type | |\n|---|---|---|---|\n")
        for block in blocks(file):
            if block.kind == "message":
                parts.extend(_rows(block, facts.get(block.name)))
        values = [block for block in blocks(file) if block.kind == "enum"]
        parts.extend(_enumerations([*values, *_places(file)]))
    return "".join(parts)


def _places(file: str) -> list[Block]:
    if file != "facts_round":
        return []
    return [block for block in blocks("cards") if block.name == "Place"]


def _fields(block: Block, *, most: int) -> str:
    rows = [f"| `{i.name}` | {i.type} | {i.number} | {i.says} |\n" for i in block.items[:most]]
    return "| field | type | number | |\n|---|---|---|---|\n" + "".join(rows)


def _rows(block: Block, fact: Item | None) -> Iterator[str]:
    number = f" {fact.number}" if fact else ""
    yield f"| **{block.name}**{number} | | | {block.says} |\n"
    for item in block.items:
        yield f"| | `{item.name}` | {item.type} | {item.says} |\n"


def _enumerations(found: list[Block]) -> Iterator[str]:
    if found:
        yield "\n| enumeration | value | number | |\n|---|---|---|---|\n"
    for block in found:
        yield f"| **{block.name}** | | | {block.says} |\n"
        for item in block.items:
            yield f"| | `{item.name}` | {item.number} | {item.says} |\n"


def example() -> list[str]:
    """The lines of the round that the page shows."""
    found = re.search(r"^```jsonl\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return found.group(1).splitlines() if found else []


def renewed(page: str) -> str:
    """The page with its reference part made anew."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{reference()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
