//! Archives of what an account has: how they are packed, who may download them, and how their files
//! are called.

pub mod archive;
pub mod links;
pub mod names;

use anyhow::{Result, bail};
use jiff::Timestamp;
use slovo_db::Database;
use slovo_db::accounts::{self, Account};

use crate::auth::session;
use links::Link;

/// The account whose archive a link opens for this caller: their own, or any account for an
/// administrator.
///
/// # Errors
/// When the database fails.
pub async fn owner(
    db: &Database,
    reader: Option<Account>,
    link: &Link,
) -> slovo_db::Result<Option<Account>> {
    match reader {
        Some(reader) if reader.id == link.user_id => Ok(Some(reader)),
        Some(reader) if reader.is_admin => {
            accounts::get(&mut *db.read().await?, &link.user_id).await
        }
        _ => Ok(None),
    }
}

/// Ends a long download when its reader is blocked, signs out or loses access. `now` is the time.
///
/// # Errors
/// When the link is no longer in force, or the database fails.
pub async fn in_force(db: &Database, link: &Link, now: Timestamp) -> Result<()> {
    let mut connection = db.read().await?;
    let account = session::active(&mut connection, &link.session_id, now).await?;
    drop(connection);
    if owner(db, account, link).await?.is_none() {
        bail!("its session has ended");
    }
    Ok(())
}
