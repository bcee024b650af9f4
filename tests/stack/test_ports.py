"""Which port a server gets."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from deploy.stack.errors import PortTaken
from deploy.stack.ports import LOOPBACK, choose, is_free
from tests.stack.ports import own_port


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server((LOOPBACK, 0)) as listener:
        yield listener.getsockname()[1]


def test_a_set_port_is_taken_or_refused(taken: int) -> None:
    free = own_port()
    assert choose(wanted=free, remembered=taken, setting="PORT") == free
    with pytest.raises(PortTaken, match="PORT"):
        choose(wanted=taken, remembered=free, setting="PORT")


def test_where_any_will_do_it_is_last_times_if_it_can_be(taken: int) -> None:
    free = own_port()
    assert choose(wanted=0, remembered=free, setting="PORT") == free
    for lost, avoid in ((taken, ()), (free, (free,))):
        other = choose(wanted=0, remembered=lost, setting="PORT", avoid=avoid)
        assert other != lost
        assert is_free(other)


@pytest.mark.parametrize("is_set", [False, True])
def test_last_times_port_is_waited_for_while_its_holder_is_ending(is_set: bool) -> None:
    with socket.create_server((LOOPBACK, 0)) as ending:
        port: int = ending.getsockname()[1]
        timer = threading.Timer(0.5, ending.close)
        timer.start()
        wanted = port if is_set else 0
        found = choose(wanted=wanted, remembered=port, setting="PORT", patience_seconds=30)
        timer.join()
    assert found == port


def test_a_port_that_stays_somebody_elses_is_not_waited_for_for_ever(taken: int) -> None:
    assert choose(wanted=0, remembered=taken, setting="PORT", patience_seconds=0.3) != taken
    with pytest.raises(PortTaken):
        choose(wanted=taken, remembered=taken, setting="PORT", patience_seconds=0.3)
