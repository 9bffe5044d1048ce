-- The sample recording that waits in a new account: a job like any other, which is not counted.

ALTER TABLE synced_jobs ADD COLUMN is_sample BIGINT NOT NULL DEFAULT 0;
-- Of a text of it, so that the charts need not look at the job.
ALTER TABLE synced_output ADD COLUMN is_sample BIGINT NOT NULL DEFAULT 0;

-- What an account has of it: a row from the moment that the account is made, so that accounts from
-- before have none, and one that was deleted does not come back. The recording itself is laid when
-- its owner first looks (`laid_at`); whoever has ended or left the tour is not shown it again.
CREATE TABLE samples (
    user_id       TEXT   NOT NULL CONSTRAINT samples_pkey PRIMARY KEY
                         CONSTRAINT samples_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    laid_at       BIGINT,
    tour_ended_at BIGINT
);

-- The charts still answer from their indexes.
DROP INDEX synced_output_by_day;
CREATE INDEX synced_output_by_day ON synced_output (created_at, audio_duration, words, is_sample);
DROP INDEX synced_jobs_by_creation;
CREATE INDEX synced_jobs_by_creation ON synced_jobs
    (created_at, my_job_id, status, started_at, finished_at, is_sample);
CREATE INDEX synced_jobs_samples ON synced_jobs (auth_user_id) WHERE is_sample = 1;

-- Samples are a kind of their own: lists show them, sums do not count them. The figures are counted
-- anew, and the triggers made anew, when the program next starts (slovo_db::schema).
DROP TABLE job_counts;
CREATE TABLE job_counts (
    auth_user_id       TEXT   NOT NULL,
    is_visible_to_user BIGINT NOT NULL,
    status             TEXT   NOT NULL,
    transcription_type TEXT   NOT NULL,
    language           TEXT   NOT NULL,
    is_sample          BIGINT NOT NULL,
    jobs               BIGINT NOT NULL,
    -- Of their recordings.
    milliseconds       BIGINT NOT NULL,
    CONSTRAINT job_counts_pkey PRIMARY KEY
        (auth_user_id, is_visible_to_user, status, transcription_type, language, is_sample)
);
DROP TABLE job_count_changes;
CREATE TABLE job_count_changes (
    auth_user_id       TEXT   NOT NULL,
    is_visible_to_user BIGINT NOT NULL,
    status             TEXT   NOT NULL,
    transcription_type TEXT   NOT NULL,
    language           TEXT   NOT NULL,
    is_sample          BIGINT NOT NULL,
    jobs               BIGINT NOT NULL,
    milliseconds       BIGINT NOT NULL
);
CREATE INDEX job_count_changes_by_user ON job_count_changes (auth_user_id);
