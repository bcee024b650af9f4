"""A simulated day as files and bytes.

day           all streams of a day
event_chain   numbered, hash-chained bytes, as a controller sends them
fault_plan    the faults to plant, and how often, in TOML
feed          frames with the times to send them
randomness    chance from a seed
start_time    when a day that is sent begins
truth_file    the ground truth as JSON lines
"""
