"""Remake `kafka-jars.toml`: follow its roots to every jar they need, and take checksums.

To move to another Kafka, change the version among the roots of that file and run
`python -m deploy.stack jars`; read the difference before committing it.
"""

from __future__ import annotations

import hashlib
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from deploy.stack.errors import JarUnavailable
from deploy.stack.jars import FETCHES_AT_ONCE, LIST, Jar, JarList, fetch, path_of, read_list
from deploy.stack.jars import repository as repository_of

HEADING = """\
# Every jar of the broker, by its checksum. Made by `python -m deploy.stack jars` from the roots.
"""


def remake(maven_repository: str | None, file: Path = LIST) -> JarList:
    """Write the list anew, from the roots it names."""
    address = repository_of(maven_repository)
    roots = read_list(file).roots
    coordinates = resolve(roots, address)
    with ThreadPoolExecutor(FETCHES_AT_ONCE) as pool:
        jars = tuple(pool.map(lambda coordinate: take_checksum(coordinate, address), coordinates))
    made = JarList(roots, jars)
    file.write_text(written(made), "utf-8")
    return made


def resolve(roots: tuple[str, ...], address: str) -> list[str]:
    """What the roots need to run, sorted.

    Each root is followed alone, and who comes first decides a version. Followed together, jgo
    lets the managed versions of one root rule the other's: log4j then picks Kafka's Jackson.
    """
    from jgo.maven import Dependency, MavenContext

    versions: dict[tuple[str, str], str] = {}
    with tempfile.TemporaryDirectory() as scratch:
        context = MavenContext(
            repo_cache=Path(scratch), local_repos=[], remote_repos={"asked": address}, timeout=60
        )
        for root in roots:
            group, artifact, version = root.split(":")
            asked = Dependency(context.project(group, artifact).at_version(version).artifact())
            inputs, others = context.resolver.resolve([asked])
            wanted = [
                *inputs,
                *(other for other in others if other.scope in {"compile", "runtime"}),
            ]
            for found in wanted:
                versions.setdefault((found.groupId, found.artifactId), found.version)
    return sorted(
        f"{group}:{artifact}:{version}" for (group, artifact), version in versions.items()
    )


def take_checksum(coordinate: str, address: str) -> Jar:
    """The SHA-256 of a jar that arrived as it was sent: the repository itself states a SHA-1."""
    url = f"{address}/{path_of(coordinate)}"
    content = fetch(url, coordinate=coordinate, sha256=None)
    stated = fetch(f"{url}.sha1", coordinate=coordinate, sha256=None).decode("ascii").split()[0]
    found = hashlib.sha1(content, usedforsecurity=False).hexdigest()
    if found != stated:
        raise JarUnavailable(coordinate, f"what came has SHA-1 {found}, not {stated}")
    return Jar(coordinate, hashlib.sha256(content).hexdigest())


def written(jars: JarList) -> str:
    roots = "".join(f'    "{root}",\n' for root in jars.roots)
    sums = "".join(f'"{jar.coordinate}" = "{jar.sha256}"\n' for jar in jars.jars)
    return f"{HEADING}\nroots = [\n{roots}]\n\n[jars]\n{sums}"
