-- Where in a recording somebody stopped listening: one row for each of their jobs, in milliseconds
-- from its beginning. What ends at the beginning has no row.
CREATE TABLE playback_positions (
    auth_user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    place_ms BIGINT NOT NULL,
    kept_at BIGINT NOT NULL,
    PRIMARY KEY (auth_user_id, my_job_id)
);
CREATE INDEX playback_positions_by_job ON playback_positions (my_job_id);
