"""Days through the whole of it: tables, gateway, Kafka, settlement, as processes of a stack."""
