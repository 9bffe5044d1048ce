-- Name and length of the job, so that lists of a group are read in their order, too. A trigger keeps
-- them (slovo_db::jobs::orders), which also fills them in when the program next starts.
ALTER TABLE grouped_jobs ADD COLUMN job_name_key TEXT NOT NULL DEFAULT '';
ALTER TABLE grouped_jobs ADD COLUMN job_length DOUBLE PRECISION NOT NULL DEFAULT -1;
CREATE INDEX grouped_jobs_by_name ON grouped_jobs (group_id, job_name_key, my_job_id);
CREATE INDEX grouped_jobs_by_length ON grouped_jobs (group_id, job_length, my_job_id);

-- The search finds jobs by the names of their tags from here on.
UPDATE search_documents SET changed = changed + 1
WHERE my_job_id IN (SELECT my_job_id FROM grouped_jobs WHERE kind = 'tag');
