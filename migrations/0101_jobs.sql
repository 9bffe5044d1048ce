-- Transcription jobs, under the names of the product's specification. The row is also the queue's
-- entry: a job is enqueued by the very INSERT that creates it, so neither can exist alone.
-- `version` counts the runs of recognition a user asked for; no run overwrites another's output.
-- `lease_id` names one claim: whoever writes for a job proves that its claim still stands.
CREATE TABLE synced_jobs (
    my_job_id TEXT NOT NULL PRIMARY KEY,
    auth_user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    is_visible_to_user BIGINT NOT NULL DEFAULT 1,
    media_id TEXT NOT NULL UNIQUE,
    original_filename TEXT NOT NULL,
    filename_folded TEXT NOT NULL,
    content_type TEXT NOT NULL,
    file_size BIGINT NOT NULL,
    has_video BIGINT NOT NULL,
    duration DOUBLE PRECISION,
    input_settings TEXT NOT NULL,
    transcription_type TEXT NOT NULL,
    status TEXT NOT NULL,
    stage TEXT NOT NULL,
    percent DOUBLE PRECISION NOT NULL DEFAULT 0,
    seconds_left DOUBLE PRECISION,
    language TEXT,
    language_probability DOUBLE PRECISION,
    model TEXT,
    error TEXT,
    warnings TEXT NOT NULL DEFAULT '[]',
    version BIGINT NOT NULL DEFAULT 1,
    priority BIGINT NOT NULL DEFAULT 0,
    attempts BIGINT NOT NULL DEFAULT 0,
    queued_at BIGINT NOT NULL,
    run_after BIGINT NOT NULL,
    lease_id TEXT,
    lease_owner TEXT,
    lease_until BIGINT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT
);
CREATE INDEX synced_jobs_by_user ON synced_jobs (auth_user_id, created_at, my_job_id);
CREATE INDEX synced_jobs_by_status ON synced_jobs (status, run_after);
