//! Stores what a look found: what is new, what has changed, and what is gone.

#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use sha2::{Digest as _, Sha256};
use slovo_rules::source::SourceRecordingState;
use uuid::Uuid;

use crate::core::fields::word;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// How long a recording stays the same before it counts as complete, in milliseconds.
pub const SETTLED_AFTER_MS: i64 = 10_000;

/// Maximum number of recordings that are known of a source. Of those that are not there any more, the
/// oldest are forgotten.
pub const MAX_KNOWN: usize = 20_000;

/// A recording that a look found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRecording {
    /// Its id, should it be new.
    pub id: Uuid,
    /// What identifies it there.
    pub key: String,
    /// Its name.
    pub name: String,
    /// Address that it is fetched from.
    pub url: Option<String>,
    /// Size in bytes.
    pub size: Option<i64>,
    /// Changes with its content.
    pub version: String,
    /// Whether it is known to be complete.
    pub is_settled: bool,
    /// What becomes of it, should it be new.
    pub state: SourceRecordingState,
}

/// What is known of a recording that is looked for again.
#[derive(Clone, Debug)]
pub struct Known {
    id: Uuid,
    key_hash: String,
    url: Option<String>,
    version: String,
    is_settled: bool,
    state: SourceRecordingState,
    found_at: i64,
    changed_at: i64,
}

row_columns! {
    fn read() -> Known from "source_recordings" by "id" {
        id: uuid,
        key_hash: text,
        url: text_or_none,
        version: text,
        is_settled: flag,
        state: word,
        found_at: integer,
        changed_at: integer,
    }
}

/// A change of what is known of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is new.
    Add(NewRecording),
    /// Its content is another one, or is complete now. One that failed is tried again.
    Renew {
        /// Its id.
        id: Uuid,
        /// Changes with its content.
        version: String,
        /// Size in bytes.
        size: Option<i64>,
        /// Whether it is complete.
        is_settled: bool,
    },
    /// It is fetched from another address.
    Move {
        /// Its id.
        id: Uuid,
        /// The address.
        url: String,
        /// Size in bytes.
        size: Option<i64>,
    },
    /// It is not there any more, and nobody needs to know of it.
    Forget(Uuid),
}

statements! {
    const KNOWN: BOTH -> Known =
        "SELECT id, key_hash, url, version, is_settled, state, found_at, changed_at \
         FROM source_recordings WHERE source_id = $1";
    const ADD: BOTH =
        "INSERT INTO source_recordings (id, source_id, key_hash, item_key, name, url, size, \
         version, is_settled, state, found_at, changed_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11) \
         ON CONFLICT (source_id, key_hash) DO NOTHING";
    const RENEW: BOTH =
        "UPDATE source_recordings SET changed_at = CASE WHEN version = $2 THEN changed_at \
         ELSE CAST($5 AS BIGINT) END, version = $2, size = $3, is_settled = $4, \
         state = 'waiting', problem = NULL, attempts = 0, retry_at = 0 \
         WHERE id = $1 AND state IN ('waiting', 'failed')";
    const MOVE: BOTH =
        "UPDATE source_recordings SET url = $2, size = $3 WHERE id = $1 AND state <> 'started'";
    const FORGET: BOTH = "DELETE FROM source_recordings WHERE id = $1";
}

/// The keys are long and of any characters; an index needs something short.
fn hash(key: &str) -> String {
    hex::encode(Sha256::digest(key))
}

/// What is known of a source.
///
/// # Errors
/// A row that cannot be read.
pub async fn known(connection: &mut Connection, source_id: Uuid) -> Result<Vec<Known>> {
    let rows = sqlx::query(KNOWN)
        .bind(source_id.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// What has to be stored after a look that found `found` at `now` (Unix milliseconds).
#[must_use]
pub fn changes(known: Vec<Known>, found: Vec<NewRecording>, now: i64) -> Vec<Change> {
    let mut kept = HashSet::new();
    let mut unseen: HashMap<String, Known> = known
        .into_iter()
        .map(|known| (known.key_hash.clone(), known))
        .collect();
    let mut changed = Vec::new();
    for found in found {
        let hash = hash(&found.key);
        // The first one of those with the same key counts.
        if !kept.insert(hash.clone()) {
            continue;
        }
        let change = match unseen.remove(&hash) {
            Some(known) => known.seen_again(found, now),
            None => Some(Change::Add(found)),
        };
        changed.extend(change);
    }
    let mut changes: Vec<_> = forgotten(unseen.into_values().collect(), kept.len());
    changes.extend(changed);
    changes
}

/// Which recordings that are not there any more are forgotten, if `kept` others are known.
fn forgotten(mut unseen: Vec<Known>, kept: usize) -> Vec<Change> {
    let mut forgotten: Vec<_> = unseen
        .extract_if(.., |known| known.is_growing())
        .map(|known| Change::Forget(known.id))
        .collect();
    unseen.sort_unstable_by_key(|known| (known.found_at, known.id));
    let too_many = (unseen.len() + kept).saturating_sub(MAX_KNOWN);
    let oldest = unseen.iter().take(too_many);
    forgotten.extend(oldest.map(|known| Change::Forget(known.id)));
    forgotten
}

impl Known {
    fn is_growing(&self) -> bool {
        self.state == SourceRecordingState::Waiting && !self.is_settled
    }

    /// What changes because it was found again.
    fn seen_again(&self, found: NewRecording, now: i64) -> Option<Change> {
        let id = self.id;
        if let Some(url) = found.url {
            let is_other = self.url.as_ref() != Some(&url);
            let size = found.size;
            return (is_other && self.state != SourceRecordingState::Started)
                .then_some(Change::Move { id, url, size });
        }
        let is_same = self.version == found.version;
        let has_failed = self.state == SourceRecordingState::Failed;
        let is_settled = if is_same {
            if !self.is_growing() || now - self.changed_at < SETTLED_AFTER_MS {
                return None;
            }
            true
        } else if self.is_growing() || has_failed {
            found.is_settled
        } else {
            return None;
        };
        Some(Change::Renew {
            id,
            version: found.version,
            size: found.size,
            is_settled,
        })
    }
}

/// Stores a change.
///
/// # Errors
/// When the database fails.
pub async fn apply(
    connection: &mut Connection,
    source_id: Uuid,
    change: &Change,
    now: i64,
) -> Result<()> {
    let query = match change {
        Change::Add(new) => sqlx::query(ADD)
            .bind(new.id.to_string())
            .bind(source_id.to_string())
            .bind(hash(&new.key))
            .bind(&new.key)
            .bind(&new.name)
            .bind(new.url.as_deref())
            .bind(new.size)
            .bind(&new.version)
            .bind(i64::from(new.is_settled))
            .bind(word(&new.state))
            .bind(now),
        Change::Renew {
            id,
            version,
            size,
            is_settled,
        } => sqlx::query(RENEW)
            .bind(id.to_string())
            .bind(version)
            .bind(*size)
            .bind(i64::from(*is_settled))
            .bind(now),
        Change::Move { id, url, size } => {
            sqlx::query(MOVE).bind(id.to_string()).bind(url).bind(*size)
        }
        Change::Forget(id) => sqlx::query(FORGET).bind(id.to_string()),
    };
    query.execute(connection).await?;
    Ok(())
}
