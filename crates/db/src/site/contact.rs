//! Messages of the contact form.

use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::site::mails::{newest, newest_rows};
use crate::{Connection, Result};

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: Uuid,
    /// As entered.
    pub first_name: String,
    /// As entered.
    pub last_name: String,
    /// The sender's normalised address, which is not verified.
    pub email: String,
    /// The text.
    pub message: String,
    /// The language of the page.
    pub locale: Locale,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it was forwarded by mail, Unix milliseconds.
    pub mailed_at: Option<i64>,
    /// When an administrator marked it as handled, Unix milliseconds.
    pub handled_at: Option<i64>,
}

/// Number of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// All messages.
    pub total: i64,
    /// Messages not marked as handled.
    pub open: i64,
}

/// The columns of [`Message`].
macro_rules! message_columns {
    () => {
        columns!(
            "": id, first_name, last_name, email, message, locale, created_at, mailed_at,
            handled_at
        )
    };
}

row_columns! {
    fn read() -> Message from "contact_messages" by "id" {
        id: uuid,
        first_name: text,
        last_name: text,
        email: text,
        message: text,
        locale: word,
        created_at: integer,
        mailed_at: integer_or_none,
        handled_at: integer_or_none,
    }
}

statements! {
    const INSERT: BOTH =
        "INSERT INTO contact_messages (id, first_name, last_name, email, message, locale, \
         created_at, mail_after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
}

/// Stores a message, to be forwarded by mail from `mail_after` on, or never.
pub async fn insert(
    connection: &mut Connection,
    message: &Message,
    mail_after: Option<i64>,
) -> Result<()> {
    sqlx::query(INSERT)
        .bind(message.id.to_string())
        .bind(&message.first_name)
        .bind(&message.last_name)
        .bind(&message.email)
        .bind(&message.message)
        .bind(word(&message.locale))
        .bind(message.created_at)
        .bind(mail_after)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const GET: BOTH -> Message = concat!(
        "SELECT ",
        message_columns!(),
        " FROM contact_messages WHERE id = $1"
    );
}

/// The message with this id.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<Message>> {
    let row = sqlx::query(GET)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const LIST: BOTH -> Message = newest_rows!(message_columns!(), "contact_messages");
}

/// At most `limit` messages after the given one, newest first.
pub async fn list(
    connection: &mut Connection,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<Message>> {
    let rows = newest(connection, LIST, after, limit).await?;
    rows.iter().map(read).collect()
}

statements! {
    const REMOVE_BEFORE: BOTH = "DELETE FROM contact_messages WHERE created_at < $1";
}

/// Deletes messages from before this moment; returns how many.
pub async fn remove_before(connection: &mut Connection, before: i64) -> Result<u64> {
    let done = sqlx::query(REMOVE_BEFORE)
        .bind(before)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}

row_columns! {
    fn read_counts() -> Counts {
        total: integer,
        open: integer,
    }
}

statements! {
    const COUNT: BOTH -> Counts =
        "SELECT COUNT(*) AS total, COUNT(*) - COUNT(handled_at) AS open FROM contact_messages";
}

/// Counts the messages.
pub async fn count(connection: &mut Connection) -> Result<Counts> {
    let row = sqlx::query(COUNT).fetch_one(connection).await?;
    read_counts(&row)
}

statements! {
    const SET_HANDLED: BOTH = "UPDATE contact_messages SET handled_at = $2 WHERE id = $1";
}

/// Sets or clears the time when a message was handled; `false` if there is none.
pub async fn set_handled(
    connection: &mut Connection,
    id: Uuid,
    handled_at: Option<i64>,
) -> Result<bool> {
    let done = sqlx::query(SET_HANDLED)
        .bind(id.to_string())
        .bind(handled_at)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const DELETE: BOTH = "DELETE FROM contact_messages WHERE id = $1";
}

/// Deletes a message and any pending mail of it; `false` if there is none.
pub async fn delete(connection: &mut Connection, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    pub(crate) fn message(id: Uuid, created_at: i64) -> Message {
        Message {
            id,
            first_name: "Олена".to_owned(),
            last_name: "O'Neil".to_owned(),
            email: "a@example.com".to_owned(),
            message: "Перший рядок\n<b>другий</b>\t🎙️".to_owned(),
            locale: Locale::En,
            created_at,
            mailed_at: None,
            handled_at: None,
        }
    }

    #[apply(each_database!)]
    fn messages_are_stored_unchanged_and_listed_newest_first(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            let counts = |total, open| Counts { total, open };
            assert_eq!(count(&mut transaction).await.unwrap(), counts(0, 0));
            // Two at the same time, so that the id decides.
            let all: Vec<_> = [(1, 10), (2, 20), (3, 20), (4, 30)]
                .map(|(id, at)| message(Uuid::from_u128(id), at))
                .into();
            for message in &all {
                insert(&mut transaction, message, None).await.unwrap();
                let stored = get(&mut transaction, message.id).await.unwrap();
                assert_eq!(stored.as_ref(), Some(message));
            }
            let other = get(&mut transaction, Uuid::from_u128(9)).await.unwrap();
            assert_eq!(other, None);
            assert_eq!(count(&mut transaction).await.unwrap(), counts(4, 4));

            let mut listed = Vec::new();
            let mut after = None;
            loop {
                let page = list(&mut transaction, after, 1).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some((last.created_at, last.id));
                listed.extend(page);
            }
            let mut expected: Vec<_> = all.into_iter().rev().collect();
            assert_eq!(listed, expected);

            assert_eq!(remove_before(&mut transaction, 20).await.unwrap(), 1);
            expected.pop();
            assert_eq!(count(&mut transaction).await.unwrap(), counts(3, 3));
            assert_eq!(remove_before(&mut transaction, 20).await.unwrap(), 0);
            assert_eq!(list(&mut transaction, None, 9).await.unwrap(), expected);

            let (first, second) = (expected[0].id, expected[1].id);
            assert!(
                set_handled(&mut transaction, first, Some(50))
                    .await
                    .unwrap()
            );
            let handled = get(&mut transaction, first).await.unwrap().unwrap();
            assert_eq!(handled.handled_at, Some(50));
            assert_eq!(count(&mut transaction).await.unwrap(), counts(3, 2));
            assert!(set_handled(&mut transaction, first, None).await.unwrap());
            assert!(delete(&mut transaction, second).await.unwrap());
            assert_eq!(count(&mut transaction).await.unwrap(), counts(2, 2));
            assert!(!delete(&mut transaction, second).await.unwrap());
            assert!(!set_handled(&mut transaction, second, None).await.unwrap());
        });
    }
}
