"""The exactly-once loop: decoding, snapshots, quarantine, outputs."""
