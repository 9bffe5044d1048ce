-- The Word document whose look somebody's DOCX files have: one for each account, as it was sent, at
-- most 2 MB. `content` is hexadecimal: one type of column for both databases. `size` is in bytes.
CREATE TABLE docx_templates (
    user_id TEXT NOT NULL CONSTRAINT docx_templates_pkey PRIMARY KEY
        CONSTRAINT docx_templates_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    size BIGINT NOT NULL,
    content TEXT NOT NULL,
    set_at BIGINT NOT NULL
);
