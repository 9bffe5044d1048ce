-- The names as they are compared, in the index by which they are sorted: a list by name with a part
-- of a name in its filter reads the index alone, and of the jobs only those with this name. A title
-- has 200 characters at most and a file name 255, so with its key a row of the index takes less than
-- PostgreSQL's limit of 2,704 bytes.
DROP INDEX synced_jobs_by_name;
CREATE INDEX synced_jobs_by_name ON synced_jobs
    (auth_user_id, is_visible_to_user, name_key, my_job_id, title_folded, filename_folded);
