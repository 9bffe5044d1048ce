//! Creates jobs, for the action and for the other services' protocols.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde_json::Value;
use slovo_app::auth::{Caller, RateLimited};
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job, NewJob, uploads};
use slovo_db::plans::ledger;
use slovo_db::sources::recordings;
use slovo_db::{Connection, WriteTransaction, lifecycle, presets};
use slovo_fetch::{FetchError, names};
use slovo_rules::Valid;
use slovo_rules::codes::ProblemCode;
use slovo_rules::job_plan::JobPlan;
use slovo_rules::settings;
use slovo_rules::upload::validate_audio_track;
use slovo_rules::url;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_server_settings::require;
use slovo_uploads::{UploadError, content};
use slovo_work::minutes;
use uuid::Uuid;

use super::idempotency::RepeatKey;
use crate::presets::viewer;
use crate::uploads::upload_problem;
use crate::urls::fetch_problem;

/// Why no job was created.
#[derive(Debug)]
pub enum Error {
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

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(violations) => violations.into(),
            Error::Upload(error) => upload_problem(error),
            Error::AlreadyUsed(job) => {
                Self::new(StatusCode::CONFLICT, ProblemCode::UploadAlreadyUsed)
                    .detail(format!("The upload is already used by the job {job}."))
            }
            Error::Fetch(error) => fetch_problem(&error),
            Error::Limited(limited) => limited.into(),
            Error::Refused(problem) | Error::Internal(problem) => problem,
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        Problem::from(self).into_response()
    }
}

/// A job to be created.
#[derive(Debug)]
pub struct WantedJob {
    /// What is to be done.
    pub plan: Valid<JobPlan>,
    /// Index of the audio track; the file's default track if absent.
    pub audio_track: Option<u32>,
    /// Where it comes from.
    pub cause: Cause,
}

/// Where a new job comes from; stored in the transaction that creates it.
#[derive(Clone, Debug, Default)]
pub struct Cause {
    /// The preset that the settings come from; its uses are counted. A deleted one is ignored.
    pub preset: Option<Uuid>,
    /// The key with which the request may be repeated.
    pub repeat: Option<RepeatKey>,
    /// The recording of a source, which gets one job only.
    pub source_recording: Option<Uuid>,
}

/// A created job.
#[derive(Debug)]
pub struct Created {
    /// The job.
    pub job: Job,
    /// Whether an earlier request with the same key created it.
    pub is_repeated: bool,
}

/// Checks what is known before the recording is there: the plan's features, that minutes are left, and
/// the limit of waiting jobs.
///
/// # Errors
/// A job with this plan would be refused, whatever the recording.
pub async fn check(state: &AppState, caller: &Caller, plan: &JobPlan) -> Result<(), Error> {
    checked_priority(state, caller, plan).await?;
    let waiting = state.settings.current().await?.limits.waiting_jobs;
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let balance = ledger::read_balance(&mut connection, &caller.user_id, now).await?;
    ledger::check_start(&balance)
        .map_err(|violation| Error::Invalid(Violations(vec![violation])))?;
    refuse_waiting(&mut connection, &caller.user_id, waiting).await
}

/// Creates a job from a complete upload of the caller, and adds it to the queue.
///
/// # Errors
/// See [`Error`]; then the upload is kept, unless it is the reason.
pub async fn of_upload(
    state: &AppState,
    caller: &Caller,
    upload_id: Uuid,
    wanted: WantedJob,
) -> Result<Created, Error> {
    let repeat = wanted.cause.repeat.clone();
    let create = of_unused_upload(state, caller, upload_id, wanted);
    once(state, caller, repeat, create).await
}

/// Creates a job from a URL. Its name, size and duration are set when the recording is fetched.
///
/// # Errors
/// See [`Error`].
pub async fn of_url(
    state: &AppState,
    caller: &Caller,
    wanted: WantedJob,
) -> Result<Created, Error> {
    let repeat = wanted.cause.repeat.clone();
    once(state, caller, repeat, of_new_url(state, caller, wanted)).await
}

/// Creates a job unless an earlier request with the same key did.
async fn once(
    state: &AppState,
    caller: &Caller,
    repeat: Option<RepeatKey>,
    create: impl Future<Output = Result<Job, Error>>,
) -> Result<Created, Error> {
    let is_new = |job| Created {
        job,
        is_repeated: false,
    };
    let Some(repeat) = repeat else {
        return create.await.map(is_new);
    };
    if let Some(earlier) = earlier(state, caller, &repeat).await? {
        return Ok(earlier);
    }
    match create.await {
        Ok(job) => Ok(is_new(job)),
        // A request with the same key, sent at the same time, may have been faster.
        Err(error) => earlier(state, caller, &repeat).await?.ok_or(error),
    }
}

/// The job that an earlier request with the same key created.
async fn earlier(
    state: &AppState,
    caller: &Caller,
    repeat: &RepeatKey,
) -> Result<Option<Created>, Error> {
    let mut connection = state.db.read().await?;
    let now = state.clock.now_ms();
    let job = repeat.created(&mut connection, &caller.user_id, now).await;
    let job = job.map_err(Error::Refused)?;
    Ok(job.map(|job| Created {
        job,
        is_repeated: true,
    }))
}

async fn of_unused_upload(
    state: &AppState,
    caller: &Caller,
    upload_id: Uuid,
    wanted: WantedJob,
) -> Result<Job, Error> {
    let priority = checked_priority(state, caller, &wanted.plan).await?;
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
    if let Some(track) = wanted.audio_track {
        validate_audio_track(track, media.tracks)
            .map_err(|violation| Error::Invalid(Violations(vec![violation])))?;
    }
    let container = upload.container.as_deref().unwrap_or(&media.container);
    let job = NewJob {
        id: new_id(state)?,
        user_id: caller.user_id.clone(),
        media_id: upload.id,
        original_filename: upload.filename,
        content_type: content::content_type(container, media.has_video).to_owned(),
        file_size: upload.stored,
        has_video: media.has_video,
        duration: media.duration,
        plan: wanted.plan,
        audio_track: wanted.audio_track,
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
    finish(state, caller, transaction, &job, &wanted.cause).await
}

async fn of_new_url(state: &AppState, caller: &Caller, wanted: WantedJob) -> Result<Job, Error> {
    let plan = wanted.plan;
    let priority = checked_priority(state, caller, &plan).await?;
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
    let job = NewJob {
        id: new_id(state)?,
        user_id: caller.user_id.clone(),
        media_id: new_id(state)?,
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
    // The duration is unknown until it is fetched.
    finish(state, caller, transaction, &job, &wanted.cause).await
}

/// Creates the job in this transaction and adds it to the queue.
async fn finish(
    state: &AppState,
    caller: &Caller,
    mut transaction: WriteTransaction,
    job: &NewJob,
    cause: &Cause,
) -> Result<Job, Error> {
    let created = insert(&mut transaction, caller, job, cause.preset).await?;
    if let Some(recording) = cause.source_recording {
        let marked = recordings::mark_started(&mut transaction, recording, job.id);
        if !marked.await? {
            return Err(UploadError::NotFound.into());
        }
    }
    if let Some(repeat) = &cause.repeat {
        let stored = repeat.store(&mut transaction, &caller.user_id, job.id, job.now);
        if !stored.await? {
            // The job of the faster request is looked up, unless it was deleted meanwhile.
            return Err(UploadError::NotFound.into());
        }
    }
    transaction.commit().await?;
    state.jobs.enqueued(job.id);
    Ok(created)
}

fn new_id(state: &AppState) -> Result<Uuid, Error> {
    let id = state.new_id().parse();
    id.map_err(|error| Error::Internal(Problem::internal(anyhow::Error::from(error))))
}

/// Stores the job, counts a use of the preset and reserves the minutes.
async fn insert(
    connection: &mut Connection,
    caller: &Caller,
    job: &NewJob,
    preset: Option<Uuid>,
) -> Result<Job, Error> {
    lifecycle::create_job(&mut *connection, job).await?;
    if let Some(preset) = preset {
        presets::count_use(&mut *connection, viewer(caller), preset).await?;
    }
    let created = jobs::find(&mut *connection, &caller.user_id, job.id).await?;
    let created = created.ok_or_else(|| {
        Error::Internal(Problem::internal(anyhow::anyhow!("the new job is missing")))
    })?;
    minutes::reserve(connection, &created, job.now)
        .await?
        .map_err(Error::Invalid)?;
    Ok(created)
}

/// The job's priority in the queue.
///
/// # Errors
/// This server cannot do what the job asks for, or the caller's plan does not include it.
async fn checked_priority(state: &AppState, caller: &Caller, plan: &JobPlan) -> Result<i64, Error> {
    refuse_unavailable(state, plan).map_err(Error::Invalid)?;
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
