//! Files made when a job completes: `GET /api/v1/jobs/{id}/files/{format}` for users with access to
//! the job, `GET /api/v1/files/{token}` through the link in a mail.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use slovo_app::auth::ClientAddress;
use slovo_app::http::{Document, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::files::JobFile;
use slovo_db::jobs::{self, Job};
use slovo_export::Format;
use slovo_platform::clock::from_ms;
use slovo_rules::settings::MadeFile;
use slovo_work::jobs::file_links::FileLinks;
use slovo_work::minutes;
use utoipa::ToSchema;

use super::ReadAccess;
use super::disposition::{self, Kind};

/// A file created when the job was completed, from the text at that time: it does not include later
/// edits.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = MadeFileOfJob)]
pub struct FileBody {
    /// The format.
    pub format: MadeFile,
    /// The run of recognition that it was made from.
    pub version: i64,
    /// When it was created.
    #[schema(value_type = String, format = DateTime)]
    pub made_at: Timestamp,
    /// Size in bytes.
    pub size: u64,
}

impl From<JobFile> for FileBody {
    fn from(file: JobFile) -> Self {
        Self {
            format: file.format,
            version: file.version,
            made_at: from_ms(file.made_at),
            size: file.size,
        }
    }
}

/// The file's format from the path.
#[derive(Deserialize)]
pub(super) struct FormatPath {
    format: String,
}

/// Downloads a file created when the job was finished: txt if `return_as_file` is on, srt if `srt`
/// is. It has the transcript as it was then; use the export for the current one.
#[utoipa::path(get, path = "/jobs/{id}/files/{format}", tag = "jobs",
    operation_id = "get_made_file",
    params(("id" = String, Path, description = "Job id"),
        ("format" = String, Path, description = "txt or srt")),
    responses(
        (status = OK, description = "The file", body = String, content_type = "text/plain"),
        (status = FORBIDDEN, body = Document, description = "format_not_in_plan: the caller's plan \
            has no files of this format"),
        (status = NOT_FOUND, body = Document, description = "not_found: no such job, or no such \
            file was made with it"),
    ))]
pub(super) async fn file(
    State(state): State<AppState>,
    access: ReadAccess,
    Path(FormatPath { format }): Path<FormatPath>,
) -> Result<(HeaderMap, String), Problem> {
    let format = MadeFile::parse(&format).ok_or_else(Problem::not_found)?;
    let mut connection = state.db.read().await?;
    let (user_id, now) = (&access.caller.user_id, state.clock.now_ms());
    minutes::check_export(&mut connection, user_id, format.into(), now).await?;
    let content = jobs::files::content(&mut connection, access.job.id, format).await?;
    let content = content.ok_or_else(Problem::not_found)?;
    Ok((headers(&access.job, format), content))
}

/// Downloads a file created when a job was finished, with the emailed link. The link works for
/// seven days without a session, as long as the file exists.
#[utoipa::path(get, path = "/files/{token}", tag = "jobs", operation_id = "get_mailed_file",
    security(()), params(("token" = String, Path, description = "From the link")),
    responses(
        (status = OK, description = "The file", body = String, content_type = "text/plain"),
        (status = FORBIDDEN, body = Document, description = "format_not_in_plan: the plan of the \
            job's owner has no files of this format any more"),
        (status = NOT_FOUND, body = Document, description = "not_found: unknown or expired, or \
            another file stands in its place"),
        (status = TOO_MANY_REQUESTS, body = Document, description = "rate_limited"),
    ))]
pub(super) async fn mailed(
    State(state): State<AppState>,
    ClientAddress(address): ClientAddress,
    Path(token): Path<String>,
) -> Result<(HeaderMap, String), Problem> {
    state.limits.share(address)?;
    let link = FileLinks::new(&state.secret).read(&token, state.clock.now().as_second());
    let link = link.ok_or_else(Problem::not_found)?;
    let mut connection = state.db.read().await?;
    let content = jobs::files::linked(&mut connection, link.job, link.file, link.made_at).await?;
    let content = content.ok_or_else(Problem::not_found)?;
    let job = jobs::find_any(&mut connection, link.job).await?;
    let job = job.ok_or_else(Problem::not_found)?;
    let now = state.clock.now_ms();
    minutes::check_export(&mut connection, &job.user_id, link.file.into(), now).await?;
    Ok((headers(&job, link.file), content))
}

fn headers(job: &Job, file: MadeFile) -> HeaderMap {
    let name = disposition::file_name(job, file.as_str());
    HeaderMap::from_iter([
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static(Format::from(file).mime()),
        ),
        (
            header::CONTENT_DISPOSITION,
            disposition::header(Kind::Attachment, &name),
        ),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("private, no-store"),
        ),
    ])
}
