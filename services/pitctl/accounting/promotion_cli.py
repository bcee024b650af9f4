"""`pitctl promotion` and `pitctl coupon`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from pitctl.accounting.options import At, Day, EventId, Patron, Reason, accounting_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp

if TYPE_CHECKING:
    from casino.accounting.v1.promotion_event_pb2 import PromotionEvent

promotions = CommandApp(no_args_is_help=True)
coupons = CommandApp(no_args_is_help=True)

Serial = Annotated[str, typer.Argument(metavar="SERIAL", help="Serial number of the coupon.")]


@promotions.callback()
def promotion() -> None:
    """Publish the terms of promotions; list promotions and outstanding coupons.

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
@accounting_command
def publish(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="Terms as TOML or JSON; - is standard input.")
    ],
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Publish the terms in FILE under their hash. Published terms cannot be changed.

    Field names are those of casino.table.v1.PromotionTerms; omitted fields have their defaults.

    \b
    Exit status:
      0  the terms are published
      1  the service rejected them; the code and the reason are printed
      2  the file has no valid terms, or the service is unavailable

    \b
    Examples:
      pitctl promotion publish tuesday.toml
      pitctl promotion publish terms.json --json | jq -r .event.promotion_defined.promotion
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.promotions import publish as run

    return run(ACCOUNTING.find(*call.where), file, event_id=event_id, as_json=call.as_json)


@promotions.command("list", short_help="List promotions and outstanding coupons.")
@accounting_command
def list_them(*, call: CommandCall) -> int:
    """List promotions, newest first, with their outstanding coupons and face value.

    \b
    Exit status:
      0  they are listed, or there are none
      1  the service rejected the request
      2  the service is unavailable
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.promotions import list_promotions

    return list_promotions(ACCOUNTING.find(*call.where), as_json=call.as_json)


@coupons.callback()
def coupon() -> None:
    """Issue, void, expire and redeem coupons; show the history of one.

    \b
    Examples:
      pitctl coupon issue "Tuesday match play" MP-0001 --patron P-4471
      pitctl coupon issue 94ad087e4125 MP- --count 500 --first 1 --digits 4
      pitctl coupon void MP-0007 MP-0008 --reason "misprinted"
      pitctl coupon show MP-0001
    """


@coupons.command(short_help="Issue a coupon, or a range of serial numbers.")
@accounting_command
def issue(
    promotion: Annotated[
        str,
        typer.Argument(
            metavar="PROMOTION", help="Hash of the terms, the start of it, or the promotion's name."
        ),
    ],
    serial: Annotated[
        str,
        typer.Argument(
            metavar="SERIAL", help="Serial number; with --count, the start of every serial number."
        ),
    ],
    count: Annotated[
        int,
        typer.Option(metavar="N", min=0, show_default=False, help="Issue a range of N coupons."),
    ] = 0,
    first: Annotated[
        int, typer.Option(metavar="N", min=0, show_default=False, help="First number of a range.")
    ] = 0,
    digits: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, show_default=False, help="Digits of the numbers of the range."
        ),
    ] = 0,
    patron: Annotated[str, text("--patron", "TOKEN", "Patron who receives it; never a name.")] = "",
    expires: Annotated[
        str, text("--expires", "TIME", "Expiry (UTC); default: that of the terms.")
    ] = "",
    day: Day = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Issue the coupon SERIAL, or with --count a range: SERIAL followed by numbers.

    \b
    Exit status:
      0  the coupons are issued
      1  the service rejected them; the code and the reason are printed
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl coupon issue "Tuesday match play" MP-0001 --patron P-4471
      pitctl coupon issue 94ad087e4125 MP- --count 500 --first 1 --digits 4
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponsIssued
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.promotions import issue as run
    from pitctl.arguments import read_stamp
    from pitctl.errors import InvalidArgument

    if (first or digits) and count < 2:
        raise InvalidArgument("--first and --digits need --count with two coupons or more")
    issued = CouponsIssued(
        serial=serial,
        count=count,
        first=first,
        digits=digits,
        patron=patron,
        expires_at=read_stamp(expires, ahead=True) if expires else None,
    )
    endpoint = ACCOUNTING.find(*call.where)
    return run(endpoint, promotion, issued, day=day, event_id=event_id, as_json=call.as_json)


@coupons.command(short_help="Void coupons before use.")
@accounting_command
def void(
    serial: Annotated[
        list[str], typer.Argument(metavar="SERIAL...", help="Serial numbers of the coupons.")
    ],
    reason: Reason,
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Void coupons. If one cannot be voided, none is.

    \b
    Exit status:
      0  the coupons are void
      1  the service rejected them; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponsVoided, PromotionEvent

    event = PromotionEvent(coupons_voided=CouponsVoided(serials=serial, reason=reason))
    return _enter(event, day, at, event_id, call)


@coupons.command(short_help="Enter a coupon redeemed by hand.")
@accounting_command
def redeem(
    serial: Serial,
    paid: Annotated[str, text("--paid", "AMOUNT", "Amount paid on it, in dollars: 25.00.")],
    table: Annotated[str, text("--table", "TABLE", "Table, if it was redeemed at one.")] = "",
    patron: Patron = "",
    day: Day = "",
    at: At = "",
    event_id: EventId = "",
    *,
    call: CommandCall,
) -> int:
    """Enter a redeemed coupon by hand.

    \b
    Exit status:
      0  recorded
      1  the service rejected it; the code and the reason are printed
      2  invalid arguments, or the service is unavailable
    """
    from casino.accounting.v1.promotion_event_pb2 import CouponRedeemed, PromotionEvent
    from pitctl.arguments import read_cents

    cents = read_cents("--paid", paid)
    fact = CouponRedeemed(serial=serial, table_id=table, patron=patron, paid_cents=cents)
    return _enter(PromotionEvent(coupon_redeemed=fact), day, at, event_id, call)


@coupons.command(short_help="Expire unused coupons past their expiry.")
@accounting_command
def expire(
    as_of: Annotated[str, text("--as-of", "TIME", "Time of expiry (UTC); default: now.")] = "",
    *,
    call: CommandCall,
) -> int:
    """Expire every unused coupon past its expiry.

    \b
    Exit status:
      0  the coupons are expired; their number is printed
      1  the service rejected the request
      2  invalid arguments, or the service is unavailable
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.promotions import expire as run

    return run(ACCOUNTING.find(*call.where), as_of=as_of, as_json=call.as_json)


@coupons.command(short_help="Show a coupon from issue to redemption.")
@accounting_command
def show(serial: Serial, *, call: CommandCall) -> int:
    """Show the history of a coupon, and its exceptions.

    \b
    Exit status:
      0  the coupon has no exceptions
      1  the coupon has exceptions, or the service rejected the request
      2  the service is unavailable
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.promotions import show_coupon

    return show_coupon(ACCOUNTING.find(*call.where), serial, as_json=call.as_json)


def _enter(event: PromotionEvent, day: str, at: str, event_id: str, call: CommandCall) -> int:
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.entry import record_promotion

    endpoint = ACCOUNTING.find(*call.where)
    return record_promotion(
        endpoint, event, day=day, at=at, event_id=event_id, as_json=call.as_json
    )
