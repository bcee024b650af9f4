"""Every kind of alert has a name for people, and no two share one."""

from __future__ import annotations

import re

from alerting.display_names import alert_name
from alerting.kinds import KINDS

_CODE = re.compile(r"_|\w\.\w")


def test_no_name_looks_like_a_code() -> None:
    names = [alert_name(kind) for kind in KINDS]
    assert [name for name in names if _CODE.search(name) or not name[0].isupper()] == []


def test_no_two_kinds_of_alert_share_a_name() -> None:
    names = [alert_name(kind) for kind in KINDS]
    assert len(set(names)) == len(names)
