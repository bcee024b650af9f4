"""Tests on a real broker and a real database: the fixtures, and the tests of the stack itself.

- `stack` is one stack for the whole run, shared by every worker and started by the first
  that asks; `broker` and `database` are a test's own corner of it.
- `own_stack` makes stacks for the test alone, to be killed and restarted at will.

See `docs/stack.md`.
"""
