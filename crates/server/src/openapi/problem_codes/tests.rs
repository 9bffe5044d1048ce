use std::collections::BTreeSet;

use axum::http::Method;
use serde_json::Value;
use slovo_app::protocols::is_protocol;
use slovo_rules::codes::ProblemCode;

use super::listed_codes::ListedCodes;
use super::{LIST, OF_EVERY_ADDRESS, first_words, listed};

/// A response that lists codes or has to: where it is, its description and its codes.
type Listing = (String, String, Vec<String>);

fn listings() -> Vec<Listing> {
    let text = crate::openapi::text().unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let mut listings = Vec::new();
    let paths = document["paths"].as_object().unwrap();
    // The protocols of other services have errors of their own.
    for (path, actions) in paths.iter().filter(|(path, _)| !is_protocol(path)) {
        for (verb, action) in actions.as_object().unwrap() {
            for (status, response) in action["responses"].as_object().unwrap() {
                let codes = response[LIST].as_array();
                if codes.is_none() && !status.starts_with(['4', '5']) {
                    continue;
                }
                let codes = codes.into_iter().flatten();
                let codes = codes.map(|code| code.as_str().unwrap().to_owned());
                let description = response["description"].as_str().unwrap_or_default();
                listings.push((
                    format!("{verb} {path} {status}"),
                    description.to_owned(),
                    codes.collect(),
                ));
            }
        }
    }
    assert!(listings.len() > 1000, "{}", listings.len());
    listings
}

#[test]
fn every_error_response_lists_its_codes() {
    let unlisted: Vec<_> = listings()
        .into_iter()
        .filter(|(_, description, codes)| {
            let misspelt = first_words(description)
                .any(|word| word.contains('_') && ProblemCode::parse(word).is_none());
            codes.is_empty() || misspelt
        })
        .map(|(place, description, _)| format!("{place}: {description}"))
        .collect();
    assert_eq!(unlisted, [""; 0]);
}

/// A code that no action gives would keep its texts for nothing.
#[test]
fn every_code_is_listed_by_an_action_or_for_all_addresses() {
    let of_actions: BTreeSet<String> = listings()
        .into_iter()
        .flat_map(|(_, _, codes)| codes)
        .collect();
    let unlisted: Vec<_> = ProblemCode::ALL
        .iter()
        .filter(|code| !of_actions.contains(code.as_str()))
        .filter(|code| {
            !OF_EVERY_ADDRESS
                .iter()
                .any(|(common_code, _)| common_code == *code)
        })
        .collect();
    assert!(unlisted.is_empty(), "{unlisted:?}");
}

#[test]
fn codes_are_the_first_words_of_the_parts_of_a_description() {
    assert_eq!(
        listed("not_found: no such tag, or conflict; plan_in_use (params: max), unlisted"),
        [ProblemCode::NotFound, ProblemCode::PlanInUse]
    );
}

#[test]
fn common_codes_have_one_status_and_not_found_is_listed_by_actions() {
    let (_, document) = crate::openapi::actions();
    let codes = ListedCodes::read(&ListedCodes::text_of(&document));
    let may = |path, status, code| codes.permits(&Method::GET, path, status, code);
    let (listing, job) = ("/api/v1/tags", "/api/v1/jobs/{id}");
    assert!(may(listing, "500", ProblemCode::Internal));
    assert!(!may(listing, "503", ProblemCode::Internal));
    assert!(may(listing, "400", ProblemCode::HostMissing));
    assert!(!may(listing, "404", ProblemCode::HostMissing));
    assert!(may(job, "404", ProblemCode::NotFound));
    assert!(!may(listing, "404", ProblemCode::NotFound));
    assert!(may("", "404", ProblemCode::NotFound), "of no action");
    assert!(!may("", "403", ProblemCode::NotFound));
    assert!(may(job, "405", ProblemCode::MethodNotAllowed));
}
