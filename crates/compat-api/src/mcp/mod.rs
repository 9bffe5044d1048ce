//! The MCP server (Model Context Protocol, <https://modelcontextprotocol.io>) at `/mcp`: assistants
//! search, read and summarise the caller's recordings and start transcriptions.
//!
//! It keeps no sessions: each request has its key and is answered by itself. There is no OAuth, so
//! clients send an API key as a bearer token.

mod context;
mod reading;
mod starting;
mod summary;
mod tools;

use std::sync::Arc;

use axum::Json;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use slovo_app::auth::Caller;
use slovo_app::config::CorsOrigin;
use slovo_app::http::{Problem, time_limit};
use slovo_app::protocols::MCP;
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use utoipa_axum::router::OpenApiRouter;

use crate::refusal::Refusal;
use context::Tools;

/// Largest request, in bytes: arguments of tools are short.
const MAX_BODY: usize = 256 * 1024;

/// Code of JSON-RPC for requests that were refused before they were read; the protocol reserves it for
/// servers.
const REFUSED: i32 = -32000;

/// Where clients look for a server of OAuth.
const DISCOVERY: [&str; 4] = [
    "/.well-known/oauth-protected-resource",
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration",
];

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let mut router = OpenApiRouter::new().route(MCP, any(endpoint));
    for path in DISCOVERY {
        router = router.route(path, get(async || no_oauth(StatusCode::NOT_FOUND)));
    }
    // Where clients register themselves if they find nothing; they show this answer to their users.
    router = router.route(
        "/register",
        post(async || no_oauth(StatusCode::BAD_REQUEST)),
    );
    time_limit(router)
}

/// An error document of OAuth (RFC 6749, section 5.2).
fn no_oauth(status: StatusCode) -> (StatusCode, Json<Value>) {
    let document = json!({
        "error": "invalid_request",
        "error_description": "This server has no OAuth. Send an API key in the header \
            Authorization: Bearer.",
    });
    (status, Json(document))
}

async fn endpoint(
    State(state): State<AppState>,
    caller: Result<Caller, Problem>,
    request: Request,
) -> Response {
    if !is_origin_permitted(&state, request.headers()) {
        let reason = "Pages of this origin may not call the server: see SLOVO_CORS_ORIGINS.";
        return refused(Problem::forbidden().detail(reason));
    }
    let caller = match caller {
        Ok(caller) => caller,
        Err(problem) => return refused(challenge(problem, request.headers())),
    };
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MAX_BODY)
        .with_cancellation_token(state.shutdown.child_token())
        // The key protects from pages that resolve their own name to this server (DNS rebinding):
        // no browser adds it by itself. A proxy in front may have changed the name.
        .disable_allowed_hosts();
    let tools = Tools::new(state, caller);
    let manager = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(tools.clone()), manager, config);
    service.handle(request).await.map(Body::new)
}

/// A refused request: an error of JSON-RPC that belongs to no call.
fn refused(problem: Problem) -> Response {
    let refusal = Refusal::from(problem);
    let message = refusal.message(|field| field);
    let error = json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": REFUSED, "message": message },
    });
    (refusal.status, *refusal.headers, Json(error)).into_response()
}

/// Whether the request comes from no page, from one of this server, or from a configured one. The
/// protocol demands this check (transports, section "Security Warning").
fn is_origin_permitted(state: &AppState, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    let configured = &state.config.http.cors_origins;
    origin.as_bytes() == state.config.public_url().as_str().as_bytes()
        || configured
            .iter()
            .filter_map(CorsOrigin::header)
            .any(|permitted| permitted == origin)
}

/// Says what is missing, as RFC 6750, section 3, describes.
fn challenge(problem: Problem, headers: &HeaderMap) -> Problem {
    let challenge = match problem.status() {
        StatusCode::UNAUTHORIZED if headers.contains_key(header::AUTHORIZATION) => {
            r#"Bearer realm="slovo", error="invalid_token""#
        }
        StatusCode::UNAUTHORIZED => r#"Bearer realm="slovo""#,
        StatusCode::FORBIDDEN if problem.code() == ProblemCode::ScopeMissing => {
            r#"Bearer realm="slovo", error="insufficient_scope", scope="read""#
        }
        _ => return problem,
    };
    problem.header(
        header::WWW_AUTHENTICATE,
        HeaderValue::from_static(challenge),
    )
}
