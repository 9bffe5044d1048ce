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
use utoipa_axum::routes;
use uuid::Uuid;

use crate::faults::FaultBody;

mod again;
pub(crate) mod analysis;
pub(crate) mod annotations;
pub(crate) mod assistant;
mod bin;
mod bulk;
pub mod cancel;
mod comments;
mod create;
mod debug;
mod default_languages;
pub mod delete;
mod diff;
pub(crate) mod disposition;
mod edits;
mod events;
mod export;
mod files;
pub mod get;
mod history;
mod list;
mod marks;
pub(super) mod media;
mod media_link;
mod opened;
mod order;
pub(crate) mod position;
mod range;
pub(super) mod read_access;
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
        .routes(routes!(again::list::list, again::create::create))
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

/// A job as it is shown.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Job)]
pub struct JobBody {
    /// Its id.
    pub my_job_id: Uuid,
    /// The name of the file, cleaned.
    pub original_filename: String,
    /// What its owner calls it; null: by the name of the file.
    pub title: Option<String>,
    /// Where it stands.
    pub status: JobStatus,
    /// Mode of recognition.
    pub transcription_type: TranscriptionType,
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When a worker first took it.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub started_at: Option<Timestamp>,
    /// When it ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub finished_at: Option<Timestamp>,
    /// Bytes of the recording.
    pub file_size: u64,
    /// MIME type of the recording, by its content.
    pub content_type: String,
    /// Seconds of the recording.
    pub duration: Option<f64>,
    /// Language given or found.
    pub language: Option<String>,
    /// Model that recognises.
    pub model: Option<String>,
    /// What was asked for.
    pub settings: TranscriptionSettings,
    /// Which of the file's audio tracks was asked for; null is its default one.
    pub audio_track: Option<u32>,
    /// How far it is, while it has not ended.
    pub progress: Option<ProgressBody>,
    /// Why it ended without a text.
    pub error: Option<FaultBody>,
    /// What the reader should know.
    pub warnings: Vec<Warning>,
    /// Whether there are pictures.
    pub has_video: bool,
    /// Whether it is the sample of a new account, which costs no minutes and is in no figures.
    pub is_sample: bool,
    /// How many runs of recognition have a text.
    pub versions: u32,
    /// Whether there is a text to be read: also while the job runs again.
    pub has_output: bool,
    /// How many parts that were asked for wait for something that this server does not have, a
    /// language model mostly.
    pub held_parts: u32,
    /// Ids of the tags that its owner gave it.
    pub tags: Vec<Uuid>,
    /// Id of the folder that it is in.
    pub folder: Option<Uuid>,
    /// The files that were made when it was done, because they were asked for.
    pub files: Vec<FileBody>,
}

/// How far a job is.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = Progress)]
pub struct ProgressBody {
    /// What is being done.
    pub stage: Stage,
    /// 0 to 100.
    pub percent: f64,
    /// Seconds of waiting left, where known.
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
    /// The job with its current progress, which tells when it is waiting for disk space.
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
