//! Creates the jobs of a source's recordings.

use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::StatusCode;
use slovo_app::auth::Caller;
use slovo_app::http::Problem as Refusal;
use slovo_app::state::AppState;
use slovo_db::jobs;
use slovo_db::presets;
use slovo_db::sources::recordings::{self, SourceRecording};
use slovo_db::sources::{self, Problem, Source};
use slovo_db::texts::search;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job_plan;
use slovo_rules::language::AUTO;
use slovo_rules::settings::{self, TranscriptionSettings};
use slovo_rules::title;
use slovo_rules::upload::display_name;
use slovo_rules::violation::Code;
use slovo_sources::{Content, Place, SourceError};
use tokio::time::timeout;
use uuid::Uuid;

use super::owner::owner;
use crate::jobs::creation::{self, Cause, WantedJob};
use crate::jobs::default_languages;
use crate::places::problem::{internal, problem, unread};
use crate::presets::viewer;
use crate::uploads::arriving::{Arriving, StoredRecording, receive_from};

/// Recordings that are read from the database at once.
const BATCH: u32 = 20;

/// How long a look creates jobs; the next one goes on, after those of other accounts.
const LONGEST_LOOK: Duration = Duration::from_secs(10 * 60);

/// How long one recording may take to arrive.
const LONGEST_RECORDING: Duration = Duration::from_secs(2 * 60 * 60);

/// So many recordings in a row that cannot be read end a look.
const MAX_UNREAD: u32 = 5;

/// After so many attempts that failed, a recording is not tried again by itself.
const MAX_ATTEMPTS: i64 = 12;

/// Why a recording has no job.
enum Obstacle {
    /// The account or the server has to wait, and so has what comes after it.
    Waits(Problem),
    /// The account has created as many jobs as a minute permits.
    IsLimited,
    /// The source was changed meanwhile.
    Unwanted,
    /// This recording has to wait, but perhaps not others.
    Later(Problem),
    /// This recording cannot be read, which may be over later.
    Unread(Problem),
    /// It cannot become a job.
    Failed(Problem),
}

/// How a look has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing is left that can become a job now.
    Done,
    /// It has taken long; the next one goes on.
    Continues,
    /// The next one goes on in a minute.
    IsLimited,
    /// The account or the server has to wait.
    Waits,
}

/// Creates jobs until nothing is left, everything has to wait, or the look has taken long.
pub(super) async fn start_all(
    state: &AppState,
    caller: &Caller,
    source: &Source,
    place: &Place<'_>,
) -> slovo_db::Result<Ended> {
    let began = Instant::now();
    let mut unread = 0;
    loop {
        let now = state.clock.now_ms();
        let mut connection = state.db.read().await?;
        let waiting = recordings::startable(&mut connection, source.id, BATCH, now).await?;
        drop(connection);
        if waiting.is_empty() {
            return Ok(Ended::Done);
        }
        for recording in &waiting {
            if unread >= MAX_UNREAD {
                return Ok(Ended::Waits);
            }
            if began.elapsed() > LONGEST_LOOK {
                return Ok(Ended::Continues);
            }
            if !is_wanted(state, source).await? {
                return Ok(Ended::Done);
            }
            let obstacle = match start(state, caller, source, place, recording).await {
                Ok(()) => {
                    tracing::info!(source = %source.id, recording = %recording.id, "a recording of a source became a job");
                    unread = 0;
                    continue;
                }
                Err(obstacle) => obstacle,
            };
            if matches!(obstacle, Obstacle::Unread(_)) {
                unread += 1;
            }
            if let Some(ended) = note(state, source, recording, obstacle).await? {
                return Ok(ended);
            }
        }
    }
}

/// Stores why a recording has no job. Returns how the look ends, if it does.
async fn note(
    state: &AppState,
    source: &Source,
    recording: &SourceRecording,
    obstacle: Obstacle,
) -> slovo_db::Result<Option<Ended>> {
    let id = recording.id;
    let retry_at = state.clock.now_ms() + super::pause_after(source.kind, recording.attempts);
    let is_last = recording.attempts + 1 >= MAX_ATTEMPTS;
    let mut transaction = state.db.write().await?;
    let ended = match obstacle {
        Obstacle::Waits(problem) => {
            recordings::mark_waiting(&mut transaction, id, &problem).await?;
            Some(Ended::Waits)
        }
        Obstacle::Unread(problem) if is_last => {
            recordings::mark_failed(&mut transaction, id, &problem).await?;
            None
        }
        Obstacle::Later(problem) | Obstacle::Unread(problem) => {
            recordings::mark_for_retry(&mut transaction, id, &problem, retry_at).await?;
            None
        }
        Obstacle::Failed(problem) => {
            recordings::mark_failed(&mut transaction, id, &problem).await?;
            None
        }
        Obstacle::IsLimited => return Ok(Some(Ended::IsLimited)),
        Obstacle::Unwanted => return Ok(Some(Ended::Done)),
    };
    transaction.commit().await?;
    Ok(ended)
}

/// Whether the source is still there, unchanged and not paused.
pub(super) async fn is_wanted(state: &AppState, source: &Source) -> slovo_db::Result<bool> {
    let mut connection = state.db.read().await?;
    let now = sources::find(&mut connection, source.id).await?;
    Ok(now.is_some_and(|now| now.is_active && now.updated_at == source.updated_at))
}

async fn start(
    state: &AppState,
    caller: &Caller,
    source: &Source,
    place: &Place<'_>,
    recording: &SourceRecording,
) -> Result<(), Obstacle> {
    let (mut settings, preset) = settings(state, caller, source).await?;
    let origin = if recording.url.is_some() {
        settings::Source::Url
    } else {
        settings::Source::File
    };
    settings.url = recording.url.clone().unwrap_or_default();
    let plan = job_plan::validate(&settings, origin);
    let plan = plan.map_err(|violations| {
        // The address is that of one recording, the rest are settings of all.
        let is_of_address = violations.0.iter().any(|it| it.field.ends_with("url"));
        let refusal = violations.into();
        if is_of_address {
            Obstacle::Failed(problem_of(&refusal))
        } else {
            waits(&refusal)
        }
    })?;
    // Before a recording is fetched that could not be transcribed.
    let checked = creation::check(state, caller, &plan).await;
    checked.map_err(|error| waits(&error.into()))?;
    let wanted = WantedJob {
        plan,
        audio_track: None,
        cause: Cause {
            preset,
            repeat: None,
            source_recording: Some(recording.id),
        },
    };
    if recording.url.is_some() {
        let created = creation::of_url(state, caller, wanted).await;
        let created = created.map_err(|error| refused(&error.into()))?;
        // The job is there; with the name of its file, if need be.
        if let Err(error) = name(state, caller, created.job.id, &recording.name).await {
            tracing::warn!(%error, job = %created.job.id, "the job of a source has no title");
        }
        return Ok(());
    }
    let stored = timeout(LONGEST_RECORDING, receive(state, caller, place, recording)).await;
    let stored = stored.unwrap_or_else(|_| Err(unreadable(&SourceError::TimedOut)))?;
    // That may have taken hours.
    let is_wanted = is_wanted(state, source).await;
    if !is_wanted.map_err(|error| Obstacle::Waits(internal(error)))? {
        return Err(Obstacle::Unwanted);
    }
    let caller = owner(state, source).await.map_err(Obstacle::Waits)?;
    let created = creation::of_upload(state, &caller, stored.id(), wanted).await;
    created.map_err(|error| refused(&error.into()))?;
    stored.take();
    Ok(())
}

/// Stores a recording that the source has no address for.
async fn receive(
    state: &AppState,
    caller: &Caller,
    place: &Place<'_>,
    recording: &SourceRecording,
) -> Result<StoredRecording, Obstacle> {
    let roots = &state.config.sources.watched_folders;
    let now = state.clock.now();
    let content = slovo_sources::open(&state.fetch, place, roots, &recording.key, now).await;
    let content = content.map_err(|error| unreadable(&error))?;
    let filename = display_name(&recording.name);
    let mut broken = None;
    let opened = Opened {
        content,
        broken: &mut broken,
    };
    let stored = receive_from(state, caller, filename, opened).await;
    match (stored, broken) {
        (Ok(stored), _) => Ok(stored),
        (Err(_), Some(error)) => Err(unreadable(&error)),
        (Err(refusal), None) => Err(refused(&refusal)),
    }
}

/// The settings of a source's jobs, and the preset they come from.
async fn settings(
    state: &AppState,
    caller: &Caller,
    source: &Source,
) -> Result<(TranscriptionSettings, Option<Uuid>), Obstacle> {
    let failed = |error: slovo_db::Error| Obstacle::Waits(internal(error));
    let chosen = source.preset_id.as_deref().and_then(|id| id.parse().ok());
    let preset = match chosen {
        Some(id) => {
            let mut connection = state.db.read().await.map_err(failed)?;
            let found = presets::find(&mut connection, viewer(caller), id).await;
            found.map_err(failed)?
        }
        None => None,
    };
    if chosen.is_some() && preset.is_none() {
        return Err(Obstacle::Waits(problem("source_preset_missing", None)));
    }
    let id = preset.as_ref().map(|preset| preset.id);
    let settings = preset.map(|preset| preset.settings);
    let mut settings = settings.unwrap_or_else(without_preset);
    if settings.detects_language() && settings.languages.is_empty() {
        let languages = default_languages::find(state, caller, id).await;
        settings.languages = languages.map_err(failed)?;
    }
    Ok((settings, id))
}

/// The settings of a source without a preset: Full, in a language that is detected, because a source
/// may have recordings in any.
fn without_preset() -> TranscriptionSettings {
    TranscriptionSettings {
        language_code: AUTO.to_owned(),
        ..TranscriptionSettings::default()
    }
}

/// The obstacle of a recording that cannot be read.
fn unreadable(error: &SourceError) -> Obstacle {
    let problem = unread(error);
    if error.is_transient() {
        Obstacle::Unread(problem)
    } else {
        Obstacle::Failed(problem)
    }
}

fn problem_of(refusal: &Refusal) -> Problem {
    let violation = refusal.violations().first();
    Problem {
        code: violation
            .map_or(refusal.code().as_str(), |it| it.code.as_str())
            .to_owned(),
        params: violation.map_or_else(|| refusal.figures().clone(), |it| it.params.clone()),
        detail: refusal.detail_text().map(str::to_owned),
    }
}

/// The obstacle of a refusal that does not depend on the recording.
fn waits(refusal: &Refusal) -> Obstacle {
    if refusal.code() == ProblemCode::RateLimited {
        return Obstacle::IsLimited;
    }
    Obstacle::Waits(problem_of(refusal))
}

/// The obstacle of a refusal that may depend on the recording.
fn refused(refusal: &Refusal) -> Obstacle {
    let violation = refusal.violations().first();
    if violation.is_some_and(|it| it.code == Code::MinutesExceeded) {
        // A shorter one may fit into what is left of the month.
        return Obstacle::Later(problem_of(refusal));
    }
    match refusal.status() {
        StatusCode::NOT_FOUND
        | StatusCode::CONFLICT
        | StatusCode::GONE
        | StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::UNSUPPORTED_MEDIA_TYPE
        | StatusCode::UNPROCESSABLE_ENTITY => Obstacle::Failed(problem_of(refusal)),
        StatusCode::FORBIDDEN
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::INSUFFICIENT_STORAGE => waits(refusal),
        _ => Obstacle::Unread(problem_of(refusal)),
    }
}

/// Gives a job the title that its recording has at the source.
async fn name(state: &AppState, caller: &Caller, job: Uuid, name: &str) -> anyhow::Result<()> {
    let shortened: String = name.chars().take(title::MAX_TITLE).collect();
    let Ok(title) = title::validate(&shortened) else {
        return Ok(());
    };
    let mut transaction = state.db.write().await?;
    jobs::set_title(&mut transaction, &caller.user_id, job, title.as_deref()).await?;
    search::mark_stale(&mut transaction, job).await?;
    transaction.commit().await?;
    Ok(())
}

/// A recording that is being read at its source.
struct Opened<'a> {
    content: Content,
    /// Why it could not be read to its end.
    broken: &'a mut Option<SourceError>,
}

impl Arriving for Opened<'_> {
    async fn piece(&mut self) -> Result<Option<Bytes>, Refusal> {
        self.content.chunk().await.map_err(|error| {
            *self.broken = Some(error);
            Refusal::new(StatusCode::BAD_GATEWAY, ProblemCode::UrlUnreachable)
        })
    }
}
