"""Access rights of queries, and of entries by kind of fact.

Services call for themselves. The console calls for a person, who must have a role. An operator at
the machine itself presents an operator's certificate and may do everything. A person named in a
call is checked by their own roles, no matter which peer calls.
"""

from __future__ import annotations

from typing import Final

import grpc

from runtime.rpc.access import Access, Policy
from runtime.rpc.calls import current_call, current_peer
from runtime.rpc.errors import CallRejected

ACCOUNTING: Final = "accounting"
CAGE: Final = "cage"
READERS: Final = frozenset(
    {ACCOUNTING, CAGE, "pit", "auditor", "surveillance", "administrator"}
)  # fmt: skip
_CONSOLE: Final = frozenset({"service/console"})
_OPERATORS: Final = frozenset({"operator/*"})
READ: Final = Access(peers=_CONSOLE, roles=READERS, trusted={"service/*", *_OPERATORS})
ENTER: Final = Access(peers=_CONSOLE, roles={ACCOUNTING, CAGE}, trusted=_OPERATORS)
KEEP_BOOKS: Final = Access(peers=_CONSOLE, roles={ACCOUNTING}, trusted=_OPERATORS)
ADMINISTER: Final = Access(peers=_CONSOLE, roles={"administrator"}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.accounting.v1.AccountingService/"
_METHODS: Final = {
    READ: (
        "GetReport", "ListReports", "Explain", "FindEntries", "GetBalances", "GetDay",
        "GetStatus", "FindRefusals", "GetCoupon", "ListPromotions",
    ),
    ENTER: ("Record", "ImportCounts"),
    KEEP_BOOKS: ("RecordPromotion", "ExpireCoupons", "CloseDay"),
    ADMINISTER: ("Rebuild",),
}  # fmt: skip
POLICY: Final[Policy] = {
    _SERVICE + method: access for access, methods in _METHODS.items() for method in methods
}

_BOTH: Final = frozenset({ACCOUNTING, CAGE})
RECORDERS: Final = {
    **dict.fromkeys(
        (
            "fill_issued", "credit_accepted", "chips_redeemed", "inventory_counted",
            "slip_voided", "error_slip_written", "drop_counted", "drop_recounted",
        ),
        _BOTH,
    ),
    **dict.fromkeys(
        ("entry_posted", "slips_explained", "day_opened", "day_reconciled", "room_profile_set"),
        frozenset({ACCOUNTING}),
    ),
}  # fmt: skip
"""The roles that may enter each fact of the cage."""


def check_may_record(fact: str) -> None:
    """Reject a call for a person who may not enter such a fact."""
    person = current_call().person
    roles = RECORDERS.get(fact)
    if person is not None and roles is not None and not roles & person.roles:
        needed = " or ".join(sorted(roles))
        raise CallRejected(
            grpc.StatusCode.PERMISSION_DENIED,
            f"Permission denied: {fact} requires the role {needed}, not held by {person.subject}.",
        )


def check_may_keep_books() -> None:
    """Reject a call for a person without the role of an accountant, also one by an operator."""
    person = current_call().person
    if person is not None and ACCOUNTING not in person.roles:
        raise CallRejected(
            grpc.StatusCode.PERMISSION_DENIED,
            f"Permission denied: {person.subject} does not have the role {ACCOUNTING}.",
        )


def author() -> str:
    """The author of an entry: the person of the call, or else the holder of the certificate."""
    person = current_call().person
    return person.subject if person is not None else str(current_peer())


def peer() -> str:
    return str(current_peer())
