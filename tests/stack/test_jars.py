"""Jars are believed by their checksums only."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from deploy.stack import jars as jars_module
from deploy.stack.errors import JarUnavailable
from deploy.stack.jar_list import written
from deploy.stack.jars import LIST, Jar, bring, fetch, read_list

CONTENT = {"org.example:bells:1.0": b"ding" * 1000, "org.example:whistles:2.0": b"tweet" * 1000}
JARS = tuple(
    Jar(coordinate, hashlib.sha256(content).hexdigest()) for coordinate, content in CONTENT.items()
)


class Repository:
    """A Maven repository on this machine that can be told to misbehave."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.answers: list[tuple[int, bytes]] = []
        """What to say first, before the truth: a status, and other bytes than promised."""

    @contextmanager
    def serving(self) -> Iterator[str]:
        repository = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                repository.asked.append(self.path)
                truths = {f"/{jar.path}": CONTENT[jar.coordinate] for jar in JARS}
                content = truths.get(self.path, b"")
                status, length = 200 if content else 404, len(content)
                if repository.answers:
                    status, content = repository.answers.pop(0)
                self.send_response(status)
                self.send_header("Content-Length", str(length))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Quietly."""

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            thread = Thread(target=server.serve_forever, args=(0.01,))
            thread.start()
            try:
                yield f"http://127.0.0.1:{server.server_address[1]}"
            finally:
                server.shutdown()
                thread.join()


@pytest.fixture
def repository() -> Repository:
    return Repository()


@pytest.fixture
def address(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(jars_module, "PAUSE_SECONDS", 0)
    with repository.serving() as address:
        yield address


def contents(places: list[Path]) -> list[bytes]:
    return [place.read_bytes() for place in places]


def test_jars_are_fetched_once(repository: Repository, address: str, tmp_path: Path) -> None:
    for _ in range(2):
        places = bring(JARS, cache=tmp_path, maven_repository=address + "/")
        assert contents(places) == list(CONTENT.values())
    assert sorted(repository.asked) == sorted(f"/{jar.path}" for jar in JARS)


@pytest.mark.parametrize("damage", [b"", b"ding" * 999, b"dong" * 1000])
def test_a_jar_that_was_damaged_in_the_cache_is_fetched_anew(
    damage: bytes, repository: Repository, address: str, tmp_path: Path
) -> None:
    bells, _ = bring(JARS, cache=tmp_path, maven_repository=address)
    bells.write_bytes(damage)
    assert contents(bring(JARS, cache=tmp_path, maven_repository=address)) == [*CONTENT.values()]
    assert repository.asked.count(f"/{JARS[0].path}") == 2
    assert repository.asked.count(f"/{JARS[1].path}") == 1


@pytest.mark.parametrize(
    "mishap", [(503, b""), (429, b""), (200, b"dong" * 1000), (200, b"ding" * 7), (200, b"")]
)
def test_a_mishap_on_the_way_is_tried_again(
    mishap: tuple[int, bytes], repository: Repository, address: str, tmp_path: Path
) -> None:
    repository.answers = [mishap, mishap]
    places = bring(JARS[:1], cache=tmp_path, maven_repository=address)
    assert contents(places) == [CONTENT[JARS[0].coordinate]]
    assert len(repository.asked) == 3


def test_another_jar_than_the_lists_is_refused_and_not_kept(
    repository: Repository, address: str, tmp_path: Path
) -> None:
    repository.answers = [(200, b"dong" * 1000)] * 4
    with pytest.raises(JarUnavailable, match=r"org\.example:bells:1\.0: what came has SHA-256"):
        bring(JARS[:1], cache=tmp_path, maven_repository=address)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_plain_no_is_not_argued_with(repository: Repository, address: str) -> None:
    with pytest.raises(JarUnavailable, match="the repository answered 404"):
        fetch(f"{address}/nothing.jar", coordinate="a:b:1", sha256=None)
    assert len(repository.asked) == 1


def test_an_unreachable_repository_is_told_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(jars_module, "PAUSE_SECONDS", 0)
    with pytest.raises(JarUnavailable, match="MAVEN_REPOSITORY names the repository to ask"):
        bring(JARS[:1], cache=tmp_path, maven_repository="http://127.0.0.1:1")


def test_the_list_is_as_its_command_writes_it() -> None:
    assert LIST.read_text("utf-8") == written(read_list())


def test_the_list_holds_one_kafka_in_all_its_parts() -> None:
    versions = {
        jar.coordinate.split(":")[2]
        for jar in read_list().jars
        if jar.coordinate.startswith("org.apache.kafka:")
    }
    assert versions == {"4.3.1"}
    assert set(read_list().roots) <= {jar.coordinate for jar in read_list().jars}
