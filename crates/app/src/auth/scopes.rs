//! Which actions API keys permit.

use axum::http::Method;
use slovo_rules::api_key::ApiScope;

use crate::protocols::{MCP, takes_their_keys};

/// What an action requires of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredAccess {
    /// A session: actions that decide who can use the account, or that end it.
    Session,
    /// A session, or a key with this scope.
    Scope(ApiScope),
}

/// Actions that no key permits, by the beginning of their paths below `/api/v1`.
const SESSION_ONLY: [&str; 7] = [
    "/auth/",
    "/me/api-keys",
    "/me/email",
    "/me/export",
    // They outlive the key that would add them, and the address of a feed may be a secret.
    "/me/sources",
    "/me/targets",
    // What identifies people by their voices leaves the server only on their owner's own request.
    "/me/voices/export",
];

/// Actions that change something by their method but only prepare a reading.
const READING: [&str; 2] = ["/exports", "/jobs/{id}/media-link"];

/// Actions that use the server's time or the plan's minutes.
const TRANSCRIBING: [&str; 14] = [
    "/uploads",
    "/uploads/{id}",
    "/urls/probe",
    "/jobs",
    "/jobs/bulk/retry",
    "/jobs/{id}/analysis",
    "/jobs/{id}/assistant",
    "/jobs/{id}/cancel",
    "/jobs/{id}/recognise-again",
    "/jobs/{id}/rerun",
    "/jobs/{id}/resync",
    "/jobs/{id}/retry",
    "/jobs/{id}/voices/compare",
    "/held-analyses",
];

/// What an action requires; `route` is its path with placeholders.
#[must_use]
pub fn required_access(method: &Method, route: &str) -> RequiredAccess {
    // All of them transcribe, or test a key for that.
    if takes_their_keys(route) {
        return RequiredAccess::Scope(ApiScope::Transcribe);
    }
    // Every call is a POST; tools that need more than reading check it themselves.
    if route == MCP {
        return RequiredAccess::Scope(ApiScope::Read);
    }
    let path = route.strip_prefix("/api/v1").unwrap_or(route);
    let reads = matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    if path.starts_with("/admin/") {
        return RequiredAccess::Scope(ApiScope::Admin);
    }
    if path == "/auth/me" {
        return RequiredAccess::Scope(ApiScope::Read);
    }
    let closes_account = path == "/me" && *method == Method::DELETE;
    // A webhook outlives the key that would add it.
    let outlives_key = path.starts_with("/me/webhooks") && !reads;
    if closes_account || outlives_key || SESSION_ONLY.iter().any(|start| path.starts_with(start)) {
        return RequiredAccess::Session;
    }
    // The state of an upload is part of uploading.
    let uploads = path.starts_with("/uploads");
    RequiredAccess::Scope(
        if uploads || (TRANSCRIBING.contains(&path) && !reads && *method != Method::DELETE) {
            ApiScope::Transcribe
        } else if reads || READING.contains(&path) {
            ApiScope::Read
        } else {
            ApiScope::Write
        },
    )
}
