-- By what its owner calls a transcript, as a text that sorts alphabetically (slovo_rules::collation).
-- Kept by whoever changes a name, and made for jobs from before when the program next starts
-- (slovo_db::jobs::orders).
ALTER TABLE synced_jobs ADD COLUMN name_key TEXT NOT NULL DEFAULT '';

-- Lists of a user's jobs by name and by length, and the same of one kind. What has no length yet
-- counts as the shortest.
CREATE INDEX synced_jobs_by_name ON synced_jobs
    (auth_user_id, is_visible_to_user, name_key, my_job_id);
CREATE INDEX synced_jobs_by_length ON synced_jobs
    (auth_user_id, is_visible_to_user, COALESCE(duration, -1), my_job_id);
CREATE INDEX synced_jobs_by_kind_and_name ON synced_jobs (auth_user_id, is_visible_to_user, status,
    transcription_type, COALESCE(language, ''), name_key, my_job_id);
CREATE INDEX synced_jobs_by_kind_and_length ON synced_jobs (auth_user_id, is_visible_to_user, status,
    transcription_type, COALESCE(language, ''), COALESCE(duration, -1), my_job_id);
