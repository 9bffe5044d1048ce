-- Runs of the synchronisation with the external database, with what they did and what they met.
CREATE TABLE nocodb_runs (
    id          TEXT   NOT NULL CONSTRAINT nocodb_runs_pkey PRIMARY KEY,
    -- Who asked: an administrator, the clock, or somebody's dashboard.
    cause       TEXT   NOT NULL,
    status      TEXT   NOT NULL,
    -- The table that is at work, while it runs.
    at_kind     TEXT,
    -- Code of what ended it before its time.
    failure     TEXT,
    stats       TEXT   NOT NULL,
    problems    TEXT   NOT NULL,
    started_at  BIGINT NOT NULL,
    ended_at    BIGINT,
    -- A run whose lease has passed is nobody's any more.
    lease_until BIGINT NOT NULL
);
CREATE INDEX nocodb_runs_started_at ON nocodb_runs (started_at);
-- One at a time.
CREATE UNIQUE INDEX nocodb_runs_running ON nocodb_runs (status) WHERE status = 'running';
