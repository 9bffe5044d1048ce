-- Edits by a share link: the name that the visitor gave, the link, and when the link was made, by
-- which its owner tells links apart also when it is gone. All three are null in edits of accounts; an
-- edit of a visitor has no author, its `author_id` is empty.
ALTER TABLE transcript_edits ADD COLUMN visitor_name TEXT;
ALTER TABLE transcript_edits ADD COLUMN share_id TEXT;
ALTER TABLE transcript_edits ADD COLUMN share_made_at BIGINT;
CREATE INDEX transcript_edits_by_share ON transcript_edits (share_id) WHERE share_id IS NOT NULL;
