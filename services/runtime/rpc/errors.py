"""The status that a caller gets when a call fails.

A domain error is a noun with fields and knows nothing of gRPC. The service's `errors.py` lists once
which status each kind has; the caller gets that status, the error's own sentence, and an
`ErrorInfo` with the kind as its reason and the fields as its metadata. An error that no class
named is a fault of ours: the caller gets INTERNAL with the trace id, and the log the rest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

StatusCodes = Mapping[type[Exception], grpc.StatusCode]
FIELD_CHARACTERS_MAX = 200  # trailers travel in headers, which are limited to 8 kB


class CallRejected(Exception):
    """A call that is rejected by the edge itself, not by the domain."""

    def __init__(self, code: grpc.StatusCode, reason: str, **fields: object) -> None:
        self.code = code
        self.reason = reason
        self.fields = fields
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class ErrorStatus:
    """The status that a caller gets."""

    code: grpc.StatusCode
    message: str
    kind: str
    fields: Mapping[str, str]

    def status(self, *, domain: str) -> Any:
        """As gRPC wants it: code, details and trailing metadata."""
        packed = AnyMessage()
        packed.Pack(ErrorInfo(reason=self.kind, domain=domain, metadata=self.fields))
        number: int = self.code.value[0]
        return rpc_status.to_status(Status(code=number, message=self.message, details=[packed]))


def answer_to(error: Exception, codes: StatusCodes) -> ErrorStatus | None:
    """The status of an expected error; None for an unexpected one.

    The nearest class in the error's ancestry decides.
    """
    if isinstance(error, CallRejected):
        return ErrorStatus(error.code, error.reason, "REJECTED", _texts(error.fields))
    for kind in type(error).__mro__:
        code = codes.get(kind)
        if code is not None:
            fields = {name: value for name, value in vars(error).items() if name[0] != "_"}
            return ErrorStatus(code, str(error), reason_of(type(error)), _texts(fields))
    return None


def reason_of(kind: type[Exception]) -> str:
    """The name of an error as `ErrorInfo` has it.

    >>> class OutOfTurn(Exception): ...
    >>> reason_of(OutOfTurn)
    'OUT_OF_TURN'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind.__name__).upper()


def error_info(error: grpc.aio.AioRpcError) -> ErrorInfo | None:
    """On the caller's side: the kind and the fields of an error, if any."""
    for name, value in error.trailing_metadata() or ():
        if name == "grpc-status-details-bin" and isinstance(value, bytes):
            for detail in Status.FromString(value).details:
                info = ErrorInfo()
                if detail.Unpack(info):
                    return info
    return None


def _texts(fields: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value)[:FIELD_CHARACTERS_MAX] for name, value in fields.items()}
