//! Speakers of a transcript: their names, and which were merged.

use serde::{Deserialize, Serialize};
use slovo_rules::edit::Speaker;
use uuid::Uuid;

use crate::core::statement::{columns, row_columns, statements};
use crate::{Connection, Result};

/// A stored speaker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeakerState {
    /// `SPEAKER_n`.
    pub id: String,
    /// The name given by a person.
    pub name: Option<String>,
    /// The speaker that replaces this one.
    pub merged_into: Option<String>,
}

/// All speakers of a transcript, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speakers(pub Vec<SpeakerState>);

impl Speakers {
    /// The speaker with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&SpeakerState> {
        self.0.iter().find(|speaker| speaker.id == id)
    }

    /// Whether this speaker exists and was not merged into another.
    #[must_use]
    pub fn is_unmerged(&self, id: &str) -> bool {
        self.find(id)
            .is_some_and(|speaker| speaker.merged_into.is_none())
    }

    /// The chain of mergers that begins with `id`.
    fn merge_chain<'a>(&'a self, id: &'a str) -> Vec<&'a str> {
        let mut chain = vec![id];
        let mut now = id;
        while let Some(next) = self
            .find(now)
            .and_then(|speaker| speaker.merged_into.as_deref())
        {
            if chain.contains(&next) {
                break;
            }
            chain.push(next);
            now = next;
        }
        chain
    }

    /// The effective speaker for `id`: itself, or the one it was finally merged into.
    #[must_use]
    pub fn resolve<'a>(&'a self, id: &'a str) -> &'a str {
        self.merge_chain(id).last().copied().unwrap_or(id)
    }

    /// The speakers whose chain of mergers includes `id`, with `id` itself.
    #[must_use]
    pub fn depending_on(&self, id: &str) -> Vec<String> {
        let all = self.0.iter().map(|speaker| speaker.id.as_str());
        all.filter(|dependent| self.merge_chain(dependent).contains(&id))
            .map(str::to_owned)
            .collect()
    }

    /// Whether the mergers contain no cycle.
    #[must_use]
    pub fn is_acyclic(&self) -> bool {
        self.0.iter().all(|speaker| {
            let effective = self.find(self.resolve(&speaker.id));
            effective.is_none_or(|effective| effective.merged_into.is_none())
        })
    }

    /// Replaces the states with the same ids; adds new ones.
    pub fn set(&mut self, states: &[SpeakerState]) {
        for state in states {
            match self.0.iter_mut().find(|existing| existing.id == state.id) {
                Some(existing) => existing.clone_from(state),
                None => self.0.push(state.clone()),
            }
        }
    }

    /// The speakers that were not merged, for display.
    #[must_use]
    pub fn unmerged(&self) -> Vec<Speaker> {
        let remaining = self
            .0
            .iter()
            .filter(|speaker| speaker.merged_into.is_none());
        remaining
            .map(|speaker| Speaker {
                id: speaker.id.clone(),
                name: speaker.name.clone(),
            })
            .collect()
    }
}

row_columns! {
    fn read() -> SpeakerState from "transcript_speakers" by "my_job_id" {
        id: text in "speaker",
        name: text_or_none,
        merged_into: text_or_none,
    }
}

statements! {
    const SELECT_SPEAKERS: BOTH -> SpeakerState = concat!(
        "SELECT ",
        columns!("": my_job_id, speaker, name, merged_into),
        " FROM transcript_speakers WHERE my_job_id = $1 AND version = $2 \
         ORDER BY place, speaker"
    );
}

/// All speakers of a transcript.
///
/// # Errors
/// A row that cannot be read.
pub async fn read_speakers(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Speakers> {
    sqlx::query(SELECT_SPEAKERS)
        .bind(job.to_string())
        .bind(version)
        .fetch_all(connection)
        .await?
        .iter()
        .map(read)
        .collect::<Result<_>>()
        .map(Speakers)
}

statements! {
    const INSERT_SPEAKER: BOTH =
        "INSERT INTO transcript_speakers (my_job_id, version, speaker, place) \
         SELECT $1, $2, $3, COALESCE(MAX(place) + 1, 0) FROM transcript_speakers \
         WHERE my_job_id = $1 AND version = $2 \
         ON CONFLICT (my_job_id, version, speaker) DO NOTHING";
}

/// Adds a speaker without a name after the others; an existing one is unchanged.
///
/// # Errors
/// When the database fails.
pub async fn add_speaker(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    speaker: &str,
) -> Result<()> {
    sqlx::query(INSERT_SPEAKER)
        .bind(job.to_string())
        .bind(version)
        .bind(speaker)
        .execute(connection)
        .await?;
    Ok(())
}

statements! {
    const UPDATE_SPEAKER: BOTH =
        "UPDATE transcript_speakers SET name = $4, merged_into = $5 \
         WHERE my_job_id = $1 AND version = $2 AND speaker = $3";
}

/// Stores names and mergers of existing speakers.
///
/// # Errors
/// When the database fails.
pub async fn write_speakers(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    states: &[&SpeakerState],
) -> Result<()> {
    for state in states {
        sqlx::query(UPDATE_SPEAKER)
            .bind(job.to_string())
            .bind(version)
            .bind(&state.id)
            .bind(state.name.clone())
            .bind(state.merged_into.clone())
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}
