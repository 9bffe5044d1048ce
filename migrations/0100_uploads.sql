-- Resumable uploads that no job has taken yet. The bytes are in the data folder under the id.
-- `stored` is the number of bytes known to have reached the disk: what a file holds beyond it
-- was written by a process that died, and is cut off before the upload goes on.
CREATE TABLE uploads (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
    filename TEXT NOT NULL,
    content_type TEXT NOT NULL,
    size BIGINT NOT NULL,
    stored BIGINT NOT NULL,
    container TEXT,
    media TEXT,
    problem TEXT,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);
CREATE INDEX uploads_by_user ON uploads (user_id);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);
