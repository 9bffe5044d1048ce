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
use slovo_sources::{Content, Place};
use uuid::Uuid;

use super::problem::{internal, problem, unread};
use crate::jobs::creation::{self, Cause, WantedJob};
use crate::jobs::default_languages;
use crate::presets::viewer;
use crate::uploads::arriving::{Arriving, receive_from};

/// Recordings that are read from the database at once.
const BATCH: u32 = 20;

/// Why a recording has no job.
enum Obstacle {
    /// It is tried again at the next look, and so is what comes after it.
    Waits(Problem),
    /// It cannot become a job.
    Failed(Problem),
}

/// How long a look creates jobs; the next one goes on, after those of other accounts.
const LONGEST_LOOK: Duration = Duration::from_secs(10 * 60);

/// Creates jobs until nothing waits, something has to wait, or the look has taken long.
pub(super) async fn start_all(
    state: &AppState,
    caller: &Caller,
    source: &Source,
    place: &Place<'_>,
) -> slovo_db::Result<()> {
    let began = Instant::now();
    loop {
        let mut connection = state.db.read().await?;
        let waiting = recordings::startable(&mut connection, source.id, BATCH).await?;
        drop(connection);
        if waiting.is_empty() {
            return Ok(());
        }
        for recording in &waiting {
            if began.elapsed() > LONGEST_LOOK || !is_wanted(state, source).await? {
                return Ok(());
            }
            let started = start(state, caller, source, place, recording).await;
            let Err(obstacle) = started else {
                tracing::info!(source = %source.id, recording = %recording.id, "a recording of a source became a job");
                continue;
            };
            let mut transaction = state.db.write().await?;
            let waits = match obstacle {
                Obstacle::Waits(problem) => {
                    recordings::mark_waiting(&mut transaction, recording.id, &problem).await?;
                    true
                }
                Obstacle::Failed(problem) => {
                    recordings::mark_failed(&mut transaction, recording.id, &problem).await?;
                    false
                }
            };
            transaction.commit().await?;
            if waits {
                return Ok(());
            }
        }
    }
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
    let wanted = WantedJob {
        plan: plan.map_err(|violations| refused(&violations.into()))?,
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
    let roots = &state.config.sources.watched_folders;
    let now = state.clock.now();
    let content = slovo_sources::open(&state.fetch, place, roots, &recording.key, now).await;
    let content = content.map_err(|error| {
        let problem = unread(&error);
        if error.is_transient() {
            Obstacle::Waits(problem)
        } else {
            Obstacle::Failed(problem)
        }
    })?;
    let filename = display_name(&recording.name);
    let stored = receive_from(state, caller, filename, Opened(content)).await;
    let stored = stored.map_err(|refusal| refused(&refusal))?;
    let created = creation::of_upload(state, caller, stored.id(), wanted).await;
    created.map_err(|error| refused(&error.into()))?;
    stored.take();
    Ok(())
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

/// Whether a refusal may have been lifted at the next look.
fn refused(refusal: &Refusal) -> Obstacle {
    let violation = refusal.violations().first();
    let problem = Problem {
        code: violation
            .map_or(refusal.code().as_str(), |it| it.code.as_str())
            .to_owned(),
        params: violation.map_or_else(|| refusal.figures().clone(), |it| it.params.clone()),
        detail: refusal.detail_text().map(str::to_owned),
    };
    let lacks_minutes = violation.is_some_and(|it| it.code == Code::MinutesExceeded);
    let is_final = matches!(
        refusal.status(),
        StatusCode::NOT_FOUND
            | StatusCode::CONFLICT
            | StatusCode::GONE
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
    );
    if is_final && !lacks_minutes {
        Obstacle::Failed(problem)
    } else {
        Obstacle::Waits(problem)
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
struct Opened(Content);

impl Arriving for Opened {
    async fn piece(&mut self) -> Result<Option<Bytes>, Refusal> {
        self.0.chunk().await.map_err(|error| {
            let detail = error.detail().unwrap_or_else(|| error.code().to_owned());
            Refusal::new(StatusCode::BAD_GATEWAY, ProblemCode::UrlUnreachable).detail(detail)
        })
    }
}
