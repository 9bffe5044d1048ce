//! The text by which accounts are found: the lower-cased address and names, in the column
//! `searched`.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::core::statement::statements;
use crate::{Connection, Result};

/// Selects the names of accounts.
macro_rules! names {
    () => {
        "SELECT a.id, a.email, p.fullname, u.first_name, u.last_name FROM accounts a \
         LEFT JOIN profiles p ON p.user_id = a.id \
         LEFT JOIN synced_users u ON u.auth_user_id = a.id"
    };
}
pub(super) use names;

/// First and last name, as far as they exist.
pub(super) fn joined(first: Option<String>, last: Option<String>) -> Option<String> {
    let names: Vec<_> = [first, last].into_iter().flatten().collect();
    Some(names.join(" ").trim().to_owned()).filter(|name| !name.is_empty())
}

statements! {
    const NAMES: BOTH = concat!(names!(), " WHERE a.id = $1");
}

/// Updates `searched` of an account. Call it after each change of its address or names, in the same
/// transaction.
///
/// # Errors
/// When the database fails.
pub(crate) async fn update(connection: &mut Connection, id: &str) -> Result<()> {
    // Locks the account, so that of two concurrent changes the second one sees the first.
    super::hold_any(connection, id).await?;
    let row = sqlx::query(NAMES)
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    match row {
        Some(row) => write(connection, &row).await,
        None => Ok(()),
    }
}

statements! {
    const WRITE: BOTH = "UPDATE accounts SET searched = $2 WHERE id = $1";
}

/// Stores the search text of the account in a row of [`names`].
pub(super) async fn write(connection: &mut Connection, row: &AnyRow) -> Result<()> {
    let text = |column: &str| row.try_get::<Option<String>, _>(column);
    let mut searched = row.try_get::<String, _>("email")?;
    for name in [
        text("fullname")?,
        joined(text("first_name")?, text("last_name")?),
    ] {
        searched.push('\n');
        searched.push_str(&name.unwrap_or_default());
    }
    sqlx::query(WRITE)
        .bind(row.try_get::<String, _>("id")?)
        .bind(searched.to_lowercase())
        .execute(connection)
        .await?;
    Ok(())
}
