//! Openings of share links, with coarse details only: table `share_openings`.

use slovo_rules::share::{BrowserFamily, DeviceKind};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{Fields, word};
use crate::{Connection, Result};

/// Openings kept per link: the newest. The link's own counter includes all.
pub const MOST_OPENINGS: i64 = 100;

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

fn read(row: &AnyRow) -> Result<Opening> {
    let fields = Fields::new(row, "share_openings", "id")?;
    Ok(Opening {
        id: fields.uuid("id")?,
        share: fields.uuid("share_id")?,
        visit: fields.uuid("visit")?,
        at: fields.integer("opened_at")?,
        browser: fields.word("browser")?,
        device: fields.word("device")?,
    })
}

/// Stores and counts an opening, unless the same visit opened the link within [`VISIT_MS`]; returns
/// whether it counted.
///
/// # Errors
/// When the database fails.
pub async fn note(connection: &mut Connection, opening: &Opening) -> Result<bool> {
    let share = opening.share.to_string();
    // Locks the link's row without a change, so that two openings of one visit are serialised, and
    // checks that the link still exists.
    let held = sqlx::query("UPDATE shares SET opened = opened WHERE id = $1")
        .bind(share.clone())
        .execute(&mut *connection)
        .await?;
    if held.rows_affected() == 0 {
        return Ok(false);
    }
    let before = sqlx::query(
        "SELECT id FROM share_openings WHERE share_id = $1 AND visit = $2 AND opened_at > $3 \
         LIMIT 1",
    )
    .bind(share.clone())
    .bind(opening.visit.to_string())
    .bind(opening.at - VISIT_MS)
    .fetch_optional(&mut *connection)
    .await?;
    if before.is_some() {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO share_openings (id, share_id, visit, opened_at, browser, device) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(opening.id.to_string())
    .bind(share.clone())
    .bind(opening.visit.to_string())
    .bind(opening.at)
    .bind(word(&opening.browser))
    .bind(word(&opening.device))
    .execute(&mut *connection)
    .await?;
    sqlx::query("UPDATE shares SET opened = opened + 1, last_opened_at = $2 WHERE id = $1")
        .bind(share.clone())
        .bind(opening.at)
        .execute(&mut *connection)
        .await?;
    sqlx::query(
        "DELETE FROM share_openings WHERE share_id = $1 AND id NOT IN (SELECT id FROM \
         share_openings WHERE share_id = $1 ORDER BY opened_at DESC, id DESC LIMIT $2)",
    )
    .bind(share)
    .bind(MOST_OPENINGS)
    .execute(connection)
    .await?;
    Ok(true)
}

/// The stored openings of a job's link, newest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, share: Uuid) -> Result<Vec<Opening>> {
    sqlx::query("SELECT * FROM share_openings WHERE share_id = $1 ORDER BY opened_at DESC, id DESC")
        .bind(share.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect()
}
