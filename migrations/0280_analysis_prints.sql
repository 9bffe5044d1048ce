-- What a text said when something was made of it, as a digest: an edit that was taken back leaves what
-- was made of the text as fresh as it was. Null: made before digests were kept, or of no text.
ALTER TABLE analyses ADD COLUMN made_from_print TEXT;
