-- What was chosen for a job besides its settings: which of the file's audio tracks is transcribed,
-- as the media's own index; null means the file's default one.
ALTER TABLE synced_jobs ADD COLUMN audio_track BIGINT;
