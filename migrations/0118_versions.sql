-- Which run of recognition is shown, what each run was asked for, and the names that people give
-- to states of a text.
ALTER TABLE synced_jobs ADD COLUMN shown_version BIGINT;
UPDATE synced_jobs SET shown_version = (
    SELECT MAX(o.version) FROM synced_output o WHERE o.my_job_id = synced_jobs.my_job_id
);
ALTER TABLE synced_output ADD COLUMN settings TEXT;
UPDATE synced_output SET settings = (
    SELECT j.input_settings FROM synced_jobs j WHERE j.my_job_id = synced_output.my_job_id
);

CREATE TABLE transcript_marks (
    id TEXT NOT NULL PRIMARY KEY,
    my_job_id TEXT NOT NULL REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    seq BIGINT NOT NULL,
    name TEXT NOT NULL,
    author_id TEXT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX transcript_marks_by_job ON transcript_marks (my_job_id, at);
