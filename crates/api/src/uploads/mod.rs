//! Resumable uploads with tus 1.0: `/api/v1/uploads`.
//!
//! Extensions: creation, creation-defer-length, creation-with-upload, expiration, checksum and
//! termination. Paths and stored files are named by the upload's id; a client's file name is for
//! display only.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use slovo_app::http::{Problem, in_words};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs::uploads::Upload;
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use slovo_rules::media::Fault;
use slovo_rules::upload::validate_size_within;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_uploads::UploadError;
use utoipa_axum::router::OpenApiRouter;

pub mod arriving;
mod create;
mod get;
mod head;
mod list;
mod options;
mod overridden;
mod patch;
mod remove;
mod tus;

use tus::HeaderError;

pub use get::UploadState;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(create::create, list::list, options::options))
        .routes(routes!(
            head::head,
            get::get,
            patch::patch,
            remove::remove,
            overridden::overridden,
            options::options_of_one
        ))
        .layer(map_response(add_tus_version))
}

/// Adds the protocol's version to every response.
async fn add_tus_version(mut response: Response) -> Response {
    let version = HeaderValue::from_static(tus::VERSION);
    response.headers_mut().insert(tus::TUS_RESUMABLE, version);
    response
}

/// Why a request failed.
#[derive(Debug)]
pub(super) enum Error {
    /// Missing or invalid tus headers.
    Headers(HeaderError),
    /// The size is refused; with the maximum in bytes.
    Size(Violation, u64),
    /// An administrator has disabled recording.
    RecordingOff,
    /// An error of the upload itself.
    Upload(UploadError),
    /// An internal error.
    Internal(Problem),
}

impl From<HeaderError> for Error {
    fn from(error: HeaderError) -> Self {
        Self::Headers(error)
    }
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
            Self::Headers(error) => headers_problem(&error),
            Self::Size(violation, limit) => size_problem(violation, limit),
            Self::RecordingOff => Problem::new(StatusCode::FORBIDDEN, ProblemCode::RecordingOff),
            Self::Upload(error) => upload_problem(error),
            Self::Internal(problem) => problem,
        }
        .into_response()
    }
}

fn headers_problem(error: &HeaderError) -> Problem {
    let (status, code) = match error {
        HeaderError::Version => (StatusCode::PRECONDITION_FAILED, ProblemCode::TusVersion),
        HeaderError::ContentType => (
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ProblemCode::UnsupportedMediaType,
        ),
        HeaderError::Missing(_)
        | HeaderError::Invalid(_)
        | HeaderError::BothLengths
        | HeaderError::Algorithm => (StatusCode::BAD_REQUEST, ProblemCode::TusHeaderInvalid),
    };
    Problem::new(status, code)
        .detail(error.to_string())
        .header(tus::TUS_VERSION, HeaderValue::from_static(tus::VERSION))
}

fn size_problem(violation: Violation, limit: u64) -> Problem {
    let problem = if violation.code == Code::FileTooLarge {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::UploadTooLarge)
            .header(tus::TUS_MAX_SIZE, HeaderValue::from(limit))
    } else {
        Problem::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            ProblemCode::ValidationFailed,
        )
    };
    problem.errors(Violations(vec![violation]))
}

/// The problem for an upload error; also used when a job takes an upload.
pub(crate) fn upload_problem(error: UploadError) -> Problem {
    /// Not in RFC 9110: the checksum extension of tus defines it.
    const CHECKSUM_MISMATCH: u16 = 460;
    let simple = |status, code: ProblemCode| Problem::new(status, code);
    match error {
        UploadError::NotFound => Problem::not_found(),
        UploadError::Expired => simple(StatusCode::GONE, ProblemCode::UploadExpired),
        UploadError::Refused(fault) => refused_problem(fault),
        UploadError::Locked => simple(StatusCode::LOCKED, ProblemCode::UploadLocked),
        UploadError::WrongOffset { stored } => {
            simple(StatusCode::CONFLICT, ProblemCode::UploadOffsetMismatch)
                .detail(format!("{stored} bytes are stored; continue from there."))
                .header(tus::UPLOAD_OFFSET, HeaderValue::from(stored))
        }
        UploadError::WrongLength { length, stored } => {
            simple(StatusCode::CONFLICT, ProblemCode::UploadLengthMismatch).detail(
                length.map_or_else(
                    || format!("{stored} bytes are stored: the length cannot be less."),
                    |length| format!("The length is {length}, and stays so."),
                ),
            )
        }
        UploadError::TooLarge => simple(StatusCode::PAYLOAD_TOO_LARGE, ProblemCode::UploadTooLarge)
            .detail("The bytes exceed the length of the upload, or the maximum size."),
        UploadError::Mismatch => match StatusCode::from_u16(CHECKSUM_MISMATCH) {
            Ok(status) => simple(status, ProblemCode::ChecksumMismatch),
            Err(error) => Problem::internal(error),
        },
        UploadError::TooManyOpen => {
            simple(StatusCode::TOO_MANY_REQUESTS, ProblemCode::TooManyUploads)
                .detail("Finish or remove an upload first.")
        }
        UploadError::Incomplete => simple(StatusCode::CONFLICT, ProblemCode::UploadIncomplete),
        UploadError::Full => Problem::storage_full(),
        UploadError::Unready(error) => Problem::unavailable().with_cause(error.to_string()),
        UploadError::Missing => Problem::unavailable()
            .detail("The stored bytes cannot be reached now. They are kept; continue later.")
            .with_cause(error.to_string()),
        UploadError::Database(error) => error.into(),
        UploadError::Io(error) => Problem::internal(error),
    }
}

/// These codes and those for problems with a file, for the description of a response.
pub(crate) fn or_of_file(codes: &str) -> String {
    let of_file = ProblemCode::ALL.iter().filter(|code| code.is_of_file());
    let of_file: Vec<_> = of_file.map(|code| code.as_str()).collect();
    format!("{codes}, {}", of_file.join(", "))
}

/// The problem for a file that is not a usable recording.
fn refused_problem(fault: Fault) -> Problem {
    let problem = ProblemCode::parse(&fault.code);
    // `too_long` is a code of violations, too.
    let of_file = problem.is_some_and(ProblemCode::is_of_file);
    match Code::parse(&fault.code).filter(|_| !of_file) {
        // Detected by the first bytes; the violation names the format that was found.
        Some(code) => {
            let violation = Violation {
                field: "file".to_owned(),
                code,
                params: fault.params,
            };
            Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                ProblemCode::UnsupportedMedia,
            )
            .errors(Violations(vec![violation]))
        }
        // Detected by opening the file; the code is the engine's.
        None => {
            let reason = in_words(&fault.code, &fault.params);
            let detail = format!("The recording cannot be used: {reason}.");
            // Stored by another version, whose codes may differ. Those of this version are all
            // problems, which a test of `slovo_fetch::media_probe` checks.
            let code = problem.unwrap_or(ProblemCode::UploadRefused);
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code)
                .params(fault.params)
                .detail(detail)
        }
    }
}

/// The response headers for the upload's offset, length and expiry.
fn position(upload: &Upload) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(tus::UPLOAD_OFFSET, HeaderValue::from(upload.stored));
    if let Some(expires) = http_date(upload.expires_at) {
        headers.insert(tus::UPLOAD_EXPIRES, expires);
    }
    headers
}

/// A time in HTTP format, from Unix milliseconds.
fn http_date(milliseconds: i64) -> Option<HeaderValue> {
    let printer = jiff::fmt::rfc2822::DateTimePrinter::new();
    let text = printer
        .timestamp_to_rfc9110_string(&from_ms(milliseconds))
        .ok()?;
    HeaderValue::from_str(&text).ok()
}

/// The request's content length in bytes.
fn content_length(headers: &HeaderMap) -> Option<u64> {
    headers
        .get(header::CONTENT_LENGTH)?
        .to_str()
        .ok()?
        .parse()
        .ok()
}

/// Refuses a size of zero, or above this server's limit, before anything is stored.
async fn check_size(state: &AppState, size: u64) -> Result<(), Error> {
    let limit = state.settings.current().await?.limits.upload_bytes();
    validate_size_within(size, limit).map_err(|violation| Error::Size(violation, limit))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn refused_files_get_the_status_of_their_fault() {
        let faults = [
            ("content_refused", "unsupported_media", 415),
            ("damaged", "damaged", 422),
            ("too_long", "too_long", 422),
            ("of_another_version", "upload_refused", 422),
        ];
        for (stored, code, status) in faults {
            let problem = refused_problem(Fault {
                code: stored.to_owned(),
                params: BTreeMap::new(),
            });
            assert_eq!(problem.code().as_str(), code);
            assert_eq!(problem.status().as_u16(), status, "{stored}");
        }
    }
}
