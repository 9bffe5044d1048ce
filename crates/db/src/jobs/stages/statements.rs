//! SQL of the checkpoints.

use crate::core::statement::{row_columns, statements};

/// A stage whose output is not parsed yet.
pub(super) struct StoredStage {
    pub input_digest: String,
    pub output: Option<String>,
}

row_columns! {
    pub(super) fn read_stage() -> StoredStage from "job_stages" by "my_job_id" {
        input_digest: text,
        output: text_or_none,
    }
}

statements! {
    pub(super) const SELECT_STAGE: BOTH -> StoredStage =
        "SELECT my_job_id, input_digest, output FROM job_stages \
         WHERE my_job_id = $1 AND version = $2 AND stage = $3";
    pub(super) const LOCK_LEASED_JOB: BOTH =
        "UPDATE synced_jobs SET lease_until = lease_until WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const BEGIN_STAGE: BOTH =
        "INSERT INTO job_stages (my_job_id, version, stage, input_digest, started_at) \
         VALUES ($1, $2, $3, $4, $5) ON CONFLICT (my_job_id, version, stage) DO UPDATE \
         SET input_digest = excluded.input_digest, output = NULL, finished_at = NULL, \
         started_at = excluded.started_at";
    pub(super) const UPDATE_CURRENT_STAGE: BOTH =
        "UPDATE synced_jobs SET stage = $2 WHERE my_job_id = $1";
    pub(super) const FINISH_STAGE: BOTH =
        "UPDATE job_stages SET output = $4, finished_at = $5 \
         WHERE my_job_id = $1 AND version = $2 AND stage = $3";
    pub(super) const RESET_ATTEMPTS_ON_PROGRESS: BOTH =
        "UPDATE synced_jobs SET attempts = CASE WHEN $3 = 1 THEN 0 ELSE attempts END \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const UPDATE_STAGE_OUTPUT: BOTH =
        "UPDATE job_stages SET output = $4 WHERE my_job_id = $1 AND version = $2 AND stage = $3";
    pub(super) const UPDATE_DOWNLOADED: BOTH =
        "UPDATE synced_jobs SET awaits_download = 0, original_filename = $3, \
         filename_folded = $4, content_type = $5, file_size = $6, has_video = $7, duration = $8, \
         status = $9, stage = $10, percent = 0, seconds_left = NULL, attempts = 0, \
         run_after = $11, lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const UPDATE_PROBED: BOTH =
        "UPDATE synced_jobs SET duration = COALESCE($3, duration), model = $4 \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const UPDATE_LANGUAGE: BOTH =
        "UPDATE synced_jobs SET language = $3, language_probability = $4 \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const UPDATE_WARNINGS: BOTH =
        "UPDATE synced_jobs SET warnings = $3 WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const RESET_ATTEMPTS: BOTH =
        "UPDATE synced_jobs SET attempts = 0 WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const UPSERT_CHUNK: BOTH =
        "INSERT INTO job_chunks (my_job_id, version, chunk_index, body) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (my_job_id, version, chunk_index) DO UPDATE SET body = excluded.body";
    pub(super) const SELECT_CHUNKS: BOTH =
        "SELECT my_job_id, body FROM job_chunks WHERE my_job_id = $1 AND version = $2 \
         ORDER BY chunk_index";
    pub(super) const SELECT_EARLIER_VERSION: BOTH =
        "SELECT MAX(s.version) FROM job_stages s WHERE s.my_job_id = $1 AND s.version < $2 \
         AND s.stage = $3 AND s.input_digest = $4 AND s.finished_at IS NOT NULL \
         AND EXISTS (SELECT 1 FROM job_chunks c \
         WHERE c.my_job_id = s.my_job_id AND c.version = s.version)";
    pub(super) const COMPLETE_JOB: BOTH =
        "UPDATE synced_jobs SET status = $3, stage = $4, percent = 100, seconds_left = NULL, \
         language = $5, model = $6, duration = $7, warnings = $8, error = NULL, \
         finished_at = $9, shown_version = $10, unrecognised = $11, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const DELETE_CHUNKS: BOTH =
        "DELETE FROM job_chunks WHERE my_job_id = $1 AND version = $2";
}
