"""`pitctl simulate` and its help."""

from __future__ import annotations

from typing import Annotated

import typer

from pitctl.output.exit import exit_quietly


def simulate(
    out: Annotated[
        str, typer.Option(metavar="FILE", help="Log file to write.", show_default=False)
    ] = "",
    gateway: Annotated[
        str,
        typer.Option(metavar="HOST:PORT", help="Gateway to send the day to.", show_default=False),
    ] = "",
    tables: Annotated[
        int, typer.Option(metavar="N", min=1, max=1_000, help="Number of tables.")
    ] = 12,
    rounds: Annotated[
        int, typer.Option(metavar="N", min=1, max=10_000, help="Rounds per table.")
    ] = 40,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed: the same seed gives the same day.")
    ] = 1,
    faults: Annotated[
        str, typer.Option(metavar="PLAN", help="Fault plan (TOML).", show_default=False)
    ] = "",
    fault: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=COUNT", help="Plant this fault COUNT times; repeatable."),
    ] = None,
    every: Annotated[int, typer.Option(metavar="N", min=0, help="Plant every fault N times.")] = 0,
    patterns: Annotated[
        int, typer.Option(metavar="N", min=0, help="Plant every surveillance pattern N times.")
    ] = 0,
    truth: Annotated[
        str,
        typer.Option(metavar="FILE", help="Write the planted faults to FILE.", show_default=False),
    ] = "",
    floor: Annotated[str, typer.Option(metavar="NAME", help="Prefix of the table names.")] = "T",
    speed: Annotated[
        str,
        typer.Option(
            metavar="TIMES",
            help="With --gateway: 1 is real time, 60 is a minute per second; or max.",
        ),
    ] = "max",
    folder: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="With --gateway: folder for outboxes and certificates; default: floor-NAME.",
            show_default=False,
        ),
    ] = "",
    authority: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            envvar="AUTHORITY_FOLDER",
            help="With --gateway: certificate authority; default: the local stack's.",
            show_default=False,
        ),
    ] = "",
    json_lines: Annotated[
        bool, typer.Option("--json-lines", help="Write JSON lines, as `pitctl settle` reads them.")
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Simulate a gaming day of many tables, and plant faults in it on request.

    The day runs from opening to closing: tables of the five games with dealers, patrons, shoes,
    coupons, fills and counts, and the entries of the cage and the promotions desk. Without
    faults every payment and count is correct. Big wins that must be verified are findings too;
    the truth file lists them with the faults.

    With --out the day is written to a log file. With --gateway each table sends its events over
    mutual TLS from an outbox on disk; repeat the command to resume an interrupted day. Use a
    new --floor for each day. At any speed but 1 the gateway must run with SIMULATED_TIME, as it
    does after `pitctl up`.

    docs/simulator.md lists the faults and describes the format of a fault plan.

    \b
    Exit status:
      0  the day is written, or sent and acknowledged
      1  as 0, but some faults could not be planted; they are printed
      2  invalid arguments or plan, a file error, or the gateway rejected the day

    \b
    Examples:
      pitctl simulate --out day.log
      pitctl simulate --seed 7 --every 1 --out day.log --truth truth.jsonl
      pitctl simulate --fault overpaid=3 --fault "past post" --out day.log
      pitctl simulate --gateway 127.0.0.1:20000 --floor A --speed 60
    """
    from pitctl.stack.simulate import SimulationRequest, run
    from pitctl.stack.simulate_live import LiveTarget, local_authority

    live = None
    if gateway:
        issuer = authority or local_authority(gateway)
        live = LiveTarget(gateway, floor, speed, folder or f"floor-{floor}", issuer)
    wanted = SimulationRequest(
        tables, rounds, seed, faults, tuple(fault or ()), every, patterns, floor
    )
    with exit_quietly():
        status = run(
            wanted, out=out, truth=truth, live=live, as_json_lines=json_lines, as_json=json
        )
    raise typer.Exit(status)
