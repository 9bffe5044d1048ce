//! `/api/v1/me/voices`: the voices that the caller's account remembers. Each user sees only their
//! own; those of others are not found.

use std::collections::HashMap;

use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::Connection;
use slovo_db::texts::voices::{self, Voice};
use slovo_platform::clock::from_ms;
use slovo_rules::transcript::rounded;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_rules::voice as rules;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::jobs::disposition::{self, Kind};
use crate::voices::{VoiceBody, stored};

/// The voices of an account.
#[derive(Serialize, ToSchema)]
pub(super) struct VoiceList {
    /// At most 200, by name.
    voices: Vec<VoiceBody>,
}

/// The name of a voice.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VoiceName {
    /// 1 to 80 characters.
    name: String,
}

/// The voice that another one is merged into.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct VoiceMerger {
    /// Id of the voice that remains, with its name.
    into: Uuid,
}

/// A voice as a file.
#[derive(Serialize, ToSchema)]
pub(crate) struct VoiceEntry {
    /// Its id.
    id: Uuid,
    /// Its name.
    name: String,
    /// When it was first remembered.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// What it is made from.
    samples: Vec<SampleEntry>,
}

/// What a voice is made from.
#[derive(Serialize, ToSchema)]
pub(crate) struct SampleEntry {
    /// Id of the recording's job; null if it was deleted.
    job: Option<Uuid>,
    /// When the user stated that the person agrees.
    #[schema(value_type = String, format = DateTime)]
    consent_at: Timestamp,
    /// Seconds of speech.
    seconds: f64,
    /// Name of the speaker embedding that made the vector.
    embedding: String,
    /// Unit vector: numbers that describe the voice.
    vector: Vec<f32>,
}

/// The voices of an account as a file.
#[derive(Serialize, ToSchema)]
pub(super) struct VoiceFile {
    /// When it was made.
    #[schema(value_type = String, format = DateTime)]
    exported_at: Timestamp,
    /// The voices.
    voices: Vec<VoiceEntry>,
}

/// The caller's voice from the path.
pub(super) struct OwnVoice {
    caller: Caller,
    voice: Voice,
}

impl FromRequestParts<AppState> for OwnVoice {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        let Path(id) = Path::<Uuid>::from_request_parts(parts, state).await?;
        let mut connection = state.db.read().await?;
        let voice = voices::find(&mut connection, &caller.user_id, id).await?;
        let voice = voice.ok_or_else(Problem::not_found)?;
        Ok(Self { caller, voice })
    }
}

/// Lists the voices that the account remembers, by name.
#[utoipa::path(get, path = "/me/voices", tag = "me", operation_id = "list_voices",
    responses((status = OK, body = VoiceList)))]
pub(super) async fn list(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<VoiceList>, Problem> {
    let mut found = voices::list(&mut *state.db.read().await?, &caller.user_id).await?;
    found.sort_by_key(|voice| voice.name.to_lowercase());
    let voices = found.into_iter().map(VoiceBody::from).collect();
    Ok(Json(VoiceList { voices }))
}

/// Renames a voice. Names that speakers already have do not change.
#[utoipa::path(patch, path = "/me/voices/{id}", tag = "me", operation_id = "rename_voice",
    params(("id" = String, Path, description = "Voice id")),
    request_body = VoiceName,
    responses(
        (status = OK, body = VoiceBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed"),
    ))]
pub(super) async fn rename(
    State(state): State<AppState>,
    own: OwnVoice,
    Json(body): Json<VoiceName>,
) -> Result<Json<VoiceBody>, Problem> {
    let name = rules::validate_name(&body.name)?.into_inner();
    let (user_id, id, now) = (&own.caller.user_id, own.voice.id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    voices::rename(&mut transaction, user_id, id, &name, now).await?;
    let renamed = stored(&mut transaction, user_id, id).await?;
    transaction.commit().await?;
    Ok(Json(renamed))
}

/// Deletes a voice, with everything that was computed for it. Texts keep the names of their
/// speakers.
#[utoipa::path(delete, path = "/me/voices/{id}", tag = "me", operation_id = "delete_voice",
    params(("id" = String, Path, description = "Voice id")),
    responses(
        (status = NO_CONTENT),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    own: OwnVoice,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    voices::delete(&mut transaction, &own.caller.user_id, own.voice.id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Merges a voice into another one: that gets its samples, and this one is deleted.
#[utoipa::path(post, path = "/me/voices/{id}/merge", tag = "me", operation_id = "merge_voice",
    params(("id" = String, Path, description = "Id of the voice that is deleted")),
    request_body = VoiceMerger,
    responses(
        (status = OK, body = VoiceBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: \
            `into` is the same voice"),
    ))]
pub(super) async fn merge(
    State(state): State<AppState>,
    own: OwnVoice,
    Json(body): Json<VoiceMerger>,
) -> Result<Json<VoiceBody>, Problem> {
    if body.into == own.voice.id {
        let same = Violation::new("into", Code::IdInvalid);
        return Err(Violations(vec![same]).into());
    }
    let (user_id, now) = (&own.caller.user_id, state.clock.now_ms());
    let mut transaction = state.db.write().await?;
    stored(&mut transaction, user_id, body.into).await?;
    voices::merge(&mut transaction, user_id, own.voice.id, body.into, now).await?;
    let merged = stored(&mut transaction, user_id, body.into).await?;
    transaction.commit().await?;
    Ok(Json(merged))
}

/// Returns all voices with their vectors as a JSON file.
#[utoipa::path(get, path = "/me/voices/export", tag = "me", operation_id = "export_voices",
    responses((status = OK, body = VoiceFile)))]
pub(super) async fn export(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<(HeaderMap, Json<VoiceFile>), Problem> {
    let entries = entries(&mut *state.db.read().await?, &caller.user_id).await?;
    let headers = HeaderMap::from_iter([
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Attachment, "voices.json"),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ]);
    let file = VoiceFile {
        exported_at: state.clock.now(),
        voices: entries,
    };
    Ok((headers, Json(file)))
}

/// All voices of an account with their samples.
///
/// # Errors
/// A row that cannot be read.
pub(crate) async fn entries(
    connection: &mut Connection,
    user_id: &str,
) -> slovo_db::Result<Vec<VoiceEntry>> {
    let mut samples: HashMap<Uuid, Vec<SampleEntry>> = HashMap::new();
    for sample in voices::of_account(&mut *connection, user_id).await? {
        samples.entry(sample.voice).or_default().push(SampleEntry {
            job: sample.job,
            consent_at: from_ms(sample.consent_at),
            seconds: rounded(sample.seconds),
            embedding: sample.embedding,
            vector: sample.vector,
        });
    }
    let voices = voices::list(connection, user_id).await?.into_iter();
    Ok(voices
        .map(|voice| VoiceEntry {
            id: voice.id,
            name: voice.name,
            created_at: from_ms(voice.created_at),
            samples: samples.remove(&voice.id).unwrap_or_default(),
        })
        .collect())
}
