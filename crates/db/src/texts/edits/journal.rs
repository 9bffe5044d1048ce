//! The journal: every edit with its changes, its author and its time.

mod statements;

use std::collections::HashMap;

use slovo_rules::edit::EditedSegment;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::standing::Standing;
use super::{Change, SegmentState, SpeakerState, to_u32, unsure};
use crate::core::fields::json;
use crate::core::statement::row_columns;
use crate::{Connection, Error, Result};

/// A visitor who edits through a share link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The name they entered, unverified.
    pub name: String,
    /// The link, which may have been deleted.
    pub share: Uuid,
    /// When the link was created, in Unix milliseconds.
    pub share_made_at: i64,
}

/// The visitor in a row of the journal, if the edit came through a link.
fn read_visitor(row: &AnyRow) -> Result<Option<Visitor>> {
    let row = statements::read_visitor_row(row)?;
    let Some(name) = row.name else {
        return Ok(None);
    };
    let missing = |column: &str| {
        Error::row(
            "transcript_edits",
            row.edit_id.clone(),
            format!("{column}: NULL for a visitor"),
        )
    };
    Ok(Some(Visitor {
        name,
        share: row.share.ok_or_else(|| missing("share_id"))?,
        share_made_at: row.share_made_at.ok_or_else(|| missing("share_made_at"))?,
    }))
}

/// A new edit.
#[derive(Debug, Clone)]
pub struct NewEntry<'a> {
    /// Its number: the last edit's plus one.
    pub seq: u32,
    /// Id from the author's page.
    pub edit_id: Uuid,
    /// Id of the page.
    pub client: Uuid,
    /// The account; empty for a visitor.
    pub author_id: &'a str,
    /// The visitor, for an edit through a link.
    pub visitor: Option<&'a Visitor>,
    /// Unix milliseconds.
    pub at: i64,
    /// The kind of edit, as named by the caller.
    pub kind: &'a str,
    /// The edit that an undo or a redo applies to; `None` for all others, which can be undone.
    pub target: Option<u32>,
    /// Changed segments.
    pub segments: &'a [Change<SegmentState>],
    /// Changed speakers.
    pub speakers: &'a [Change<SpeakerState>],
}

/// A stored edit.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: u32,
    /// Id from the author's page.
    pub edit_id: Uuid,
    /// Id of the page.
    pub client: Uuid,
    /// The visitor, for an edit through a link.
    pub visitor: Option<Visitor>,
    /// Unix milliseconds.
    pub at: i64,
    /// The kind of edit.
    pub kind: String,
    /// Changed segments.
    pub segments: Vec<Change<SegmentState>>,
    /// Changed speakers.
    pub speakers: Vec<Change<SpeakerState>>,
}

/// An action with the current name of its author.
#[derive(Debug, Clone, PartialEq)]
pub struct WithAuthor<T> {
    /// The action.
    pub of: T,
    /// The account's name, or the part of its address before the @. `None` if the account was
    /// deleted, or for a visitor with a link.
    pub author_name: Option<String>,
}

/// The author's columns in a row of an action.
pub(crate) struct Author {
    name: Option<String>,
    email: Option<String>,
}

row_columns! {
    fn read_author() -> Author {
        name: text_or_none in "author_name",
        email: text_or_none in "author_email",
    }
}

/// The author's name in a row with the columns `author_name` and `author_email`.
///
/// # Errors
/// A row without these columns.
pub(crate) fn author_name(row: &AnyRow) -> Result<Option<String>> {
    let author = read_author(row)?;
    if author.name.is_some() {
        return Ok(author.name);
    }
    Ok(author.email.map(|email| {
        let part = email.split_once('@').map(|(part, _)| part.to_owned());
        part.unwrap_or(email)
    }))
}

fn read(row: &AnyRow) -> Result<Entry> {
    let stored = statements::read_row(row)?;
    Ok(Entry {
        seq: to_u32(stored.seq)?,
        edit_id: stored.edit_id,
        client: stored.client,
        visitor: read_visitor(row)?,
        at: stored.at,
        kind: stored.kind,
        segments: changes(stored.segments_before, stored.segments_after),
        speakers: changes(stored.speakers_before, stored.speakers_after),
    })
}

fn changes<T>(before: Vec<T>, after: Vec<T>) -> Vec<Change<T>> {
    before
        .into_iter()
        .zip(after)
        .map(|(before, after)| Change { before, after })
        .collect()
}

/// Stores an edit as the transcript's last one. The transcript must be locked. In the same
/// transaction the caller also records who worked on the job (`jobs::record_work`) and, if
/// [`NewEntry::affects_search`], marks it as stale for the search (`search::mark_stale`).
///
/// # Errors
/// The constraint `transcript_edits_pkey` (or its name in SQLite) if the number is used.
pub async fn append(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    entry: &NewEntry<'_>,
) -> Result<()> {
    let segments = |side: fn(&Change<SegmentState>) -> &SegmentState| {
        json(&entry.segments.iter().map(side).collect::<Vec<_>>())
    };
    let speakers = |side: fn(&Change<SpeakerState>) -> &SpeakerState| {
        json(&entry.speakers.iter().map(side).collect::<Vec<_>>())
    };
    let standing = entry.target.is_none().then(|| Standing::Applied.number());
    sqlx::query(statements::INSERT_EDIT)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(entry.seq))
        .bind(entry.edit_id.to_string())
        .bind(entry.client.to_string())
        .bind(entry.author_id)
        .bind(entry.at)
        .bind(entry.kind)
        .bind(entry.target.map(i64::from))
        .bind(standing)
        .bind(segments(|change| &change.before))
        .bind(segments(|change| &change.after))
        .bind(speakers(|change| &change.before))
        .bind(speakers(|change| &change.after))
        .bind(entry.visitor.map(|visitor| visitor.name.as_str()))
        .bind(entry.visitor.map(|visitor| visitor.share.to_string()))
        .bind(entry.visitor.map(|visitor| visitor.share_made_at))
        .execute(&mut *connection)
        .await?;
    // A count that was never made stays NULL, because NULL plus a number is NULL.
    sqlx::query(statements::UPDATE_HEAD)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(entry.seq))
        .bind(unsure::change(entry.segments))
        .execute(connection)
        .await?;
    Ok(())
}

impl NewEntry<'_> {
    /// Whether the edit changes words, times or names that the search uses.
    #[must_use]
    pub fn affects_search(&self) -> bool {
        !self.speakers.is_empty() || !self.segments.iter().all(changes_only_cues)
    }
}

/// Whether only the subtitles of a segment changed.
fn changes_only_cues(Change { before, after }: &Change<SegmentState>) -> bool {
    let without_cues = |state: &SegmentState| SegmentState {
        segment: EditedSegment {
            revision: 0,
            cues: Vec::new(),
            ..state.segment.clone()
        },
        ..*state
    };
    without_cues(before) == without_cues(after)
}

/// Which of these edits are already stored, by id.
///
/// # Errors
/// A row that cannot be read.
pub async fn stored(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Entry>> {
    let mut found = HashMap::new();
    if ids.is_empty() {
        return Ok(found);
    }
    // Only parameter numbers are formatted into the SQL.
    let statement = AssertSqlSafe(statements::select_edits(ids.len()));
    let mut query = sqlx::query(statement).persistent(ids.len() == 1);
    query = query.bind(job.to_string()).bind(version);
    for id in ids {
        query = query.bind(id.to_string());
    }
    for row in query.fetch_all(connection).await? {
        let entry = read(&row)?;
        found.insert(entry.edit_id, entry);
    }
    Ok(found)
}

/// The edit with this number.
///
/// # Errors
/// A row that cannot be read.
pub async fn find(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    seq: u32,
) -> Result<Option<Entry>> {
    sqlx::query(statements::SELECT_EDIT)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(seq))
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// At most `limit` edits after this number, oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn since(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    since: u32,
    limit: u32,
) -> Result<Vec<WithAuthor<Entry>>> {
    let rows = sqlx::query(statements::SELECT_EDITS_SINCE)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(since))
        .bind(i64::from(limit))
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(WithAuthor {
                of: read(row)?,
                author_name: author_name(row)?,
            })
        })
        .collect()
}

/// Earlier states of segments and speakers that later edits changed.
#[derive(Debug, Clone, Default)]
pub struct EarlierStates {
    /// Segments by id.
    pub segments: HashMap<String, SegmentState>,
    /// Speakers, without duplicates.
    pub speakers: Vec<SpeakerState>,
}

/// The states right after edit `at` of everything that later edits changed.
///
/// # Errors
/// A row that cannot be read.
pub async fn states_at(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    at: u32,
) -> Result<EarlierStates> {
    let rows = sqlx::query(statements::SELECT_STATES_BEFORE)
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(at))
        .fetch_all(connection)
        .await?;
    let mut before = EarlierStates::default();
    for row in &rows {
        let states = statements::read_states_before(row)?;
        // The first later edit of an item has its state at that point.
        for state in states.segments {
            let id = state.segment.id.clone();
            before.segments.entry(id).or_insert(state);
        }
        for state in states.speakers {
            if before.speakers.iter().all(|speaker| speaker.id != state.id) {
                before.speakers.push(state);
            }
        }
    }
    Ok(before)
}

/// The time and author of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditStamp {
    /// The run.
    pub version: u32,
    /// Its number.
    pub seq: u32,
    /// Unix milliseconds.
    pub at: i64,
    /// The account; empty for a visitor.
    pub author_id: String,
    /// The visitor, for an edit through a link.
    pub visitor: Option<Visitor>,
}

/// The times and authors of a job's edits, by run and number.
///
/// # Errors
/// When the database fails.
pub async fn edit_stamps(
    connection: &mut Connection,
    job: Uuid,
) -> Result<Vec<WithAuthor<EditStamp>>> {
    let rows = sqlx::query(statements::SELECT_EDIT_STAMPS)
        .bind(job.to_string())
        .fetch_all(connection)
        .await?;
    rows.iter()
        .map(|row| {
            let stamp = statements::read_edit_stamp(row)?;
            Ok(WithAuthor {
                of: EditStamp {
                    version: to_u32(stamp.version)?,
                    seq: to_u32(stamp.seq)?,
                    at: stamp.at,
                    author_id: stamp.author_id,
                    visitor: read_visitor(row)?,
                },
                author_name: author_name(row)?,
            })
        })
        .collect()
}

/// Number of edits through this share link.
///
/// # Errors
/// When the database fails.
pub async fn count_by_share(connection: &mut Connection, share: Uuid) -> Result<u64> {
    let row = sqlx::query(statements::COUNT_EDITS_OF_SHARE)
        .bind(share.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("edits")?.unsigned_abs())
}

/// Number of a job's edits, in all runs.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job: Uuid) -> Result<u64> {
    let row = sqlx::query(statements::COUNT_EDITS_OF_JOB)
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("edits")?.unsigned_abs())
}
