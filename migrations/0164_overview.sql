-- What administrators are shown of the server at work.

-- The processes that run jobs. `id` is the `lease_owner` of what they run. Each notes here that it
-- lives, several times a minute, and removes itself when it ends in order: one that was killed
-- stays, silent, until it is swept after a day.
CREATE TABLE workers (
    id         TEXT   NOT NULL CONSTRAINT workers_pkey PRIMARY KEY,
    host       TEXT   NOT NULL,
    pid        BIGINT NOT NULL,
    version    TEXT   NOT NULL,
    started_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL
);

-- The words of a text, counted when it is written: a chart of months must not read the texts.
ALTER TABLE synced_output ADD COLUMN words BIGINT NOT NULL DEFAULT 0;
UPDATE synced_output SET words = LENGTH(TRIM(full_text)) - LENGTH(REPLACE(TRIM(full_text), ' ', '')) + 1
    WHERE TRIM(full_text) <> '';

-- Each chart of the overview, and the newest jobs of everybody, without reading the rows.
CREATE INDEX synced_output_by_day ON synced_output (created_at, audio_duration, words);
CREATE INDEX synced_jobs_by_creation ON synced_jobs (created_at, my_job_id, status, started_at);
