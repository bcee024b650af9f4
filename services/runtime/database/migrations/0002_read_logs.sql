-- The id of each topic as a consumer has read it: a topic that was deleted and created again has
-- the same name and another id, and the positions of the old one mean nothing in it.
CREATE TABLE read_logs (
    consumer text NOT NULL,
    topic text NOT NULL,
    topic_id text NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, topic)
);

-- A rebuild forgets which logs were read.
DO $$
DECLARE
    application name := current_schema() || '_application';
BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = application) THEN
        EXECUTE format('GRANT DELETE ON read_logs TO %I', application);
    END IF;
END
$$;
