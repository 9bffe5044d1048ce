-- Backups that were begun, for the administrators and so that two processes do not make one at a time.
CREATE TABLE backup_runs (
    id TEXT NOT NULL CONSTRAINT backup_runs_pkey PRIMARY KEY,
    started_at BIGINT NOT NULL,
    -- The last sign of life; a run without one for some time was killed.
    seen_at BIGINT NOT NULL,
    finished_at BIGINT,
    -- The name of the finished backup, or why there is none.
    snapshot TEXT,
    error TEXT,
    stored_bytes BIGINT NOT NULL DEFAULT 0,
    total_bytes BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX backup_runs_by_start ON backup_runs (started_at);
