//! `POST /api/v1/jobs`: creates a job from a complete upload or a URL.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json};
use slovo_app::state::AppState;
use slovo_rules::Valid;
use slovo_rules::job_plan::{self, JobPlan};
use slovo_rules::settings::{self, Source, TranscriptionSettings};
use slovo_rules::upload::nothing_chosen;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_uploads::UploadError;
use utoipa::ToSchema;
use uuid::Uuid;

use super::creation::{self, Cause, Error, WantedJob};
use super::idempotency::IdempotencyKey;
use super::{JobBody, default_languages};
use crate::uploads::or_of_file;

/// Says that the job was created by an earlier request with the same key.
static REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");

/// The recording to be transcribed, and the settings.
#[derive(Deserialize, Serialize, ToSchema)]
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

/// Creates a job from a finished upload or a URL and adds it to the queue. A recording at a URL is
/// downloaded when the job starts.
#[utoipa::path(post, path = "/jobs", tag = "jobs", operation_id = "create_job",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 characters: a \
        request that is repeated with the same key within 24 hours gets the job that the first one \
        created, with the header `Idempotent-Replayed`")),
    request_body = NewJobBody,
    responses(
        (status = CREATED, body = JobBody),
        (status = BAD_REQUEST, body = Document, description = "idempotency_key_invalid"),
        (status = FORBIDDEN, body = Document, description = "url_fetch_off"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is no such upload"),
        (status = CONFLICT, body = Document, description = "upload_incomplete, \
            upload_already_used"),
        (status = GONE, body = Document, description = "upload_expired"),
        (status = UNSUPPORTED_MEDIA_TYPE, body = Document, description = "unsupported_media"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = or_of_file("validation_failed, \
            url_refused, url_needs_downloader, url_is_folder, upload_refused, \
            idempotency_key_reused")),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited: too many \
            addresses; too_many_waiting (params: max)"),
        (status = SERVICE_UNAVAILABLE, body = Document, description = "unavailable: the recording \
            could not be looked into"),
    ))]
pub(super) async fn create(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    Json(body): Json<NewJobBody>,
) -> Result<(StatusCode, HeaderMap, Json<JobBody>), Error> {
    let repeat = key.of(&body).map_err(Error::Refused)?;
    let upload_id = body.upload_id.filter(|id| !id.is_empty());
    let mut settings = read_settings(body.settings.as_ref())?;
    if default_languages::are_open(body.settings.as_ref(), &settings) {
        settings.languages = default_languages::find(&state, &caller, body.preset_id).await?;
    }
    let (plan, source) = read_plan(&settings, upload_id.is_some())?;
    let wanted = WantedJob {
        plan,
        audio_track: body.audio_track,
        cause: Cause {
            preset: body.preset_id,
            repeat,
            source_recording: None,
        },
    };
    let created = if source == Source::Url {
        creation::of_url(&state, &caller, wanted).await?
    } else {
        let no_upload = || {
            let missing = Violation {
                field: "upload_id".to_owned(),
                ..nothing_chosen(Source::File, true)
            };
            Error::Invalid(Violations(vec![missing]))
        };
        let upload_id = upload_id.ok_or_else(no_upload)?;
        let upload_id = upload_id.parse().map_err(|_| UploadError::NotFound)?;
        creation::of_upload(&state, &caller, upload_id, wanted).await?
    };
    let mut headers = HeaderMap::new();
    if created.is_repeated {
        headers.insert(REPLAYED.clone(), HeaderValue::from_static("true"));
    }
    let created = JobBody::of(created.job, &state.condition);
    Ok((StatusCode::CREATED, headers, Json(created)))
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
