-- The language of a segment (ISO 639-1); null: it is that of its text.
ALTER TABLE synced_segments ADD COLUMN language TEXT;
ALTER TABLE edited_segments ADD COLUMN language TEXT;
-- Null in what was indexed before: the job's language.
ALTER TABLE search_passages ADD COLUMN language TEXT;
