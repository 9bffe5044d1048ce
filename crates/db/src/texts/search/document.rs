//! Writing into the index.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slovo_rules::edit::EditedTranscript;
use slovo_rules::search;
use sqlx::Row;
use uuid::Uuid;

use super::{Stale, passage};
use crate::core::connect::Backend;
use crate::jobs::Job;
use crate::{Connection, Result};

/// A text that has a word so many times is more about it than others.
const OFTEN: u8 = 3;
/// The most bytes of a text's words and of their keys, counted twice because each may be written as a
/// frequent one, too. PostgreSQL takes 1,048,576; a text of ten hours has about half of it.
const MOST_BYTES: Room = Room {
    words: 250_000,
    keys: 200_000,
};
/// What stands around a word.
const AROUND_BYTES: usize = 6;

/// A job as the index sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    owner: String,
    created_at: i64,
    /// The words of its title, of its file's name and of its tags.
    name: Vec<String>,
    /// What it is found by besides: the names of its speakers.
    labels: Vec<String>,
    /// Each word of the text, and how often it is there, up to [`OFTEN`].
    body: BTreeMap<String, u8>,
    /// The same of the words' keys (`slovo_stems`).
    keys: BTreeMap<String, u8>,
    passages: Vec<passage::Written>,
}

impl Document {
    /// A job with its text, if it has one. Takes a while for a long text: done before the
    /// transaction that [`write`]s it.
    #[must_use]
    pub fn new(job: &Job, transcript: Option<&EditedTranscript>) -> Self {
        let mut room = MOST_BYTES;
        let (mut body, mut keys) = (BTreeMap::new(), BTreeMap::new());
        let (mut passages, mut labels) = (Vec::new(), Vec::<String>::new());
        if let Some(transcript) = transcript {
            let names: HashMap<&str, &str> = transcript
                .speakers
                .iter()
                .filter_map(|speaker| Some((speaker.id.as_str(), speaker.name.as_deref()?)))
                .collect();
            let mut heard = BTreeSet::new();
            for segment in &transcript.segments {
                heard.extend(segment.speaker.as_deref());
                for word in search::words(&segment.text) {
                    count(&mut body, word, 1, &mut room.words);
                }
                passages.push(passage::Written::new(segment, &names));
            }
            // Who is not heard has no place that could be opened.
            let called = heard.into_iter().filter_map(|id| names.get(id));
            labels.extend(called.flat_map(|name| search::words(name)));
        }
        for (word, times) in &body {
            for key in slovo_stems::keys(word) {
                count(&mut keys, key, *times, &mut room.keys);
            }
        }
        Self {
            owner: owner(&job.user_id),
            created_at: job.created_at,
            name: name(job),
            labels,
            body,
            keys,
            passages,
        }
    }

    /// The same with the names of its tags, by which it is found as by its title.
    #[must_use]
    pub fn tagged(mut self, tags: &[String]) -> Self {
        let words = tags.iter().flat_map(|tag| search::words(tag));
        self.name.extend(words);
        self
    }

    /// The words and their keys, each with the places in which it is looked for.
    fn words(&self) -> BTreeSet<(Place, Kind, String)> {
        let mut all = BTreeSet::new();
        for word in &self.name {
            add(&mut all, &[Place::Name, Place::Any], word);
        }
        for word in &self.labels {
            add(&mut all, &[Place::Any], word);
        }
        for (kind, words) in [(Kind::Word, &self.body), (Kind::Key, &self.keys)] {
            for (word, times) in words {
                if *times >= OFTEN {
                    all.insert((Place::Often, kind, word.clone()));
                }
                all.insert((Place::Any, kind, word.clone()));
            }
        }
        all
    }
}

/// The words of its title and of its file's name, each of which it is found by.
fn name(job: &Job) -> Vec<String> {
    let mut words = search::words(&job.original_filename);
    words.extend(job.title.as_deref().map(search::words).unwrap_or_default());
    words
}

/// Bytes that are left.
struct Room {
    words: usize,
    keys: usize,
}

/// A word of a name, with its keys.
fn add(all: &mut BTreeSet<(Place, Kind, String)>, places: &[Place], word: &str) {
    let keys = slovo_stems::keys(word);
    for place in places {
        all.insert((*place, Kind::Word, word.to_owned()));
        for key in &keys {
            all.insert((*place, Kind::Key, key.clone()));
        }
    }
}

/// Counts a word while there is room.
fn count(counts: &mut BTreeMap<String, u8>, word: String, times: u8, room: &mut usize) {
    if let Some(before) = counts.get_mut(&word) {
        *before = OFTEN.min(*before + times);
    } else if let Some(left) = room.checked_sub(word.len() + AROUND_BYTES) {
        *room = left;
        counts.insert(word, times);
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
    let words = document.words().into_iter();
    let words: Vec<String> = words
        .map(|(place, kind, word)| mark(&document.owner, place, kind) + &word)
        .collect();
    sqlx::query("INSERT OR REPLACE INTO search_index (rowid, words) VALUES ($1, $2)")
        .bind(row.try_get::<i64, _>("id")?)
        .bind(words.join(" "))
        .execute(connection)
        .await?;
    Ok(())
}

/// Where the words of a query are looked for, the best first. A word stands in the index once for
/// each, so that of a word that most texts have those few are read that are asked for; and so do its
/// keys, by which its other forms are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// All of them in the name.
    Name,
    /// All of them often in the text.
    Often,
    /// Each in the name or the text.
    Any,
}

/// What stands in the index of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Itself.
    Word,
    /// A key, which its other forms have, too.
    Key,
}

impl Place {
    /// What tells its words and keys in PostgreSQL's index: no word begins so.
    pub(super) fn sign(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Name, Kind::Word) => "^",
            (Self::Often, Kind::Word) => "+",
            (Self::Any, Kind::Word) => ".",
            (Self::Name, Kind::Key) => "~^",
            (Self::Often, Kind::Key) => "~+",
            (Self::Any, Kind::Key) => "~.",
        }
    }

    /// The same in SQLite's, whose tokenizer cuts at signs: no digit of an owner.
    fn letter(self, kind: Kind) -> char {
        match (self, kind) {
            (Self::Name, Kind::Word) => 'y',
            (Self::Often, Kind::Word) => 'z',
            (Self::Any, Kind::Word) => 'x',
            (Self::Name, Kind::Key) => 'v',
            (Self::Often, Kind::Key) => 'w',
            (Self::Any, Kind::Key) => 'u',
        }
    }
}

/// What each word of an owner begins with in SQLite's index.
pub(super) fn mark(owner: &str, place: Place, kind: Kind) -> String {
    format!("{}{}", owner.trim_start_matches('@'), place.letter(kind))
}

async fn write_postgres(connection: &mut Connection, job: Uuid, document: &Document) -> Result<()> {
    sqlx::query(
        "INSERT INTO search_index (my_job_id, owner, created_at, words) \
         VALUES ($1, $2, $3, CAST($4 AS tsvector)) ON CONFLICT (my_job_id) DO UPDATE \
         SET created_at = EXCLUDED.created_at, words = EXCLUDED.words",
    )
    .bind(job.to_string())
    .bind(&document.owner)
    .bind(document.created_at)
    .bind(vector(document))
    .execute(connection)
    .await?;
    Ok(())
}

/// The text of a `tsvector`, which says whose the job is, when it was made, and its words.
fn vector(document: &Document) -> String {
    let words = document.words().into_iter();
    let words = words.map(|(place, kind, word)| lexeme(place.sign(kind), &word));
    let day = day(&document.owner, document.created_at);
    let whose = [lexeme("", &document.owner), lexeme("", &day)];
    let all: BTreeSet<String> = words.chain(whose).collect();
    all.into_iter().collect::<Vec<_>>().join(" ")
}

/// The time in which a user's jobs have a word in common, so that the newest can be searched alone.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The word that the jobs have which a user has made on a day.
pub(super) fn day(owner: &str, created_at: i64) -> String {
    format!("{owner}-{}", created_at.div_euclid(DAY_MS))
}

/// A word between quotes, as PostgreSQL reads it.
pub(super) fn lexeme(kind: &str, word: &str) -> String {
    format!("'{kind}{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}
