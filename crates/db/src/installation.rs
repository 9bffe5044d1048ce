//! The id by which a database and a data folder know one another: table `installation`.

use sqlx::Row;

use crate::{Connection, Result};

/// The id, if the database has one.
///
/// # Errors
/// When the database fails.
pub async fn find(connection: &mut Connection) -> Result<Option<String>> {
    let row = sqlx::query("SELECT id FROM installation WHERE slot = 1")
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| row.try_get("id")).transpose()?)
}

/// Gives the database this id unless it has one, and says which it has now.
///
/// # Errors
/// When the database fails.
pub async fn find_or_insert(connection: &mut Connection, id: &str, now: i64) -> Result<String> {
    // Of two processes that start at once the second waits here, and gets the id of the first.
    let row = sqlx::query(
        "INSERT INTO installation (slot, id, created_at) VALUES (1, $1, $2) \
         ON CONFLICT (slot) DO UPDATE SET slot = excluded.slot RETURNING id",
    )
    .bind(id)
    .bind(now)
    .fetch_one(connection)
    .await?;
    Ok(row.try_get("id")?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Backend, apply, each_database, with_database};

    #[apply(each_database!)]
    fn the_first_id_stays(backend: Backend) {
        with_database(backend, async |db| {
            let mut transaction = db.write().await.unwrap();
            assert_eq!(find(&mut transaction).await.unwrap(), None);
            for id in ["one", "two"] {
                let kept = find_or_insert(&mut transaction, id, 1).await.unwrap();
                assert_eq!(kept, "one");
            }
            assert_eq!(
                find(&mut transaction).await.unwrap().as_deref(),
                Some("one")
            );
        });
    }
}
