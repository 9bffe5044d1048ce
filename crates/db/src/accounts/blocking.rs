//! Blocking an account.

use crate::accounts::sessions::{self, EndReason};
use crate::accounts::{self, Status, roles};
use crate::{Connection, Result};

/// The result of blocking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is blocked, and its sessions have ended.
    Blocked,
    /// Refused: it is the last administrator, and a server without one could not be administered.
    LastAdmin,
    /// There is no such account.
    NoAccount,
}

/// Blocks an account and ends its sessions, unless it is the last administrator.
pub async fn block(connection: &mut Connection, user_id: &str, now: i64) -> Result<Outcome> {
    if roles::is_last_admin(&mut *connection, user_id).await? {
        return Ok(Outcome::LastAdmin);
    }
    if !accounts::set_status(&mut *connection, user_id, Status::Blocked).await? {
        return Ok(Outcome::NoAccount);
    }
    sessions::end_all(connection, user_id, EndReason::Blocked, now).await?;
    Ok(Outcome::Blocked)
}
