"""`pitctl exclude`: who may not play here."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Final

from casino.surveillance.v1.service_pb2 import (
    ChangeSettingRequest,
    ChangeSettingResponse,
    Exclusion,
    ListExclusionsRequest,
)
from casino.surveillance.v1.settings_pb2 import SettingChange
from pitctl.alert_desk.client import PAGE_MAX, ask
from pitctl.alert_desk.labels import basis_words
from pitctl.connection.channel import Place
from pitctl.output.json_out import as_fields
from pitctl.output.text import Page, counted, moment, plain
from wire.vocabulary import read_time

if TYPE_CHECKING:
    from casino.surveillance.v1.service_pb2_grpc import SurveillanceServiceAsyncStub

DONE: Final = 0
NOTHING: Final = 1
_HEADINGS: Final = ("patron", "since (UTC)", "until (UTC)", "on whose wish", "by", "why")


def change(place: Place, said: SettingChange, *, as_json: bool) -> int:
    """Set something, and say what is so from then on."""

    async def asked(desk: SurveillanceServiceAsyncStub) -> ChangeSettingResponse:
        return await desk.ChangeSetting(ChangeSettingRequest(change=said))

    answer = ask(place, asked)
    if as_json:
        print(json.dumps(as_fields(answer), ensure_ascii=False))
        return DONE
    page = Page(sys.stdout)
    made = answer.change
    since = moment(read_time(made.valid_from))
    if made.HasField("patron_excluded"):
        page.line(f"{plain(made.patron_excluded.patron)} may not play from {since} on")
    else:
        page.line(f"{plain(made.exclusion_lifted.patron)} may play again from {since} on")
    for remark in answer.remarks:
        page.line((plain(remark), "yellow"), hang=2)
    return DONE


def show(place: Place, request: ListExclusionsRequest, *, limit: int, as_json: bool) -> int:
    async def search(desk: SurveillanceServiceAsyncStub) -> tuple[list[Exclusion], bool]:
        found: list[Exclusion] = []
        while True:
            request.page_size = min(limit - len(found), PAGE_MAX)
            answer = await desk.ListExclusions(request)
            found += answer.exclusions
            request.page_token = answer.next_page_token
            if not request.page_token or len(found) >= limit:
                return found, bool(request.page_token)

    exclusions, more = ask(place, search)
    if as_json:
        for each in exclusions:
            print(json.dumps(as_fields(each), ensure_ascii=False))
        return DONE if exclusions else NOTHING
    page = Page(sys.stdout)
    if not exclusions:
        page.line(("nobody is excluded", "green"))
        return NOTHING
    page.table(_HEADINGS, [_row(each) for each in exclusions], indent=0)
    page.blank()
    said = counted(len(exclusions), "exclusion") + (", and there are more: --limit" if more else "")
    page.line((said, "dim"))
    return DONE


def _row(exclusion: Exclusion) -> tuple[str, ...]:
    change = exclusion.change
    ends = moment(read_time(exclusion.ends_at)) if exclusion.HasField("ends_at") else ""
    return (
        change.patron_excluded.patron,
        moment(read_time(change.valid_from)).removesuffix(" UTC"),
        ends.removesuffix(" UTC"),
        basis_words(change.patron_excluded.basis),
        change.author,
        change.reason,
    )
