//! The outermost layer: assigns request ids, logs requests, catches panics, completes problem
//! documents and sets the common response headers.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;
use slovo_platform::metrics;
use slovo_rules::codes::ProblemCode;
use tracing::{Instrument, info_span};

use crate::connections::ConnectionPermit;
use crate::http::{Problem, ReportedAllowance};
use crate::protocols::is_for_programs;
use crate::state::AppState;

/// Longest request id accepted from a client.
const MAX_REQUEST_ID: usize = 64;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Content-Security-Policy of pages: resources from this server only, no inline scripts, `eval` for
/// WebAssembly only. Positioned menus and virtual lists need inline style attributes. Recordings may
/// also come from an object store, see [`page_policy`].
const PAGE_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; media-src 'self' blob:; \
    font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
    frame-ancestors 'none'; form-action 'self'";

/// HSTS for a year. Without subdomains, because they may belong to others.
const ONLY_HTTPS: &str = "max-age=31536000";

/// Content-Security-Policy of API responses: opened as a page, they can do nothing.
const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// The id of the request, for handlers and for the log.
#[derive(Clone, Debug)]
pub struct RequestId(pub String);

/// See the module.
pub(super) async fn edge(
    State(state): State<AppState>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = request_id(request.headers()).unwrap_or_else(|| state.random.uuid());
    let path = request.uri().path().to_owned();
    let api = path.starts_with("/api/") || path == "/api";
    request.extensions_mut().insert(RequestId(id.clone()));
    let allowance = ReportedAllowance::default();
    request.extensions_mut().insert(allowance.clone());
    // Logs the route instead of the path, and never the query, which may contain tokens.
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(|route| route.as_str().to_owned());
    let declared = route.clone();
    let method = request.method().clone();
    let route = route.unwrap_or_else(|| path.chars().take(200).collect());
    let https = is_https(&state, request.headers());
    let permit = request.extensions().get::<ConnectionPermit>().cloned();
    let misses_host = permit.is_some() && !has_host(&request);
    let span = info_span!("request", id, method = %request.method(), route);
    async move {
        let started = Instant::now();
        let response = if misses_host {
            Problem::new(StatusCode::BAD_REQUEST, ProblemCode::HostMissing)
                .detail("HTTP/1.1 needs one Host header.")
                .into_response()
        } else {
            let outcome = AssertUnwindSafe(next.run(request)).catch_unwind().await;
            outcome.unwrap_or_else(|panic| panicked(&*panic))
        };
        let mut response = complete(response, &id, api);
        let policy = match is_for_programs(&path) {
            true => HeaderValue::from_static(DATA_POLICY),
            false => page_policy(state.storage.direct_origin()),
        };
        set_headers(response.headers_mut(), &id, policy, is_for_programs(&path));
        allowance.write(response.headers_mut());
        if https {
            let only = HeaderValue::from_static(ONLY_HTTPS);
            response
                .headers_mut()
                .insert(header::STRICT_TRANSPORT_SECURITY, only);
        }
        if permit.is_some_and(|permit| permit.must_close()) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(header::CONNECTION, close);
        }
        let (took, status) = (started.elapsed(), response.status().as_u16());
        metrics::request(method.as_str(), declared.as_deref(), status, took);
        let milliseconds = took.as_millis();
        tracing::info!(status, milliseconds, "answered");
        response
    }
    .instrument(span)
    .await
}

/// Whether clients reach this server by https: by its public URL, or according to the proxy in
/// front.
fn is_https(state: &AppState, headers: &HeaderMap) -> bool {
    let forwarded = || {
        let scheme = headers.get("x-forwarded-proto");
        scheme.is_some_and(|scheme| scheme.as_bytes().eq_ignore_ascii_case(b"https"))
    };
    state.config.public_url().is_https() || (state.config.http.behind_proxy && forwarded())
}

/// Whether a request over the network has exactly one host, as HTTP/1.1 requires (RFC 9112, section
/// 3.2).
fn has_host(request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    request.version() < Version::HTTP_11 || (hosts.next().is_some() && hosts.next().is_none())
}

/// The client's request id, if it is safe in a header, a log line and JSON.
fn request_id(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(&REQUEST_ID)?.to_str().ok()?;
    let harmless = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let is_valid = (1..=MAX_REQUEST_ID).contains(&text.len()) && text.chars().all(harmless);
    is_valid.then(|| text.to_owned())
}

fn panicked(panic: &(dyn std::any::Any + Send)) -> Response {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned());
    Problem::internal(anyhow::anyhow!("panic: {text}")).into_response()
}

/// Adds the request id to a problem document and logs its cause; creates a document if a layer
/// responded with a bare status.
fn complete(mut response: Response, id: &str, api: bool) -> Response {
    let status = response.status();
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem,
        None if bare_error(&response, api) => Problem::for_status(status),
        None => return response,
    };
    problem.log();
    let mut complete = problem.render(id);
    // Headers set by other layers (Allow, CORS of a route) are kept.
    for (name, value) in response.headers() {
        if !complete.headers().contains_key(name) && name != header::CONTENT_LENGTH {
            complete.headers_mut().append(name, value.clone());
        }
    }
    complete
}

fn bare_error(response: &Response, api: bool) -> bool {
    let status = response.status();
    let document = response.headers().get(header::CONTENT_TYPE);
    api && (status.is_client_error() || status.is_server_error())
        && document.is_none_or(|kind| !kind.as_bytes().ends_with(b"json"))
}

/// The policy of pages whose recordings also come from this origin.
fn page_policy(media: Option<&str>) -> HeaderValue {
    let with_media = |origin| {
        let media = format!("media-src 'self' blob: {origin};");
        HeaderValue::try_from(PAGE_POLICY.replace("media-src 'self' blob:;", &media)).ok()
    };
    let policy = media.and_then(with_media);
    policy.unwrap_or(HeaderValue::from_static(PAGE_POLICY))
}

fn set_headers(headers: &mut HeaderMap, id: &str, policy: HeaderValue, api: bool) {
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert(policy);
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID.clone(), id);
    }
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "same-origin"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("permissions-policy"),
            "microphone=(self), camera=(), geolocation=(), payment=()",
        ),
    ] {
        headers
            .entry(name)
            .or_insert(HeaderValue::from_static(value));
    }
    if api {
        // Personal data must not be cached, unless an action says otherwise.
        headers
            .entry(header::CACHE_CONTROL)
            .or_insert(HeaderValue::from_static("no-store"));
    }
}
