//! Settings that administrators change while the server runs: table `server_settings`.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::core::fields::{Fields, json};
use crate::core::statement::statements;
use crate::{Connection, Result};

/// Key of the switches.
pub const SWITCHES: &str = "switches";

statements! {
    const GET: BOTH = "SELECT key, value FROM server_settings WHERE key = $1";
}

/// The settings under `key`; `None` if never stored.
///
/// # Errors
/// Unreadable settings.
pub async fn get<T: DeserializeOwned>(connection: &mut Connection, key: &str) -> Result<Option<T>> {
    let row = sqlx::query(GET)
        .bind(key)
        .fetch_optional(connection)
        .await?;
    row.map(|row| Fields::new(&row, "server_settings", "key")?.json("value"))
        .transpose()
}

statements! {
    const SET: BOTH =
        "INSERT INTO server_settings (key, value, updated_at) VALUES ($1, $2, $3) \
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at";
}

/// Stores the settings under `key`, replacing earlier ones.
///
/// # Errors
/// When the database fails.
pub async fn set<T: Serialize>(
    connection: &mut Connection,
    key: &str,
    value: &T,
    now: i64,
) -> Result<()> {
    sqlx::query(SET)
        .bind(key)
        .bind(json(value))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const CLAIM: BOTH =
        "INSERT INTO server_settings (key, value, updated_at) VALUES ($1, $2, $3) \
         ON CONFLICT (key) DO NOTHING";
}

/// Stores the settings under `key` if there are none; `false` if there are. Of several processes
/// one gets `true`.
///
/// # Errors
/// When the database fails.
pub async fn claim<T: Serialize>(
    connection: &mut Connection,
    key: &str,
    value: &T,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(CLAIM)
        .bind(key)
        .bind(json(value))
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn the_latest_settings_count_and_unreadable_ones_are_an_error(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            let none: Option<Vec<u8>> = get(&mut transaction, "a").await.unwrap();
            assert_eq!(none, None);
            set(&mut transaction, "a", &vec![1], 5).await.unwrap();
            set(&mut transaction, "a", &vec![1, 2], 6).await.unwrap();
            set(&mut transaction, "b", &"x", 6).await.unwrap();
            assert!(!claim(&mut transaction, "a", &vec![3], 7).await.unwrap());
            assert!(claim(&mut transaction, "c", &vec![3], 7).await.unwrap());
            let stored: Option<Vec<u8>> = get(&mut transaction, "a").await.unwrap();
            assert_eq!(stored, Some(vec![1, 2]));
            let error = get::<Vec<u8>>(&mut transaction, "b").await.unwrap_err();
            assert!(error.to_string().contains("server_settings"), "{error}");
        });
    }
}
