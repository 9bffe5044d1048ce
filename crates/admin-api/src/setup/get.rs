//! `GET /api/v1/admin/setup`: which setup steps are done and which are left.

use axum::extract::State;
use axum::http::StatusCode;
use slovo_app::auth::Administrator;
use slovo_app::config::PublicUrl;
use slovo_app::http::{Document, Json, Problem, Query};
use slovo_app::state::AppState;
use slovo_rules::codes::ProblemCode;
use slovo_rules::language::{self, Language};
use slovo_rules::server_settings::ServerDefaults;
use slovo_server_settings::read_site;
use slovo_work::analysis::configured;

use super::{Body, Reader, steps};

/// Returns which setup steps are done and which are left, according to the running server. A
/// language model endpoint is asked for its models; this takes some seconds if it does not respond.
#[utoipa::path(get, path = "/admin/setup", tag = "admin", operation_id = "get_setup",
    params(Reader),
    responses(
        (status = OK, body = Body),
        (status = BAD_REQUEST, body = Document, description = "malformed_query"),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    _administrator: Administrator,
    Query(reader): Query<Reader>,
) -> Result<Json<Body>, Problem> {
    let browser_url = match reader.origin.as_deref().map(str::parse::<PublicUrl>) {
        None => None,
        Some(Ok(browser_url)) => Some(browser_url),
        Some(Err(_)) => {
            return Err(
                Problem::new(StatusCode::BAD_REQUEST, ProblemCode::MalformedQuery)
                    .detail("origin must be a scheme, host and port"),
            );
        }
    };
    let mut connection = state.db.read().await?;
    let test = steps::last_mail_test(&mut connection).await?;
    let site = read_site(&mut connection).await?;
    let settings = slovo_server_settings::read(&mut connection).await?;
    let endpoint = configured::stored(&mut connection).await?;
    // Released for others while waiting for the endpoint.
    drop(connection);
    Ok(Json(Body {
        mail: steps::mail(state.mail.delivery_method(), test.as_ref()),
        models: steps::models(&state, main_language(&settings.defaults)).await?,
        analysis: steps::analysis(&state, &endpoint).await,
        address: steps::address(&state.config.http, browser_url.as_ref()),
        legal: steps::legal(&site),
    }))
}

/// The language that models are recommended for: the first of the server's default languages.
fn main_language(defaults: &ServerDefaults) -> Option<Language> {
    let first = defaults
        .languages
        .first()
        .map_or(language::DEFAULT, String::as_str);
    Language::parse(first)
}
