//! Mails to administrators about pending items: table `admin_notices`.
//!
//! A sender claims a mail by moving its `run_after` forward, so that only one process sends it. If
//! that process dies, another one can claim the mail after that time.

use serde::Deserialize;
use slovo_rules::locale::Locale;
use slovo_rules::preferences::Preferences;
use uuid::Uuid;

use crate::accounts::Status;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// The kind of pending item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoticeTopic {
    /// A message of the contact form.
    ContactMessage,
    /// A request for another plan.
    PlanRequest,
}

impl NoticeTopic {
    const fn as_str(self) -> &'static str {
        match self {
            Self::ContactMessage => "contact_message",
            Self::PlanRequest => "plan_request",
        }
    }
}

/// A claimed mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedNotice {
    /// Id of the row.
    pub id: String,
    /// The kind of item.
    pub about: NoticeTopic,
    /// Id of the message or the request.
    pub target_id: Uuid,
    /// The administrator's account id.
    pub account_id: String,
    /// Number of the attempt, from 1.
    pub tries: i64,
}

/// The recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient {
    /// The recipient's address.
    pub email: String,
    /// The recipient's language.
    pub locale: Locale,
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO admin_notices (id, about, target_id, account_id, tries, run_after) \
         SELECT CAST($1 AS TEXT) || ' ' || r.user_id, CAST($2 AS TEXT), CAST($1 AS TEXT), \
         r.user_id, 0, CAST($3 AS BIGINT) FROM user_roles r \
         LEFT JOIN synced_users u ON u.auth_user_id = r.user_id \
         WHERE r.role = 'admin' AND COALESCE(u.status, $4) = $4";
}

/// Queues a mail to every administrator who can sign in. Call it in the transaction that stores the
/// item.
pub async fn insert(
    connection: &mut Connection,
    about: NoticeTopic,
    target_id: Uuid,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(target_id.to_string())
        .bind(about.as_str())
        .bind(now)
        .bind(Status::Active.as_str())
        .execute(connection)
        .await?;
    Ok(())
}

row_columns! {
    fn read() -> ClaimedNotice from "admin_notices" by "id" {
        id: text,
        about: word,
        target_id: uuid,
        account_id: text,
        tries: integer,
    }
}

statements! {
    const CLAIM: BOTH -> ClaimedNotice =
        "UPDATE admin_notices SET tries = tries + 1, run_after = $2 WHERE run_after <= $1 AND id \
         IN (SELECT id FROM admin_notices WHERE run_after <= $1 ORDER BY run_after, id LIMIT $3) \
         RETURNING id, about, target_id, account_id, tries";
}

/// Claims up to `limit` mails that are due at `now`; they are not due again before `until`.
pub async fn claim(
    connection: &mut Connection,
    now: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<ClaimedNotice>> {
    // The outer condition is evaluated again for a row that another process has just claimed.
    let rows = sqlx::query(CLAIM)
        .bind(now)
        .bind(until)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

row_columns! {
    fn read_recipient() -> Recipient from "accounts" by "id" {
        email: text,
        locale: text_or_none => known_locale,
    }
}

/// The chosen language, or the default one.
fn known_locale(chosen: Option<String>) -> Locale {
    chosen
        .and_then(|locale| Locale::parse(&locale))
        .unwrap_or(Preferences::default().locale)
}

statements! {
    const SELECT_RECIPIENT: BOTH -> Recipient =
        "SELECT a.id, a.email, p.locale FROM accounts a \
         JOIN user_roles r ON r.user_id = a.id AND r.role = 'admin' \
         LEFT JOIN preferences p ON p.user_id = a.id \
         LEFT JOIN synced_users u ON u.auth_user_id = a.id \
         WHERE a.id = $1 AND COALESCE(u.status, $2) = $2";
}

/// The recipient; `None` if the account is no longer an administrator, or is blocked.
pub async fn recipient(connection: &mut Connection, account_id: &str) -> Result<Option<Recipient>> {
    let row = sqlx::query(SELECT_RECIPIENT)
        .bind(account_id)
        .bind(Status::Active.as_str())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read_recipient).transpose()
}

statements! {
    const POSTPONE: BOTH = "UPDATE admin_notices SET run_after = $2 WHERE id = $1";
}

/// Postpones a failed mail until `run_after`.
pub async fn postpone(connection: &mut Connection, id: &str, run_after: i64) -> Result<()> {
    sqlx::query(POSTPONE)
        .bind(id)
        .bind(run_after)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const REMOVE: BOTH = "DELETE FROM admin_notices WHERE id = $1";
}

/// Deletes a mail that was sent or never will be.
pub async fn remove(connection: &mut Connection, id: &str) -> Result<()> {
    sqlx::query(REMOVE).bind(id).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounts::roles;
    use crate::testing::{Backend, account, apply, each_database, with_database};

    #[apply(each_database!)]
    fn each_administrator_is_notified_once(backend: Backend) {
        with_database(backend, async |database| {
            let mut transaction = database.write().await.unwrap();
            for user in ["u1", "u2", "u3"] {
                account(&mut transaction, user).await;
            }
            for admin in ["u1", "u2"] {
                roles::grant_admin(&mut transaction, admin, 1)
                    .await
                    .unwrap();
            }
            let request_id = Uuid::from_u128(7);
            insert(&mut transaction, NoticeTopic::PlanRequest, request_id, 10)
                .await
                .unwrap();
            let early = claim(&mut transaction, 9, 50, 9).await.unwrap();
            assert!(early.is_empty());
            let first = claim(&mut transaction, 10, 50, 9).await.unwrap();
            let mut recipients: Vec<_> = first
                .iter()
                .map(|notice| notice.account_id.as_str())
                .collect();
            recipients.sort_unstable();
            assert_eq!(recipients, ["u1", "u2"]);
            assert!(
                first
                    .iter()
                    .all(|notice| notice.target_id == request_id && notice.tries == 1)
            );
            assert!(claim(&mut transaction, 49, 90, 9).await.unwrap().is_empty());
            remove(&mut transaction, &first[0].id).await.unwrap();
            postpone(&mut transaction, &first[1].id, 60).await.unwrap();
            assert!(claim(&mut transaction, 59, 90, 9).await.unwrap().is_empty());
            let again = claim(&mut transaction, 60, 90, 9).await.unwrap();
            assert_eq!((again.len(), again[0].tries), (1, 2));
            assert_eq!(again[0].id, first[1].id);

            assert!(recipient(&mut transaction, "u1").await.unwrap().is_some());
            assert_eq!(recipient(&mut transaction, "u3").await.unwrap(), None);
        });
    }
}
