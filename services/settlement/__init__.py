"""The log of tables to settled rounds and findings, each once, whatever is killed in between.

snapshots   a table as bytes, and back
domain      the tables of a partition: fold, quarantine, what must be written down
settling    messages in, messages out: the codecs around the domain
stored      snapshots and rule sets as topics hold them
worker      the transform of the exactly-once loop: restore, refold a little, go on
"""
