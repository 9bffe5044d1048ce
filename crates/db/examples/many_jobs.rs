//! Fills a database with many jobs of one user and a few jobs of many other users, for
//! `cargo xtask bench lists`, which passes the database URL, the user's address and the number of
//! jobs. The rows are the same in every run; only their times end at the current time.

use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};

use slovo_db::accounts::{self, NewAccount};
use slovo_db::jobs::Job;
use slovo_db::texts::search::{self, Document, Stale};
use slovo_db::{Backend, Connection, Database, Options};
use slovo_rules::collation::sort_key;
use slovo_rules::edit::{EditedSegment, EditedTranscript, Place};
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::settings::{TranscriptionSettings, TranscriptionType};
use sqlx::Row;
use uuid::Uuid;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// [`OTHERS`] of every 53 jobs belong to other users, one job per user.
const OTHERS_EVERY: u64 = 53;
/// See [`OTHERS_EVERY`].
const OTHERS: u64 = 3;
/// The jobs are spread over this many days before now.
const DAYS: i64 = 85;
const DAY_MS: i64 = 24 * 3600 * 1000;
/// Jobs per transaction.
const AT_ONCE: u64 = 2_000;
/// Names of the recordings.
const NAMES: [&str; 6] = [
    "Нарада",
    "Інтерв’ю",
    "lecture",
    "meeting",
    "подкаст",
    "Ранкова розмова",
];
/// Words of the texts.
const WORDS: [&str; 24] = [
    "сьогодні",
    "година",
    "робота",
    "місто",
    "людина",
    "слово",
    "дорога",
    "вечір",
    "проєкт",
    "рішення",
    "питання",
    "команда",
    "today",
    "people",
    "because",
    "project",
    "answer",
    "meeting",
    "water",
    "morning",
    "question",
    "number",
    "music",
    "letter",
];
/// Words per text.
const SPOKEN: u64 = 40;
/// The id of the user's tag.
const TAG: &str = "00000000-0000-7000-8000-000000000001";
/// One text in this many contains the rare word.
const RARE_EVERY: u64 = 5_000;

#[tokio::main]
#[expect(
    clippy::disallowed_methods,
    reason = "a program of its own: there is no caller to give it a clock"
)]
async fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, email, count] = arguments.as_slice() else {
        return Err("many_jobs URL EMAIL COUNT".into());
    };
    let count: u64 = count.parse()?;
    let database = Database::connect(&Options::url(url)).await?;
    database.migrate().await?;
    let mut connection = database.read().await?;
    let row = sqlx::query("SELECT id FROM accounts WHERE email = $1")
        .bind(email)
        .fetch_one(&mut *connection)
        .await?;
    let user: String = row.try_get("id")?;
    drop(connection);
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    let now = i64::try_from(now)?;
    // A server that ran on this database has already begun the account's history.
    let history =
        "SELECT COALESCE(MAX(entry), 0) AS entries FROM synced_usage_history WHERE user_id = $1";
    let row = sqlx::query(history)
        .bind(&user)
        .fetch_one(&mut *database.read().await?)
        .await?;
    let mut entries: i64 = row.try_get("entries")?;
    for first in (0..count).step_by(usize::try_from(AT_ONCE)?) {
        let mut transaction = database.write().await?;
        for number in first..count.min(first + AT_ONCE) {
            let others = number % OTHERS_EVERY < OTHERS;
            let owner = if others {
                format!("other-{number}")
            } else {
                user.clone()
            };
            if others {
                other(&mut transaction, &owner).await?;
            }
            let generated = GeneratedJob::new(number, count, owner, now);
            generated.store(&mut transaction).await?;
            generated
                .index(&mut transaction, database.backend())
                .await?;
            if !others {
                generated.bill(&mut transaction, &mut entries).await?;
            }
        }
        transaction.commit().await?;
    }
    let mut transaction = database.write().await?;
    sqlx::query(
        "INSERT INTO synced_user_usage (user_id, minutes_used_current_month, minutes_bonus, \
         reset_date, entries, updated_at) VALUES ($1, 0, 0, $2, $3, $4) \
         ON CONFLICT (user_id) DO UPDATE SET entries = $3",
    )
    .bind(&user)
    .bind(now + 20 * DAY_MS)
    .bind(entries)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    tag(&mut transaction, &user).await?;
    transaction.commit().await?;
    // A running server does this by itself.
    slovo_db::jobs::merge_count_changes(&database).await?;
    if database.backend() == Backend::Postgres {
        // PostgreSQL does this by itself, unless it is told not to, as for tests. SQLite has no
        // statistics in the product either.
        sqlx::raw_sql("VACUUM ANALYZE")
            .execute(&mut *database.read().await?)
            .await?;
    }
    Ok(())
}

/// Gives a third of the user's jobs a tag, whose id the benchmark knows.
async fn tag(connection: &mut Connection, user: &str) -> Outcome<()> {
    sqlx::query(
        "INSERT INTO job_groups (id, user_id, kind, name, name_folded, color, created_at) \
         VALUES ($1, $2, 'tag', 'робота', 'робота', 0, 1)",
    )
    .bind(TAG)
    .bind(user)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO grouped_jobs (my_job_id, group_id, kind, job_created_at, job_name_key, \
         job_length) SELECT my_job_id, $1, 'tag', created_at, name_key, COALESCE(duration, -1) \
         FROM synced_jobs WHERE auth_user_id = $2 AND duration < 1200",
    )
    .bind(TAG)
    .bind(user)
    .execute(connection)
    .await?;
    Ok(())
}

async fn other(connection: &mut Connection, id: &str) -> Outcome<()> {
    let email = format!("{id}@example.com");
    let account = NewAccount {
        id,
        synced_user_id: id,
        email: &email,
        password_hash: None,
        created_at: 1,
    };
    Ok(accounts::insert(connection, &account).await?)
}

/// A generated job.
struct GeneratedJob {
    number: u64,
    /// Pseudorandom number that its values are derived from.
    chance: u64,
    job: Job,
    text: String,
}

impl GeneratedJob {
    fn new(number: u64, count: u64, owner: String, now: i64) -> Self {
        let chance = number.wrapping_mul(6_364_136_223_846_793_005) >> 33;
        let pick = |list: &[&'static str], step: u64| {
            usize::try_from((chance / step) % list.len() as u64).map_or("", |place| list[place])
        };
        let status = match chance % 100 {
            0..92 => JobStatus::Completed,
            92..95 => JobStatus::Failed,
            95..97 => JobStatus::Error,
            _ => JobStatus::Cancelled,
        };
        let (number_i, count_i) = (number.cast_signed(), count.cast_signed());
        let created_at = now - DAYS * DAY_MS + DAYS * DAY_MS * number_i / count_i;
        let started_at = created_at + (chance % 60_000).cast_signed();
        let mut text = String::new();
        for place in 0..SPOKEN {
            let word = (chance / 7 + place * (1 + chance % 5)) % WORDS.len() as u64;
            text += WORDS[usize::try_from(word).unwrap_or_default()];
            text.push(' ');
        }
        if number.is_multiple_of(RARE_EVERY) {
            text += "фенікулярія";
        }
        let mode = match chance % 10 {
            0..7 => TranscriptionType::Full,
            _ => TranscriptionType::Lite,
        };
        let id = Uuid::from_u128(
            (u128::from(chance) << 96) | (7 << 76) | (8 << 60) | u128::from(number),
        );
        let job = Job {
            id,
            user_id: owner,
            media_id: Uuid::from_u128(id.as_u128() | 1 << 59),
            original_filename: format!("{} {} {number}.mp3", pick(&NAMES, 11), pick(&WORDS, 13)),
            title: None,
            content_type: "audio/mpeg".to_owned(),
            file_size: 1_000_000,
            has_video: false,
            duration: Some(f64::from(u32::try_from(chance % 3_600).unwrap_or_default())),
            awaits_download: false,
            plan: TranscriptionSettings::default()
                .with_type(mode)
                .try_into()
                .unwrap_or_else(|broken| unreachable!("the defaults break rules: {broken}")),
            audio_track: None,
            status,
            stage: Stage::Finishing,
            percent: 100.0,
            seconds_left: None,
            language: Some(
                ["uk", "uk", "uk", "en", "en", "pl", "de"]
                    [usize::try_from(chance % 7).unwrap_or_default()]
                .to_owned(),
            ),
            language_probability: Some(0.9),
            model: Some("bench".to_owned()),
            unrecognised: None,
            error: None,
            warnings: Vec::new(),
            version: 1,
            versions: 1,
            held: 0,
            tags: Vec::new(),
            folder: None,
            files: Vec::new(),
            is_visible: true,
            is_sample: false,
            attempts: 1,
            created_at,
            started_at: Some(started_at),
            finished_at: Some(started_at + 60_000),
        };
        Self {
            number,
            chance,
            job,
            text,
        }
    }

    async fn store(&self, connection: &mut Connection) -> Outcome<()> {
        let job = &self.job;
        let failed = matches!(job.status, JobStatus::Failed | JobStatus::Error);
        sqlx::query(
            "INSERT INTO synced_jobs (my_job_id, auth_user_id, media_id, original_filename, \
             filename_folded, content_type, file_size, has_video, duration, input_settings, \
             transcription_type, status, stage, language, language_probability, model, error, \
             queued_at, run_after, created_at, started_at, finished_at, name_key) VALUES ($1, $2, \
             $3, $4, $5, 'audio/mpeg', $6, 0, $7, $8, $9, $10, $11, $12, 0.9, 'bench', $13, $14, \
             $14, $14, $15, $16, $17)",
        )
        .bind(job.id.to_string())
        .bind(&job.user_id)
        .bind(job.media_id.to_string())
        .bind(&job.original_filename)
        .bind(job.original_filename.to_lowercase())
        .bind(job.file_size.cast_signed())
        .bind(job.duration)
        .bind(serde_json::to_string(&job.plan)?)
        .bind(word(&job.plan.mode)?)
        .bind(word(&job.status)?)
        .bind(word(&job.stage)?)
        .bind(&job.language)
        .bind(failed.then_some("{\"code\":\"no_speech\"}"))
        .bind(job.created_at)
        .bind(job.started_at)
        .bind(job.finished_at)
        .bind(sort_key(&job.original_filename))
        .execute(&mut *connection)
        .await?;
        if job.status == JobStatus::Completed {
            sqlx::query(
                "INSERT INTO synced_output (my_job_id, version, full_text, language, mode, model, \
                 audio_duration, warnings, created_at, words) \
                 VALUES ($1, 1, $2, $3, $4, 'bench', $5, '[]', $6, $7)",
            )
            .bind(job.id.to_string())
            .bind(&self.text)
            .bind(&job.language)
            .bind(word(&job.plan.mode)?)
            .bind(job.duration)
            .bind(job.finished_at)
            .bind(SPOKEN.cast_signed())
            .execute(connection)
            .await?;
        }
        Ok(())
    }

    async fn index(&self, connection: &mut Connection, backend: Backend) -> Outcome<()> {
        sqlx::query("INSERT INTO search_documents (my_job_id, changed, indexed) VALUES ($1, 1, 0)")
            .bind(self.job.id.to_string())
            .execute(&mut *connection)
            .await?;
        let done = self.job.status == JobStatus::Completed;
        let transcript = transcript(&self.text);
        let document = Document::new(&self.job, done.then_some(&transcript));
        let stale = Stale {
            job_id: self.job.id,
            changed: 1,
            new: true,
        };
        search::write(connection, backend, &stale, &document).await?;
        Ok(())
    }

    /// Stores the reservation and the final charge in the ledger.
    async fn bill(&self, connection: &mut Connection, entries: &mut i64) -> Outcome<()> {
        for (kind, minutes, at) in [
            ("reserve", -1_000, 0),
            ("settle", (self.chance % 500).cast_signed(), 60_000),
        ] {
            *entries += 1;
            sqlx::query(
                "INSERT INTO synced_usage_history (user_id, entry, change_type, \
                 change_amount_minutes, description, my_job_id, created_at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(&self.job.user_id)
            .bind(*entries)
            .bind(kind)
            .bind(minutes)
            .bind(format!("{}", self.number))
            .bind(self.job.id.to_string())
            .bind(self.job.created_at + at)
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }
}

/// The value as it is stored in a column.
fn word(value: &impl serde::Serialize) -> Outcome<String> {
    Ok(serde_json::to_value(value)?
        .as_str()
        .ok_or("no word")?
        .to_owned())
}

fn transcript(text: &str) -> EditedTranscript {
    EditedTranscript {
        version: 1,
        seq: 0,
        language: "uk".to_owned(),
        duration: 60.0,
        mode: TranscriptionType::Full,
        model: String::new(),
        speakers: Vec::new(),
        segments: vec![EditedSegment {
            id: "0".to_owned(),
            revision: 0,
            place: Place { base: 0, part: 0 },
            start: 0.0,
            end: 60.0,
            speaker: None,
            language: None,
            text: text.to_owned(),
            words: Vec::new(),
            cues: Vec::new(),
        }],
        warnings: Vec::new(),
        removed: Vec::new(),
    }
}
