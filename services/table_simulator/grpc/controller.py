"""The controller of one simulated table: the reference client, with what a faulty one also says."""

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
    """Reports a script. What it says aside is sent when its turn comes, and forgotten then.

    With `simulated_time` it says of every event when it is received; otherwise the gateway does.
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
        self._said: tuple[StrayMessage, ...] = ()
        self._times: Mapping[bytes, int] | None = None
        if simulated_time:
            self._times = {frame.data: frame.ingested_at for frame in script.frames}

    @property
    def has_asides(self) -> bool:
        """Whether something is still to be said beside the events."""
        return bool(self._asides)

    def _next_batch(self, first: int, weight_max: int) -> pb.Batch | None:
        done = self._resume_after
        self._said = tuple(aside for aside in self._asides if aside.after_seq <= done)
        if self._said:
            return self._at_times(
                [aside.data for aside in self._said], [aside.ingested_at for aside in self._said]
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

    async def _handle_rejections(self, first: int, refused: Sequence[pb.Rejected]) -> None:
        """What was said aside is refused as foreseen, and nothing else is."""
        del first
        codes = {message.index: code_name(message) for message in refused}
        foreseen = {
            at: aside.rejected_as for at, aside in enumerate(self._said) if aside.rejected_as
        }
        if codes != foreseen:
            if not refused:
                raise NotRejected(self.script.stream, tuple(foreseen.values()))
            each = refused[0]
            raise Rejected(seq=each.seq, code=code_name(each), reason=each.reason)
        self.rejected += len(refused)
        self._asides = self._asides[len(self._said) :]
        self._said = ()


class NotRejected(Exception):
    """The gateway took what no gateway may take."""

    def __init__(self, table: str, foreseen: tuple[str, ...]) -> None:
        self.table = table
        self.foreseen = foreseen
        super().__init__(f"the gateway took from {table} what is {' and '.join(foreseen)}")
