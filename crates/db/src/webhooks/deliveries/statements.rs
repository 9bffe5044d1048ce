//! SQL of deliveries.

use super::Delivery;
use crate::core::statement::{columns, row_columns, statements};

row_columns! {
    pub(super) fn read() -> Delivery from "webhook_deliveries" by "id" {
        id: uuid,
        service_id: uuid,
        event_id: text,
        event_type: text,
        job_id: uuid_or_none in "my_job_id",
        payload: json,
        status: word,
        attempts: integer,
        step: integer,
        run_after: integer,
        lease_id: text_or_none,
        last_status: integer_or_none => http_status,
        last_error: text_or_none,
        latency_ms: integer_or_none,
        created_at: integer,
        delivered_at: integer_or_none,
    }
}

fn http_status(number: Option<i64>) -> Option<u16> {
    number?.try_into().ok()
}

/// The columns of [`Delivery`].
macro_rules! delivery_columns {
    () => {
        columns!(
            "": id, service_id, event_id, event_type, my_job_id, payload, status, attempts, step,
            run_after, lease_id, last_status, last_error, latency_ms, created_at, delivered_at
        )
    };
}

// The next delivery in lane $3 that can be claimed at $1: its service is active, and fewer than $2
// are running of the service, or of all webhooks of its owner. $4: `MessageScope::text`.
macro_rules! due {
    () => {
        "SELECT d.id FROM webhook_deliveries d JOIN webhook_services s ON s.id = d.service_id \
        WHERE d.status = 'pending' AND d.run_after <= $1 AND s.is_active = 1 \
        AND CASE WHEN s.owner_id IS NULL THEN 0 ELSE 1 END = CAST($3 AS BIGINT) \
        AND (CAST($4 AS TEXT) IS NULL OR d.my_job_id = $4 OR ($4 = '' AND NOT EXISTS \
        (SELECT 1 FROM synced_jobs j WHERE j.my_job_id = d.my_job_id))) \
        AND COALESCE(s.owner_id, s.id) NOT IN (SELECT COALESCE(o.owner_id, o.id) \
        FROM webhook_deliveries b JOIN webhook_services o ON o.id = b.service_id \
        WHERE b.status = 'pending' AND b.lease_id IS NOT NULL AND b.run_after > $1 \
        GROUP BY COALESCE(o.owner_id, o.id) HAVING COUNT(*) >= $2) \
        ORDER BY d.run_after, d.id LIMIT 1"
    };
}

statements! {
    pub(super) const INSERT_DELIVERY: BOTH =
        "INSERT INTO webhook_deliveries (id, service_id, event_id, event_type, my_job_id, \
         payload, status, run_after, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8) \
         ON CONFLICT (id) DO NOTHING";
    pub(super) const INSERT_SENT_DELIVERY: BOTH =
        "INSERT INTO webhook_deliveries (id, service_id, event_id, event_type, payload, status, \
         attempts, step, run_after, last_status, last_error, latency_ms, created_at, \
         delivered_at) VALUES ($1, $2, $3, $4, $5, $6, 1, 1, $7, $8, $9, $10, $7, $11)";
    pub(super) const SELECT_DUE_DELIVERY: BOTH = due!();
    // The outer condition is evaluated again for a row that another process has just claimed.
    pub(super) const CLAIM_DELIVERY: BOTH -> Delivery = concat!(
        "UPDATE webhook_deliveries SET attempts = attempts + 1, step = step + 1, lease_id = $5, \
         run_after = $6 WHERE status = 'pending' AND run_after <= $1 AND id = (",
        due!(),
        ") RETURNING ",
        delivery_columns!()
    );
    pub(super) const RECORD_OUTCOME: BOTH =
        "UPDATE webhook_deliveries SET status = $3, run_after = $4, lease_id = NULL, \
         last_status = $5, last_error = $6, latency_ms = $7, delivered_at = $8 \
         WHERE id = $1 AND lease_id = $2";
    pub(super) const RELEASE_DELIVERY: BOTH =
        "UPDATE webhook_deliveries SET attempts = attempts - 1, step = step - 1, \
         lease_id = NULL, run_after = $3 WHERE id = $1 AND lease_id = $2";
    pub(super) const SELECT_DELIVERIES: BOTH -> Delivery = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM webhook_deliveries WHERE service_id = $1 AND (created_at < $2 \
         OR (created_at = $2 AND id < $3)) ORDER BY created_at DESC, id DESC LIMIT $4"
    );
    pub(super) const SELECT_DELIVERY: BOTH -> Delivery = concat!(
        "SELECT ",
        delivery_columns!(),
        " FROM webhook_deliveries WHERE service_id = $1 AND id = $2"
    );
    pub(super) const RESEND_DELIVERY: BOTH =
        "UPDATE webhook_deliveries SET status = $2, step = 0, run_after = $3, lease_id = NULL \
         WHERE id = $1 AND (status <> $2 OR lease_id IS NULL OR run_after <= $3)";
    pub(super) const GIVE_UP_DELIVERIES: BOTH =
        "UPDATE webhook_deliveries SET status = $2, run_after = $3, last_error = $4 \
         WHERE service_id = $1 AND status = 'pending' AND lease_id IS NULL";
    pub(super) const DELETE_OLD_DELIVERIES: BOTH =
        "DELETE FROM webhook_deliveries WHERE created_at < $1";
    pub(super) const SELECT_SERVICES_OVER_LIMIT: BOTH =
        "SELECT d.service_id FROM webhook_deliveries d JOIN webhook_services s \
         ON s.id = d.service_id \
         WHERE CASE WHEN s.owner_id IS NULL THEN 0 ELSE 1 END = CAST($2 AS BIGINT) \
         GROUP BY d.service_id HAVING COUNT(*) > $1";
    pub(super) const DELETE_DELIVERIES_OVER_LIMIT: BOTH =
        "DELETE FROM webhook_deliveries WHERE id IN (SELECT id FROM webhook_deliveries \
         WHERE service_id = $1 ORDER BY created_at DESC, id DESC LIMIT $3 OFFSET $2)";
}
