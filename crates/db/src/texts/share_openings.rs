//! Who opened a link, as coarsely as it is kept: table `share_openings`.

use slovo_rules::share::{BrowserFamily, DeviceKind};
use sqlx::any::AnyRow;
use uuid::Uuid;

use crate::core::fields::{Fields, word};
use crate::{Connection, Result};

/// Openings that are kept of one link: the newest. The link's own count has all of them.
pub const MOST_OPENINGS: i64 = 100;

/// How long a visit lasts after an opening, in milliseconds: what it reads in that time is no other
/// one.
pub const VISIT_MS: i64 = 30 * 60 * 1000;

/// A link is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its id.
    pub id: Uuid,
    /// The link.
    pub share: Uuid,
    /// The visit that it belongs to.
    pub visit: Uuid,
    /// Unix milliseconds.
    pub at: i64,
    /// With what it is read.
    pub browser: BrowserFamily,
    /// On what.
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

/// Notes and counts an opening, unless the same visit opened the link within [`VISIT_MS`]; whether
/// it counted.
///
/// # Errors
/// When the database fails.
pub async fn note(connection: &mut Connection, opening: &Opening) -> Result<bool> {
    let share = opening.share.to_string();
    // Changes nothing: it holds the link's row, so that two openings of one visit follow each
    // other, and finds out whether the link is still there.
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

/// The openings of a job's link that are kept, the newest first.
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
