-- What people sort their jobs by: tags, of which a job has several, and folders, of which it is in
-- one at most. Both belong to an account, and nobody else sees them.
CREATE TABLE job_groups (
    id TEXT NOT NULL CONSTRAINT job_groups_pkey PRIMARY KEY,
    user_id TEXT NOT NULL CONSTRAINT job_groups_user_id_fkey
        REFERENCES accounts (id) ON DELETE CASCADE,
    -- tag, folder
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    -- In small letters: two that differ in case alone are one.
    name_folded TEXT NOT NULL,
    -- One of eight, from 0; what each looks like is the page's to say.
    color BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    CONSTRAINT job_groups_user_id_kind_name_folded_key UNIQUE (user_id, kind, name_folded)
);

CREATE TABLE grouped_jobs (
    my_job_id TEXT NOT NULL CONSTRAINT grouped_jobs_my_job_id_fkey
        REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    group_id TEXT NOT NULL CONSTRAINT grouped_jobs_group_id_fkey
        REFERENCES job_groups (id) ON DELETE CASCADE,
    -- As the group has it.
    kind TEXT NOT NULL,
    -- When the job was made, which never changes: lists of a group are read in their order.
    job_created_at BIGINT NOT NULL,
    CONSTRAINT grouped_jobs_pkey PRIMARY KEY (my_job_id, group_id)
);
CREATE INDEX grouped_jobs_by_group ON grouped_jobs (group_id, job_created_at, my_job_id);
CREATE UNIQUE INDEX grouped_jobs_folder ON grouped_jobs (my_job_id) WHERE kind = 'folder';
