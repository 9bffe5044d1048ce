-- Files of the data folder whose rows are gone: written in the transaction that removes the rows, and
-- removed when the files are. Whoever dies in between leaves them to the next process, which looks at
-- its start and every minute. `kind` is 'media' (`id` names the recording), 'avatar' (account and
-- version) or 'avatars' (all of an account).
CREATE TABLE file_removals (
    kind TEXT NOT NULL,
    id   TEXT NOT NULL,
    CONSTRAINT file_removals_pkey PRIMARY KEY (kind, id)
);
