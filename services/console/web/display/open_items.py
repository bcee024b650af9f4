"""The page that resolves an open item of a day: an alert or a hand."""

from __future__ import annotations

from casino.accounting.v1.service_pb2 import OpenItem
from console.web.display.addresses import hand_address


def address_of(item: OpenItem) -> str:
    """The address of the alert or hand; empty for items without a page.

    >>> address_of(OpenItem(alert_id="94d8820d3be284e5", table_id="BJ-07"))
    '/alerts/94d8820d3be284e5'
    >>> address_of(OpenItem(table_id="BJ-07", round="R-1")), address_of(OpenItem(table_id="BJ-07"))
    ('/hands/BJ-07/R-1', '')
    """
    if item.alert_id:
        return f"/alerts/{item.alert_id}"
    return hand_address(item.table_id, item.round) if item.round else ""
