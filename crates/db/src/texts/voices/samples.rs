//! What voices are made of.

use slovo_rules::voice::VoiceState;
use uuid::Uuid;

use super::touch;
use crate::core::statement::{row_columns, statements};
use crate::{Connection, Result};

/// A sample to be computed.
#[derive(Debug, Clone)]
pub struct NewSample<'a> {
    /// Its id.
    pub id: Uuid,
    /// The voice.
    pub voice: Uuid,
    /// The job.
    pub job: Uuid,
    /// The run of recognition whose times of the speaker are used.
    pub version: i64,
    /// `SPEAKER_n`.
    pub speaker: &'a str,
    /// When the consent was stated, in Unix milliseconds.
    pub now: i64,
}

statements! {
    const INSERT_SAMPLE: BOTH =
        "INSERT INTO voice_samples (id, voice_id, my_job_id, version, speaker, consent_at, run_after) \
         SELECT $1, $2, my_job_id, $4, $5, $6, $6 FROM synced_jobs WHERE my_job_id = $3";
    const COUNT_SAMPLES: BOTH = "SELECT COUNT(*) AS count FROM voice_samples WHERE voice_id = $1";
    /// A speaker whose voice is remembered once more replaces the earlier sample.
    const DELETE_EARLIER: BOTH =
        "DELETE FROM voice_samples WHERE voice_id = $1 AND my_job_id = $2 AND version = $3 \
         AND speaker = $4";
}

/// Queues a sample of a voice of the account. An earlier one of the same voice and speaker of the text is replaced. Returns
/// how many samples the voice has now.
///
/// # Errors
/// When the database fails.
pub async fn add_sample(
    connection: &mut Connection,
    user_id: &str,
    new: &NewSample<'_>,
) -> Result<i64> {
    sqlx::query(DELETE_EARLIER)
        .bind(new.voice.to_string())
        .bind(new.job.to_string())
        .bind(new.version)
        .bind(new.speaker)
        .execute(&mut *connection)
        .await?;
    sqlx::query(INSERT_SAMPLE)
        .bind(new.id.to_string())
        .bind(new.voice.to_string())
        .bind(new.job.to_string())
        .bind(new.version)
        .bind(new.speaker)
        .bind(new.now)
        .execute(&mut *connection)
        .await?;
    touch(&mut *connection, user_id, new.voice, new.now).await?;
    let row = sqlx::query(COUNT_SAMPLES)
        .bind(new.voice.to_string())
        .fetch_one(connection)
        .await?;
    Ok(sqlx::Row::try_get(&row, "count")?)
}

/// A speaker of a text whose voice is remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct Remembered {
    /// `SPEAKER_n`.
    pub speaker: String,
    /// The voice.
    pub voice: Uuid,
    /// The name of the voice.
    pub name: String,
    /// Whether the sample is computed.
    pub ready: bool,
    /// Code of why it could not be computed.
    pub error: Option<String>,
}

impl Remembered {
    /// The state of the sample.
    #[must_use]
    pub fn state(&self) -> VoiceState {
        match (self.ready, &self.error) {
            (true, _) => VoiceState::Ready,
            (false, None) => VoiceState::Learning,
            (false, Some(_)) => VoiceState::Failed,
        }
    }
}

row_columns! {
    fn read_remembered() -> Remembered from "voice_samples" by "voice_id" {
        speaker: text,
        voice: uuid in "voice_id",
        name: text,
        ready: flag,
        error: text_or_none,
    }
}

statements! {
    const SELECT_OF_TEXT: BOTH -> Remembered =
        "SELECT s.speaker, s.voice_id, v.name, s.error, \
         CASE WHEN s.vector IS NULL THEN 0 ELSE 1 END AS ready \
         FROM voice_samples s JOIN voices v ON v.id = s.voice_id \
         WHERE s.my_job_id = $1 AND s.version = $2 AND v.user_id = $3 \
         ORDER BY s.speaker, s.consent_at, s.id";
}

/// The speakers of a text whose voices its owner has remembered, by speaker, the newest sample last.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_text(
    connection: &mut Connection,
    job: Uuid,
    version: i64,
    user_id: &str,
) -> Result<Vec<Remembered>> {
    let rows = sqlx::query(SELECT_OF_TEXT)
        .bind(job.to_string())
        .bind(version)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_remembered).collect()
}

/// A computed sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The voice.
    pub voice: Uuid,
    /// The recording that it is from; `None` if it was deleted.
    pub job: Option<Uuid>,
    /// When the consent was stated, in Unix milliseconds.
    pub consent_at: i64,
    /// Name of the speaker embedding.
    pub embedding: String,
    /// The unit vector.
    pub vector: Vec<f32>,
    /// Seconds of speech.
    pub seconds: f64,
}

row_columns! {
    fn read_sample() -> Sample from "voice_samples" by "voice_id" {
        voice: uuid in "voice_id",
        job: uuid_or_none in "my_job_id",
        consent_at: integer,
        embedding: text,
        vector: json,
        seconds: number,
    }
}

statements! {
    const SELECT_OF_ACCOUNT: BOTH -> Sample =
        "SELECT s.voice_id, s.my_job_id, s.consent_at, COALESCE(s.embedding, '') AS embedding, \
         COALESCE(s.vector, '[]') AS vector, COALESCE(s.seconds, 0.0) AS seconds \
         FROM voice_samples s JOIN voices v ON v.id = s.voice_id \
         WHERE s.vector IS NOT NULL AND v.user_id = $1 ORDER BY s.consent_at, s.id";
}

/// The computed samples of all voices of an account, the oldest first.
///
/// # Errors
/// A row that cannot be read.
pub async fn of_account(connection: &mut Connection, user_id: &str) -> Result<Vec<Sample>> {
    let rows = sqlx::query(SELECT_OF_ACCOUNT)
        .bind(user_id)
        .fetch_all(connection)
        .await?;
    rows.iter().map(read_sample).collect()
}
