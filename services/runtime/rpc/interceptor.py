"""Something that happens around every call, of whatever kind, as one gRPC interceptor.

gRPC has four kinds of handlers, and two ways to write each that streams. Here they become one:
an async context manager around the call. It is entered before the handler's first line and
left after its last message, in the task of the call.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, aclosing, asynccontextmanager
from typing import Any

import grpc

from runtime.rpc.calls import Call, Context, set_current_call

Around = Callable[[Call], AbstractAsyncContextManager[None]]
Behavior = Callable[[Any, Context], Awaitable[Any] | AsyncIterator[Any]]


class AroundEveryCall(grpc.aio.ServerInterceptor):
    """Wraps every handler in the given context managers, the first outermost."""

    def __init__(self, arounds: Sequence[Around]) -> None:
        self._arounds = tuple(arounds)

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        handler: Any = await continuation(handler_call_details)
        if handler is None:  # no such method: gRPC answers UNIMPLEMENTED
            return None
        method = handler_call_details.method
        kind = (
            ("stream" if handler.request_streaming else "unary")
            + "_"
            + ("stream" if handler.response_streaming else "unary")
        )
        wrap = self._streaming if handler.response_streaming else self._single
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        wrapped: grpc.RpcMethodHandler[Any, Any] = make(
            wrap(method, getattr(handler, kind)),
            handler.request_deserializer,
            handler.response_serializer,
        )
        return wrapped

    def _single(self, method: str, behavior: Behavior) -> Callable[..., Awaitable[Any]]:
        async def answer(request: Any, context: Context) -> Any:
            async with self._around(method, context):
                response = behavior(request, context)
                return await response if inspect.isawaitable(response) else response

        return answer

    def _streaming(self, method: str, behavior: Behavior) -> Callable[..., Awaitable[None]]:
        # A coroutine that writes, not a generator that yields: when the caller goes away, a
        # generator would be ended later and in another task, and its context managers too.
        async def answer(request: Any, context: Context) -> None:
            async with self._around(method, context):
                responses: Any = behavior(request, context)
                if inspect.isawaitable(responses):  # it writes to the context by itself
                    await responses
                    return
                async with aclosing(responses):
                    async for response in responses:
                        await context.write(response)

        return answer

    @asynccontextmanager
    async def _around(self, method: str, context: Context) -> AsyncIterator[None]:
        call = Call(method, context)
        set_current_call(call)
        async with AsyncExitStack() as stack:
            for around in self._arounds:
                await stack.enter_async_context(around(call))
            yield
