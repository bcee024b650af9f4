"""Static files: read once, compressed once, served under an address with a content digest.

Because of the digest a browser caches a file for good and never uses an old one after an upgrade.
Pages load nothing from other hosts.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
_COMPRESSED: Final = {"css", "js", "svg"}


@dataclass(frozen=True, slots=True)
class Asset:
    name: str
    content: bytes
    compressed: bytes | None
    kind: str

    @property
    def url(self) -> str:
        return f"/static/{hashlib.sha256(self.content).hexdigest()[:12]}/{self.name}"


class Assets:
    """Assets by name: files of the package and drawings made at start."""

    def __init__(self, drawn: Mapping[str, str]) -> None:
        files = resources.files("console.web") / "static"
        contents = {**dict(_read(files)), **{name: text.encode() for name, text in drawn.items()}}
        # A stylesheet refers to fonts, so their addresses are computed first.
        self._assets = {
            name: _asset(name, content)
            for name, content in contents.items()
            if not name.endswith(".css")
        }
        for name, content in contents.items():
            if name.endswith(".css"):
                self._assets[name] = _asset(name, self._link_fonts(content))
        self._by_url = {asset.url: asset for asset in self._assets.values()}

    def url(self, name: str) -> str:
        return self._assets[name].url

    def _link_fonts(self, stylesheet: bytes) -> bytes:
        for name, asset in self._assets.items():
            stylesheet = stylesheet.replace(f"url({name})".encode(), f"url({asset.url})".encode())
        return stylesheet

    def route(self) -> Route:
        return Route("/static/{digest}/{name:path}", self._serve)

    async def _serve(self, request: Request) -> Response:
        asset = self._by_url.get(request.url.path)
        if asset is None:
            return Response("not found", 404, media_type="text/plain")
        headers = {"cache-control": "public, max-age=31536000, immutable"}
        accepts_gzip = "gzip" in request.headers.get("accept-encoding", "")
        if asset.compressed is not None:
            headers["vary"] = "accept-encoding"
            if accepts_gzip:
                headers["content-encoding"] = "gzip"
                return Response(asset.compressed, headers=headers, media_type=asset.kind)
        return Response(asset.content, headers=headers, media_type=asset.kind)


def _read(folder: Traversable, prefix: str = "") -> list[tuple[str, bytes]]:
    found: list[tuple[str, bytes]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{prefix}{entry.name}/")
        elif entry.name.rpartition(".")[2] in TYPES:
            found.append((f"{prefix}{entry.name}", entry.read_bytes()))
    return found


def _asset(name: str, content: bytes) -> Asset:
    ending = name.rpartition(".")[2]
    compressed = gzip.compress(content, 9, mtime=0) if ending in _COMPRESSED else None
    return Asset(name, content, compressed, TYPES[ending])
