//! Removes backups that are not kept, and pieces that no backup needs.

use std::collections::HashSet;

use anyhow::Result;

use crate::pieces;
use crate::place::Place;

/// How old a piece has to be to be removed, in milliseconds: a backup under way has stored it, and
/// is not finished yet. A day.
const LEAST_AGE_MS: i64 = 24 * 60 * 60 * 1000;

/// What was removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Backups.
    pub snapshots: usize,
    /// Pieces.
    pub pieces: usize,
}

/// Keeps the newest backups, at least one. `now` is in Unix milliseconds.
///
/// # Errors
/// When something cannot be read or removed. If a backup cannot be read, no piece is removed.
pub async fn keep_newest(place: &Place, kept: usize, now: i64) -> Result<Pruned> {
    let names = place.names().await?;
    let old = names.len().saturating_sub(kept.max(1));
    for name in &names[..old] {
        place.remove_snapshot(name).await?;
    }
    let mut needed = HashSet::new();
    for name in &names[old..] {
        let (_, snapshot) = place.snapshot(name).await?;
        needed.extend(snapshot.manifest);
        needed.extend(snapshot.pieces);
    }
    let mut removed = 0;
    for (name, written_at) in pieces::listed(place).await? {
        let is_old = written_at.is_some_and(|at| at < now - LEAST_AGE_MS);
        if is_old && !needed.contains(&name) {
            place.storage().remove_blob(&pieces::key(&name)).await?;
            removed += 1;
        }
    }
    Ok(Pruned {
        snapshots: old,
        pieces: removed,
    })
}
