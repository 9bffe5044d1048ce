//! Deepgram's API for recordings: `POST /v1/listen`, as its SDKs send it
//! (<https://developers.deepgram.com/reference/speech-to-text/listen-pre-recorded>).
//!
//! Without a language it is detected (Deepgram assumes English). `filler_words` and `version` have no
//! effect: the text has what the model writes. Neither have `tag`, `extra`, `mip_opt_out` and others
//! that do not concern the text. What does, and is not supported, is refused.

mod answer;
mod error;
mod query;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, RawQuery, State};
use axum::http::{HeaderMap, header};
use axum::middleware::from_fn;
use serde::Deserialize;
use slovo_api::jobs::idempotency::IdempotencyKey;
use slovo_app::auth::Caller;
use slovo_app::http::Json;
use slovo_app::routes;
use slovo_app::state::AppState;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use self::answer::{ListenAnswer, answer};
use self::error::ErrorBody;
use self::query::{ListenParams, ListenQuery};
use crate::fields::of_query;
use crate::receive::{Head, receive_body};
use crate::refusal::Refusal;
use crate::run::{Running, start, start_url};

/// Maximum size of a body with an address, in bytes.
const MAX_ADDRESS: usize = 64 * 1024;

/// The route of this module. It has no time limit: an answer comes when the text is there.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(listen))
        // The recording is streamed, and limited by the settings of uploads.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn(error::in_their_form))
}

/// A recording elsewhere.
#[derive(Debug, Deserialize, ToSchema)]
#[schema(as = DeepgramAddress)]
struct Address {
    /// Its address.
    url: String,
}

/// Transcribes a recording: the body, or a file at an address. The answer comes when the text is
/// there; the transcription stays in the library.
#[utoipa::path(post, path = "/v1/listen", tag = "deepgram", operation_id = "deepgram_listen",
    params(ListenParams),
    request_body(content(
        (Address = "application/json"),
        (Vec<u8> = "application/octet-stream"),
    )),
    responses(
        (status = OK, body = ListenAnswer),
        (status = BAD_REQUEST, body = ErrorBody, description = "A parameter cannot be used"),
        (status = UNAUTHORIZED, body = ErrorBody, description = "INVALID_AUTH"),
        (status = PAYMENT_REQUIRED, body = ErrorBody, description = "ASR_PAYMENT_REQUIRED"),
        (status = FORBIDDEN, body = ErrorBody, description = "INSUFFICIENT_PERMISSIONS"),
        (status = PAYLOAD_TOO_LARGE, body = ErrorBody, description = "The recording is too large"),
        (status = TOO_MANY_REQUESTS, body = ErrorBody, description = "TOO_MANY_REQUESTS"),
    ))]
async fn listen(
    State(state): State<AppState>,
    caller: Caller,
    key: IdempotencyKey,
    RawQuery(text): RawQuery,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<ListenAnswer>, Refusal> {
    let fields = of_query(text.as_deref());
    let query = query::read(&state, &fields)?;
    let running = if is_json(&headers) {
        by_address(&state, &caller, key, &query, &fields, body).await?
    } else {
        let recording = receive_body(&state, &caller, query.head.clone(), body).await?;
        let repeat = key.of(&("listen", &fields))?;
        start(&state, &caller, recording, &query.request, repeat).await?
    };
    let done = running.finish().await?;
    Ok(Json(answer(&state, &query, done).await))
}

async fn by_address(
    state: &AppState,
    caller: &Caller,
    key: IdempotencyKey,
    query: &ListenQuery,
    fields: &[(String, String)],
    body: Body,
) -> Result<Running, Refusal> {
    if !matches!(query.head, Head::None) {
        let message = "It is known only for a recording in the body.";
        return Err(Refusal::invalid("encoding", message));
    }
    let bytes = axum::body::to_bytes(body, MAX_ADDRESS).await;
    let bytes = bytes.map_err(|_| Refusal::invalid("url", "The body cannot be read."))?;
    let address: Address = serde_json::from_slice(&bytes).map_err(|_| {
        let message = "The body has to be a recording, or a JSON object with its url.";
        Refusal::invalid("url", message)
    })?;
    let repeat = key.of(&("listen", fields, &address.url))?;
    Ok(start_url(state, caller, address.url, &query.request, repeat).await?)
}

/// Whether the body is JSON. SDKs send recordings without their media type.
fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE);
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    kind.split(';').next().unwrap_or_default().trim() == "application/json"
}
