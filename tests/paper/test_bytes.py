"""The same document is the same bytes, whatever the process that writes it."""

import os
import subprocess
import sys
from hashlib import sha256

import paper
from paper import (
    Align,
    Fields,
    Heading,
    Paragraph,
    PrintedColumn,
    PrintedTable,
    RowTone,
    Signatures,
    TableRow,
)
from tests.paper.reading import document_of, written

WRITE = """
from hashlib import sha256
from tests.paper.reading import written
from tests.paper.test_bytes import sample
print(sha256(written(sample())).hexdigest())
"""


def sample() -> paper.Document:
    columns = (PrintedColumn("name"), PrintedColumn("amount", Align.RIGHT))
    rows = tuple(
        TableRow((f"P-{number} ♠", f"{number}.00"), tone) for number, tone in enumerate(RowTone)
    )
    return document_of(
        Heading("Pit 1"),
        Paragraph("“All” was counted – twice."),
        PrintedTable(columns, rows * 30),
        Fields((("dealer", "D-1042"),)),
        Signatures(),
    )


def test_a_document_written_twice_is_the_same_bytes() -> None:
    assert written(sample()) == written(sample())


def test_neither_hash_seed_nor_time_zone_is_in_the_bytes() -> None:
    expected = sha256(written(sample())).hexdigest()
    for seed, zone in (("0", "UTC"), ("1", "Asia/Tokyo")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
        said = subprocess.run(
            [sys.executable, "-c", WRITE],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        assert said.stdout.strip() == expected


def test_what_the_package_offers_is_there() -> None:
    assert all(hasattr(paper, name) for name in paper.__all__)
    assert sorted(paper.__all__) == paper.__all__
