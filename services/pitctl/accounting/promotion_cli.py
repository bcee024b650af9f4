"""`pitctl promotion` and `pitctl coupon`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.accounting.options import Address, At, Day, EventId
from pitctl.connection.options import Identity, Json, Stack, text

if TYPE_CHECKING:
    from casino.accounting.v1.promotion_event_pb2 import PromotionEvent

promotions = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)
coupons = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

Serial = Annotated[str, typer.Argument(metavar="SERIAL", help="Its serial number.")]


@promotions.callback()
def promotion() -> None:
    """Publish the terms of promotions, and list them with what is out.

    \b
    A file of terms:
      name = "Tuesday match play"
      kind = "match_play"
      face = "25.00"
      games = ["skweezit"]
      natural_pays = "1 to 1"
      patron_daily_limit = 1
      valid_until = 2026-12-31T23:59:59-08:00
    """


@promotions.command(short_help="Publish terms from a file.")
def publish(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Terms as TOML or JSON; - is standard input.")
    ],
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Publish the terms in FILE under their hash. What is published is never changed.

    Names are those of casino.table.v1.PromotionTerms; what is left out has its default.

    \b
    Exit status:
      0  they are published
      1  the service refused: the code and the reason are said
      2  the file holds no terms, or nobody is there to ask

    \b
    Examples:
      pitctl promotion publish tuesday.toml
      pitctl promotion publish terms.json --json | jq -r .event.promotion_defined.promotion
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.promotions import publish as run

    with answering(as_json=json):
        place = ACCOUNTING.find(address, identity, stack)
        status = run(place, file, event_id=event_id, as_json=json)
    raise typer.Exit(status)


@promotions.command("list", short_help="The promotions there are, and what is out.")
def list_them(
    json: Json = False, stack: Stack = "", address: Address = "", identity: Identity = ""
) -> None:
    """List promotions, the newest first, with the coupons that are out and their face value.

    \b
    Exit status:
      0  they are listed, or there are none
      1  the service refused
      2  nobody is there to ask
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.promotions import list_promotions

    with answering(as_json=json):
        status = list_promotions(ACCOUNTING.find(address, identity, stack), as_json=json)
    raise typer.Exit(status)


@coupons.callback()
def coupon() -> None:
    """Issue, void, expire and redeem coupons, and show what became of one.

    \b
    Examples:
      pitctl coupon issue "Tuesday match play" MP-0001 --patron P-4471
      pitctl coupon issue 94ad087e4125 MP- --count 500 --first 1 --digits 4
      pitctl coupon void MP-0007 MP-0008 --reason "misprinted"
      pitctl coupon show MP-0001
    """


@coupons.command(short_help="Give out a coupon, or a range of serial numbers.")
def issue(
    promotion: Annotated[
        str,
        typer.Argument(
            metavar="PROMOTION", help="The hash of its terms, its beginning, or the name."
        ),
    ],
    serial: Annotated[
        str,
        typer.Argument(metavar="SERIAL", help="The serial number, or what a range begins with."),
    ],
    count: Annotated[
        int, typer.Option(min=0, show_default=False, help="How many, for a range.")
    ] = 0,
    first: Annotated[
        int, typer.Option(min=0, show_default=False, help="The first number of a range.")
    ] = 0,
    digits: Annotated[
        int, typer.Option(min=0, show_default=False, help="How many digits its numbers have.")
    ] = 0,
    patron: Annotated[str, text("--patron", "TOKEN", "Who it is for; never a name.")] = "",
    expires: Annotated[
        str, text("--expires", "TIME", "When it expires, if not as its terms say (UTC).")
    ] = "",
    day: Day = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Give out the coupon SERIAL, or with --count a range: SERIAL followed by numbers.

    \b
    Exit status:
      0  they are issued
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask

    \b
    Examples:
      pitctl coupon issue "Tuesday match play" MP-0001 --patron P-4471
      pitctl coupon issue 94ad087e4125 MP- --count 500 --first 1 --digits 4
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponsIssued
    from pitctl.accounting.arguments import read_stamp
    from pitctl.accounting.client import ACCOUNTING, NotTyped, answering
    from pitctl.accounting.promotions import issue as run

    with answering(as_json=json):
        if (first or digits) and count < 2:
            raise NotTyped("--first and --digits are for a range: say --count, two or more")
        issued = CouponsIssued(
            serial=serial,
            count=count,
            first=first,
            digits=digits,
            patron=patron,
            expires_at=read_stamp(expires, ahead=True) if expires else None,
        )
        place = ACCOUNTING.find(address, identity, stack)
        status = run(place, promotion, issued, day=day, event_id=event_id, as_json=json)
    raise typer.Exit(status)


@coupons.command(short_help="Declare coupons void before use.")
def void(
    serial: Annotated[list[str], typer.Argument(metavar="SERIAL...", help="Their numbers.")],
    reason: Annotated[str, text("--reason", "WORDS", "Why.")],
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Declare coupons void: all of them, or none if one cannot be.

    \b
    Exit status:
      0  they are void
      1  the service refused: the code and the reason are said
      2  nobody is there to ask
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponsVoided, PromotionEvent

    event = PromotionEvent(coupons_voided=CouponsVoided(serials=serial, reason=reason))
    _enter(event, day, at, event_id, json, (address, identity, stack))


@coupons.command(short_help="Enter a coupon redeemed where no device reports it.")
def redeem(
    serial: Serial,
    paid: Annotated[str, text("--paid", "AMOUNT", "What was paid on it, in dollars: 25.00.")],
    table: Annotated[str, text("--table", "TABLE", "The table, if it was one.")] = "",
    patron: Annotated[str, text("--patron", "TOKEN", "Who, where known; never a name.")] = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Enter that a coupon was redeemed, typed by hand.

    \b
    Exit status:
      0  it is entered
      1  the service refused: the code and the reason are said
      2  what was typed makes no sense, or nobody is there to ask
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponRedeemed, PromotionEvent
    from pitctl.accounting.arguments import read_cents
    from pitctl.accounting.client import answering

    with answering(as_json=json):
        cents = read_cents("--paid", paid)
    fact = CouponRedeemed(serial=serial, table_id=table, patron=patron, paid_cents=cents)
    event = PromotionEvent(coupon_redeemed=fact)
    _enter(event, day, at, event_id, json, (address, identity, stack))


@coupons.command(short_help="Declare expired what has run out.")
def expire(
    as_of: Annotated[str, text("--as-of", "TIME", "By when (UTC); now if not said.")] = "",
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Declare expired every coupon that has run out unused.

    \b
    Exit status:
      0  it is done; how many there were is said
      1  the service refused
      2  what was typed makes no sense, or nobody is there to ask
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.promotions import expire as run

    with answering(as_json=json):
        status = run(ACCOUNTING.find(address, identity, stack), as_of=as_of, as_json=json)
    raise typer.Exit(status)


@coupons.command(short_help="A coupon from its issue to its end.")
def show(
    serial: Serial,
    json: Json = False,
    stack: Stack = "",
    address: Address = "",
    identity: Identity = "",
) -> None:
    """Show all that happened to a coupon, and what is wrong with that.

    \b
    Exit status:
      0  it is shown, and nothing is wrong with it
      1  something is wrong with it, or the service refused
      2  nobody is there to ask
    """
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.promotions import show_coupon

    with answering(as_json=json):
        status = show_coupon(ACCOUNTING.find(address, identity, stack), serial, as_json=json)
    raise typer.Exit(status)


def _enter(
    event: PromotionEvent,
    day: str,
    at: str,
    event_id: str,
    as_json: bool,
    where: tuple[str, str, str],
) -> None:
    from pitctl.accounting.client import ACCOUNTING, answering
    from pitctl.accounting.entry import record_promotion

    with answering(as_json=as_json):
        place = ACCOUNTING.find(*where)
        status = record_promotion(place, event, day=day, at=at, event_id=event_id, as_json=as_json)
    raise typer.Exit(status)
