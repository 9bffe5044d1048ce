//! SQL of the queue.

use crate::core::statement::statements;
#[cfg(test)]
use crate::jobs::Job;
use crate::jobs::statements::job_columns;

/// The jobs `j` of the line $2 that may run at $1, whose user has fewer than $3 running downloads.
macro_rules! may_run {
    () => {
        "j.awaits_download = $2 AND ((j.status = 'pending' AND j.run_after <= $1) \
        OR (j.status = 'processing' AND j.lease_until <= $1)) \
        AND (j.awaits_download = 0 OR (SELECT COUNT(*) FROM synced_jobs d \
        WHERE d.auth_user_id = j.auth_user_id AND d.awaits_download = 1 \
        AND d.status = 'processing' AND d.lease_until > $1) < $3)"
    };
}

// Order of the jobs that may run: first the highest plan priority, raised by the time since the
// user's last turn (the user's, not the job's: a thousand queued jobs of one user do not age
// together); then the user with the fewest running jobs, the longest time since the last turn, and
// the oldest job.
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "SELECT j.my_job_id FROM synced_jobs j \
            LEFT JOIN queue_turns t ON t.user_id = j.auth_user_id WHERE ",
            may_run!(),
            " ORDER BY j.priority + ($1 - CASE WHEN t.taken_at > j.queued_at THEN t.taken_at \
            ELSE j.queued_at END) / $4 DESC, \
            (SELECT COUNT(*) FROM synced_jobs r WHERE r.auth_user_id = j.auth_user_id \
            AND r.status = 'processing' AND r.lease_until > $1), \
            COALESCE(t.taken_at, 0), j.queued_at, j.my_job_id LIMIT 1",
            $lock
        )
    };
}

/// The job $4, if it may run.
macro_rules! this_one {
    ($lock:literal) => {
        concat!(
            "SELECT j.my_job_id FROM synced_jobs j WHERE ",
            may_run!(),
            " AND j.my_job_id = $4",
            $lock
        )
    };
}

statements! {
    pub(super) const SELECT_NEXT_SQLITE: SQLITE = next!("");
    pub(super) const SELECT_NEXT_POSTGRES: POSTGRES = next!(" FOR UPDATE OF j SKIP LOCKED");
    pub(super) const SELECT_JOB_SQLITE: SQLITE = this_one!("");
    pub(super) const SELECT_JOB_POSTGRES: POSTGRES = this_one!(" FOR UPDATE OF j SKIP LOCKED");
    pub(super) const TAKE_JOB: BOTH -> Job = concat!(
        "UPDATE synced_jobs SET status = $2, lease_id = $3, lease_owner = $4, lease_until = $5, \
         attempts = attempts + 1, started_at = COALESCE(started_at, $6) \
         WHERE my_job_id = $1 RETURNING ",
        job_columns!("", "$1")
    );
    pub(super) const UPSERT_TURN: BOTH =
        "INSERT INTO queue_turns (user_id, taken_at) VALUES ($1, $2) \
         ON CONFLICT (user_id) DO UPDATE SET taken_at = excluded.taken_at";
    pub(super) const FAIL_UNREADABLE: BOTH =
        "UPDATE synced_jobs SET status = $2, error = $3, finished_at = $4, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL WHERE my_job_id = $1";
    pub(super) const RENEW_LEASE: BOTH =
        "UPDATE synced_jobs SET lease_until = $3, stage = $4, percent = $5, seconds_left = $6 \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const SELECT_IS_LEASE_VALID: BOTH =
        "SELECT 1 AS found FROM synced_jobs WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const RELEASE_JOB: BOTH =
        "UPDATE synced_jobs SET status = $3, run_after = $4, error = $5, finished_at = $6, \
         attempts = attempts - $7, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE my_job_id = $1 AND lease_id = $2";
    pub(super) const EXPIRE_LEASES_OF_OWNER: BOTH =
        "UPDATE synced_jobs SET lease_until = $2 WHERE lease_owner = $1 AND lease_until > $2";
    pub(super) const GIVE_UP_JOBS: BOTH =
        "UPDATE synced_jobs SET status = $1, error = $2, finished_at = $3, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE status = $4 AND lease_until <= $3 AND attempts >= $5 RETURNING my_job_id";
    pub(super) const SELECT_ANY_WAITING: BOTH = concat!(
        "SELECT 1 AS found FROM synced_jobs j WHERE ",
        may_run!(),
        " LIMIT 1"
    );
}
