//! The text by which accounts are found: the lower-cased address and names, in the column
//! `searched`.

use sqlx::any::AnyRow;

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// What an account is found by.
pub(super) struct Names {
    id: String,
    email: String,
    fullname: Option<String>,
    first_name: Option<String>,
    last_name: Option<String>,
}

row_columns! {
    fn read() -> Names {
        id: text,
        email: text,
        fullname: text_or_none,
        first_name: text_or_none,
        last_name: text_or_none,
    }
}

/// Selects the [`Names`] of accounts.
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
    const NAMES: BOTH -> Names = concat!(names!(), " WHERE a.id = $1");
}

/// Updates `searched` of an account. Call it after each change of its address or names, in the same
/// transaction.
///
/// # Errors
/// When the database fails.
pub(crate) async fn update(connection: &mut Connection, id: &str) -> Result<()> {
    // Locks the account, so that of two concurrent changes the second one sees the first.
    super::lock(connection, id).await?;
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

/// Stores the search text of the account in a row of [`Names`].
pub(super) async fn write(connection: &mut Connection, row: &AnyRow) -> Result<()> {
    let names = read(row)?;
    let mut searched = names.email;
    for name in [names.fullname, joined(names.first_name, names.last_name)] {
        searched.push('\n');
        searched.push_str(&name.unwrap_or_default());
    }
    sqlx::query(WRITE)
        .bind(names.id)
        .bind(searched.to_lowercase())
        .execute(connection)
        .await?;
    Ok(())
}
