"""The form of an alert's headline."""

from __future__ import annotations

import re

LENGTH_MAX = 125
_CODE = re.compile(r"[a-z0-9]_[a-z0-9]|\b[a-z][a-z_]+\.[a-z][a-z_]+")
_ACTION_AT_END = re.compile(r"^[A-Z$0-9][^\n]*[^\s,:;]$")


def problems(headline: str) -> list[str]:
    """The ways in which a headline is not one short sentence for people; none as a rule."""
    found = []
    if _CODE.search(headline):
        found.append("has a code")
    if len(headline) > LENGTH_MAX:
        found.append(f"has {len(headline)} characters")
    if not _ACTION_AT_END.match(headline):
        found.append("is no sentence")
    return found
