"""Whom a sighting is about: the key by which states are kept."""

from __future__ import annotations


def table(name: str) -> str:
    return f"table:{name}"


def dealer(licence: str) -> str:
    return f"dealer:{licence}"


def patron(token: str) -> str:
    return f"patron:{token}"


def coupon(serial: str) -> str:
    return f"coupon:{serial}"
