//! Transcription jobs: `/api/v1/jobs`.
//!
//! Every action in this module that changes a job finds it by its id and its owner, so that jobs of
//! others are not found. Administrators may read all jobs (`read_access.rs`).

use axum::extract::{DefaultBodyLimit, FromRequestParts};
use axum::http::request::Parts;
use files::FileBody;
use jiff::Timestamp;
use read_access::ReadAccess;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Path, Problem, REFERRER, ROBOTS, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs::queue::Line;
use slovo_db::jobs::{self, Job};
use slovo_platform::clock::from_ms;
use slovo_rules::job::{JobStatus, Stage};
use slovo_rules::settings::{TranscriptionSettings, TranscriptionType};
use slovo_rules::transcript::{Warning, rounded};
use slovo_work::condition::Condition;
use slovo_work::quality;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

use crate::faults::FaultBody;

pub mod analysis;
pub(crate) mod annotations;
pub(crate) mod assistant;
mod bin;
mod bulk;
pub mod cancel;
mod comments;
mod create;
pub mod creation;
mod debug;
pub mod default_languages;
pub mod delete;
mod diff;
pub(crate) mod disposition;
mod edits;
pub mod events;
mod export;
mod files;
pub mod get;
mod history;
pub mod idempotency;
pub mod list;
mod marks;
pub(super) mod media;
mod media_link;
mod opened;
mod order;
pub(crate) mod position;
pub(super) mod read_access;
mod recognise_again;
mod removed;
mod rerun;
mod restore;
mod resync;
pub mod retry;
mod shares;
mod sorting;
mod summary;
mod title;
mod transcript;
mod voices;
pub(super) mod waveform;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = OpenApiRouter::new()
        .routes(routes!(create::create, list::list))
        .routes(routes!(summary::summary))
        .routes(routes!(get::get, delete::delete))
        .routes(routes!(opened::opened))
        .routes(routes!(title::title))
        .routes(routes!(position::get, position::keep))
        .routes(routes!(transcript::transcript))
        .routes(routes!(removed::removed))
        .routes(routes!(bin::bin))
        .routes(routes!(export::export))
        .routes(routes!(files::file))
        .routes(routes!(shares::create::create, shares::list::list))
        .routes(routes!(shares::remove::remove, shares::change::change))
        .routes(routes!(shares::password::password))
        .routes(routes!(shares::openings::openings))
        .routes(routes!(
            annotations::list::list,
            annotations::create::create
        ))
        .routes(routes!(
            annotations::change::change,
            annotations::remove::remove
        ))
        .routes(routes!(comments::list::list))
        .routes(routes!(comments::remove::remove))
        .routes(routes!(comments::answer::answer))
        .routes(routes!(waveform::waveform))
        .routes(routes!(media_link::media_link))
        .routes(routes!(cancel::cancel))
        .routes(routes!(retry::retry))
        .routes(routes!(bulk::delete_all))
        .routes(routes!(bulk::retry_all))
        .routes(routes!(sorting::tag_all))
        .routes(routes!(sorting::move_all))
        .routes(routes!(rerun::rerun))
        .routes(routes!(resync::resync))
        .routes(routes!(debug::debug))
        .routes(routes!(
            recognise_again::list::list,
            recognise_again::create::create
        ))
        .routes(routes!(voices::get, voices::remember))
        .routes(routes!(voices::compare))
        .routes(routes!(voices::dismiss))
        .routes(routes!(edits::undo::undo))
        .routes(routes!(edits::undo::redo))
        .routes(routes!(history::history))
        .routes(routes!(marks::create))
        .routes(routes!(marks::delete))
        .routes(routes!(diff::diff))
        .routes(routes!(restore::restore))
        .routes(routes!(analysis::get::get, analysis::create::create))
        .routes(routes!(analysis::remove::remove))
        .routes(routes!(assistant::get::get, assistant::clear::clear));
    let large = OpenApiRouter::new()
        .routes(routes!(edits::list::list, edits::save::save))
        .layer(DefaultBodyLimit::max(edits::save::MAX_BODY));
    // No time limit: event streams and recordings may take long.
    let long = OpenApiRouter::new()
        .routes(routes!(events::events))
        .routes(routes!(assistant::ask::ask))
        .routes(routes!(edits::events::follow))
        .routes(routes!(media::media));
    let mailed = OpenApiRouter::new()
        .routes(routes!(files::mailed))
        .layer(SetResponseHeaderLayer::overriding(ROBOTS.0, ROBOTS.1))
        .layer(SetResponseHeaderLayer::overriding(REFERRER.0, REFERRER.1));
    time_limit(short.merge(large).merge(mailed)).merge(long)
}

/// A job.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct JobBody {
    /// Its id.
    pub my_job_id: Uuid,
    /// The sanitised file name.
    pub original_filename: String,
    /// The title given by its owner; null if the file name is used.
    pub title: Option<String>,
    /// Its state.
    pub status: JobStatus,
    /// Mode of recognition.
    pub transcription_type: TranscriptionType,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When a worker first started it.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// Size of the recording in bytes.
    pub file_size: u64,
    /// MIME type of the recording, detected from its content.
    pub content_type: String,
    /// Duration of the recording in seconds.
    pub duration: Option<f64>,
    /// Language as set or detected.
    pub language: Option<String>,
    /// Id of the recognition model.
    pub model: Option<String>,
    /// The settings.
    pub settings: TranscriptionSettings,
    /// Index of the requested audio track; null means the file's default track.
    pub audio_track: Option<u32>,
    /// Its progress, until it has ended.
    pub progress: Option<ProgressBody>,
    /// Why it ended without a text.
    pub error: Option<FaultBody>,
    /// Warnings about the result.
    pub warnings: Vec<Warning>,
    /// Whether the recording has video.
    pub has_video: bool,
    /// Whether it is the sample of a new account, which uses no minutes and is not included in
    /// statistics.
    pub is_sample: bool,
    /// Number of runs of recognition with a text.
    pub versions: u32,
    /// Whether a text can be read, including while the job is running again.
    pub has_output: bool,
    /// Number of requested analyses that wait for an engine that this server does not have, mostly
    /// a language model.
    pub held_parts: u32,
    /// Ids of its tags.
    pub tags: Vec<Uuid>,
    /// Id of its folder.
    pub folder: Option<Uuid>,
    /// The requested files, which were created when it was completed.
    pub files: Vec<FileBody>,
}

/// The progress of a job.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Progress)]
pub struct ProgressBody {
    /// The current stage.
    pub stage: Stage,
    /// 0 to 100.
    pub percent: f64,
    /// Estimated seconds left, if known.
    pub seconds_left: Option<f64>,
}

impl From<Job> for JobBody {
    fn from(job: Job) -> Self {
        let warnings = quality::warnings(&job);
        let waiting = job.status == JobStatus::Pending;
        let progress = ProgressBody {
            stage: if waiting { Stage::Queued } else { job.stage },
            percent: job.percent,
            seconds_left: job.seconds_left,
        };
        Self {
            my_job_id: job.id,
            original_filename: job.original_filename,
            title: job.title,
            status: job.status,
            transcription_type: job.plan.mode,
            created_at: from_ms(job.created_at),
            started_at: job.started_at.map(from_ms),
            finished_at: job.finished_at.map(from_ms),
            file_size: job.file_size,
            content_type: job.content_type,
            duration: job.duration.map(rounded),
            language: job.language,
            model: job.model,
            settings: job.plan.into(),
            audio_track: job.audio_track,
            progress: (!job.status.is_terminal()).then_some(progress),
            error: job.error.map(FaultBody::from),
            warnings,
            has_video: job.has_video,
            is_sample: job.is_sample,
            versions: job.versions,
            has_output: job.versions > 0,
            held_parts: job.held,
            tags: job.tags,
            folder: job.folder,
            files: job.files.into_iter().map(FileBody::from).collect(),
        }
    }
}

impl JobBody {
    /// The job with its current progress, which includes waiting for disk space.
    pub fn of(job: Job, condition: &Condition) -> Self {
        let line = Line::of(job.awaits_download);
        let mut body = Self::from(job);
        // Only jobs in progress need the disk's state, not every row of a list.
        if let Some(progress) = &mut body.progress
            && condition.blocks_line(line)
        {
            progress.stage = Stage::Storage;
        }
        body
    }
}

/// The job's id from the path, which may have other parameters.
#[derive(Deserialize)]
struct JobPath {
    id: Uuid,
}

/// The caller's own job from the path. Jobs of others are not found.
pub(super) struct OwnJob {
    caller: Caller,
    job: Job,
}

impl FromRequestParts<AppState> for OwnJob {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(JobPath { id }) = Path::from_request_parts(parts, state).await?;
        let mut connection = state.db.read().await?;
        let job = jobs::find(&mut connection, &caller.user_id, id).await?;
        Ok(Self {
            caller,
            job: job.ok_or_else(Problem::not_found)?,
        })
    }
}

/// The job, read again after a change.
async fn reread(state: &AppState, own: &OwnJob) -> Result<JobBody, Problem> {
    let mut connection = state.db.read().await?;
    let job = jobs::find(&mut connection, &own.caller.user_id, own.job.id).await?;
    let job = job.ok_or_else(Problem::not_found)?;
    Ok(JobBody::of(job, &state.condition))
}
