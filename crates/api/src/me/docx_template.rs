//! `/api/v1/me/docx-template`: the Word template for the caller's DOCX files.
#![expect(
    unused_qualifications,
    reason = "utoipa's macro repeats the type's path"
)]

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::Caller;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::problems::transcripts::template_refused as problem;
use slovo_app::state::AppState;
use slovo_db::accounts::preferences;
use slovo_db::texts::docx_templates::{self, DocxTemplate};
use slovo_export::{Format, TemplateRejection};
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_transcripts::exports::templates;
use utoipa::{IntoParams, ToSchema};

use crate::jobs::disposition::{self, Kind};

/// Maximum length of a stored file name, in characters.
const MAX_NAME: usize = 200;

/// Information about the template.
#[derive(Serialize, ToSchema)]
#[schema(as = DocxTemplate)]
pub(super) struct Body {
    /// The file's name.
    name: String,
    /// Size in bytes.
    size: u64,
    /// When it was uploaded.
    #[schema(value_type = String, format = DateTime)]
    set_at: Timestamp,
}

impl From<DocxTemplate> for Body {
    fn from(stored: DocxTemplate) -> Self {
        Self {
            name: stored.name,
            size: stored.size,
            set_at: from_ms(stored.set_at),
        }
    }
}

/// Whether there is a template.
#[derive(Serialize, ToSchema)]
#[schema(as = OwnDocxTemplate)]
pub(super) struct OwnTemplate {
    /// Null if there is none.
    template: Option<Body>,
}

/// The name of the file.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct QueryParams {
    /// The file's name, truncated to 200 characters; `template.docx` if absent.
    name: Option<String>,
}

/// Returns information about the caller's DOCX template.
#[utoipa::path(get, path = "/me/docx-template", tag = "me", operation_id = "get_docx_template",
    responses(
        (status = OK, body = OwnTemplate),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<Json<OwnTemplate>, Problem> {
    let mut connection = state.db.read().await?;
    let stored = docx_templates::find(&mut connection, &caller.user_id).await?;
    Ok(Json(OwnTemplate {
        template: stored.map(Body::from),
    }))
}

/// Sets the caller's DOCX template: a .docx or .dotx file of at most 2 MB that unpacks to at most
/// 20 MB and 200 parts, without macros, embedded objects or external content.
#[utoipa::path(put, path = "/me/docx-template", tag = "me", operation_id = "set_docx_template",
    params(QueryParams),
    request_body(content = [u8], content_type = "application/octet-stream"),
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = BAD_REQUEST, body = Document, description = "unreadable_body"),
        (status = PAYLOAD_TOO_LARGE, body = Document, description = "docx_template_too_large"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "docx_template_not_word, \
            docx_template_too_much: it unpacks to more, or is too complex, docx_template_encrypted, \
            docx_template_active: macros, controls or embedded objects, docx_template_external: \
            something would be loaded from elsewhere, docx_template_declares: its XML has a document \
            type declaration, docx_template_broken, docx_template_path: a part has a name that leads \
            out of the file"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn set(
    State(state): State<AppState>,
    caller: Caller,
    Query(query): Query<QueryParams>,
    file: Result<Bytes, BytesRejection>,
) -> Result<Json<Body>, Problem> {
    let file = file.map_err(|rejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return problem(TemplateRejection::TooLarge);
        }
        Problem::new(StatusCode::BAD_REQUEST, ProblemCode::UnreadableBody)
            .detail(rejection.body_text())
    })?;
    state.limits.docx_template(&caller.user_id)?;
    let content = Vec::from(file);
    let read = templates::read(content.clone()).await?;
    read.map_err(problem)?;
    let name = name(query.name.as_deref().unwrap_or_default());
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    docx_templates::set(&mut transaction, &caller.user_id, &name, &content, now).await?;
    transaction.commit().await?;
    Ok(Json(Body {
        name,
        size: u64::try_from(content.len()).unwrap_or(u64::MAX),
        set_at: from_ms(now),
    }))
}

/// The file name on a single line.
fn name(filename: &str) -> String {
    let plain = filename.chars().filter(|c| !c.is_control());
    let name: String = plain.take(MAX_NAME).collect();
    match name.trim() {
        "" => "template.docx".to_owned(),
        name => name.to_owned(),
    }
}

/// Removes the caller's DOCX template.
#[utoipa::path(delete, path = "/me/docx-template", tag = "me", operation_id = "remove_docx_template",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn remove(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    docx_templates::remove(&mut transaction, &caller.user_id).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the caller's DOCX template as it was uploaded.
#[utoipa::path(get, path = "/me/docx-template/file", tag = "me",
    operation_id = "download_docx_template",
    responses(
        (status = OK, body = [u8],
            content_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = NOT_FOUND, body = Document, description = "not_found: there is none"),
    ))]
pub(super) async fn download(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<(HeaderMap, Vec<u8>), Problem> {
    let mut connection = state.db.read().await?;
    let stored = docx_templates::file(&mut connection, &caller.user_id).await?;
    let (name, content) = stored.ok_or_else(Problem::not_found)?;
    Ok((headers(&name), content))
}

/// Returns an example template in the language of the caller's preferences. It contains every
/// supported placeholder and style.
#[utoipa::path(get, path = "/me/docx-template/example", tag = "me",
    operation_id = "download_docx_template_example",
    responses(
        (status = OK, body = [u8],
            content_type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn example(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<(HeaderMap, Vec<u8>), Problem> {
    let mut connection = state.db.read().await?;
    let chosen = preferences::get(&mut connection, &caller.user_id).await?;
    drop(connection);
    let (name, content) = templates::example(chosen.unwrap_or_default().locale)?;
    Ok((headers(&name), content))
}

fn headers(name: &str) -> HeaderMap {
    HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(Format::Docx.mime()),
        ),
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Attachment, name),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ])
}
