-- When an administrator noted that a visitor's message needs nothing more; null while it does.
ALTER TABLE contact_messages ADD COLUMN handled_at BIGINT;
