"""The call that a servicer answers: caller, person, trace."""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import grpc

from runtime.identity.errors import NotAName
from runtime.identity.names import Name
from runtime.identity.tokens import SignedInPerson
from runtime.rpc.errors import CallRejected

Context = grpc.aio.ServicerContext[Any, Any]


@dataclass(slots=True)
class Call:
    """One call under way. The caller's fields are filled in by the interceptors."""

    method: str
    """Such as `/casino.settlement.v1.SettlementService/GetRound`."""
    context: Context
    peer: Name | None = None
    person: SignedInPerson | None = None
    answered: grpc.StatusCode = field(default=grpc.StatusCode.OK)

    @property
    def metadata(self) -> Iterable[tuple[str, str | bytes]]:
        return self.context.invocation_metadata() or ()


_current: ContextVar[Call] = ContextVar("call")


def set_current_call(call: Call) -> None:
    """Each call runs in a task, and so in a context, of its own: nothing is to be undone."""
    _current.set(call)


def current_call() -> Call:
    return _current.get()


def current_peer() -> Name:
    """The machine that calls, from its certificate."""
    peer = _current.get().peer
    return peer if peer is not None else peer_of(_current.get().context)


def caller_name() -> str:
    """The name for records: of the person the call is made for, or else of the machine."""
    person = _current.get().person
    return person.subject if person is not None else str(current_peer())


def caller_has_role(roles: frozenset[str]) -> bool:
    """Whether the caller may see data of these roles: services and operators always may, because
    the policy admitted their certificates; a person needs one of the roles."""
    person = _current.get().person
    return person is None or bool(person.roles & roles)


def current_person() -> SignedInPerson:
    """The person the call is made for; rejected when there is none."""
    person = _current.get().person
    if person is None:
        raise CallRejected(grpc.StatusCode.UNAUTHENTICATED, "a signed token of a person is needed")
    return person


def peer_of(context: Context) -> Name:
    """The name in the caller's certificate; rejected if it is none of ours."""
    alternatives = context.auth_context().get("x509_subject_alternative_name", ())
    try:
        return Name.among(name.decode("utf-8", "replace") for name in alternatives)
    except NotAName as error:
        raise CallRejected(grpc.StatusCode.UNAUTHENTICATED, f"the certificate {error}") from None
