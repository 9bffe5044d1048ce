//! Adds the responses that every action may give to the document, so that no action has to declare
//! them.

use axum::http::Method;
use slovo_app::auth::scopes::{RequiredAccess, required_access};
use slovo_app::protocols::is_protocol;
use utoipa::openapi::content::Content;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{OpenApi, Ref, RefOr, Response, Schema};

use super::operations;
use super::problem_codes::listed;

/// Media type of errors (RFC 9457).
const PROBLEM: &str = "application/problem+json";

/// Adds it to all actions of the API.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (method, operation) in operations(item) {
            let writes = !matches!(method, Method::GET | Method::HEAD | Method::OPTIONS);
            if path.starts_with("/api/") {
                add(operation, writes);
            }
            add_scope(operation, &method, path);
            // The protocols of other services have errors of their own.
            if !is_protocol(path) {
                name_errors(operation);
            }
        }
    }
}

fn add(operation: &mut Operation, writes: bool) {
    // The document's default requirement applies.
    if operation.security.is_none() {
        add_codes(operation, 401, "unauthorized");
    }
    let (mut has_query, mut has_path_ids, mut is_tus) = (false, false, false);
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else {
            continue;
        };
        any_size(parameter);
        has_query |= matches!(parameter.parameter_in, ParameterIn::Query);
        has_path_ids |= matches!(parameter.parameter_in, ParameterIn::Path);
        is_tus |= parameter.name == "Tus-Resumable";
    }
    if has_query {
        add_codes(operation, 400, "malformed_query");
    }
    // A malformed id cannot exist: 404.
    if has_path_ids {
        add_codes(operation, 404, "not_found");
    }
    if is_tus {
        add_codes(operation, 412, "tus_version");
    }
    let takes_json = match &operation.request_body {
        Some(RefOr::T(body)) => body.content.contains_key("application/json"),
        _ => false,
    };
    if takes_json {
        add_codes(operation, 400, "malformed_json, unreadable_body");
        add_codes(operation, 413, "body_too_large");
        add_codes(operation, 415, "unsupported_media_type");
        add_codes(operation, 422, "unexpected_json");
    }
    add_codes(
        operation,
        503,
        "unavailable: the database is away; Retry-After says when to ask again",
    );
    add_codes(operation, 504, "timed_out");
    if writes {
        add_codes(operation, 507, "storage_full");
    }
}

/// Adds what API keys need for an action, unless it needs no authentication.
fn add_scope(operation: &mut Operation, method: &Method, path: &str) {
    if operation.security.is_some() {
        return;
    }
    let session = SecurityRequirement::new::<_, _, String>("bearer", []);
    match required_access(method, path) {
        RequiredAccess::Scope(scope) => {
            let key = SecurityRequirement::new("api_key", [scope.as_str()]);
            operation.security = Some(vec![session, key]);
            add_codes(operation, 403, "scope_missing, api_not_in_plan");
        }
        RequiredAccess::Session => add_codes(operation, 403, "scope_missing"),
    }
    add_codes(operation, 429, "rate_limited");
}

/// utoipa describes an unsigned integer as a signed 32-bit one; removes that, because larger values
/// are accepted as well.
fn any_size(parameter: &mut Parameter) {
    if let Some(RefOr::T(Schema::Object(number))) = &mut parameter.schema
        && number.minimum.is_some()
    {
        number.format = None;
    }
}

/// Adds codes to a response of an action, unless the action declares them itself.
fn add_codes(operation: &mut Operation, status: u16, codes: &str) {
    let responses = &mut operation.responses.responses;
    let response = responses.entry(status.to_string()).or_insert_with(|| {
        let mut response = Response::new("");
        let body = Content::new(Some(RefOr::Ref(Ref::from_schema_name("Problem"))));
        response.content.insert(PROBLEM.to_owned(), RefOr::T(body));
        RefOr::T(response)
    });
    let RefOr::T(Response { description, .. }) = response else {
        return;
    };
    let declared = listed(description);
    for part in codes.split(", ") {
        let is_declared = listed(part).iter().all(|code| declared.contains(code));
        if description.is_empty() {
            part.clone_into(description);
        } else if !is_declared {
            *description = format!("{description}; {part}");
        }
    }
}

/// Sets the media type of errors.
fn name_errors(operation: &mut Operation) {
    for (status, response) in &mut operation.responses.responses {
        let RefOr::T(response) = response else {
            continue;
        };
        if status.starts_with(['4', '5'])
            && let Some(body) = response.content.swap_remove("application/json")
        {
            response.content.insert(PROBLEM.to_owned(), body);
        }
    }
}
