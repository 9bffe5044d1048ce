//! Files of the data folder that must be deleted because their rows were: table `file_removals`.
//!
//! A row is written in the transaction that deletes the file's owner, and deleted after the file.
//! So if the process is killed at any moment, either the owner still exists or the row says what
//! remains to be done.

use uuid::Uuid;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// What to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// A recording, with any partial download.
    Media(Uuid),
    /// One version of an account's avatar.
    Avatar {
        /// The account.
        user_id: String,
        /// The version.
        version: String,
    },
    /// All avatars of an account.
    Avatars {
        /// The account.
        user_id: String,
    },
}

const MEDIA: &str = "media";
const AVATAR: &str = "avatar";
const AVATARS: &str = "avatars";

impl Removal {
    /// The values of `kind` and `id`.
    fn key(&self) -> (&'static str, String) {
        match self {
            Self::Media(id) => (MEDIA, id.to_string()),
            Self::Avatar { user_id, version } => (AVATAR, format!("{user_id}/{version}")),
            Self::Avatars { user_id } => (AVATARS, user_id.clone()),
        }
    }

    fn from_row(RemovalRow { kind, id }: RemovalRow) -> Result<Self> {
        let unreadable = || crate::Error::row("file_removals", &id, format!("the kind {kind}"));
        match kind.as_str() {
            MEDIA => id.parse().map(Self::Media).map_err(|_| unreadable()),
            AVATAR => {
                let (user_id, version) = id.split_once('/').ok_or_else(unreadable)?;
                Ok(Self::Avatar {
                    user_id: user_id.to_owned(),
                    version: version.to_owned(),
                })
            }
            AVATARS => Ok(Self::Avatars { user_id: id }),
            _ => Err(unreadable()),
        }
    }
}

statements! {
    const ADD: BOTH = "INSERT INTO file_removals (kind, id) VALUES ($1, $2) ON CONFLICT DO NOTHING";
}

/// Schedules a removal. Call it in the transaction that deletes the owner.
///
/// # Errors
/// When the database fails.
pub async fn add(connection: &mut Connection, removal: &Removal) -> Result<()> {
    let (kind, id) = removal.key();
    sqlx::query(ADD)
        .bind(kind)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

/// The columns of a removal.
struct RemovalRow {
    kind: String,
    id: String,
}

row_columns! {
    fn read() -> RemovalRow from "file_removals" by "id" {
        kind: text,
        id: text,
    }
}

statements! {
    const LIST: BOTH -> RemovalRow =
        "SELECT kind, id FROM file_removals WHERE kind > $1 OR (kind = $1 AND id > $2) \
         ORDER BY kind, id LIMIT $3";
}

/// At most `limit` pending removals after this one, in key order.
///
/// # Errors
/// When the database fails, or a row cannot be read.
pub async fn list(
    connection: &mut Connection,
    after: Option<&Removal>,
    limit: u32,
) -> Result<Vec<Removal>> {
    let (kind, id) = after.map(Removal::key).unwrap_or_default();
    let rows = sqlx::query(LIST)
        .bind(kind)
        .bind(id)
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| read(row).and_then(Removal::from_row))
        .collect()
}

statements! {
    const FINISH: BOTH = "DELETE FROM file_removals WHERE kind = $1 AND id = $2";
}

/// Deletes a removal that is done.
///
/// # Errors
/// When the database fails.
pub async fn finish(connection: &mut Connection, removal: &Removal) -> Result<()> {
    let (kind, id) = removal.key();
    sqlx::query(FINISH)
        .bind(kind)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn pending_removals_are_listed_until_they_are_done(backend: Backend) {
        with_database(backend, async |database| {
            let user_id = "u1".to_owned();
            let all = [
                Removal::Avatar {
                    user_id: user_id.clone(),
                    version: "v/1".to_owned(),
                },
                Removal::Avatars { user_id },
                Removal::Media(Uuid::from_u128(7)),
            ];
            let mut transaction = database.write().await.unwrap();
            for removal in all.iter().chain(&all) {
                add(&mut transaction, removal).await.unwrap();
            }
            assert_eq!(list(&mut transaction, None, 9).await.unwrap(), all);
            let rest = list(&mut transaction, Some(&all[0]), 1).await.unwrap();
            assert_eq!(rest, all[1..2]);
            for removal in &all {
                finish(&mut transaction, removal).await.unwrap();
            }
            assert!(list(&mut transaction, None, 9).await.unwrap().is_empty());
        });
    }
}
