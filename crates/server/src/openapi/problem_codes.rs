//! The codes of the problems that each action can give, as data: `x-problem-codes` of its
//! responses. They are read from the response's description, which lists each code and, where it
//! helps, when it is given: `transcript_not_ready; too_many_marks: 100 of a transcript`.

use axum::http::StatusCode;
use serde_json::json;
use slovo_rules::codes::ProblemCode;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::{OpenApi, RefOr};

use super::operations;

#[cfg(test)]
pub(super) mod listed_codes;
#[cfg(test)]
mod tests;

/// Name of the lists in the document.
const LIST: &str = "x-problem-codes";

/// Codes that any request can get, with their status: the layers around the actions return them.
/// The document lists them once, for the whole API.
const OF_EVERY_ADDRESS: &[(ProblemCode, StatusCode)] = &[
    (ProblemCode::BadRequest, StatusCode::BAD_REQUEST),
    (ProblemCode::HostMissing, StatusCode::BAD_REQUEST),
    (ProblemCode::NotFound, StatusCode::NOT_FOUND),
    (
        ProblemCode::MethodNotAllowed,
        StatusCode::METHOD_NOT_ALLOWED,
    ),
    (ProblemCode::Internal, StatusCode::INTERNAL_SERVER_ERROR),
];

/// Adds the lists to the document.
pub(super) fn add(document: &mut OpenApi) {
    for item in document.paths.paths.values_mut() {
        for (_, operation) in operations(item) {
            for response in operation.responses.responses.values_mut() {
                let RefOr::T(response) = response else {
                    continue;
                };
                // Actions on several jobs succeed, and have the codes in the results of single ones.
                let codes = listed(&response.description);
                if !codes.is_empty() {
                    extend(&mut response.extensions, &codes);
                }
            }
        }
    }
    let codes: Vec<_> = OF_EVERY_ADDRESS.iter().map(|(code, _)| *code).collect();
    extend(&mut document.extensions, &codes);
}

fn extend(extensions: &mut Option<Extensions>, codes: &[ProblemCode]) {
    let list = Extensions::from_iter([(LIST, json!(codes))]);
    extensions.get_or_insert_default().merge(list);
}

/// The codes that a response's description lists.
pub(super) fn listed(description: &str) -> Vec<ProblemCode> {
    let mut codes: Vec<_> = first_words(description)
        .filter_map(ProblemCode::parse)
        .collect();
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// The first word of each part between commas and semicolons.
fn first_words(description: &str) -> impl Iterator<Item = &str> {
    let parts = description.split([',', ';']).map(str::trim_start);
    parts.filter_map(|part| {
        part.split(|c: char| !c.is_ascii_lowercase() && c != '_')
            .next()
    })
}
