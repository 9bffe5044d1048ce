-- Stretches of a recording that are recognised again in place. The row is also the queue's entry; it
-- stays as the record of what was done. `segments` are the ids and revisions of the segments in the
-- stretch as they were when it was asked for: if they have changed by the end, nothing is changed.
-- The id is also that of the edit by which the new words come into the text. At most one of a job
-- waits or runs.
CREATE TABLE stretches (
    id TEXT NOT NULL CONSTRAINT stretches_pkey PRIMARY KEY,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    user_id TEXT NOT NULL,
    client TEXT NOT NULL,
    start_time DOUBLE PRECISION NOT NULL,
    end_time DOUBLE PRECISION NOT NULL,
    mode TEXT NOT NULL,
    language TEXT,
    segments TEXT NOT NULL,
    status TEXT NOT NULL,
    percent DOUBLE PRECISION NOT NULL DEFAULT 0,
    found_language TEXT,
    seq BIGINT,
    error TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    run_after BIGINT NOT NULL,
    lease_id TEXT,
    lease_owner TEXT,
    lease_until BIGINT,
    created_at BIGINT NOT NULL,
    finished_at BIGINT
);
CREATE INDEX stretches_by_job ON stretches (my_job_id, version, created_at);
CREATE INDEX stretches_by_status ON stretches (status, run_after);
CREATE INDEX stretches_by_user ON stretches (user_id, finished_at);
CREATE UNIQUE INDEX stretches_active ON stretches (my_job_id) WHERE status IN ('waiting', 'running');
