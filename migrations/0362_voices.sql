-- Voices that an account remembers with the consent of those who speak. A voice is made of samples:
-- each is the vector of one speaker of one recording (numbers of a speaker embedding, no sound). A
-- sample without vector and error waits to be computed; its row is the queue's entry. It outlives
-- its recording: `my_job_id` is null once that is deleted.
CREATE TABLE voices (
    id TEXT NOT NULL CONSTRAINT voices_pkey PRIMARY KEY,
    user_id TEXT NOT NULL CONSTRAINT voices_user_id_fkey REFERENCES accounts (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE INDEX voices_by_user ON voices (user_id);
CREATE TABLE voice_samples (
    id TEXT NOT NULL CONSTRAINT voice_samples_pkey PRIMARY KEY,
    voice_id TEXT NOT NULL CONSTRAINT voice_samples_voice_id_fkey REFERENCES voices (id) ON DELETE CASCADE,
    my_job_id TEXT CONSTRAINT voice_samples_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE SET NULL,
    version BIGINT NOT NULL,
    speaker TEXT NOT NULL,
    consent_at BIGINT NOT NULL,
    run_after BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT,
    embedding TEXT,
    vector TEXT,
    seconds DOUBLE PRECISION,
    finished_at BIGINT
);
CREATE INDEX voice_samples_by_voice ON voice_samples (voice_id);
CREATE INDEX voice_samples_by_job ON voice_samples (my_job_id, version);
CREATE INDEX voice_samples_waiting ON voice_samples (run_after) WHERE finished_at IS NULL;
-- Comparisons of a text's speakers with the owner's voices, at most one of a job. It waits while
-- `finished_at` is null.
CREATE TABLE voice_comparisons (
    my_job_id TEXT NOT NULL CONSTRAINT voice_comparisons_pkey PRIMARY KEY
              CONSTRAINT voice_comparisons_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    run_after BIGINT NOT NULL,
    attempts BIGINT NOT NULL DEFAULT 0,
    error TEXT,
    started_at BIGINT,
    finished_at BIGINT
);
CREATE INDEX voice_comparisons_waiting ON voice_comparisons (run_after) WHERE finished_at IS NULL;
-- Names that are proposed for speakers, and those of them that the owner declined.
CREATE TABLE voice_proposals (
    my_job_id TEXT NOT NULL CONSTRAINT voice_proposals_my_job_id_fkey REFERENCES synced_jobs (my_job_id) ON DELETE CASCADE,
    version BIGINT NOT NULL,
    speaker TEXT NOT NULL,
    voice_id TEXT NOT NULL CONSTRAINT voice_proposals_voice_id_fkey REFERENCES voices (id) ON DELETE CASCADE,
    score DOUBLE PRECISION NOT NULL,
    declined BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT voice_proposals_pkey PRIMARY KEY (my_job_id, version, speaker, voice_id)
);
CREATE INDEX voice_proposals_by_voice ON voice_proposals (voice_id);
