"""`pitctl ledger`: rejected postings, rebuild."""

from __future__ import annotations

from typing import Annotated

from pitctl.accounting.options import Limit, accounting_command
from pitctl.connection.options import CommandCall, text
from pitctl.output.help import CommandApp

app = CommandApp(no_args_is_help=True)


@app.callback()
def ledger() -> None:
    """List rejected postings; rebuild the ledger from the log.

    \b
    Examples:
      pitctl ledger rejections
      pitctl ledger rebuild
    """


@app.command(short_help="List messages and entries that were not posted.")
@accounting_command
def rejections(
    code: Annotated[str, text("--code", "CODE", "Only rejections with this code.")] = "",
    limit: Limit = 50,
    *,
    call: CommandCall,
) -> int:
    """List messages and entries that did not become postings, newest first, with the reason.

    \b
    Exit status:
      0  they are listed, or there are none
      1  the service rejected the request
      2  invalid arguments, or the service is unavailable

    \b
    Examples:
      pitctl ledger rejections
      pitctl ledger rejections --code duplicate --json
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.ledger import list_rejections

    endpoint = ACCOUNTING.find(*call.where)
    return list_rejections(endpoint, code=code, limit=limit, as_json=call.as_json)


@app.command(short_help="Rebuild the ledger from the log.")
@accounting_command
def rebuild(*, call: CommandCall) -> int:
    """Empty the ledger and rebuild it from the log; the result has the same rows.

    Until the rebuild is complete, reports show only the days rebuilt so far. The service needs the
    database address of its migration role (DATABASE_MIGRATION_URL).

    \b
    Exit status:
      0  the ledger is complete again
      1  the service rejected the request
      2  the service is unavailable
    """
    from pitctl.accounting.client import ACCOUNTING
    from pitctl.accounting.ledger import rebuild as rebuild_ledger

    return rebuild_ledger(ACCOUNTING.find(*call.where), as_json=call.as_json)
