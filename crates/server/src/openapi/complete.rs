//! What every action may answer, whatever it does: added to the document here, so that no action
//! has to say it and none forgets it.

use utoipa::openapi::content::Content;
use utoipa::openapi::path::{Operation, ParameterIn, PathItem};
use utoipa::openapi::{OpenApi, Ref, RefOr, Response};

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

/// The actions of a path, and whether each writes.
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
    // The document's own requirement holds where an action has none.
    if operation.security.is_none() {
        may(operation, 401, "unauthorized");
    }
    let parameters = operation.parameters.iter().flatten();
    let mut places = parameters.filter_map(|parameter| match parameter {
        RefOr::T(parameter) => Some(&parameter.parameter_in),
        RefOr::Ref(_) => None,
    });
    if places.any(|place| matches!(place, ParameterIn::Query)) {
        may(operation, 400, "malformed_query");
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

/// Says that an action may answer so; what it says itself comes first.
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

/// Gives errors the media type that they have.
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
