//! Voices that accounts remember, and names proposed by them: tables `voices`, `voice_samples`,
//! `voice_comparisons` and `voice_proposals`.
//!
//! Samples and comparisons are also the entries of a queue, see [`claim`]: whoever takes one moves
//! its `run_after` into the future, so that another process takes it over if this one dies.

mod comparisons;
mod samples;
#[cfg(test)]
mod tests;
mod work;

use slovo_rules::voice::VoiceState;
use uuid::Uuid;

pub(crate) use comparisons::compare_with_any;
pub use comparisons::{Comparison, Proposal, compare, comparison, decline, declined, proposals};
pub use samples::{NewSample, Remembered, Sample, add_sample, of_account, of_text};
pub use work::{
    ComputedSample, Task, TaskKind, claim, fail, finish_comparison, finish_sample, retry, waiting,
};

use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A voice with what it is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Voice {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// Seconds of speech that it is made of.
    pub seconds: f64,
    /// Its computed samples.
    pub ready: i64,
    /// Recordings that these are from, also deleted ones.
    pub recordings: i64,
    /// Samples that are not computed yet.
    pub learning: i64,
    /// Code of why its newest sample could not be computed; `None` once a later one was.
    pub error: Option<String>,
    /// Unix milliseconds.
    pub created_at: i64,
    /// Unix milliseconds.
    pub updated_at: i64,
}

impl Voice {
    /// Its state: it is ready as soon as one of its samples is.
    #[must_use]
    pub fn state(&self) -> VoiceState {
        match (self.ready, self.learning) {
            (1.., _) => VoiceState::Ready,
            (_, 1..) => VoiceState::Learning,
            _ => VoiceState::Failed,
        }
    }
}

row_columns! {
    fn read() -> Voice from "voices" by "id" {
        id: uuid,
        name: text,
        seconds: number,
        ready: integer,
        recordings: integer,
        learning: integer,
        error: text_or_none,
        created_at: integer,
        updated_at: integer,
    }
}

/// Selects the voices `v` with sums of their samples.
macro_rules! select {
    ($condition:literal) => {
        concat!(
            "SELECT v.id, v.name, v.created_at, v.updated_at, \
             (SELECT COALESCE(SUM(s.seconds), 0.0) FROM voice_samples s \
             WHERE s.voice_id = v.id) AS seconds, \
             (SELECT COUNT(*) FROM voice_samples s \
             WHERE s.voice_id = v.id AND s.vector IS NOT NULL) AS ready, \
             (SELECT COUNT(DISTINCT COALESCE(s.my_job_id, s.id)) FROM voice_samples s \
             WHERE s.voice_id = v.id AND s.vector IS NOT NULL) AS recordings, \
             (SELECT COUNT(*) FROM voice_samples s \
             WHERE s.voice_id = v.id AND s.finished_at IS NULL) AS learning, \
             (SELECT s.error FROM voice_samples s WHERE s.voice_id = v.id \
             AND s.error IS NOT NULL AND s.finished_at >= COALESCE((SELECT MAX(o.finished_at) \
             FROM voice_samples o WHERE o.voice_id = v.id AND o.vector IS NOT NULL), 0) \
             ORDER BY s.finished_at DESC, s.id DESC LIMIT 1) AS error \
             FROM voices v ",
            $condition
        )
    };
}

statements! {
    const SELECT_VOICES: BOTH -> Voice = select!("WHERE v.user_id = $1 ORDER BY v.created_at, v.id");
    const SELECT_VOICE: BOTH -> Voice = select!("WHERE v.user_id = $1 AND v.id = $2");
}

/// The voices of an account, the oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn list(connection: &mut Connection, user_id: &str) -> Result<Vec<Voice>> {
    let rows = sqlx::query(SELECT_VOICES)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read).collect()
}

/// A voice of the account.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<Option<Voice>> {
    let row = sqlx::query(SELECT_VOICE)
        .bind(user_id)
        .bind(id.to_string())
        .fetch_optional(connection)
        .await?;
    row.as_ref().map(read).transpose()
}

statements! {
    const INSERT_VOICE: BOTH =
        "INSERT INTO voices (id, user_id, name, created_at, updated_at) \
         SELECT $1, id, $3, $4, $4 FROM accounts WHERE id = $2";
    const RENAME_VOICE: BOTH =
        "UPDATE voices SET name = $3, updated_at = $4 WHERE user_id = $1 AND id = $2";
    const DELETE_VOICE: BOTH = "DELETE FROM voices WHERE user_id = $1 AND id = $2";
}

/// Stores a voice without samples.
///
/// # Errors
/// When the database fails.
pub async fn insert(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    name: &str,
    now: i64,
) -> Result<()> {
    sqlx::query(INSERT_VOICE)
        .bind(id.to_string())
        .bind(user_id)
        .bind(name)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Renames a voice of the account; `false` if it has none with this id.
///
/// # Errors
/// When the database fails.
pub async fn rename(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
    name: &str,
    now: i64,
) -> Result<bool> {
    let done = sqlx::query(RENAME_VOICE)
        .bind(user_id)
        .bind(id.to_string())
        .bind(name)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// Deletes a voice of the account, with its samples and the names it was proposed as; `false` if it
/// has none with this id.
///
/// # Errors
/// When the database fails.
pub async fn delete(connection: &mut Connection, user_id: &str, id: Uuid) -> Result<bool> {
    let done = sqlx::query(DELETE_VOICE)
        .bind(user_id)
        .bind(id.to_string())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() > 0)
}

statements! {
    const MOVE_SAMPLES: BOTH = "UPDATE voice_samples SET voice_id = $2 WHERE voice_id = $1";
    const MOVE_PROPOSALS: BOTH =
        "UPDATE voice_proposals SET voice_id = $2 WHERE voice_id = $1 AND NOT EXISTS \
         (SELECT 1 FROM voice_proposals o WHERE o.my_job_id = voice_proposals.my_job_id \
         AND o.version = voice_proposals.version AND o.speaker = voice_proposals.speaker \
         AND o.voice_id = $2)";
    const TOUCH_VOICE: BOTH = "UPDATE voices SET updated_at = $3 WHERE user_id = $1 AND id = $2";
}

/// Moves the samples and proposals of a voice to another one of the account, and deletes it. The
/// caller has checked that both belong to the account.
///
/// # Errors
/// When the database fails.
pub async fn merge(
    connection: &mut Connection,
    user_id: &str,
    from: Uuid,
    into: Uuid,
    now: i64,
) -> Result<()> {
    for statement in [MOVE_SAMPLES, MOVE_PROPOSALS] {
        sqlx::query(statement)
            .bind(from.to_string())
            .bind(into.to_string())
            .execute(&mut *connection)
            .await?;
    }
    delete(&mut *connection, user_id, from).await?;
    touch(connection, user_id, into, now).await
}

/// Notes that a voice was changed.
async fn touch(connection: &mut Connection, user_id: &str, id: Uuid, now: i64) -> Result<()> {
    sqlx::query(TOUCH_VOICE)
        .bind(user_id)
        .bind(id.to_string())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
