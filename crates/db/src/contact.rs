//! Messages of the contact form.

use slovo_rules::locale::Locale;
use sqlx::Row;
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::fields::{Fields, word};
use crate::{Connection, Result};

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its id.
    pub id: Uuid,
    /// As it was written.
    pub first_name: String,
    /// As it was written.
    pub last_name: String,
    /// The writer's normalised address, which nothing proves to be theirs.
    pub email: String,
    /// What they say.
    pub message: String,
    /// The language of the page.
    pub locale: Locale,
    /// Unix milliseconds.
    pub created_at: i64,
    /// When it was mailed on, Unix milliseconds.
    pub mailed_at: Option<i64>,
}

fn read(row: &AnyRow) -> Result<Message> {
    let fields = Fields::new(row, "contact_messages", "id")?;
    Ok(Message {
        id: fields.uuid("id")?,
        first_name: fields.text("first_name")?,
        last_name: fields.text("last_name")?,
        email: fields.text("email")?,
        message: fields.text("message")?,
        locale: fields.word("locale")?,
        created_at: fields.integer("created_at")?,
        mailed_at: fields.integer_or_none("mailed_at")?,
    })
}

/// Stores a message, to be mailed on from `mail_after`, or never.
pub async fn insert(
    connection: &mut Connection,
    message: &Message,
    mail_after: Option<i64>,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO contact_messages (id, first_name, last_name, email, message, locale, \
         created_at, mail_after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
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

/// The message with this id.
pub async fn get(connection: &mut Connection, id: Uuid) -> Result<Option<Message>> {
    let row = sqlx::query("SELECT * FROM contact_messages WHERE id = $1")
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

/// At most `limit` messages, the newest first, that come after this one in that order.
pub async fn list(
    connection: &mut Connection,
    after: Option<(i64, Uuid)>,
    limit: u32,
) -> Result<Vec<Message>> {
    let (at, id) = after.map_or((i64::MAX, String::new()), |(at, id)| (at, id.to_string()));
    let rows = sqlx::query(
        "SELECT * FROM contact_messages WHERE created_at < $1 OR (created_at = $1 AND id < $2) \
         ORDER BY created_at DESC, id DESC LIMIT $3",
    )
    .bind(at)
    .bind(id)
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(read).collect()
}

/// How many there are.
pub async fn count(connection: &mut Connection) -> Result<i64> {
    let row = sqlx::query("SELECT COUNT(*) AS total FROM contact_messages")
        .fetch_one(connection)
        .await?;
    Ok(row.try_get("total")?)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::testing::each_database;

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
        }
    }

    #[test]
    fn messages_are_kept_as_they_are_and_listed_newest_first() {
        each_database(async |db| {
            let mut transaction = db.write().await.unwrap();
            assert_eq!(count(&mut transaction).await.unwrap(), 0);
            // Two at the same moment, so that the id decides.
            let all: Vec<_> = [(1, 10), (2, 20), (3, 20), (4, 30)]
                .map(|(id, at)| message(Uuid::from_u128(id), at))
                .into();
            for one in &all {
                insert(&mut transaction, one, None).await.unwrap();
                let kept = get(&mut transaction, one.id).await.unwrap();
                assert_eq!(kept.as_ref(), Some(one));
            }
            let other = get(&mut transaction, Uuid::from_u128(9)).await.unwrap();
            assert_eq!(other, None);
            assert_eq!(count(&mut transaction).await.unwrap(), 4);

            let mut seen = Vec::new();
            let mut after = None;
            loop {
                let page = list(&mut transaction, after, 1).await.unwrap();
                let Some(last) = page.last() else { break };
                after = Some((last.created_at, last.id));
                seen.extend(page);
            }
            let expected: Vec<_> = all.into_iter().rev().collect();
            assert_eq!(seen, expected);
            assert_eq!(list(&mut transaction, None, 9).await.unwrap(), expected);
        });
    }
}
