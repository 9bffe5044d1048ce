//! SQL for single jobs.

#[cfg(test)]
use super::Job;
use crate::core::fields::placeholders;
use crate::core::statement::{built_statements, statements};

/// The values that [`super::read`] needs besides the job's columns: counts and lists from other
/// tables.
macro_rules! counts {
    ($job:literal) => {
        concat!(
            "(SELECT COUNT(*) FROM synced_output o WHERE o.my_job_id = ",
            $job,
            ") AS versions, (SELECT COUNT(*) FROM analyses a WHERE a.my_job_id = ",
            $job,
            " AND a.held_for IS NOT NULL) AS held, \
             (SELECT string_agg(g.group_id, ',') FROM grouped_jobs g WHERE g.my_job_id = ",
            $job,
            " AND g.kind = 'tag') AS tags, \
             (SELECT g.group_id FROM grouped_jobs g WHERE g.my_job_id = ",
            $job,
            " AND g.kind = 'folder') AS folder"
        )
    };
}

/// Whether a user (`$2`) sees a job `j` as its owner. A job that an administrator hid does not exist
/// for its owner. All queries for single jobs use this condition; lists, sums and links of texts
/// repeat it.
macro_rules! visible_to_owner {
    () => {
        "j.auth_user_id = $2 AND j.is_visible_to_user = 1"
    };
}

/// The columns that [`super::read`] needs, of a row `j` or with another prefix; the other columns
/// belong to the queue.
macro_rules! job_columns {
    () => {
        job_columns!("j.", "j.my_job_id")
    };
    ($table:literal, $job:literal) => {
        concat!(
            $crate::core::statement::columns!(
                $table: my_job_id, auth_user_id, media_id, original_filename, title, content_type,
                file_size, has_video, duration, awaits_download, input_settings, audio_track,
                is_visible_to_user, is_sample, status, stage, percent, seconds_left, language,
                language_probability, model, unrecognised, error, warnings, version, attempts,
                created_at, started_at, finished_at, made_files
            ),
            ", ",
            $crate::jobs::statements::counts!($job)
        )
    };
}
pub(in crate::jobs) use {counts, job_columns};

/// The columns of a job `j`, for statements that are put together at run time.
pub(in crate::jobs) const COLUMNS: &str = job_columns!();

statements! {
    pub(super) const INSERT_JOB: BOTH =
        "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
         filename_folded, content_type, file_size, has_video, duration, input_settings, \
         transcription_type, status, stage, priority, audio_track, queued_at, run_after, \
         created_at, awaits_download, name_key) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \
         $11, $12, $13, $14, $15, $16, $16, $16, $17, $18)";
    pub(super) const SELECT_JOB_OF_USER: BOTH -> Job = concat!(
        "SELECT ",
        job_columns!(),
        " FROM synced_jobs j WHERE j.my_job_id = $1 AND ",
        visible_to_owner!()
    );
    pub(super) const SELECT_IS_VISIBLE: BOTH = concat!(
        "SELECT 1 AS found FROM synced_jobs j WHERE j.my_job_id = $1 AND ",
        visible_to_owner!()
    );
    pub(super) const SELECT_JOB: BOTH -> Job = concat!(
        "SELECT ",
        job_columns!(),
        " FROM synced_jobs j WHERE j.my_job_id = $1"
    );
    pub(super) const SELECT_JOB_BY_MEDIA: BOTH -> Job = concat!(
        "SELECT ",
        job_columns!(),
        " FROM synced_jobs j WHERE j.media_id = $1 AND ",
        visible_to_owner!()
    );
    pub(super) const SELECT_IS_DOWNLOAD_PENDING: BOTH =
        "SELECT 1 AS found FROM synced_jobs WHERE media_id = $1 AND awaits_download = 1 \
         AND status IN ($2, $3)";
    pub(super) const CANCEL_JOB: BOTH =
        "UPDATE synced_jobs SET status = $3, finished_at = $4, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND auth_user_id = $2 AND status IN ($5, $6)";
    pub(super) const DELETE_JOB: BOTH =
        "DELETE FROM synced_jobs WHERE my_job_id = $1 AND auth_user_id = $2 RETURNING media_id";
}

built_statements! {
    select_some: BOTH -> Job = |_| vec![select_some(1), select_some(3)];
}

/// The jobs that a user (`$1`) sees among `count` ids. The comparison of the user avoids an index:
/// PostgreSQL would read all jobs of the user for a few.
pub(super) fn select_some(count: usize) -> String {
    format!(
        "SELECT {COLUMNS} FROM synced_jobs j WHERE j.my_job_id IN {} \
         AND j.auth_user_id || '' = $1 AND j.is_visible_to_user = 1",
        placeholders(1, count)
    )
}
