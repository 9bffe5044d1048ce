//! Writing into the index.

use std::collections::{BTreeMap, HashMap};

use slovo_rules::edit::EditedTranscript;
use slovo_rules::search;
use sqlx::Row;
use uuid::Uuid;

use super::{Stale, passage};
use crate::connect::Backend;
use crate::jobs::Job;
use crate::{Connection, Result};

/// How often a word counts in one text at most. Above this, one text is not more about it than
/// another; and what has to be written for a change of a long text stays small.
const MOST_OF_A_WORD: u8 = 8;
/// The most bytes of a text's words. PostgreSQL takes 1,048,576 with their places; a text of ten
/// hours has about a third.
const MOST_BYTES: usize = 900_000;
/// Bytes of a place, and of what stands between words.
const PLACE_BYTES: usize = 4;

/// A job as the index sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    owner: String,
    created_at: i64,
    name: Vec<String>,
    /// Each word, and how often it counts.
    body: BTreeMap<String, u8>,
    passages: Vec<passage::Written>,
}

impl Document {
    /// A job with its text, if it has one. Takes a while for a long text: done before the
    /// transaction that [`write`]s it.
    #[must_use]
    pub fn new(job: &Job, transcript: Option<&EditedTranscript>) -> Self {
        let mut body = BTreeMap::new();
        let mut passages = Vec::new();
        let mut bytes = 0;
        if let Some(transcript) = transcript {
            let names: HashMap<&str, &str> = transcript
                .speakers
                .iter()
                .filter_map(|speaker| Some((speaker.id.as_str(), speaker.name.as_deref()?)))
                .collect();
            for segment in &transcript.segments {
                for word in search::words(&segment.text) {
                    count(&mut body, word, &mut bytes);
                }
                passages.push(passage::Written::new(segment, &names));
            }
        }
        Self {
            owner: owner(&job.user_id),
            created_at: job.created_at,
            name: search::words(&job.original_filename),
            body,
            passages,
        }
    }
}

/// Counts a word while there is room.
fn count(body: &mut BTreeMap<String, u8>, word: String, bytes: &mut usize) {
    match body.get_mut(&word) {
        Some(times) if *times < MOST_OF_A_WORD => {
            *times += 1;
            *bytes += PLACE_BYTES;
        }
        Some(_) => {}
        None if *bytes > MOST_BYTES => {}
        None => {
            *bytes += word.len() + 2 * PLACE_BYTES;
            body.insert(word, 1);
        }
    }
}

/// Whose job it is, as a word that no text has and that stays whole: the id's bytes in hexadecimal.
pub(super) fn owner(user_id: &str) -> String {
    let digits = user_id.bytes().map(|byte| format!("{byte:02x}"));
    digits.fold("@".to_owned(), |all, two| all + &two)
}

/// Puts a job into the index as it was read after it was found stale. `false` if somebody has put
/// in a newer state, or the job is gone.
///
/// # Errors
/// When the database fails.
pub async fn write(
    connection: &mut Connection,
    backend: Backend,
    stale: &Stale,
    document: &Document,
) -> Result<bool> {
    let done = sqlx::query(
        "UPDATE search_documents SET indexed = $2 WHERE my_job_id = $1 AND indexed < $2",
    )
    .bind(stale.job_id.to_string())
    .bind(stale.changed)
    .execute(&mut *connection)
    .await?;
    if done.rows_affected() == 0 {
        return Ok(false);
    }
    match backend {
        Backend::Sqlite => write_sqlite(&mut *connection, stale.job_id, document).await?,
        Backend::Postgres => write_postgres(&mut *connection, stale.job_id, document).await?,
    }
    passage::replace(connection, stale.job_id, &document.passages).await?;
    Ok(true)
}

async fn write_sqlite(connection: &mut Connection, job: Uuid, document: &Document) -> Result<()> {
    sqlx::query("INSERT INTO search_entries (my_job_id) VALUES ($1) ON CONFLICT DO NOTHING")
        .bind(job.to_string())
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query("SELECT id FROM search_entries WHERE my_job_id = $1")
        .bind(job.to_string())
        .fetch_one(&mut *connection)
        .await?;
    let mut body = String::new();
    for (word, times) in &document.body {
        for _ in 0..*times {
            body.push_str(word);
            body.push(' ');
        }
    }
    sqlx::query(
        "INSERT OR REPLACE INTO search_index (rowid, owner, name, body) VALUES ($1, $2, $3, $4)",
    )
    .bind(row.try_get::<i64, _>("id")?)
    // The tokenizer of this database cuts at the sign.
    .bind(document.owner.trim_start_matches('@'))
    .bind(document.name.join(" "))
    .bind(body)
    .execute(connection)
    .await?;
    Ok(())
}

async fn write_postgres(connection: &mut Connection, job: Uuid, document: &Document) -> Result<()> {
    sqlx::query(
        "INSERT INTO search_index (my_job_id, created_at, words) \
         VALUES ($1, $2, CAST($3 AS tsvector)) ON CONFLICT (my_job_id) DO UPDATE \
         SET created_at = EXCLUDED.created_at, words = EXCLUDED.words",
    )
    .bind(job.to_string())
    .bind(document.created_at)
    .bind(vector(document))
    .execute(connection)
    .await?;
    Ok(())
}

/// The text of a `tsvector`: each word with as many places as it counts, and one of weight A if the
/// name has it. Which places these are says nothing.
fn vector(document: &Document) -> String {
    let mut words: BTreeMap<&str, (bool, u8)> = BTreeMap::new();
    for word in &document.name {
        words.entry(word).or_default().0 = true;
    }
    for (word, times) in &document.body {
        words.entry(word).or_default().1 = *times;
    }
    let mut text = lexeme(&document.owner);
    for (word, (named, times)) in words {
        let named = named.then(|| "1A".to_owned());
        let places = named
            .into_iter()
            .chain((2..times + 2).map(|place| place.to_string()));
        text.push(' ');
        text.push_str(&lexeme(word));
        text.push(':');
        text.push_str(&places.collect::<Vec<_>>().join(","));
    }
    text
}

/// A word between quotes, as PostgreSQL reads it.
pub(super) fn lexeme(word: &str) -> String {
    format!("'{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}
