//! `POST /api/v1/jobs`: makes a job of a complete upload, or of an address.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use reqwest::Url;
use serde::Deserialize;
use serde_json::Value;
use slovo_db::jobs::{self, NewJob};
use slovo_db::{presets, uploads};
use slovo_rules::settings::{self, Source, TranscriptionSettings};
use slovo_rules::upload::{nothing_chosen, validate_audio_track};
use slovo_rules::url;
use slovo_rules::violation::{Code, Violation, Violations};
use utoipa::ToSchema;
use uuid::Uuid;

use super::JobBody;
use crate::api::presets::viewer;
use crate::api::uploads::upload_problem;
use crate::api::urls::fetch_problem;
use crate::auth::{Caller, Limited};
use crate::fetch::{FetchError, names};
use crate::http::{Document, Json, Problem};
use crate::state::AppState;
use crate::uploads::{UploadError, content};

/// The place in the queue of accounts without a plan.
const NO_PLAN: i64 = 0;

/// What is to be transcribed, and how.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewJobBody {
    /// A complete upload; none where `settings.url` names the recording.
    upload_id: Option<String>,
    /// The settings; absent fields have their default.
    #[serde(default)]
    #[schema(value_type = Option<TranscriptionSettings>)]
    settings: Option<Value>,
    /// The preset (its `id`) that the settings come from; its uses are counted. One that is gone
    /// is ignored.
    preset_id: Option<Uuid>,
    /// Which of the file's audio tracks is transcribed, by its index; the default one if absent.
    audio_track: Option<u32>,
}

/// Why no job was made.
#[derive(Debug)]
pub(super) enum Error {
    /// The input breaks rules.
    Invalid(Violations),
    /// The upload cannot be taken.
    Upload(UploadError),
    /// A job has it already.
    AlreadyUsed(Uuid),
    /// The recording at the address cannot be fetched by this server.
    Fetch(FetchError),
    /// Too many addresses in so short a time.
    Limited(Limited),
    /// Something of ours.
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
            Self::AlreadyUsed(job) => Problem::new(StatusCode::CONFLICT, "upload_already_used")
                .detail(format!("The job {job} has this upload.")),
            Self::Fetch(error) => fetch_problem(&error),
            Self::Limited(limited) => Problem::from(limited),
            Self::Internal(problem) => problem,
        }
        .into_response()
    }
}

/// Makes a job of a complete upload, or of an address, and puts it into the queue. What is at an
/// address is fetched when the job's turn comes.
#[utoipa::path(post, path = "/jobs", tag = "jobs", operation_id = "create_job",
    request_body = NewJobBody,
    responses(
        (status = CREATED, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found: there is no such upload"),
        (status = CONFLICT, body = Document, description = "upload_incomplete, \
            upload_already_used"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed, \
            url_refused, url_needs_downloader, or a code of the engine"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: too many \
            addresses"),
        (status = SERVICE_UNAVAILABLE, body = Document, description = "unavailable: the recording \
            could not be looked into"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    Json(body): Json<NewJobBody>,
) -> Result<(StatusCode, Json<JobBody>), Error> {
    let upload_id = body.upload_id.filter(|id| !id.is_empty());
    let (settings, source) = read_settings(body.settings.as_ref(), upload_id.is_some())?;
    refuse_unavailable(&state, &settings).map_err(Error::Invalid)?;
    if source == Source::Url {
        return create_of_url(&state, &caller, settings, body.preset_id).await;
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
            let taken = jobs::find_by_media(&mut connection, &caller.user_id, upload_id).await?;
            return Err(taken.map_or(UploadError::NotFound.into(), |job| {
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
        settings,
        audio_track: body.audio_track,
        priority: NO_PLAN,
        now: state.clock.now_ms(),
    };
    // The row of the upload turns into the row of the job, which is the queue's entry: all or
    // nothing. Of two requests for one upload the second finds no upload to remove.
    let mut transaction = state.db.write().await?;
    if !uploads::take(&mut transaction, upload.id).await? {
        drop(transaction);
        // It is gone, or was refused in the meantime.
        state.uploads.usable(&caller.user_id, upload.id).await?;
        return Err(UploadError::NotFound.into());
    }
    jobs::insert(&mut transaction, &job).await?;
    if let Some(preset) = body.preset_id {
        presets::count_use(&mut transaction, viewer(&caller), preset).await?;
    }
    let made = jobs::find(&mut transaction, &caller.user_id, id).await?;
    transaction.commit().await?;
    state.jobs.enqueued(id);
    let made = made.ok_or(UploadError::NotFound)?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

/// Checks that some engine of this server does what the settings ask for; fields are named as they
/// stand in the body.
///
/// # Errors
/// Every field that asks for what nothing does.
pub(super) fn refuse_unavailable(
    state: &AppState,
    settings: &TranscriptionSettings,
) -> Result<(), Violations> {
    let engines = state.analyses.engines();
    let does = |feature| engines.does(feature);
    settings::check_available(settings, does, engines.multichannel).map_err(|violations| {
        let under = violations.0.into_iter().map(|v| v.under("settings"));
        Violations(under.collect())
    })
}

/// Makes a job of an address. Its name, size and all else come with the recording.
async fn create_of_url(
    state: &AppState,
    caller: &Caller,
    settings: TranscriptionSettings,
    preset: Option<Uuid>,
) -> Result<(StatusCode, Json<JobBody>), Error> {
    let invalid = || {
        let violation = Violation::new("settings.url", Code::UrlInvalid);
        Error::Invalid(Violations(vec![violation]))
    };
    let kind = url::classify(&settings.url).map_err(|_| invalid())?;
    let address = Url::parse(&settings.url).map_err(|_| invalid())?;
    // Counted with the probes: what they must not be used for, jobs must not either.
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
        settings,
        // What tracks there are is not known before it is fetched.
        audio_track: None,
        priority: NO_PLAN,
        now: state.clock.now_ms(),
    };
    let mut transaction = state.db.write().await?;
    jobs::insert(&mut transaction, &job).await?;
    if let Some(preset) = preset {
        presets::count_use(&mut transaction, viewer(caller), preset).await?;
    }
    let made = jobs::find(&mut transaction, &job.user_id, job.id).await?;
    transaction.commit().await?;
    state.jobs.enqueued(job.id);
    let made = made.ok_or_else(|| Error::Internal(Problem::internal("the new job is gone")))?;
    Ok((StatusCode::CREATED, Json(made.into())))
}

/// Reads and checks the settings; fields are named as they stand in the body. A job has an upload
/// or an address.
fn read_settings(
    sent: Option<&Value>,
    has_upload: bool,
) -> Result<(TranscriptionSettings, Source), Error> {
    let under = |violations: Violations| {
        Error::Invalid(Violations(
            violations
                .0
                .into_iter()
                .map(|v| v.under("settings"))
                .collect(),
        ))
    };
    let mut parsed = match sent {
        None | Some(Value::Null) => TranscriptionSettings::default(),
        Some(value) => settings::parse(value).map_err(under)?,
    };
    parsed.url = parsed.url.trim().to_owned();
    let source = if parsed.url.is_empty() {
        Source::File
    } else {
        Source::Url
    };
    if source == Source::Url && has_upload {
        let violation = Violation::new("settings.url", Code::UrlInvalid);
        return Err(Error::Invalid(Violations(vec![violation])));
    }
    let valid = settings::validate(&parsed, source).map_err(under)?;
    Ok((valid.into_inner(), source))
}
