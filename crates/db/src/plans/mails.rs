//! Mails about plans: table `plan_mails`. They are claimed and settled like those of
//! [`crate::site::mails`].

use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::accounts::Status;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Error, Result};

/// The content of a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlanMessage {
    /// The trial of the plan ends at this time (Unix milliseconds).
    TrialEnding(i64),
    /// The request for the plan was approved; the administrator's message may be empty.
    Approved(String),
    /// The request for the plan was declined; the administrator's message may be empty.
    Declined(String),
}

impl PlanMessage {
    const fn kind(&self) -> &'static str {
        match self {
            Self::TrialEnding(_) => "trial_ending",
            Self::Approved(_) => "approved",
            Self::Declined(_) => "declined",
        }
    }
}

/// A new mail.
#[derive(Clone, Debug)]
pub struct NewMail<'a> {
    /// Its id.
    pub id: Uuid,
    /// The recipient's account id.
    pub user_id: &'a str,
    /// The plan's name.
    pub plan_name: &'a str,
    /// The content.
    pub message: &'a PlanMessage,
    /// Earliest time to send it, Unix milliseconds.
    pub mail_after: i64,
    /// Unix milliseconds.
    pub now: i64,
}

/// A mail to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailContent {
    /// The reader's address.
    pub email: String,
    /// The reader's language.
    pub locale: Locale,
    /// The plan's name.
    pub plan_name: String,
    /// The content.
    pub message: PlanMessage,
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO plan_mails (id, user_id, kind, plan_name, answer, ends_at, mail_after, \
         mail_tries, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8)";
}

/// Queues a mail. Call it in the transaction that causes it.
///
/// # Errors
/// When the database fails.
pub async fn insert(connection: &mut Connection, new: &NewMail<'_>) -> Result<()> {
    let (answer, ends_at) = match new.message {
        PlanMessage::TrialEnding(ends_at) => ("", Some(*ends_at)),
        PlanMessage::Approved(answer) | PlanMessage::Declined(answer) => (answer.as_str(), None),
    };
    sqlx::query(INSERT)
        .bind(new.id.to_string())
        .bind(new.user_id)
        .bind(new.message.kind())
        .bind(new.plan_name)
        .bind(answer)
        .bind(ends_at)
        .bind(new.mail_after)
        .bind(new.now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const CANCEL_TRIAL_NOTICE: BOTH =
        "DELETE FROM plan_mails WHERE user_id = $1 AND kind = 'trial_ending' \
         AND mailed_at IS NULL";
}

/// Cancels the mail about the end of a user's trial, unless it was sent.
pub(crate) async fn cancel_trial_notice(connection: &mut Connection, user_id: &str) -> Result<()> {
    sqlx::query(CANCEL_TRIAL_NOTICE)
        .bind(user_id)
        .execute(connection)
        .await?;
    Ok(())
}

/// A mail and its recipient as they are stored.
struct MailRow {
    kind: String,
    plan_name: String,
    answer: String,
    ends_at: Option<i64>,
    email: String,
    locale: Locale,
}

row_columns! {
    fn read() -> MailRow from "plan_mails" by "id" {
        kind: text,
        plan_name: text,
        answer: text,
        ends_at: integer_or_none,
        email: text,
        locale: word_or_none => Option::unwrap_or_default,
    }
}

statements! {
    const SELECT_CONTENT: BOTH -> MailRow =
        "SELECT m.id, m.kind, m.plan_name, m.answer, m.ends_at, a.email, p.locale \
         FROM plan_mails m JOIN accounts a ON a.id = m.user_id LEFT JOIN preferences p \
         ON p.user_id = a.id LEFT JOIN synced_users u ON u.auth_user_id = a.id \
         WHERE m.id = $1 AND COALESCE(u.status, $2) = $2";
}

/// The content and recipient of a mail; `None` if it was cancelled or the recipient is blocked.
///
/// # Errors
/// A row that cannot be read.
pub async fn mail_content(connection: &mut Connection, id: Uuid) -> Result<Option<MailContent>> {
    let row = sqlx::query(SELECT_CONTENT)
        .bind(id.to_string())
        .bind(Status::Active.as_str())
        .fetch_optional(connection)
        .await?;
    let Some(row) = row else { return Ok(None) };
    let row = read(&row)?;
    let message = match (row.kind.as_str(), row.ends_at) {
        ("approved", _) => PlanMessage::Approved(row.answer),
        ("declined", _) => PlanMessage::Declined(row.answer),
        (_, Some(ends_at)) => PlanMessage::TrialEnding(ends_at),
        (_, None) => return Err(Error::row("plan_mails", id.to_string(), "ends_at: NULL")),
    };
    Ok(Some(MailContent {
        email: row.email,
        locale: row.locale,
        plan_name: row.plan_name,
        message,
    }))
}
