-- What a job has done: one row per stage and version, with the digest of what the stage was made
-- from and what came out. A stage that finds its digest and its output here does not run again.
CREATE TABLE job_stages (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    stage TEXT NOT NULL,
    input_digest TEXT NOT NULL,
    output TEXT,
    started_at BIGINT NOT NULL,
    finished_at BIGINT,
    PRIMARY KEY (my_job_id, version, stage)
);
-- The finished windows of a recognition that has not ended. Removed when it has.
CREATE TABLE job_chunks (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    chunk_index BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (my_job_id, version, chunk_index)
);
