//! Common parts of `contact`, `newsletter` and `plans::mails`: the outbox in their tables; and for
//! the first two also listing.
//!
//! A sender claims a mail by moving its `mail_after` forward, so that only one process sends it. If
//! that process dies, another one can claim the mail after that time.

use sqlx::AssertSqlSafe;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::statement::{built_statements, row_columns};
use crate::{Connection, Error, Result};

/// The kind of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A message of the contact form, forwarded to the staff.
    ContactMessage,
    /// A newsletter subscription to be confirmed.
    Subscription,
    /// A mail to a user about their plan.
    Plan,
}

impl Cause {
    /// The mails of the public pages.
    pub const SITE: [Self; 2] = [Self::ContactMessage, Self::Subscription];

    #[cfg(test)]
    const ALL: [Self; 3] = [Self::ContactMessage, Self::Subscription, Self::Plan];

    const fn table(self) -> &'static str {
        match self {
            Self::ContactMessage => "contact_messages",
            Self::Subscription => "newsletter_subscribers",
            Self::Plan => "plan_mails",
        }
    }
}

/// A claimed mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedMail {
    /// Id of the row.
    pub id: Uuid,
    /// Number of the attempt, from 1.
    pub tries: i64,
}

/// A claimed mail as it is stored, in any of the tables.
struct ClaimedRow {
    id: String,
    mail_tries: i64,
}

row_columns! {
    fn read_claimed() -> ClaimedRow {
        id: text,
        mail_tries: integer,
    }
}

built_statements! {
    claim_statement: BOTH -> ClaimedRow = |_| Cause::ALL.map(claim_statement).into();
    postpone_statement: BOTH = |_| Cause::ALL.map(postpone_statement).into();
    mark_sent_statement: BOTH = |_| Cause::ALL.map(mark_sent_statement).into();
    give_up_statement: BOTH = |_| Cause::ALL.map(give_up_statement).into();
}

/// Claims up to `limit` mails that are due at `now`; they are not due again before `until`.
pub async fn claim(
    connection: &mut Connection,
    cause: Cause,
    now: i64,
    until: i64,
    limit: i64,
) -> Result<Vec<ClaimedMail>> {
    let rows = sqlx::query(AssertSqlSafe(claim_statement(cause)))
        .bind(now)
        .bind(until)
        .bind(limit)
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            let ClaimedRow { id, mail_tries } = read_claimed(row)?;
            match id.parse::<Uuid>() {
                Ok(id) => Ok(ClaimedMail {
                    id,
                    tries: mail_tries,
                }),
                Err(error) => Err(Error::row(cause.table(), id, format!("id: {error}"))),
            }
        })
        .collect()
}

fn claim_statement(cause: Cause) -> String {
    let table = cause.table();
    // The outer condition is evaluated again for a row that another process has just claimed.
    format!(
        "UPDATE {table} SET mail_tries = mail_tries + 1, mail_after = $2 WHERE mail_after <= $1 \
         AND id IN (SELECT id FROM {table} WHERE mail_after <= $1 \
         ORDER BY mail_after, id LIMIT $3) RETURNING id, mail_tries"
    )
}

/// The statement of [`newest`]: these columns of this table.
macro_rules! newest_rows {
    ($columns:expr, $table:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM ",
            $table,
            " WHERE created_at < $1 OR (created_at = $1 AND id < $2) \
             ORDER BY created_at DESC, id DESC LIMIT $3"
        )
    };
}
pub(crate) use newest_rows;

/// At most `limit` rows after the given one, newest first, by a statement of [`newest_rows!`].
pub(crate) async fn newest(
    connection: &mut Connection,
    statement: &'static str,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<AnyRow>> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    let rows = sqlx::query(statement)
        .bind(at)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    Ok(rows)
}

/// Postpones a failed mail until `mail_after`.
pub async fn postpone(
    connection: &mut Connection,
    cause: Cause,
    id: Uuid,
    mail_after: i64,
) -> Result<()> {
    sqlx::query(AssertSqlSafe(postpone_statement(cause)))
        .bind(id.to_string())
        .bind(mail_after)
        .execute(connection)
        .await?;
    Ok(())
}

fn postpone_statement(cause: Cause) -> String {
    format!("UPDATE {} SET mail_after = $2 WHERE id = $1", cause.table())
}

/// Records that a mail was sent at `now`.
pub async fn mark_sent(
    connection: &mut Connection,
    cause: Cause,
    id: Uuid,
    now: i64,
) -> Result<()> {
    sqlx::query(AssertSqlSafe(mark_sent_statement(cause)))
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

fn mark_sent_statement(cause: Cause) -> String {
    format!(
        "UPDATE {} SET mail_after = NULL, mailed_at = $2 WHERE id = $1",
        cause.table()
    )
}

/// Records that a mail will not be sent.
pub async fn give_up(connection: &mut Connection, cause: Cause, id: Uuid) -> Result<()> {
    sqlx::query(AssertSqlSafe(give_up_statement(cause)))
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(())
}

fn give_up_statement(cause: Cause) -> String {
    format!(
        "UPDATE {} SET mail_after = NULL WHERE id = $1",
        cause.table()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Database;
    use crate::site::contact::tests::message;
    use crate::site::{contact, newsletter};
    use crate::testing::{Backend, apply, each_database, with_database};

    /// A row of each kind with a mail due at 100.
    async fn create_due_mails(db: &Database) -> [Uuid; 2] {
        let ids = [Uuid::from_u128(1), Uuid::from_u128(2)];
        let mut transaction = db.write().await.unwrap();
        let message = message(ids[0], 100);
        contact::insert(&mut transaction, &message, Some(100))
            .await
            .unwrap();
        let request = newsletter::SubscriptionRequest {
            id: ids[1],
            email: "a@example.com",
            locale: slovo_rules::locale::Locale::Uk,
            now: 100,
        };
        newsletter::subscribe(&mut transaction, &request)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        ids
    }

    async fn claimed(db: &Database, cause: Cause, now: i64) -> Vec<ClaimedMail> {
        let mut transaction = db.write().await.unwrap();
        let claimed = claim(&mut transaction, cause, now, now + 50, 10).await;
        transaction.commit().await.unwrap();
        claimed.unwrap()
    }

    #[apply(each_database!)]
    fn one_process_sends_a_mail_and_another_takes_over_after_it_dies(backend: Backend) {
        with_database(backend, async |db| {
            for (cause, id) in Cause::SITE.into_iter().zip(create_due_mails(&db).await) {
                assert_eq!(claimed(&db, cause, 99).await, []);
                let tasks: Vec<_> = (0..6)
                    .map(|_| {
                        let db = db.clone();
                        tokio::spawn(async move { claimed(&db, cause, 100).await.len() })
                    })
                    .collect();
                let mut senders = 0;
                for task in tasks {
                    senders += task.await.unwrap();
                }
                assert_eq!(senders, 1);
                assert_eq!(claimed(&db, cause, 149).await, []);
                assert_eq!(
                    claimed(&db, cause, 150).await,
                    [ClaimedMail { id, tries: 2 }]
                );
                let mut transaction = db.write().await.unwrap();
                postpone(&mut transaction, cause, id, 500).await.unwrap();
                transaction.commit().await.unwrap();
                assert_eq!(claimed(&db, cause, 499).await, []);
                assert_eq!(claimed(&db, cause, 500).await.len(), 1);
            }
        });
    }

    #[apply(each_database!)]
    fn mails_that_were_sent_or_given_up_are_not_sent_again(backend: Backend) {
        with_database(backend, async |db| {
            let [message, subscriber] = create_due_mails(&db).await;
            let mut transaction = db.write().await.unwrap();
            mark_sent(&mut transaction, Cause::ContactMessage, message, 120)
                .await
                .unwrap();
            give_up(&mut transaction, Cause::Subscription, subscriber)
                .await
                .unwrap();
            let message = contact::get(&mut transaction, message).await.unwrap();
            assert_eq!(message.unwrap().mailed_at, Some(120));
            transaction.commit().await.unwrap();
            for cause in Cause::SITE {
                assert_eq!(claimed(&db, cause, i64::MAX / 2).await, []);
            }
        });
    }
}
