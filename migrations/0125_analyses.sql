-- What is made of a text after recognition. The row is also the queue's entry, as a job's is, and
-- is written in the transaction that completes the job. Making a part again makes a new row; what
-- was made before stays until it is removed. At most one row of a part and language waits or runs,
-- and at most one row of a job runs: two unique indexes see to both.
CREATE TABLE analyses (
    id TEXT NOT NULL CONSTRAINT analyses_pkey PRIMARY KEY,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    part TEXT NOT NULL,
    target TEXT NOT NULL,
    params TEXT NOT NULL,
    status TEXT NOT NULL,
    percent DOUBLE PRECISION NOT NULL DEFAULT 0,
    engine TEXT,
    made_from_seq BIGINT,
    outcome TEXT,
    error TEXT,
    attempts BIGINT NOT NULL DEFAULT 0,
    run_after BIGINT NOT NULL,
    lease_id TEXT,
    lease_owner TEXT,
    lease_until BIGINT,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    finished_at BIGINT
);
CREATE INDEX analyses_by_job ON analyses (my_job_id, version, part, target, created_at);
CREATE INDEX analyses_by_status ON analyses (status, run_after);
CREATE UNIQUE INDEX analyses_active ON analyses (my_job_id, version, part, target)
    WHERE status IN ('waiting', 'running');
CREATE UNIQUE INDEX analyses_one_running ON analyses (my_job_id) WHERE status = 'running';
