//! `POST /api/v1/jobs`: creates a job from a complete upload or a URL.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;
use slovo_app::auth::{Caller, RateLimited};
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, NewJob, uploads};
use slovo_db::plans::ledger;
use slovo_db::{Connection, lifecycle, presets};
use slovo_fetch::{FetchError, names};
use slovo_rules::Valid;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job_plan::{self, JobPlan};
use slovo_rules::settings::{self, Source, TranscriptionSettings};
use slovo_rules::upload::{nothing_chosen, validate_audio_track};
use slovo_rules::url;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_server_settings::require;
use slovo_uploads::{UploadError, content};
use slovo_work::minutes;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{JobBody, default_languages};
use crate::presets::viewer;
use crate::uploads::{or_of_file, upload_problem};
use crate::urls::fetch_problem;

/// The recording to be transcribed, and the settings.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewJobBody {
    /// Id of a complete upload; absent if `settings.url` is the recording.
    upload_id: Option<String>,
    /// The settings; absent fields have their defaults. Without `languages`, a recording whose
    /// language is detected uses those of the preset, otherwise of the account, otherwise of the
    /// server.
    #[serde(default)]
    #[schema(value_type = Option<TranscriptionSettings>)]
    settings: Option<Value>,
    /// The preset (its `id`) that the settings come from; its uses are counted. Only its
    /// `languages` are applied, if the settings have none. A deleted preset is ignored.
    preset_id: Option<Uuid>,
    /// Index of the audio track that is transcribed; the file's default track if absent.
    audio_track: Option<u32>,
}

/// Why no job was created.
#[derive(Debug)]
pub(super) enum Error {
    /// The input breaks rules.
    Invalid(Violations),
    /// The upload cannot be used.
    Upload(UploadError),
    /// This job already uses the upload.
    AlreadyUsed(Uuid),
    /// This server cannot fetch the recording from its URL.
    Fetch(FetchError),
    /// Too many URLs in a short time.
    Limited(RateLimited),
    /// Disabled or limited by an administrator.
    Refused(Problem),
    /// An internal error.
    Internal(Problem),
}

impl From<UploadError> for Error {
    fn from(error: UploadError) -> Self {
        Self::Upload(error)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::Invalid(violations) => violations.into(),
            Self::Upload(error) => upload_problem(error),
            Self::AlreadyUsed(job) => {
                Problem::new(StatusCode::CONFLICT, ProblemCode::UploadAlreadyUsed)
                    .detail(format!("The upload is already used by the job {job}."))
            }
            Self::Fetch(error) => fetch_problem(&error),
            Self::Limited(limited) => Problem::from(limited),
            Self::Refused(problem) | Self::Internal(problem) => problem,
        }
        .into_response()
    }
}

/// Creates a job from a finished upload or a URL and adds it to the queue. A recording at a URL is
/// downloaded when the job starts.
#[utoipa::path(post, path = "/jobs", tag = "jobs", operation_id = "create_job",
    request_body = NewJobBody,
    responses(
        (status = CREATED, body = JobBody),
        (status = FORBIDDEN, body = Document, description = "url_fetch_off"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is no such upload"),
        (status = CONFLICT, body = Document, description = "upload_incomplete, \
            upload_already_used"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = or_of_file("validation_failed, \
            url_refused, url_needs_downloader, upload_refused")),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: too many \
            addresses; too_many_waiting (params: max)"),
        (status = SERVICE_UNAVAILABLE, body = Document, description = "unavailable: the recording \
            could not be looked into"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<NewJobBody>,
) -> Result<(StatusCode, Json<JobBody>), Error> {
    let upload_id = body.upload_id.filter(|id| !id.is_empty());
    let mut settings = read_settings(body.settings.as_ref())?;
    if default_languages::are_open(body.settings.as_ref(), &settings) {
        settings.languages = default_languages::find(&state, &caller, body.preset_id).await?;
    }
    let (plan, source) = read_plan(&settings, upload_id.is_some())?;
    refuse_unavailable(&state, &plan).map_err(Error::Invalid)?;
    let priority = plan_priority(&state, &caller, &plan).await?;
    if source == Source::Url {
        return create_of_url(&state, &caller, plan, priority, body.preset_id).await;
    }
    let no_upload = || {
        let missing = Violation {
            field: "upload_id".to_owned(),
            ..nothing_chosen(Source::File, true)
        };
        Error::Invalid(Violations(vec![missing]))
    };
    let upload_id = upload_id.ok_or_else(no_upload)?;
    let upload_id: Uuid = upload_id.parse().map_err(|_| UploadError::NotFound)?;

    let upload = match state.uploads.usable(&caller.user_id, upload_id).await {
        Ok(upload) => upload,
        Err(UploadError::NotFound) => {
            let mut connection = state.db.read().await?;
            let existing = jobs::find_by_media(&mut connection, &caller.user_id, upload_id).await?;
            return Err(existing.map_or(UploadError::NotFound.into(), |job| {
                Error::AlreadyUsed(job.id)
            }));
        }
        Err(error) => return Err(error.into()),
    };
    let upload = state.uploads.inspect(upload).await?;
    let media = upload.media.ok_or(UploadError::Incomplete)?;
    if let Some(track) = body.audio_track {
        validate_audio_track(track, media.tracks)
            .map_err(|violation| Error::Invalid(Violations(vec![violation])))?;
    }
    let container = upload.container.as_deref().unwrap_or(&media.container);

    let id = state.new_id().parse();
    let id: Uuid = id.map_err(|error| Error::Internal(Problem::internal(error)))?;
    let job = NewJob {
        id,
        user_id: caller.user_id.clone(),
        media_id: upload.id,
        original_filename: upload.filename,
        content_type: content::content_type(container, media.has_video).to_owned(),
        file_size: upload.stored,
        has_video: media.has_video,
        duration: media.duration,
        plan,
        audio_track: body.audio_track,
        priority,
        now: state.clock.now_ms(),
    };
    let waiting = state.settings.current().await?.limits.waiting_jobs;
    // In one transaction, the row of the upload is replaced by the row of the job, which is also
    // its entry in the queue. Of two requests for one upload, the second finds no upload to take.
    let mut transaction = state.db.write().await?;
    refuse_waiting(&mut transaction, &caller.user_id, waiting).await?;
    if !uploads::consume(&mut transaction, upload.id).await? {
        drop(transaction);
        // It was deleted or refused meanwhile.
        state.uploads.usable(&caller.user_id, upload.id).await?;
        return Err(UploadError::NotFound.into());
    }
    lifecycle::create_job(&mut transaction, &job).await?;
    if let Some(preset) = body.preset_id {
        presets::count_use(&mut transaction, viewer(&caller), preset).await?;
    }
    let created = jobs::find(&mut transaction, &caller.user_id, id).await?;
    let created = created.ok_or(UploadError::NotFound)?;
    minutes::reserve(&mut transaction, &created, job.now)
        .await?
        .map_err(Error::Invalid)?;
    transaction.commit().await?;
    state.jobs.enqueued(id);
    let created = JobBody::of(created, &state.condition);
    Ok((StatusCode::CREATED, Json(created)))
}

/// The job's priority in the queue.
///
/// # Errors
/// The caller's plan does not include what the job asks for.
async fn plan_priority(state: &AppState, caller: &Caller, plan: &JobPlan) -> Result<i64, Error> {
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &caller.user_id, now).await?;
    minutes::check_settings(&balance, plan).map_err(Error::Invalid)?;
    Ok(balance.priority())
}

/// Checks the limit of queued jobs per user. Called in the transaction that adds the job, so that
/// concurrent requests cannot exceed it.
async fn refuse_waiting(
    connection: &mut Connection,
    user_id: &str,
    limit: Option<i64>,
) -> Result<(), Error> {
    match waiting_problem(connection, user_id, limit).await? {
        None => Ok(()),
        Some(problem) => Err(Error::Refused(problem)),
    }
}

/// The problem, if the user already has `most` queued jobs.
pub(super) async fn waiting_problem(
    connection: &mut Connection,
    user_id: &str,
    limit: Option<i64>,
) -> slovo_db::Result<Option<Problem>> {
    let Some(limit) = limit else {
        return Ok(None);
    };
    if jobs::count_waiting(connection, user_id).await? < limit {
        return Ok(None);
    }
    let problem = Problem::new(StatusCode::TOO_MANY_REQUESTS, ProblemCode::TooManyWaiting);
    let params = [("max".to_owned(), Value::from(limit))];
    Ok(Some(problem.params(params.into())))
}

/// Checks that this server can recognise with these settings; field names are relative to the body.
/// Unavailable analyses are not a reason to refuse a recording: they are held.
///
/// # Errors
/// Every field that asks for something unavailable.
pub(super) fn refuse_unavailable(state: &AppState, plan: &JobPlan) -> Result<(), Violations> {
    let multichannel = state.analyses.engines().multichannel;
    settings::check_recognised(plan.settings(), multichannel)
        .map_err(|violations| violations.under("settings"))
}

/// Creates a job from a URL. Its name, size and duration are set when the recording is fetched.
async fn create_of_url(
    state: &AppState,
    caller: &Caller,
    plan: Valid<JobPlan>,
    priority: i64,
    preset: Option<Uuid>,
) -> Result<(StatusCode, Json<JobBody>), Error> {
    let invalid = || {
        let violation = Violation::new("settings.url", Code::UrlInvalid);
        Error::Invalid(Violations(vec![violation]))
    };
    let switches = state.settings.current().await?.switches;
    require(switches.url_fetch, ProblemCode::UrlFetchOff)
        .map_err(|off| Error::Refused(off.into()))?;
    let kind = url::classify(plan.url()).map_err(|_| invalid())?;
    let address = Url::parse(plan.url()).map_err(|_| invalid())?;
    // Counted together with probes, so that jobs cannot be used to get around their limit.
    let limits = state.limits.url_probe(&caller.user_id);
    limits.map_err(Error::Limited)?;
    state.fetch.accepts(&address, &kind).map_err(Error::Fetch)?;
    let id = || {
        let id = state.new_id().parse::<Uuid>();
        id.map_err(|error| Error::Internal(Problem::internal(error)))
    };
    let job = NewJob {
        id: id()?,
        user_id: caller.user_id.clone(),
        media_id: id()?,
        original_filename: names::of_url(&address),
        content_type: "application/octet-stream".to_owned(),
        file_size: 0,
        has_video: false,
        duration: None,
        plan,
        // The tracks are unknown until it is fetched.
        audio_track: None,
        priority,
        now: state.clock.now_ms(),
    };
    let waiting = state.settings.current().await?.limits.waiting_jobs;
    let mut transaction = state.db.write().await?;
    refuse_waiting(&mut transaction, &caller.user_id, waiting).await?;
    lifecycle::create_job(&mut transaction, &job).await?;
    if let Some(preset) = preset {
        presets::count_use(&mut transaction, viewer(caller), preset).await?;
    }
    let created = jobs::find(&mut transaction, &job.user_id, job.id).await?;
    let created = created.ok_or_else(|| {
        Error::Internal(Problem::internal(anyhow::anyhow!("the new job is missing")))
    })?;
    // The duration is unknown until it is fetched.
    minutes::reserve(&mut transaction, &created, job.now)
        .await?
        .map_err(Error::Invalid)?;
    transaction.commit().await?;
    state.jobs.enqueued(job.id);
    let created = JobBody::of(created, &state.condition);
    Ok((StatusCode::CREATED, Json(created)))
}

/// Names the fields of violated settings relative to the body.
fn in_body(violations: Violations) -> Error {
    Error::Invalid(violations.under("settings"))
}

fn read_settings(json: Option<&Value>) -> Result<TranscriptionSettings, Error> {
    let mut parsed = match json {
        None | Some(Value::Null) => TranscriptionSettings::default(),
        Some(value) => settings::parse(value).map_err(in_body)?,
    };
    parsed.url = parsed.url.trim().to_owned();
    Ok(parsed)
}

/// Checks the settings; field names are relative to the body. A job has either an upload or a URL.
fn read_plan(
    settings: &TranscriptionSettings,
    has_upload: bool,
) -> Result<(Valid<JobPlan>, Source), Error> {
    let source = if settings.url.is_empty() {
        Source::File
    } else {
        Source::Url
    };
    if source == Source::Url && has_upload {
        let violation = Violation::new("settings.url", Code::UrlInvalid);
        return Err(Error::Invalid(Violations(vec![violation])));
    }
    let plan = job_plan::validate(settings, source).map_err(in_body)?;
    Ok((plan, source))
}
