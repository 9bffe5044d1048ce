-- Rows that both sides had changed. The newer one stands; of the other one, what is not personal
-- is kept here.
CREATE TABLE nocodb_conflicts (
    id                TEXT   NOT NULL CONSTRAINT nocodb_conflicts_pkey PRIMARY KEY,
    run_id            TEXT   NOT NULL REFERENCES nocodb_runs (id) ON DELETE CASCADE,
    kind              TEXT   NOT NULL,
    local_id          TEXT   NOT NULL,
    remote_id         BIGINT NOT NULL,
    -- Names of the fields that differed, JSON.
    fields            TEXT   NOT NULL,
    winner            TEXT   NOT NULL,
    local_updated_at  BIGINT,
    remote_updated_at BIGINT,
    -- The other side's fields, JSON; null for people's rows.
    lost              TEXT,
    created_at        BIGINT NOT NULL
);
CREATE INDEX nocodb_conflicts_run ON nocodb_conflicts (run_id, created_at);
