-- Position in each partition of a topic, stored in the transaction of its effects.
CREATE TABLE consumed_positions (
    consumer text NOT NULL,
    topic text NOT NULL,
    partition integer NOT NULL CHECK (partition >= 0),
    next_offset bigint NOT NULL CHECK (next_offset >= 0),
    changed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, topic, partition)
);

-- The one table of the runtime whose rows the application role may change.
DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT UPDATE ON consumed_positions TO %I', application);
    END IF;
END
$$;
