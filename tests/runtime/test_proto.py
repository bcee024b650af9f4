"""A service in proto/ becomes a typed stub and a typed servicer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

CALLER = """
import grpc
from greeting.v1.greeting_pb2 import GreetRequest, GreetResponse
from greeting.v1.greeting_pb2_grpc import GreetingServiceServicer, GreetingServiceStub


class Servicer(GreetingServiceServicer):
    async def Greet(self, request: GreetRequest, context: object) -> GreetResponse:
        return GreetResponse(text=request.name)


async def call(channel: grpc.aio.Channel) -> str:
    answer = await GreetingServiceStub(channel).Greet(GreetRequest(name="Ada"))
    return answer.WRONG
"""


def test_make_proto_gives_a_typed_stub_for_a_service(greeting: Any, tmp_path: Path) -> None:
    (tmp_path / "caller.py").write_text(CALLER, "utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--follow-imports=silent", "caller.py"],
        cwd=tmp_path,
        env={"MYPYPATH": str(greeting.folder), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    # Only the one mistake is one: everything around it has its type.
    assert 'error: "GreetResponse" has no attribute "WRONG"' in checked.stdout
    assert "Found 1 error" in checked.stdout, checked.stdout


def test_a_file_without_a_service_makes_no_service_module(greeting: Any) -> None:
    made = {path.name for path in (greeting.folder / "greeting/v1").glob("*_pb2*.py")}
    assert made == {"greeting_pb2.py", "greeting_pb2_grpc.py", "plain_pb2.py"}
