"""Who may ask, and who may enter which fact.

Services ask for themselves; the console asks for a person, who must have a role; whoever works at
the machine itself shows an operator's certificate and may do all of it. A person who is named in a
call is judged by their roles whoever calls for them.
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
ASK: Final = Access(peers=_CONSOLE, roles=READERS, trusted={"service/*", *_OPERATORS})
ENTER: Final = Access(peers=_CONSOLE, roles={ACCOUNTING, CAGE}, trusted=_OPERATORS)
KEEP_BOOKS: Final = Access(peers=_CONSOLE, roles={ACCOUNTING}, trusted=_OPERATORS)
ADMINISTER: Final = Access(peers=_CONSOLE, roles={"administrator"}, trusted=_OPERATORS)

_SERVICE: Final = "/casino.accounting.v1.AccountingService/"
_METHODS: Final = {
    ASK: (
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
"""Of each fact of the cage: which roles may enter it."""


def check_may_record(fact: str) -> None:
    """Refused where the call is made for a person who may not enter such a fact."""
    person = current_call().person
    roles = RECORDERS.get(fact)
    if person is not None and roles is not None and not roles & person.roles:
        needed = " or ".join(sorted(roles))
        raise CallRejected(
            grpc.StatusCode.PERMISSION_DENIED,
            f"{fact} is entered by {needed}, which {person.subject} is not",
        )


def check_may_keep_books() -> None:
    """For methods of accountants: a person whom an operator names is judged too."""
    person = current_call().person
    if person is not None and ACCOUNTING not in person.roles:
        raise CallRejected(
            grpc.StatusCode.PERMISSION_DENIED, f"{person.subject} is not {ACCOUNTING}"
        )


def author() -> str:
    """Who answers for what is entered: a person, or else the one who holds the certificate."""
    person = current_call().person
    return person.subject if person is not None else str(current_peer())


def peer() -> str:
    return str(current_peer())
