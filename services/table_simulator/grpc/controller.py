"""The controller of one simulated table: the reference client, with a faulty one's messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import grpc

from casino.gateway.v1 import gateway_pb2 as pb
from table_client.backoff import Backoff
from table_client.errors import Rejected
from table_client.outbox import Outbox
from table_client.reporter import EVENT_OVERHEAD_BYTES, Reporter, code_name
from table_simulator.days.event_chain import ControllerScript, StrayMessage


class Controller(Reporter):
    """Reports a script. Stray messages are sent when their turn comes, and then forgotten.

    With `simulated_time` it states the time of receipt of every event; otherwise the gateway does.
    """

    def __init__(
        self,
        script: ControllerScript,
        journal: Outbox,
        open_channel: Callable[[], grpc.aio.Channel],
        *,
        backoff: Backoff,
        simulated_time: bool,
    ) -> None:
        super().__init__(journal, open_channel, backoff=backoff)
        self.script = script
        self.journal = journal
        self.rejected = 0
        self._asides = [aside for aside in script.asides if aside.after_seq >= journal.last_seq]
        self._sent_asides: tuple[StrayMessage, ...] = ()
        self._times: Mapping[bytes, int] | None = None
        if simulated_time:
            self._times = {frame.data: frame.ingested_at for frame in script.frames}

    @property
    def has_asides(self) -> bool:
        """Whether stray messages are still to be sent."""
        return bool(self._asides)

    def _next_batch(self, first: int, weight_max: int) -> pb.Batch | None:
        done = self._resume_after
        self._sent_asides = tuple(aside for aside in self._asides if aside.after_seq <= done)
        if self._sent_asides:
            return self._at_times(
                [aside.data for aside in self._sent_asides],
                [aside.ingested_at for aside in self._sent_asides],
            )
        # No event is sent that comes after the next aside.
        events = self.journal.after(
            first - 1,
            weight_max=weight_max,
            overhead=EVENT_OVERHEAD_BYTES,
            through=self._asides[0].after_seq if self._asides else None,
        )
        if not events:
            return None
        if self._times is None:
            return self._batch(first, events)
        return self._at_times(events, [self._times[event] for event in events])

    def _at_times(self, events: list[bytes], times: list[int]) -> pb.Batch:
        simulated = times if self._times is not None else ()
        return pb.Batch(events=events, simulated_ingest_times=simulated)

    async def _handle_rejections(self, first: int, rejections: Sequence[pb.Rejected]) -> None:
        """Check that stray messages are rejected as planned, and nothing else is."""
        del first
        codes = {message.index: code_name(message) for message in rejections}
        foreseen = {
            at: aside.rejected_as for at, aside in enumerate(self._sent_asides) if aside.rejected_as
        }
        if codes != foreseen:
            if not rejections:
                raise NotRejected(self.script.stream, tuple(foreseen.values()))
            rejection = rejections[0]
            raise Rejected(seq=rejection.seq, code=code_name(rejection), reason=rejection.reason)
        self.rejected += len(rejections)
        self._asides = self._asides[len(self._sent_asides) :]
        self._sent_asides = ()


class NotRejected(Exception):
    """The gateway accepted a message that it must reject."""

    def __init__(self, table: str, foreseen: tuple[str, ...]) -> None:
        self.table = table
        self.foreseen = foreseen
        super().__init__(
            f"the gateway accepted from {table} messages that are {' and '.join(foreseen)}"
        )
