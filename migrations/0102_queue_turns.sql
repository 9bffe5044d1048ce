-- When a worker last took a job of a user: the queue's memory for taking turns between users.
CREATE TABLE queue_turns (
    user_id TEXT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
    taken_at BIGINT NOT NULL
);
