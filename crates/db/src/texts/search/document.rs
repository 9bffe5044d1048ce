//! Writing to the index.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use slovo_rules::edit::EditedTranscript;
use slovo_rules::search;
use sqlx::Row;
use uuid::Uuid;

use super::{Stale, passage};
use crate::core::connect::Backend;
use crate::core::statement::statements;
use crate::jobs::Job;
use crate::{Connection, Result};

/// A word that occurs this often marks a transcript as more relevant.
const FREQUENT_FROM: u8 = 3;
/// Maximum total bytes of a transcript's words and of their keys; the database may need twice as
/// much, because each can also be stored as a frequent one. PostgreSQL's limit is 1,048,576; a
/// transcript of ten hours has about half of it.
const MAX_BYTES: RemainingSpace = RemainingSpace {
    words: 250_000,
    keys: 200_000,
};
/// Bytes of overhead per word.
const WORD_OVERHEAD_BYTES: usize = 6;

/// A job as it is indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    owner: String,
    created_at: i64,
    /// The words of its title, file name and tags.
    name: Vec<String>,
    /// Other words it is found by: the names of its speakers.
    labels: Vec<String>,
    /// Each word of the transcript with its count, up to [`FREQUENT_FROM`].
    body: BTreeMap<String, u8>,
    /// The same for the words' keys (`slovo_stems`).
    keys: BTreeMap<String, u8>,
    passages: Vec<passage::StoredPassage>,
}

impl Document {
    /// Builds the document of a job, with its transcript if it has one. Slow for a long transcript,
    /// so call it before the transaction with [`write`].
    #[must_use]
    pub fn new(job: &Job, transcript: Option<&EditedTranscript>) -> Self {
        let mut room = MAX_BYTES;
        let (mut body, mut keys) = (BTreeMap::new(), BTreeMap::new());
        let (mut passages, mut labels) = (Vec::new(), Vec::<String>::new());
        if let Some(transcript) = transcript {
            let names: HashMap<&str, &str> = transcript
                .speakers
                .iter()
                .filter_map(|speaker| Some((speaker.id.as_str(), speaker.name.as_deref()?)))
                .collect();
            let mut speaking = BTreeSet::new();
            for segment in &transcript.segments {
                speaking.extend(segment.speaker.as_deref());
                for word in search::words(&segment.text) {
                    count(&mut body, word, 1, &mut room.words);
                }
                passages.push(passage::StoredPassage::new(segment, &names));
            }
            // A speaker without segments has no passage to open.
            let speaker_names = speaking.into_iter().filter_map(|id| names.get(id));
            labels.extend(speaker_names.flat_map(|name| search::words(name)));
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

    /// Adds the names of its tags, which count like the title.
    #[must_use]
    pub fn with_tags(mut self, tags: &[String]) -> Self {
        let words = tags.iter().flat_map(|tag| search::words(tag));
        self.name.extend(words);
        self
    }

    /// The words and their keys, with the places they are indexed for.
    fn words(&self) -> BTreeSet<(IndexField, EntryKind, String)> {
        let mut all = BTreeSet::new();
        for word in &self.name {
            add(&mut all, &[IndexField::Name, IndexField::Any], word);
        }
        for word in &self.labels {
            add(&mut all, &[IndexField::Any], word);
        }
        for (kind, words) in [(EntryKind::Word, &self.body), (EntryKind::Key, &self.keys)] {
            for (word, times) in words {
                if *times >= FREQUENT_FROM {
                    all.insert((IndexField::Frequent, kind, word.clone()));
                }
                all.insert((IndexField::Any, kind, word.clone()));
            }
        }
        all
    }
}

/// The words of its title and file name.
fn name(job: &Job) -> Vec<String> {
    let mut words = search::words(&job.original_filename);
    words.extend(job.title.as_deref().map(search::words).unwrap_or_default());
    words
}

/// Remaining bytes.
struct RemainingSpace {
    words: usize,
    keys: usize,
}

/// Adds a word of a name with its keys.
fn add(all: &mut BTreeSet<(IndexField, EntryKind, String)>, places: &[IndexField], word: &str) {
    let keys = slovo_stems::keys(word);
    for place in places {
        all.insert((*place, EntryKind::Word, word.to_owned()));
        for key in &keys {
            all.insert((*place, EntryKind::Key, key.clone()));
        }
    }
}

/// Counts a word while there is room.
fn count(counts: &mut BTreeMap<String, u8>, word: String, times: u8, room: &mut usize) {
    if let Some(before) = counts.get_mut(&word) {
        *before = FREQUENT_FROM.min(*before + times);
    } else if let Some(left) = room.checked_sub(word.len() + WORD_OVERHEAD_BYTES) {
        *room = left;
        counts.insert(word, times);
    }
}

/// The owner as a single token that occurs in no transcript: the bytes of the id in hexadecimal.
pub(super) fn owner(user_id: &str) -> String {
    let digits = user_id.bytes().map(|byte| format!("{byte:02x}"));
    digits.fold("@".to_owned(), |all, two| all + &two)
}

statements! {
    const MARK_INDEXED: BOTH =
        "UPDATE search_documents SET indexed = $2 WHERE my_job_id = $1 AND indexed < $2";
}

/// Stores a document in the index, read after the job was found stale. `false` if a newer state was
/// stored meanwhile, or the job was deleted.
///
/// # Errors
/// When the database fails.
pub async fn write(
    connection: &mut Connection,
    backend: Backend,
    stale: &Stale,
    document: &Document,
) -> Result<bool> {
    let done = sqlx::query(MARK_INDEXED)
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

statements! {
    const INSERT_ENTRY: SQLITE =
        "INSERT INTO search_entries (my_job_id) VALUES ($1) ON CONFLICT DO NOTHING";
    const SELECT_ENTRY: SQLITE = "SELECT id FROM search_entries WHERE my_job_id = $1";
    const REPLACE_WORDS_SQLITE: SQLITE =
        "INSERT OR REPLACE INTO search_index (rowid, words) VALUES ($1, $2)";
}

async fn write_sqlite(connection: &mut Connection, job: Uuid, document: &Document) -> Result<()> {
    sqlx::query(INSERT_ENTRY)
        .bind(job.to_string())
        .execute(&mut *connection)
        .await?;
    let row = sqlx::query(SELECT_ENTRY)
        .bind(job.to_string())
        .fetch_one(&mut *connection)
        .await?;
    let words = document.words().into_iter();
    let words: Vec<String> = words
        .map(|(place, kind, word)| sqlite_prefix(&document.owner, place, kind) + &word)
        .collect();
    sqlx::query(REPLACE_WORDS_SQLITE)
        .bind(row.try_get::<i64, _>("id")?)
        .bind(words.join(" "))
        .execute(connection)
        .await?;
    Ok(())
}

/// Where the words of a query are searched, best first. A word has a separate index entry for each
/// place, so that for a frequent word only the requested entries are read; its keys, by which other
/// inflected forms match, are stored the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IndexField {
    /// All words in the name.
    Name,
    /// All words often in the transcript.
    Frequent,
    /// Each word in the name or the transcript.
    Any,
}

/// A kind of index entry for a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryKind {
    /// The word itself.
    Word,
    /// A key shared by its inflected forms.
    Key,
}

impl IndexField {
    /// The prefix of its entries in PostgreSQL's index; no word begins with it.
    pub(super) fn postgres_prefix(self, kind: EntryKind) -> &'static str {
        match (self, kind) {
            (Self::Name, EntryKind::Word) => "^",
            (Self::Frequent, EntryKind::Word) => "+",
            (Self::Any, EntryKind::Word) => ".",
            (Self::Name, EntryKind::Key) => "~^",
            (Self::Frequent, EntryKind::Key) => "~+",
            (Self::Any, EntryKind::Key) => "~.",
        }
    }

    /// The same for SQLite's index, whose tokenizer splits at punctuation: a letter that is no
    /// hexadecimal digit.
    fn sqlite_letter(self, kind: EntryKind) -> char {
        match (self, kind) {
            (Self::Name, EntryKind::Word) => 'y',
            (Self::Frequent, EntryKind::Word) => 'z',
            (Self::Any, EntryKind::Word) => 'x',
            (Self::Name, EntryKind::Key) => 'v',
            (Self::Frequent, EntryKind::Key) => 'w',
            (Self::Any, EntryKind::Key) => 'u',
        }
    }
}

/// The prefix of an owner's entries in SQLite's index.
pub(super) fn sqlite_prefix(owner: &str, place: IndexField, kind: EntryKind) -> String {
    format!(
        "{}{}",
        owner.trim_start_matches('@'),
        place.sqlite_letter(kind)
    )
}

statements! {
    const UPSERT_WORDS_POSTGRES: POSTGRES =
        "INSERT INTO search_index (my_job_id, owner, created_at, words) \
         VALUES ($1, $2, $3, CAST($4 AS tsvector)) ON CONFLICT (my_job_id) DO UPDATE \
         SET created_at = EXCLUDED.created_at, words = EXCLUDED.words";
}

async fn write_postgres(connection: &mut Connection, job: Uuid, document: &Document) -> Result<()> {
    sqlx::query(UPSERT_WORDS_POSTGRES)
        .bind(job.to_string())
        .bind(&document.owner)
        .bind(document.created_at)
        .bind(vector(document))
        .execute(connection)
        .await?;
    Ok(())
}

/// The `tsvector` with the owner, the day of creation and the words.
fn vector(document: &Document) -> String {
    let words = document.words().into_iter();
    let words = words.map(|(place, kind, word)| lexeme(place.postgres_prefix(kind), &word));
    let day = day(&document.owner, document.created_at);
    let whose = [lexeme("", &document.owner), lexeme("", &day)];
    let all: BTreeSet<String> = words.chain(whose).collect();
    all.into_iter().collect::<Vec<_>>().join(" ")
}

/// Jobs of a user created within the same day share a token, so that the newest can be searched
/// alone.
pub(super) const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// The token of a user's jobs created on a day.
pub(super) fn day(owner: &str, created_at: i64) -> String {
    format!("{owner}-{}", created_at.div_euclid(DAY_MS))
}

/// A quoted word in PostgreSQL's syntax.
pub(super) fn lexeme(kind: &str, word: &str) -> String {
    format!("'{kind}{}'", word.replace('\\', "\\\\").replace('\'', "''"))
}
