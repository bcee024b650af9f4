"""`pitctl simulate` and its help."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import ending_quietly


def simulate(
    out: Annotated[
        str, typer.Option(metavar="FILE", help="The log file to write.", show_default=False)
    ] = "",
    gateway: Annotated[
        str,
        typer.Option(
            metavar="HOST:PORT", help="The gateway to send the day to.", show_default=False
        ),
    ] = "",
    tables: Annotated[int, typer.Option(min=1, max=1_000, help="How many tables.")] = 12,
    rounds: Annotated[int, typer.Option(min=1, max=10_000, help="Rounds a table plays.")] = 40,
    seed: Annotated[int, typer.Option(help="The same seed gives the same day.")] = 1,
    faults: Annotated[
        str, typer.Option(metavar="PLAN", help="A fault plan (TOML).", show_default=False)
    ] = "",
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COUNT", help="Plant one fault so often; may be repeated."),
    ] = None,
    every: Annotated[int, typer.Option(min=0, help="Plant every fault so often.")] = 0,
    patterns: Annotated[
        int, typer.Option(min=0, help="Plant every pattern for surveillance so often.")
    ] = 0,
    truth: Annotated[
        str, typer.Option(metavar="FILE", help="Write what is wrong here.", show_default=False)
    ] = "",
    floor: Annotated[
        str, typer.Option(metavar="NAME", help="What the tables' names begin with.")
    ] = "T",
    speed: Annotated[
        str, typer.Option(metavar="TIMES", help="To a gateway: 1 is real time; 60; max.")
    ] = "max",
    folder: Annotated[
        str,
        typer.Option(
            help="To a gateway: where tables keep journals and certificates. [floor-NAME]",
            show_default=False,
        ),
    ] = "",
    authority: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            envvar="AUTHORITY_FOLDER",
            help="To a gateway: who issues the certificates; the local stack's own if not said.",
            show_default=False,
        ),
    ] = "",
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Write JSON lines, as `pitctl settle` reads them.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Say what was done as JSON.")] = False,
) -> None:
    """Play a gaming day of many tables, and plant faults in it on request.

    Tables of the five games with dealers, patrons, shoes, coupons, fills and counts, from
    opening to closing; the cage and the promotions desk report beside them, in the file.
    Without faults nothing is wrong in the day; big wins are due to be verified, and are in
    the truth.

    With --out the day is written to a log file. With --gateway each table sends it, over mutual
    TLS and from a journal on disk: what was interrupted goes on when it is called again. A
    floor plays one day; call the next one by another --floor. At any speed but 1 the gateway
    must have been started for simulations (SIMULATED_TIME, as that of `make up` is).

    A plan is TOML: `every = 1`, and tables `per_day` and `per_thousand_rounds` of fault
    names and numbers (docs/simulator.md).

    \b
    Exit status:
      0  the day is written, or sent and acknowledged
      1  it is, but some faults found no place in it: they are named
      2  the plan is no plan, a file cannot be read or written, the gateway refuses the day

    \b
    Examples:
      pitctl simulate --out day.log
      pitctl simulate --seed 7 --every 1 --out day.log --truth truth.jsonl
      pitctl simulate --fault overpaid=3 --fault "past post" --out day.log
      pitctl simulate --gateway 127.0.0.1:20000 --floor A --speed 60
    """
    from pitctl.stack.simulate import Wanted, run
    from pitctl.stack.simulate_live import Live, local_authority

    live = None
    if gateway:
        issuer = authority or local_authority(gateway)
        live = Live(gateway, floor, speed, folder or f"floor-{floor}", issuer)
    wanted = Wanted(tables, rounds, seed, faults, tuple(fault or ()), every, patterns, floor)
    with ending_quietly():
        status = run(
            wanted, out=out, truth=truth, live=live, as_json_lines=json_lines, as_json=json
        )
    raise typer.Exit(status)
