//! Requests for another plan: table `plan_requests`.

use slovo_rules::plan::RequestStatus;
use sqlx::Row;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its id.
    pub id: Uuid,
    /// The user's account id.
    pub user_id: String,
    /// Their address.
    pub email: String,
    /// Their name.
    pub fullname: Option<String>,
    /// The plan.
    pub plan_id: Uuid,
    /// The plan's current name.
    pub plan_name: String,
    /// The name of the user's current plan.
    pub present_plan: Option<String>,
    /// Whether it asks to keep the plan that is on trial.
    pub keeps: bool,
    /// The user's message.
    pub message: String,
    /// Its state.
    pub status: RequestStatus,
    /// The administrator's answer.
    pub answer: String,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub decided_at: Option<i64>,
}

/// A statement over requests with the joined names.
macro_rules! requests {
    ($rest:literal) => {
        concat!(
            "SELECT r.id, r.user_id, r.plan_id, r.message, r.status, r.answer, r.created_at, \
             r.decided_at, a.email, p.fullname, s.name AS plan_name, now.name AS present_plan, \
             CAST(CASE WHEN t.user_id IS NOT NULL AND now.id = r.plan_id THEN 1 ELSE 0 END AS BIGINT) \
             AS keeps \
             FROM plan_requests r JOIN accounts a ON a.id = r.user_id \
             JOIN synced_subscriptions s ON s.id = r.plan_id \
             LEFT JOIN profiles p ON p.user_id = r.user_id \
             LEFT JOIN synced_users u ON u.auth_user_id = r.user_id \
             LEFT JOIN synced_subscriptions now ON now.subscription_id = u.subscription_id \
             LEFT JOIN plan_trials t ON t.user_id = r.user_id ",
            $rest
        )
    };
}

row_columns! {
    fn read() -> Request from "plan_requests" by "id" {
        id: uuid,
        user_id: text,
        email: text,
        fullname: text_or_none,
        plan_id: uuid,
        plan_name: text,
        present_plan: text_or_none,
        keeps: flag,
        message: text,
        status: word,
        answer: text,
        created_at: integer,
        decided_at: integer_or_none,
    }
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO plan_requests (id, user_id, plan_id, message, status, answer, created_at) \
         VALUES ($1, $2, $3, $4, $5, '', $6)";
}

/// Stores a user's request.
///
/// # Errors
/// The constraint `plan_requests_user_id_key` if the user has an open request.
pub async fn insert(
    connection: &mut Connection,
    id: Uuid,
    user_id: &str,
    plan_id: Uuid,
    message: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(id.to_string())
        .bind(user_id)
        .bind(plan_id.to_string())
        .bind(message)
        .bind(word(&RequestStatus::Open))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const GET: BOTH -> Request = requests!("WHERE r.id = $1");
    const OF_USER: BOTH -> Request = requests!(
        "WHERE r.user_id = $1 AND r.status <> $2 ORDER BY r.created_at DESC, r.id DESC LIMIT 1"
    );
    const LIST: BOTH -> Request = requests!(
        "WHERE r.status <> $1 ORDER BY CASE WHEN r.status = $2 THEN 0 ELSE 1 END, \
         CASE WHEN r.status = $2 THEN r.created_at ELSE -r.created_at END, r.id LIMIT $3"
    );
}

/// The request with this id.
///
/// # Errors
/// A row that cannot be read.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<Request>> {
    let row = sqlx::query(GET)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const COUNT_OPEN: BOTH = "SELECT COUNT(*) AS open FROM plan_requests WHERE status = $1";
}

/// Number of open requests.
///
/// # Errors
/// When the database fails.
pub async fn count_open(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query(COUNT_OPEN)
        .bind(word(&RequestStatus::Open))
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("open")?)
}

/// The user's newest request that was not withdrawn.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_user(connection: &mut Connection, user_id: &str) -> Result<Option<Request>> {
    let row = sqlx::query(OF_USER)
        .bind(user_id)
        .bind(word(&RequestStatus::Withdrawn))
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Requests: first the open ones, oldest first; then the others, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, limit: u32) -> Result<Vec<Request>> {
    let rows = sqlx::query(LIST)
        .bind(word(&RequestStatus::Withdrawn))
        .bind(word(&RequestStatus::Open))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

statements! {
    const END: BOTH =
        "UPDATE plan_requests SET status = $2, answer = $3, decided_at = $4 \
         WHERE id = $1 AND status = $5";
}

/// Closes an open request; `false` if it is not open.
///
/// # Errors
/// When the database fails.
pub async fn end(
    connection: &mut Connection,
    id: Uuid,
    status: RequestStatus,
    answer: &str,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(END)
        .bind(id.to_string())
        .bind(word(&status))
        .bind(answer)
        .bind(now)
        .bind(word(&RequestStatus::Open))
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}
