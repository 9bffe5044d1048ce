//! Adds the responses that every action may give to the document, so that no action has to declare
//! them.

use utoipa::openapi::content::Content;
use utoipa::openapi::path::{Operation, Parameter, ParameterIn, PathItem};
use utoipa::openapi::{OpenApi, Ref, RefOr, Response, Schema};

/// Media type of errors (RFC 9457).
const PROBLEM: &str = "application/problem+json";

/// Adds it to all actions of the API.
pub(super) fn complete(document: &mut OpenApi) {
    for (path, item) in &mut document.paths.paths {
        for (writes, operation) in operations(item) {
            if path.starts_with("/api/") {
                add(operation, writes);
            }
            name_errors(operation);
        }
    }
}

/// The operations of a path, and whether each one writes.
fn operations(item: &mut PathItem) -> impl Iterator<Item = (bool, &mut Operation)> {
    let reading = [&mut item.get, &mut item.head, &mut item.options];
    let writing = [
        &mut item.put,
        &mut item.post,
        &mut item.delete,
        &mut item.patch,
    ];
    let reading = reading.into_iter().flatten().map(|one| (false, one));
    reading.chain(writing.into_iter().flatten().map(|one| (true, one)))
}

fn add(operation: &mut Operation, writes: bool) {
    // The document's default requirement applies.
    if operation.security.is_none() {
        may(operation, 401, "unauthorized");
    }
    let (mut asks, mut names, mut is_tus) = (false, false, false);
    for parameter in operation.parameters.iter_mut().flatten() {
        let RefOr::T(parameter) = parameter else {
            continue;
        };
        any_size(parameter);
        asks |= matches!(parameter.parameter_in, ParameterIn::Query);
        names |= matches!(parameter.parameter_in, ParameterIn::Path);
        is_tus |= parameter.name == "Tus-Resumable";
    }
    if asks {
        may(operation, 400, "malformed_query");
    }
    // A malformed id cannot exist: 404.
    if names {
        may(operation, 404, "not_found");
    }
    if is_tus {
        may(operation, 412, "tus_version");
    }
    let takes_json = match &operation.request_body {
        Some(RefOr::T(body)) => body.content.contains_key("application/json"),
        _ => false,
    };
    if takes_json {
        may(operation, 400, "malformed_json, unreadable_body");
        may(operation, 413, "body_too_large");
        may(operation, 415, "unsupported_media_type");
        may(operation, 422, "unexpected_json");
    }
    may(
        operation,
        503,
        "unavailable: the database is away; Retry-After says when to ask again",
    );
    may(operation, 504, "timed_out");
    if writes {
        may(operation, 507, "storage_full");
    }
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

/// Adds a response to an action, unless the action declares it itself.
fn may(operation: &mut Operation, status: u16, codes: &str) {
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
    let first = codes.split([':', ',']).next().unwrap_or(codes);
    if description.is_empty() {
        codes.clone_into(description);
    } else if !description.contains(first) {
        *description = format!("{description}; {codes}");
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
