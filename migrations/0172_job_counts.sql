-- How many jobs there are of each kind, so that nobody has to count them: kept by triggers in the
-- transaction that changes a job (slovo_db::schema makes them, in the words of each database).
-- The first table has the sums. PostgreSQL, where many write at once, only appends to the second
-- one, which is folded into the first now and then; a figure is the sum over both.
CREATE TABLE job_counts (
    auth_user_id       TEXT   NOT NULL,
    is_visible_to_user BIGINT NOT NULL,
    status             TEXT   NOT NULL,
    transcription_type TEXT   NOT NULL,
    language           TEXT   NOT NULL,
    jobs               BIGINT NOT NULL,
    -- Of their recordings.
    milliseconds       BIGINT NOT NULL,
    CONSTRAINT job_counts_pkey
        PRIMARY KEY (auth_user_id, is_visible_to_user, status, transcription_type, language)
);
CREATE TABLE job_count_changes (
    auth_user_id       TEXT   NOT NULL,
    is_visible_to_user BIGINT NOT NULL,
    status             TEXT   NOT NULL,
    transcription_type TEXT   NOT NULL,
    language           TEXT   NOT NULL,
    jobs               BIGINT NOT NULL,
    milliseconds       BIGINT NOT NULL
);
CREATE INDEX job_count_changes_by_user ON job_count_changes (auth_user_id);

-- A list of one kind of a user's jobs, the newest first.
CREATE INDEX synced_jobs_by_kind ON synced_jobs (auth_user_id, is_visible_to_user, status,
    transcription_type, COALESCE(language, ''), created_at, my_job_id);

-- The chart of minutes answers from its index.
DROP INDEX synced_usage_history_created_at;
CREATE INDEX synced_usage_history_created_at ON synced_usage_history
    (user_id, created_at, change_type, change_amount_minutes, my_job_id);
