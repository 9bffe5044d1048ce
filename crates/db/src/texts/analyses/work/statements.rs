//! SQL of the queue of analyses.

#[cfg(test)]
use super::super::Analysis;
use super::super::analysis_columns;
use crate::core::statement::statements;

/// The analyses `a` that may run at $1: no other one of the same job is running.
macro_rules! may_run {
    () => {
        "((a.status = 'waiting' AND a.run_after <= $1) \
        OR (a.status = 'running' AND a.lease_until <= $1)) AND NOT EXISTS \
        (SELECT 1 FROM analyses r WHERE r.my_job_id = a.my_job_id AND r.status = 'running' \
        AND r.id <> a.id)"
    };
}
macro_rules! next {
    ($lock:literal) => {
        concat!(
            "SELECT a.id FROM analyses a WHERE ",
            may_run!(),
            " AND (CAST($2 AS TEXT) IS NULL OR a.my_job_id = $2) \
             ORDER BY a.created_at, a.id LIMIT 1",
            $lock
        )
    };
}

statements! {
    pub(super) const SELECT_NEXT_SQLITE: SQLITE = next!("");
    pub(super) const SELECT_NEXT_POSTGRES: POSTGRES = next!(" FOR UPDATE OF a SKIP LOCKED");
    pub(super) const TAKE_ANALYSIS: BOTH -> Analysis = concat!(
        "UPDATE analyses SET status = $2, percent = 0, seconds_left = NULL, \
         attempts = attempts + 1, lease_id = $3, lease_owner = $4, lease_until = $5, \
         started_at = COALESCE(started_at, $6) WHERE id = $1 RETURNING ",
        analysis_columns!()
    );
    pub(super) const FAIL_UNREADABLE: BOTH =
        "UPDATE analyses SET status = $2, error = $3, finished_at = $4, lease_id = NULL, \
         lease_owner = NULL, lease_until = NULL WHERE id = $1";
    pub(super) const SELECT_ANY_WAITING: BOTH = concat!(
        "SELECT 1 AS found FROM analyses a WHERE ",
        may_run!(),
        " LIMIT 1"
    );
    pub(super) const STORE_PROGRESS: BOTH =
        "UPDATE analyses SET lease_until = $3, seconds_left = $5, \
         percent = CASE WHEN $4 > percent THEN $4 ELSE percent END \
         WHERE id = $1 AND lease_id = $2";
    pub(super) const SELECT_IS_LEASE_VALID: BOTH =
        "SELECT 1 AS found FROM analyses WHERE id = $1 AND lease_id = $2";
    pub(super) const END_ANALYSIS: BOTH =
        "UPDATE analyses SET status = $3, outcome = $4, error = $5, engine = $6, \
         made_from_seq = $7, finished_at = $8, made_from_print = $9, \
         percent = CASE WHEN CAST($5 AS TEXT) IS NULL THEN 100 ELSE percent END, \
         seconds_left = NULL, lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE id = $1 AND lease_id = $2";
    pub(super) const REQUEUE_ANALYSIS: BOTH =
        "UPDATE analyses SET status = $3, run_after = $4, percent = 0, attempts = attempts - $5, \
         seconds_left = NULL, lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE id = $1 AND lease_id = $2";
    pub(super) const DELETE_OLDER_HELD: BOTH =
        "DELETE FROM analyses WHERE held_for IS NOT NULL AND EXISTS (SELECT 1 FROM analyses n \
         WHERE n.id = $1 AND n.lease_id = $2 AND n.my_job_id = analyses.my_job_id \
         AND n.version = analyses.version AND n.part = analyses.part \
         AND n.target = analyses.target)";
    pub(super) const HOLD_ANALYSIS: BOTH =
        "UPDATE analyses SET status = $3, error = $4, percent = 0, attempts = attempts - 1, \
         seconds_left = NULL, lease_id = NULL, lease_owner = NULL, lease_until = NULL, \
         held_for = (SELECT j.auth_user_id FROM synced_jobs j \
         WHERE j.my_job_id = analyses.my_job_id) WHERE id = $1 AND lease_id = $2";
    pub(super) const EXPIRE_LEASES_OF_OWNER: BOTH =
        "UPDATE analyses SET lease_until = $2 WHERE lease_owner = $1 AND lease_until > $2";
    pub(super) const GIVE_UP_ANALYSES: BOTH -> super::GivenUp =
        "UPDATE analyses SET status = $1, error = $2, finished_at = $3, seconds_left = NULL, \
         lease_id = NULL, lease_owner = NULL, lease_until = NULL \
         WHERE status = $4 AND lease_until <= $3 AND attempts >= $5 RETURNING id, my_job_id";
}
