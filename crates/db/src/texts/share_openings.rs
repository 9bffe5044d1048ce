//! Openings of share links, with coarse details only: table `share_openings`.

use slovo_rules::share::{BrowserFamily, DeviceKind};
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// Openings kept per link: the newest. The link's own counter includes all.
pub const MAX_OPENINGS: i64 = 100;

/// Length of a visit after an opening, in milliseconds: further reading within this time is not
/// another opening.
pub const VISIT_MS: i64 = 30 * 60 * 1000;

/// An opening of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its id.
    pub id: Uuid,
    /// The link.
    pub share: Uuid,
    /// The visit.
    pub visit: Uuid,
    /// Unix milliseconds.
    pub at: i64,
    /// The browser family.
    pub browser: BrowserFamily,
    /// The kind of device.
    pub device: DeviceKind,
}

row_columns! {
    fn read() -> Opening from "share_openings" by "id" {
        id: uuid,
        share: uuid in "share_id",
        visit: uuid,
        at: integer in "opened_at",
        browser: word,
        device: word,
    }
}

statements! {
    const LOCK_SHARE: BOTH = "UPDATE shares SET opened = opened WHERE id = $1";
    const SELECT_SAME_VISIT: BOTH =
        "SELECT id FROM share_openings WHERE share_id = $1 AND visit = $2 AND opened_at > $3 \
         LIMIT 1";
    const INSERT_OPENING: BOTH =
        "INSERT INTO share_openings (id, share_id, visit, opened_at, browser, device) \
         VALUES ($1, $2, $3, $4, $5, $6)";
    const COUNT_OPENING: BOTH =
        "UPDATE shares SET opened = opened + 1, last_opened_at = $2 WHERE id = $1";
    const DELETE_OLD_OPENINGS: BOTH =
        "DELETE FROM share_openings WHERE share_id = $1 AND id NOT IN (SELECT id FROM \
         share_openings WHERE share_id = $1 ORDER BY opened_at DESC, id DESC LIMIT $2)";
}

/// Stores and counts an opening, unless the same visit opened the link within [`VISIT_MS`]; returns
/// whether it counted.
///
/// # Errors
/// When the database fails.
pub async fn record(connection: &mut Connection, opening: &Opening) -> Result<bool> {
    let share = opening.share.to_string();
    // Locks the link's row without a change, so that two openings of one visit are serialised, and
    // checks that the link still exists.
    let locked = sqlx::query(LOCK_SHARE)
        .bind(share.clone())
        .execute(&mut *connection)
        .await?;
    if locked.rows_affected() == 0 {
        return Ok(false);
    }
    let before = sqlx::query(SELECT_SAME_VISIT)
        .bind(share.clone())
        .bind(opening.visit.to_string())
        .bind(opening.at - VISIT_MS)
        .fetch_optional(&mut *connection)
        .await?;
    if before.is_some() {
        return Ok(false);
    }
    sqlx::query(INSERT_OPENING)
        .bind(opening.id.to_string())
        .bind(share.clone())
        .bind(opening.visit.to_string())
        .bind(opening.at)
        .bind(word(&opening.browser))
        .bind(word(&opening.device))
        .execute(&mut *connection)
        .await?;
    sqlx::query(COUNT_OPENING)
        .bind(share.clone())
        .bind(opening.at)
        .execute(&mut *connection)
        .await?;
    sqlx::query(DELETE_OLD_OPENINGS)
        .bind(share)
        .bind(MAX_OPENINGS)
        .execute(connection)
        .await?;
    Ok(true)
}

statements! {
    const SELECT_OPENINGS: BOTH -> Opening = concat!(
        "SELECT ",
        columns!("": id, share_id, visit, opened_at, browser, device),
        " FROM share_openings WHERE share_id = $1 ORDER BY opened_at DESC, id DESC"
    );
}

/// The stored openings of a job's link, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, share: Uuid) -> Result<Vec<Opening>> {
    sqlx::query(SELECT_OPENINGS)
        .bind(share.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}
