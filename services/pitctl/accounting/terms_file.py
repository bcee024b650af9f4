"""The terms of a promotion from a file, TOML or JSON, with the names of the contract.

Beside the contract's own forms: kinds and pushes in lower case (`match_play`), the face value as
`face = "25.00"`, odds as `"3 to 2"`.
"""

from __future__ import annotations

import json
import re
import tomllib
from datetime import date, datetime
from typing import Any, Final

from google.protobuf import json_format

from blackjack.rulebook.promotions import Terms
from casino.table.v1.facts_promotion_pb2 import OnPush, PromotionKind, PromotionTerms
from pitctl.arguments import read_cents, read_file
from pitctl.errors import InvalidArgument
from wire.errors import UnreadableMessage
from wire.promotions import read_terms

_ENUMERATIONS: Final = {
    "kind": ("PROMOTION_KIND_", PromotionKind.keys()),
    "on_push": ("ON_PUSH_", OnPush.keys()),
}
_ODDS: Final = ("pays", "natural_pays")
# A number is read as it is written: a parser would turn 1e3 into 1000.0 and 1_0 into 10.
_FACE: Final = re.compile(
    r"""^[^#\n]*?\bface["']?[ \t]*[=:][ \t]*("[^"\n]*"|'[^'\n]*'|[^\s,#}]+)""", re.MULTILINE
)
_TO: Final = re.compile(r"(\d{1,6})\s*(?:to|:)\s*(\d{1,6})")


def read_terms_file(path: str) -> Terms:
    """The terms in the file; `InvalidArgument` names the error."""
    text = read_file(path)
    try:
        given = json.loads(text) if _is_json(path, text) else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise InvalidArgument(f"{path}: {error}") from None
    if not isinstance(given, dict):
        raise InvalidArgument(f"{path}: expected terms: names with their values")
    try:
        message = json_format.ParseDict(_contract_form(given, text), PromotionTerms())
        terms = read_terms(message)
    except (json_format.ParseError, UnreadableMessage, InvalidArgument) as error:
        raise InvalidArgument(f"{path}: {error}") from None
    if not terms.name:
        raise InvalidArgument(f'{path}: the promotion has no name: name = "Tuesday match play"')
    if terms.problem:
        raise InvalidArgument(f"{path}: {terms.problem}")
    return terms


def _is_json(path: str, text: str) -> bool:
    return path.endswith(".json") or (path == "-" and text.lstrip().startswith("{"))


def _contract_form(given: dict[str, Any], text: str) -> dict[str, Any]:
    """The terms in protobuf's JSON form."""
    terms = {name: _value(name, value) for name, value in given.items() if name != "face"}
    if "face" in given:
        if "face_cents" in given:
            raise InvalidArgument("face and face_cents contradict each other; write one of them")
        terms["face_cents"] = _read_face(given["face"], text)
    return terms


def _read_face(value: Any, text: str) -> int:
    found = _FACE.search(text)
    line = f"line {text.count(chr(10), 0, found.start(1)) + 1}, " if found else ""
    written = found[1] if found and not isinstance(value, str) else str(value)
    return read_cents(f"{line}face", written)


def _value(name: str, value: Any) -> Any:
    if name in _ENUMERATIONS and isinstance(value, str):
        prefix, known = _ENUMERATIONS[name]
        full = value if value.startswith(prefix) else f"{prefix}{value.upper()}"
        if full not in known or full.endswith("_UNSPECIFIED"):
            names = (known_name.removeprefix(prefix).lower() for known_name in known[1:])
            raise InvalidArgument(f'Invalid {name} "{value}": expected {", ".join(names)}.')
        return full
    if name in _ODDS and isinstance(value, str):
        found = _TO.fullmatch(value.strip())
        if found is None:
            raise InvalidArgument(f'Invalid {name} "{value}": expected odds such as 3 to 2.')
        return {"win": int(found[1]), "stake": int(found[2])}
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise InvalidArgument(
                f"{name}: expected a time with its zone, such as 2026-03-01T06:00:00-08:00"
            )
        return value.isoformat()
    if isinstance(value, date):
        raise InvalidArgument(f"{name}: expected a time, such as 2026-03-01T06:00:00-08:00")
    return value
