"""Topics to alerts.

changelog            messages of the state changelog
decoding             bytes to facts
detection            sightings to alerts: an agent with a state per subject
faust_app            Faust inside our process
fencing              a single writer per state partition: stale owners are fenced
followed_topics      topics read whole at the start, then followed
inbox                an agent's messages; done when what they changed is stored
live_subjects        subjects that were watched lately, decoded
pace                 topics that catch up together
rebuild              forget all state: `python -m surveillance.kafka.rebuild`
rebuild_completion   withdraws what a rebuild did not raise again
record_batches       batches whose header names are not UTF-8
recovery             states read back from their changelog in bulk
rejections           dead letters
routing              facts to sightings: an agent per topic
settings_topic       the fold of surveillance-settings
sighting_records     messages of surveillance-sightings
silence_clock        silent tables, as time passes
startup_gate         office facts are read before table facts
state_folders        a worker's copy of states on disk
states               the Faust table of states
table_event_filter   filters table-events: drops cards, keeps people, money and slips
transport            Faust's Kafka transport, corrected
worker               Faust as a part of the process
writer               what the brokers must have before anything goes on
"""
