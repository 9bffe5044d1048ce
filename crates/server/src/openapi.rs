//! The API's document (OpenAPI 3.1), generated from the actions.

mod complete;
mod problem_codes;

use std::sync::{Arc, LazyLock, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::http::{Method, header};
use axum::routing::get;
use slovo_rules::transcript::Segment;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{Modify, OpenApi, PartialSchema as _, ToSchema as _};
use utoipa_axum::router::OpenApiRouter;

use slovo_app::http::ProblemDocument;
use slovo_app::state::AppState;

#[cfg(test)]
pub(crate) use problem_codes::listed_codes::ListedCodes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Slovo",
        description = "Turns audio and video into timed text. Errors are problem documents \
            (RFC 9457) whose `code` is stable; times are RFC 3339 in UTC.",
        license(name = "MIT OR Apache-2.0", identifier = "MIT OR Apache-2.0"),
    ),
    modifiers(&Bearer),
    security(("bearer" = [])),
    // Segments are sent as events, which the document describes as text.
    components(schemas(Segment))
)]
struct Base;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let scheme = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .bearer_format("JWT")
            .description(Some("The access token of a session."))
            .build();
        let key = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some(
                "An API key, which begins with `slovo_`. Each action names the scope that the key \
                 needs; actions without this scheme cannot be called with a key.",
            ))
            .build();
        let components = document.components.get_or_insert_default();
        components.add_security_scheme("bearer", SecurityScheme::Http(scheme));
        components.add_security_scheme("api_key", SecurityScheme::Http(key));
    }
}

/// The API's document, completed on first use: few read it, and it would slow down every start.
pub(crate) type OpenApiDocument =
    Arc<LazyLock<utoipa::openapi::OpenApi, Box<dyn FnOnce() -> utoipa::openapi::OpenApi + Send>>>;

/// All actions, and their document.
pub(crate) fn actions() -> (Router<AppState>, OpenApiDocument) {
    let actions = OpenApiRouter::with_openapi(Base::openapi())
        .merge(slovo_api::router())
        .merge(slovo_admin_api::router())
        .merge(slovo_compat_api::router());
    let (actions, partial) = actions.split_for_parts();
    let document: Box<dyn FnOnce() -> _ + Send> = Box::new(|| finished(partial));
    (actions, Arc::new(LazyLock::new(document)))
}

/// Serves the document, which is written on first use.
pub(crate) fn document(document: OpenApiDocument) -> Router<AppState> {
    let written: OnceLock<Bytes> = OnceLock::new();
    let written = Arc::new(written);
    let read = async move || {
        let text = written.get_or_init(|| document.to_pretty_json().unwrap_or_default().into());
        ([(header::CONTENT_TYPE, "application/json")], text.clone())
    };
    Router::new().route("/api/openapi.json", get(read))
}

/// Completes the document with what no action declares.
fn finished(mut document: utoipa::openapi::OpenApi) -> utoipa::openapi::OpenApi {
    complete::complete(&mut document);
    let components = document.components.get_or_insert_default();
    components.schemas.extend(problem());
    problem_codes::add(&mut document);
    document
}

/// The operations of a path with their methods.
fn operations(item: &mut PathItem) -> impl Iterator<Item = (Method, &mut Operation)> {
    [
        (Method::GET, &mut item.get),
        (Method::HEAD, &mut item.head),
        (Method::OPTIONS, &mut item.options),
        (Method::PUT, &mut item.put),
        (Method::POST, &mut item.post),
        (Method::DELETE, &mut item.delete),
        (Method::PATCH, &mut item.patch),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// The error schema, which all actions refer to.
fn problem() -> Vec<(String, RefOr<Schema>)> {
    let name = ProblemDocument::name().into_owned();
    let mut schemas = vec![(name, ProblemDocument::schema())];
    ProblemDocument::schemas(&mut schemas);
    schemas
}

/// The document as it is checked in: formatted, with a trailing newline.
///
/// # Errors
/// If it cannot be serialised to JSON.
pub fn text() -> Result<String, serde_json::Error> {
    let (_, document) = actions();
    Ok(document.to_pretty_json()? + "\n")
}

#[cfg(test)]
mod tests {
    use slovo_app::protocols::is_protocol;

    /// The browser's types are generated from this file.
    #[test]
    fn the_checked_in_document_is_up_to_date() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
        let checked_in = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            checked_in == super::text().unwrap(),
            "web/openapi.json is not what the actions say: run `cargo xtask gen`"
        );
    }

    #[test]
    fn the_document_is_openapi_3_1_with_unique_action_ids() {
        let text = super::text().unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["openapi"], "3.1.0");
        let mut ids = Vec::new();
        for (path, actions) in document["paths"].as_object().unwrap() {
            for (verb, action) in actions.as_object().unwrap() {
                let id = action["operationId"].as_str();
                ids.push(
                    id.unwrap_or_else(|| panic!("{verb} {path} has no id"))
                        .to_owned(),
                );
                let summary = action["summary"].as_str().unwrap_or_default();
                assert!(
                    !summary.is_empty(),
                    "{verb} {path} says nothing about itself"
                );
            }
        }
        let count = ids.len();
        ids.sort();
        ids.dedup();
        assert_eq!(ids.len(), count, "two actions share an id");
    }

    #[test]
    fn actions_declare_the_common_error_responses() {
        let document: serde_json::Value = serde_json::from_str(&super::text().unwrap()).unwrap();
        let rename = &document["paths"]["/api/v1/presets/{id}"]["put"]["responses"];
        for status in [
            "400", "401", "404", "413", "415", "422", "503", "504", "507",
        ] {
            let body = &rename[status]["content"]["application/problem+json"];
            assert!(body.is_object(), "{status}: {rename:#}");
        }
        let login = &document["paths"]["/api/v1/auth/login"]["post"]["responses"];
        let refused = login["401"]["description"].as_str().unwrap();
        assert!(!refused.contains("unauthorized"), "{refused}");
        let assistant = &document["paths"]["/api/v1/jobs/{id}/assistant"]["post"]["responses"];
        assert!(assistant["200"]["content"]["text/event-stream"].is_object());
        let paths = document["paths"].as_object().unwrap();
        // The protocols of other services have errors of their own.
        for (path, actions) in paths.iter().filter(|(path, _)| !is_protocol(path)) {
            for (verb, action) in actions.as_object().unwrap() {
                for (status, answer) in action["responses"].as_object().unwrap() {
                    let is_error = status.starts_with(['4', '5']);
                    let json = &answer["content"]["application/json"];
                    assert!(!is_error || json.is_null(), "{verb} {path} {status}");
                }
            }
        }
    }
}
