//! The journal: every edit with what it changed, who did it and when.

use std::collections::HashMap;

use slovo_rules::edit::EditedSegment;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use uuid::Uuid;

use super::standing::Standing;
use super::{Change, SegmentState, SpeakerState, small, unsure};
use crate::core::fields::{Fields, json};
use crate::{Connection, Result};

/// Who edits by a share link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Visitor {
    /// The name that they gave; nobody has checked it.
    pub name: String,
    /// The link, which may be gone since.
    pub share: Uuid,
    /// When the link was made, in Unix milliseconds.
    pub share_made_at: i64,
}

/// The visitor in a row of the journal, if its edit came by a link.
fn read_visitor(fields: &Fields<'_>) -> Result<Option<Visitor>> {
    let Some(name) = fields.text_or_none("visitor_name")? else {
        return Ok(None);
    };
    Ok(Some(Visitor {
        name,
        share: fields.uuid("share_id")?,
        share_made_at: fields.integer("share_made_at")?,
    }))
}

/// An edit to be stored.
#[derive(Debug, Clone)]
pub struct NewEntry<'a> {
    /// Its number: one after the last one's.
    pub seq: u32,
    /// As its author's page named it.
    pub edit_id: Uuid,
    /// The page.
    pub client: Uuid,
    /// The account; empty for a visitor.
    pub author_id: &'a str,
    /// Who edits by a link, if it is a visitor.
    pub visitor: Option<&'a Visitor>,
    /// Unix milliseconds.
    pub at: i64,
    /// What was done, in a word of the caller's.
    pub kind: &'a str,
    /// The edit that an undo or a redo concerns; `None` for all others, which can be undone.
    pub target: Option<u32>,
    /// What became of segments.
    pub segments: &'a [Change<SegmentState>],
    /// What became of speakers.
    pub speakers: &'a [Change<SpeakerState>],
}

/// An edit that is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: u32,
    /// As its author's page named it.
    pub edit_id: Uuid,
    /// The page.
    pub client: Uuid,
    /// Who edited by a link, if it was a visitor.
    pub visitor: Option<Visitor>,
    /// Unix milliseconds.
    pub at: i64,
    /// What was done.
    pub kind: String,
    /// What became of segments.
    pub segments: Vec<Change<SegmentState>>,
    /// What became of speakers.
    pub speakers: Vec<Change<SpeakerState>>,
}

/// Something that somebody did, with the name that the account has now.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T> {
    /// What was done.
    pub of: T,
    /// By whom: the account's name, or what stands before the @ of its address. `None` if the
    /// account is gone, or where a visitor of a link did it.
    pub author_name: Option<String>,
}

/// The author's name in a row with the columns `author_name` and `author_email`.
///
/// # Errors
/// A row without these columns.
pub(crate) fn author_name(row: &AnyRow) -> Result<Option<String>> {
    let name: Option<String> = row.try_get("author_name")?;
    if name.is_some() {
        return Ok(name);
    }
    let email: Option<String> = row.try_get("author_email")?;
    Ok(email.map(|email| {
        let part = email.split_once('@').map(|(part, _)| part.to_owned());
        part.unwrap_or(email)
    }))
}

fn read(row: &AnyRow) -> Result<Entry> {
    let fields = Fields::new(row, "transcript_edits", "edit_id")?;
    let changes = |before: Vec<_>, after: Vec<_>| {
        before
            .into_iter()
            .zip(after)
            .map(|(before, after)| Change { before, after })
            .collect()
    };
    let speakers_before: Vec<SpeakerState> = fields.json("speakers_before")?;
    Ok(Entry {
        seq: small(fields.integer("seq")?)?,
        edit_id: fields.uuid("edit_id")?,
        client: fields.uuid("client")?,
        visitor: read_visitor(&fields)?,
        at: fields.integer("at")?,
        kind: fields.text("kind")?,
        segments: changes(
            fields.json("segments_before")?,
            fields.json("segments_after")?,
        ),
        speakers: speakers_before
            .into_iter()
            .zip(fields.json::<Vec<SpeakerState>>("speakers_after")?)
            .map(|(before, after)| Change { before, after })
            .collect(),
    })
}

/// Stores an edit and makes its number the text's last one. The text must be locked. Whoever stores
/// one also notes who worked on the job (`jobs::worked`) and, where
/// [`NewEntry::changes_what_is_found`], marks it as stale for the search (`search::mark_stale`), in
/// the same transaction.
///
/// # Errors
/// The constraint `transcript_edits_pkey` (or its name in SQLite) if the number is taken.
pub async fn append(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    entry: &NewEntry<'_>,
) -> Result<()> {
    let segments = |of: fn(&Change<SegmentState>) -> &SegmentState| {
        json(&entry.segments.iter().map(of).collect::<Vec<_>>())
    };
    let speakers = |of: fn(&Change<SpeakerState>) -> &SpeakerState| {
        json(&entry.speakers.iter().map(of).collect::<Vec<_>>())
    };
    let standing = entry.target.is_none().then(|| Standing::Stands.number());
    sqlx::query(
        "INSERT INTO transcript_edits (my_job_id, version, seq, edit_id, client, author_id, at, \
         kind, target, standing, segments_before, segments_after, speakers_before, \
         speakers_after, visitor_name, share_id, share_made_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
    )
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
    // What was never counted stays so: nothing and something is nothing.
    sqlx::query(
        "UPDATE transcript_heads SET seq = $3, unsure = unsure + $4 \
         WHERE my_job_id = $1 AND version = $2",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(i64::from(entry.seq))
    .bind(unsure::change(entry.segments))
    .execute(connection)
    .await?;
    Ok(())
}

impl NewEntry<'_> {
    /// Whether the search finds the text by other words, at other times or by other names after it.
    #[must_use]
    pub fn changes_what_is_found(&self) -> bool {
        !self.speakers.is_empty() || !self.segments.iter().all(only_cues)
    }
}

/// Whether a segment says the same as before, at the same time: at most its subtitles are others.
fn only_cues(Change { before, after }: &Change<SegmentState>) -> bool {
    let said = |state: &SegmentState| SegmentState {
        segment: EditedSegment {
            revision: 0,
            cues: Vec::new(),
            ..state.segment.clone()
        },
        ..*state
    };
    said(before) == said(after)
}

/// Which of these edits are stored, by their ids.
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
    let numbers: Vec<String> = (3..3 + ids.len()).map(|n| format!("${n}")).collect();
    let statement = format!(
        "SELECT * FROM transcript_edits WHERE my_job_id = $1 AND version = $2 \
         AND edit_id IN ({})",
        numbers.join(", ")
    );
    // Only numbers are put into the text.
    let mut query = sqlx::query(AssertSqlSafe(statement)).persistent(ids.len() == 1);
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
    sqlx::query("SELECT * FROM transcript_edits WHERE my_job_id = $1 AND version = $2 AND seq = $3")
        .bind(job.to_string())
        .bind(version)
        .bind(i64::from(seq))
        .fetch_optional(connection)
        .await?
        .as_ref()
        .map(read)
        .transpose()
}

/// The edits after a certain one, the oldest first, at most `limit`.
///
/// # Errors
/// A row that cannot be read.
pub async fn since(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    since: u32,
    limit: u32,
) -> Result<Vec<Named<Entry>>> {
    let rows = sqlx::query(
        "SELECT e.*, NULLIF(p.fullname, '') AS author_name, a.email AS author_email \
         FROM transcript_edits e LEFT JOIN profiles p ON p.user_id = e.author_id \
         LEFT JOIN accounts a ON a.id = e.author_id \
         WHERE e.my_job_id = $1 AND e.version = $2 AND e.seq > $3 ORDER BY e.seq LIMIT $4",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(i64::from(since))
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Named {
                of: read(row)?,
                author_name: author_name(row)?,
            })
        })
        .collect()
}

/// What the segments and speakers that later edits touched were before.
#[derive(Debug, Clone, Default)]
pub struct Before {
    /// Segments by id.
    pub segments: HashMap<String, SegmentState>,
    /// Speakers, each once.
    pub speakers: Vec<SpeakerState>,
}

/// How everything was after the edit `at` that was changed since.
///
/// # Errors
/// A row that cannot be read.
pub async fn before_after(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    at: u32,
) -> Result<Before> {
    let rows = sqlx::query(
        "SELECT edit_id, segments_before, speakers_before FROM transcript_edits \
         WHERE my_job_id = $1 AND version = $2 AND seq > $3 ORDER BY seq",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(i64::from(at))
    .fetch_all(connection)
    .await?;
    let mut before = Before::default();
    for row in &rows {
        let fields = Fields::new(row, "transcript_edits", "edit_id")?;
        // The first edit that touched something says how it was.
        for state in fields.json::<Vec<SegmentState>>("segments_before")? {
            let id = state.segment.id.clone();
            before.segments.entry(id).or_insert(state);
        }
        for state in fields.json::<Vec<SpeakerState>>("speakers_before")? {
            if before.speakers.iter().all(|one| one.id != state.id) {
                before.speakers.push(state);
            }
        }
    }
    Ok(before)
}

/// When an edit was done, and by whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// The run.
    pub version: u32,
    /// Its number.
    pub seq: u32,
    /// Unix milliseconds.
    pub at: i64,
    /// The account; empty for a visitor.
    pub author_id: String,
    /// Who edited by a link, if it was a visitor.
    pub visitor: Option<Visitor>,
}

/// When the edits of a job were done, by runs and in their order.
///
/// # Errors
/// When the database fails.
pub async fn moments(connection: &mut Connection, job: Uuid) -> Result<Vec<Named<Moment>>> {
    let rows = sqlx::query(
        "SELECT e.edit_id, e.version, e.seq, e.at, e.author_id, e.visitor_name, e.share_id, \
         e.share_made_at, NULLIF(p.fullname, '') AS author_name, a.email AS author_email \
         FROM transcript_edits e \
         LEFT JOIN profiles p ON p.user_id = e.author_id \
         LEFT JOIN accounts a ON a.id = e.author_id \
         WHERE e.my_job_id = $1 ORDER BY e.version, e.seq",
    )
    .bind(job.to_string())
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let fields = Fields::new(row, "transcript_edits", "edit_id")?;
            Ok(Named {
                of: Moment {
                    version: small(row.try_get("version")?)?,
                    seq: small(row.try_get("seq")?)?,
                    at: row.try_get("at")?,
                    author_id: row.try_get("author_id")?,
                    visitor: read_visitor(&fields)?,
                },
                author_name: author_name(row)?,
            })
        })
        .collect()
}

/// How many edits came by a share link.
///
/// # Errors
/// When the database fails.
pub async fn by_share(connection: &mut Connection, share: Uuid) -> Result<u64> {
    let row = sqlx::query("SELECT COUNT(*) AS edits FROM transcript_edits WHERE share_id = $1")
        .bind(share.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("edits")?.unsigned_abs())
}

/// How many edits a job has, in all its runs.
///
/// # Errors
/// When the database fails.
pub async fn count(connection: &mut Connection, job: Uuid) -> Result<u64> {
    let row = sqlx::query("SELECT COUNT(*) AS edits FROM transcript_edits WHERE my_job_id = $1")
        .bind(job.to_string())
        .fetch_one(connection)
        .await?;
    Ok(row.try_get::<i64, _>("edits")?.unsigned_abs())
}
