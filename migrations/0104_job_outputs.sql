-- The recognised text by version, never changed once written: segments as they are recognised,
-- and one row per version that came to its end. Edits will be a journal over them.
CREATE TABLE synced_segments (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    segment_index BIGINT NOT NULL,
    speaker TEXT,
    text TEXT NOT NULL,
    start_time DOUBLE PRECISION NOT NULL,
    end_time DOUBLE PRECISION NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (my_job_id, version, segment_index)
);
CREATE TABLE synced_output (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    full_text TEXT NOT NULL,
    language TEXT NOT NULL,
    mode TEXT NOT NULL,
    model TEXT NOT NULL,
    audio_duration DOUBLE PRECISION NOT NULL,
    warnings TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (my_job_id, version)
);
