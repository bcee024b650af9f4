"""Run the stack's command as a user who is not root: `python -m tests.stack.as_ordinary_user`.

The interpreter itself may lie where that user may not go, so everything is imported first, and
the user changed then. It cannot be changed back.
"""

from __future__ import annotations

import codecs
import os
import sys

from deploy.stack.__main__ import main
from deploy.stack.user import server_user

if __name__ == "__main__":
    user = server_user()
    assert user is not None, "only root can become somebody else"
    for encoding in ("ascii", "latin-1", "idna"):
        codecs.lookup(encoding)  # imported when text or a socket first needs it: too late
    os.setgroups([])
    os.setresgid(user.gid, user.gid, user.gid)
    os.setresuid(user.uid, user.uid, user.uid)
    sys.exit(main())
