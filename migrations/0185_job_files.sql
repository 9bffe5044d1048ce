-- Files that were asked for with a job (text, subtitles): made once, in the transaction that completes
-- it, from the text as it is then. A run that comes later puts its own in their place.
CREATE TABLE job_files (
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    format    TEXT NOT NULL,
    version   BIGINT NOT NULL,
    made_at   BIGINT NOT NULL,
    content   TEXT NOT NULL,
    CONSTRAINT job_files_pkey PRIMARY KEY (my_job_id, format)
);
-- Which of them a job has, as JSON and without their content: lists of jobs show it.
ALTER TABLE synced_jobs ADD COLUMN made_files TEXT NOT NULL DEFAULT '[]';
