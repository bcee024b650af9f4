"""How many bytes may be in progress at once; further callers wait in the order of their calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Budget:
    """Never more than `bytes_max` are spent, except that a single larger batch goes alone."""

    def __init__(self, bytes_max: int) -> None:
        self.bytes_max = bytes_max
        self.spent_bytes = 0
        self._turn = asyncio.Lock()
        self._freed = asyncio.Event()

    @asynccontextmanager
    async def spend(self, size: int) -> AsyncIterator[None]:
        async with self._turn:
            while self.spent_bytes and self.spent_bytes + size > self.bytes_max:
                self._freed.clear()
                await self._freed.wait()
            self.spent_bytes += size
        try:
            yield
        finally:
            self.spent_bytes -= size
            self._freed.set()
