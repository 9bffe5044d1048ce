//! Who speaks in a text: names, and who was merged into whom.

use serde::{Deserialize, Serialize};
use slovo_rules::edit::Speaker;
use uuid::Uuid;

use crate::core::fields::Fields;
use crate::{Connection, Result};

/// Somebody who speaks, as stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpeakerState {
    /// `SPEAKER_n`.
    pub id: String,
    /// The name that somebody gave.
    pub name: Option<String>,
    /// Who speaks in this one's place.
    pub merged_into: Option<String>,
}

/// Everybody who speaks in a text, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Speakers(pub Vec<SpeakerState>);

impl Speakers {
    /// The speaker with this id.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&SpeakerState> {
        self.0.iter().find(|speaker| speaker.id == id)
    }

    /// Whether this one is known and speaks for itself.
    #[must_use]
    pub fn speaks(&self, id: &str) -> bool {
        self.find(id)
            .is_some_and(|speaker| speaker.merged_into.is_none())
    }

    /// Those whom one passes on the way to who speaks in place of `id`; `id` is the first.
    fn chain<'a>(&'a self, id: &'a str) -> Vec<&'a str> {
        let mut chain = vec![id];
        let mut now = id;
        while let Some(next) = self.find(now).and_then(|one| one.merged_into.as_deref()) {
            if chain.contains(&next) {
                break;
            }
            chain.push(next);
            now = next;
        }
        chain
    }

    /// Who speaks in place of `id`: itself, or the one that it was merged into.
    #[must_use]
    pub fn voice<'a>(&'a self, id: &'a str) -> &'a str {
        self.chain(id).last().copied().unwrap_or(id)
    }

    /// Those whose voice depends on what `id` was merged into; `id` is among them.
    #[must_use]
    pub fn depending_on(&self, id: &str) -> Vec<String> {
        let all = self.0.iter().map(|speaker| speaker.id.as_str());
        all.filter(|one| self.chain(one).contains(&id))
            .map(str::to_owned)
            .collect()
    }

    /// Whether somebody speaks in place of everybody: nobody was merged in a circle.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.0.iter().all(|speaker| {
            let voice = self.find(self.voice(&speaker.id));
            voice.is_none_or(|voice| voice.merged_into.is_none())
        })
    }

    /// Puts states in the place of those with the same ids.
    pub fn set(&mut self, states: &[SpeakerState]) {
        for state in states {
            match self.0.iter_mut().find(|one| one.id == state.id) {
                Some(one) => one.clone_from(state),
                None => self.0.push(state.clone()),
            }
        }
    }

    /// Everybody who speaks for themselves, as readers are told.
    #[must_use]
    pub fn shown(&self) -> Vec<Speaker> {
        let shown = self.0.iter().filter(|one| one.merged_into.is_none());
        shown
            .map(|one| Speaker {
                id: one.id.clone(),
                name: one.name.clone(),
            })
            .collect()
    }
}

/// Everybody who speaks in a text.
///
/// # Errors
/// A row that cannot be read.
pub async fn read_speakers(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
) -> Result<Speakers> {
    sqlx::query(
        "SELECT * FROM transcript_speakers WHERE my_job_id = $1 AND version = $2 \
         ORDER BY place, speaker",
    )
    .bind(job.to_string())
    .bind(version)
    .fetch_all(connection)
    .await?
    .iter()
    .map(|row| {
        let fields = Fields::new(row, "transcript_speakers", "my_job_id")?;
        Ok(SpeakerState {
            id: fields.text("speaker")?,
            name: fields.text_or_none("name")?,
            merged_into: fields.text_or_none("merged_into")?,
        })
    })
    .collect::<Result<_>>()
    .map(Speakers)
}

/// Adds a speaker without a name, after the others; whoever is there already stays.
///
/// # Errors
/// When the database fails.
pub async fn add_speaker(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    speaker: &str,
) -> Result<()> {
    sqlx::query(
        "INSERT INTO transcript_speakers (my_job_id, version, speaker, place) \
         SELECT $1, $2, $3, COALESCE(MAX(place) + 1, 0) FROM transcript_speakers \
         WHERE my_job_id = $1 AND version = $2 \
         ON CONFLICT (my_job_id, version, speaker) DO NOTHING",
    )
    .bind(job.to_string())
    .bind(version)
    .bind(speaker)
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores names and mergers of speakers that are there.
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
        sqlx::query(
            "UPDATE transcript_speakers SET name = $4, merged_into = $5 \
             WHERE my_job_id = $1 AND version = $2 AND speaker = $3",
        )
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
