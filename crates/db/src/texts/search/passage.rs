//! The passages of a transcript: its segments as displayed on a page of results.

use std::collections::{BTreeSet, HashMap, HashSet};

use slovo_rules::edit::EditedSegment;
use slovo_rules::search;
use uuid::Uuid;

use super::Terms;
use crate::core::connect::Backend;
use crate::core::fields::{ROWS_PER_STATEMENT, placeholders};
use crate::core::statement::{built_statements, row_columns, statements};
use crate::{Connection, Result};

/// Values per row of a passage.
const COLUMNS: usize = 7;

/// A segment with words that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Passage {
    /// The segment.
    pub segment_id: String,
    /// Seconds.
    pub start: f64,
    /// The speaker's name, or the id if there is none.
    pub speaker: Option<String>,
    /// Its language; `None` in what older releases indexed: then it is the job's.
    pub language: Option<String>,
    /// The text.
    pub text: String,
}

/// A stored passage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredPassage {
    segment_id: String,
    /// Bits of the start in seconds, so that rows can be compared.
    start: u64,
    speaker: Option<String>,
    language: Option<String>,
    text: String,
    folded: String,
}

impl StoredPassage {
    pub(super) fn new(segment: &EditedSegment, names: &HashMap<&str, &str>) -> Self {
        let speaker = segment.speaker.as_deref();
        let name = speaker.and_then(|id| names.get(id)).copied();
        Self {
            segment_id: segment.id.clone(),
            start: segment.start.to_bits(),
            speaker: name.or(speaker).map(str::to_owned),
            language: segment.language.clone(),
            text: segment.text.clone(),
            folded: folded(&segment.text, name.unwrap_or_default()),
        }
    }
}

/// The text that is searched for words: the segment's text, the speaker's name, and those keys of
/// their words that it does not contain yet.
fn folded(text: &str, name: &str) -> String {
    let mut folded = search::fold(text).text;
    folded.push(' ');
    folded += &search::fold(name).text;
    // Keys are searched as substrings, so a key contained in its own word need not be added.
    let mut added = HashSet::new();
    for word in search::words(&folded) {
        for key in slovo_stems::keys(&word) {
            if !word.contains(&key) && !added.contains(&key) {
                folded.push(' ');
                folded += &key;
                added.insert(key);
            }
        }
    }
    folded
}

row_columns! {
    fn read_passage() -> Passage from "search_passages" by "segment_id" {
        segment_id: text,
        start: number in "start_time",
        speaker: text_or_none,
        language: text_or_none,
        text: text,
    }
}

/// The job of a passage.
struct PassageJob {
    my_job_id: Uuid,
}

row_columns! {
    fn read_job() -> PassageJob from "search_passages" by "segment_id" {
        my_job_id: uuid,
    }
}

built_statements! {
    select_passages: BOTH -> Passage, PassageJob = |backend| vec![
        select_passages(backend, 1, 1),
        select_passages(backend, 3, 2),
    ];
}

/// The SQL for the passages of `jobs` jobs with at least one of `words` words.
fn select_passages(backend: Backend, words: usize, jobs: usize) -> String {
    let conditions: Vec<String> = (1..=words)
        .map(|number| backend.contains("folded", number))
        .collect();
    format!(
        "SELECT my_job_id, segment_id, start_time, speaker, language, text FROM search_passages \
         WHERE my_job_id IN {} AND ({}) ORDER BY my_job_id, start_time, segment_id",
        placeholders(words, jobs),
        conditions.join(" OR ")
    )
}

/// The passages of these jobs whose text or speaker contains at least one of the words or their
/// keys, also as a part of a word, in the order of the recording. These are the candidates in which
/// to look for the words. Jobs without any have no entry.
///
/// # Errors
/// When the database fails.
pub async fn passages(
    connection: &mut Connection,
    jobs: &[Uuid],
    terms: &Terms,
) -> Result<HashMap<Uuid, Vec<Passage>>> {
    if terms.all().is_empty() || jobs.is_empty() {
        return Ok(HashMap::new());
    }
    let words = terms.all().iter();
    let words: BTreeSet<&str> = words
        .flat_map(|term| {
            [term.word()]
                .into_iter()
                .chain(term.keys().iter().map(String::as_str))
        })
        .collect();
    // Only parameter numbers are formatted into the SQL.
    let statement = sqlx::AssertSqlSafe(select_passages(
        Backend::of(connection),
        words.len(),
        jobs.len(),
    ));
    let mut select = sqlx::query(statement);
    for word in words {
        select = select.bind(word.to_owned());
    }
    for job in jobs {
        select = select.bind(job.to_string());
    }
    let mut found: HashMap<Uuid, Vec<Passage>> = HashMap::new();
    for row in &select.fetch_all(connection).await? {
        let job = read_job(row)?.my_job_id;
        found.entry(job).or_default().push(read_passage(row)?);
    }
    Ok(found)
}

statements! {
    const DELETE_PASSAGE: BOTH =
        "DELETE FROM search_passages WHERE my_job_id = $1 AND segment_id = $2";
}

/// Replaces the job's passages. Writes only the changed ones: most edits change one of thousands.
pub(super) async fn replace(
    connection: &mut Connection,
    job: Uuid,
    passages: &[StoredPassage],
) -> Result<()> {
    let mut stored = stored(&mut *connection, job).await?;
    let mut changed = Vec::new();
    for passage in passages {
        if stored.remove(&passage.segment_id).as_ref() != Some(passage) {
            changed.push(passage);
        }
    }
    for segment_id in stored.into_keys() {
        sqlx::query(DELETE_PASSAGE)
            .bind(job.to_string())
            .bind(segment_id)
            .execute(&mut *connection)
            .await?;
    }
    for some in changed.chunks(ROWS_PER_STATEMENT) {
        insert(&mut *connection, job, some).await?;
    }
    Ok(())
}

row_columns! {
    fn read_stored_passage() -> StoredPassage from "search_passages" by "segment_id" {
        segment_id: text,
        start: number in "start_time" => f64::to_bits,
        speaker: text_or_none,
        language: text_or_none,
        text: text,
        folded: text,
    }
}

statements! {
    const SELECT_STORED_PASSAGES: BOTH -> StoredPassage =
        "SELECT segment_id, start_time, speaker, language, text, folded FROM search_passages \
         WHERE my_job_id = $1";
}

async fn stored(connection: &mut Connection, job: Uuid) -> Result<HashMap<String, StoredPassage>> {
    sqlx::query(SELECT_STORED_PASSAGES)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?
        .iter()
        .map(|row| {
            let written = read_stored_passage(row)?;
            Ok((written.segment_id.clone(), written))
        })
        .collect()
}

built_statements! {
    upsert_passages: BOTH = |_| vec![upsert_passages(1), upsert_passages(3)];
}

/// The SQL that stores `count` passages.
fn upsert_passages(count: usize) -> String {
    let rows: Vec<String> = (0..count)
        .map(|row| placeholders(row * COLUMNS, COLUMNS))
        .collect();
    format!(
        "INSERT INTO search_passages (my_job_id, segment_id, start_time, speaker, text, folded, \
         language) VALUES {} ON CONFLICT (my_job_id, segment_id) DO UPDATE SET \
         start_time = EXCLUDED.start_time, speaker = EXCLUDED.speaker, text = EXCLUDED.text, \
         folded = EXCLUDED.folded, language = EXCLUDED.language",
        rows.join(", ")
    )
}

async fn insert(connection: &mut Connection, job: Uuid, passages: &[&StoredPassage]) -> Result<()> {
    // Only parameter numbers are formatted into the SQL.
    let statement = sqlx::AssertSqlSafe(upsert_passages(passages.len()));
    let mut insert = sqlx::query(statement).persistent(false);
    for passage in passages {
        insert = insert
            .bind(job.to_string())
            .bind(passage.segment_id.clone())
            .bind(f64::from_bits(passage.start))
            .bind(passage.speaker.clone())
            .bind(passage.text.clone())
            .bind(passage.folded.clone())
            .bind(passage.language.clone());
    }
    insert.execute(connection).await?;
    Ok(())
}
