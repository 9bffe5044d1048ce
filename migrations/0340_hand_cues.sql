-- Subtitles of a segment that were made by hand, as JSON; null: they are laid out by rule.
ALTER TABLE edited_segments ADD COLUMN cues TEXT;
