//! Errors in Deepgram's form.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_app::http::{Json, RequestId};
use utoipa::ToSchema;

use crate::refusal::{Refusal, in_form};

/// The header with the id of a request.
static REQUEST_ID: HeaderName = HeaderName::from_static("dg-request-id");

/// An error, as Deepgram's clients read it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DeepgramError)]
pub(super) struct ErrorBody {
    /// `Bad Request`, `INVALID_AUTH`, `ASR_PAYMENT_REQUIRED`, `INSUFFICIENT_PERMISSIONS`,
    /// `TOO_MANY_REQUESTS`, or a code of this server's problems.
    err_code: String,
    /// In English.
    err_msg: String,
    /// Id of the request, as in the log.
    request_id: String,
}

/// Turns refusals into errors of this form.
pub(super) async fn in_their_form(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>();
    let id = id.map_or_else(String::new, |RequestId(id)| id.clone());
    let answer = next.run(request).await;
    let mut answer = in_form(answer, |refusal| body(refusal, &id));
    if let Ok(id) = HeaderValue::try_from(&id) {
        answer.headers_mut().insert(REQUEST_ID.clone(), id);
    }
    answer
}

fn body(refusal: &Refusal, id: &str) -> Response {
    let code = match refusal.status {
        StatusCode::BAD_REQUEST => "Bad Request",
        StatusCode::UNAUTHORIZED => "INVALID_AUTH",
        StatusCode::PAYMENT_REQUIRED => "ASR_PAYMENT_REQUIRED",
        StatusCode::FORBIDDEN => "INSUFFICIENT_PERMISSIONS",
        StatusCode::TOO_MANY_REQUESTS => "TOO_MANY_REQUESTS",
        _ => &refusal.code,
    };
    let body = ErrorBody {
        err_code: code.to_owned(),
        err_msg: refusal.message(field),
        request_id: id.to_owned(),
    };
    (refusal.status, Json(body)).into_response()
}

/// The parameter, for a field of the settings.
fn field(name: &str) -> &str {
    match name {
        "language_code" => "language",
        "languages" => "detect_language",
        "custom_vocabulary" => "keyterm",
        "diarization" | "sentence_diarization" | "speakers" => "diarize",
        "transcription_type" => "model",
        other => other,
    }
}
