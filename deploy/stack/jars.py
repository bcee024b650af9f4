"""Kafka's jars: fetched by the pinned list, believed only by their checksums.

`kafka-jars.toml` names every jar with its SHA-256. A jar lies in a cache that a user's clones
share, laid out as a Maven repository is. It is hashed whenever it is asked for: what is
missing, cut short or altered is fetched anew, and what does not match is never kept.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import time
import tomllib
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from deploy.stack.errors import FolderRejected, JarUnavailable

LIST = Path(__file__).with_name("kafka-jars.toml")
TRIES = 4
PAUSE_SECONDS = 1.0  # and twice that, and four times
FETCHES_AT_ONCE = 6
FETCH_SECONDS_MAX = 60  # without a byte


@dataclass(frozen=True, slots=True)
class Jar:
    coordinate: str
    """group:artifact:version"""
    sha256: str

    @property
    def path(self) -> str:
        return path_of(self.coordinate)


@dataclass(frozen=True, slots=True)
class JarList:
    roots: tuple[str, ...]
    """What was asked for; `jar_list` follows these to all the others."""
    jars: tuple[Jar, ...]


def path_of(coordinate: str) -> str:
    """Where a repository keeps a jar.

    >>> path_of("org.scala-lang:scala-library:2.13.18")
    'org/scala-lang/scala-library/2.13.18/scala-library-2.13.18.jar'
    """
    group, artifact, version = coordinate.split(":")
    return f"{group.replace('.', '/')}/{artifact}/{version}/{artifact}-{version}.jar"


def read_list(file: Path = LIST) -> JarList:
    with file.open("rb") as opened:
        content = tomllib.load(opened)
    jars = tuple(Jar(coordinate, sha256) for coordinate, sha256 in content["jars"].items())
    for jar in jars:
        named, summed = r"[\w.-]+:[\w.-]+:[\w.-]+", r"[0-9a-f]{64}"
        if not (re.fullmatch(named, jar.coordinate) and re.fullmatch(summed, jar.sha256)):
            raise JarUnavailable(jar.coordinate, f"{file.name} does not name it rightly")
    return JarList(tuple(content["roots"]), jars)


def repository(setting: str | None) -> str:
    """The address to ask: the setting, or what jgo asks, whose word is Maven Central."""
    if setting is None:
        from jgo.constants import MAVEN_CENTRAL_URL  # half a second, and rarely needed

        setting = str(MAVEN_CENTRAL_URL)
    return setting.rstrip("/")


def bring(jars: tuple[Jar, ...], *, cache: Path, maven_repository: str | None) -> list[Path]:
    """Every jar's place in the cache, in the order of the list, each one verified just now."""
    places = {jar: cache / "jars" / jar.path for jar in jars}
    missing = [jar for jar, place in places.items() if digest_of(place) != jar.sha256]
    if missing:
        address = repository(maven_repository)
        try:
            for jar in missing:
                places[jar].parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = f"cannot be made ({error.strerror}); set STACK_CACHE_DIR"
            raise FolderRejected(cache, reason) from error
        with ThreadPoolExecutor(FETCHES_AT_ONCE) as pool:
            fetches = [pool.submit(keep, jar, places[jar], address) for jar in missing]
        for fetch in fetches:
            fetch.result()
    return list(places.values())


def digest_of(place: Path) -> str | None:
    try:
        with place.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def keep(jar: Jar, place: Path, address: str) -> None:
    """Put a verified jar in its place, in one move; a neighbour doing the same does no harm."""
    content = fetch(f"{address}/{jar.path}", coordinate=jar.coordinate, sha256=jar.sha256)
    handle, draft = tempfile.mkstemp(dir=place.parent, prefix=place.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, place)
    except BaseException:
        os.unlink(draft)
        raise


def fetch(url: str, *, coordinate: str, sha256: str | None) -> bytes:
    """The bytes at an address; patience with a bad line, none with a plain no."""
    reason = "never asked for"
    for attempt in range(TRIES):
        if attempt:
            time.sleep(PAUSE_SECONDS * 2 ** (attempt - 1))
        try:
            with urllib.request.urlopen(url, timeout=FETCH_SECONDS_MAX) as response:
                content: bytes = response.read()
        except urllib.error.HTTPError as error:
            reason = f"the repository answered {error.code}"
            if error.code not in {408, 429} and error.code < 500:
                break
        except (OSError, HTTPException) as error:  # refused, timed out, cut off
            reason = f"could not be fetched ({error})"
        else:
            found = hashlib.sha256(content).hexdigest()
            if sha256 is None or found == sha256:
                return content
            reason = f"what came has SHA-256 {found}, not {sha256}"
    raise JarUnavailable(coordinate, reason)
