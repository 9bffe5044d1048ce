-- Links by which somebody without an account reads a transcript. The link's token is made of the id
-- and the server's secret and is not stored: a copy of the database opens nothing.

CREATE TABLE shares (
    id TEXT NOT NULL CONSTRAINT shares_pkey PRIMARY KEY,
    my_job_id TEXT NOT NULL CONSTRAINT shares_my_job_id_fkey
        REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    with_media BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    opened BIGINT NOT NULL DEFAULT 0,
    last_opened_at BIGINT
);

CREATE INDEX shares_my_job_id_idx ON shares (my_job_id, created_at);
