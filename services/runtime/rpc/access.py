"""Who may call what: a table with one row a method, and other methods are rejected.

A row names the kinds of peers that may call (by certificate) and the roles of which a person
must have one (by token). With both, both are needed: the console may call for an auditor, but
neither may alone. Peers that a row trusts may call without a person: their requests are their own.

    POLICY = {
        "/casino.settlement.v1.SettlementService/GetRound": Access(
            peers={"service/console", "service/accounting"}, roles={"auditor", "surveillance"}
        ),
        "/casino.table.v1.IngestService/Ingest": Access(peers={"table/*"}),
    }
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from fnmatch import fnmatchcase

import grpc

from runtime.identity.errors import TokenRejected
from runtime.identity.tokens import SignedInPerson, TokenVerifier
from runtime.rpc.calls import Call, peer_of
from runtime.rpc.errors import CallRejected
from runtime.rpc.interceptor import Around

AUTHORIZATION = "authorization"
_SCHEME = "bearer "
_OPEN = ("/grpc.health.v1.", "/grpc.reflection.")


class Access:
    """Who may call one method."""

    def __init__(
        self, *, peers: Iterable[str], roles: Iterable[str] = (), trusted: Iterable[str] = ()
    ) -> None:
        """`peers` are patterns over `<kind>/<name>`; without `roles` no person is needed.

        `trusted` are patterns of those who need no person; whom `peers` names is not among them.
        """
        self.peers = frozenset(peers)
        self.roles = frozenset(roles)
        self.trusted = frozenset(trusted)

    def roles_for(self, peer: str) -> frozenset[str] | None:
        """Of which roles a person must have one when this peer calls; None: it may not call."""
        if any(fnmatchcase(peer, pattern) for pattern in self.peers):
            return self.roles
        if any(fnmatchcase(peer, pattern) for pattern in self.trusted):
            return frozenset()
        return None


Policy = Mapping[str, Access]


def utc_now() -> datetime:
    return datetime.now(UTC)


def controlling_access(
    policy: Policy,
    verifier: TokenVerifier | None = None,
    *,
    now: Callable[[], datetime] = utc_now,
) -> Around:
    """Rejects callers that the policy does not admit, and notes the admitted caller on the call."""

    @asynccontextmanager
    async def control(call: Call) -> AsyncIterator[None]:
        call.peer = peer_of(call.context)
        if not call.method.startswith(_OPEN):
            access = policy.get(call.method)
            if access is None:
                raise _denied(call, "no rule lets anybody call it")
            roles = access.roles_for(str(call.peer))
            if roles is None:
                raise _denied(call, f"{call.peer} may not")
            call.person = _person(call, verifier, now())
            if roles:
                _check_roles(call, roles)
        yield

    return control


def bearer(token: str) -> tuple[str, str]:
    """The metadata with which a call is made for a person."""
    return (AUTHORIZATION, f"Bearer {token}")


def _person(call: Call, verifier: TokenVerifier | None, now: datetime) -> SignedInPerson | None:
    carried = [value for name, value in call.metadata if name == AUTHORIZATION]
    if not carried:
        return None
    text = carried[0] if isinstance(carried[0], str) else ""
    if len(carried) > 1 or not text.lower().startswith(_SCHEME):
        raise CallRejected(
            grpc.StatusCode.UNAUTHENTICATED, "authorization must be one bearer token"
        )
    if verifier is None:
        raise CallRejected(grpc.StatusCode.UNAUTHENTICATED, "this service takes no tokens")
    try:
        return verifier.verify(text[len(_SCHEME) :].strip(), now=now)
    except TokenRejected as rejected:
        raise CallRejected(grpc.StatusCode.UNAUTHENTICATED, rejected.reason) from None


def _check_roles(call: Call, roles: frozenset[str]) -> None:
    needed = " or ".join(sorted(roles))
    if call.person is None:
        reason = f"a token of a person who is {needed} is needed"
        raise CallRejected(grpc.StatusCode.UNAUTHENTICATED, reason)
    if not roles & call.person.roles:
        raise _denied(call, f"{call.person.subject} is not {needed}")


def _denied(call: Call, reason: str) -> CallRejected:
    method = call.method.rpartition("/")[2]
    return CallRejected(
        grpc.StatusCode.PERMISSION_DENIED, f"permission denied: {reason}", call=method
    )
