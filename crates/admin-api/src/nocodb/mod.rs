//! The external database: its configuration, its test and its synchronisation.

use axum::http::StatusCode;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::{Problem, time_limit};
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::nocodb::{self as stored, Config};
use slovo_nocodb::ConnectionTest;
use slovo_platform::clock::from_ms;
use slovo_rules::codes::ProblemCode;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod configure;
mod get;
mod prepare;
mod start_sync;
mod sync_state;
mod test;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    let short = OpenApiRouter::new()
        .routes(routes!(get::get, configure::configure))
        .routes(routes!(test::test))
        .routes(routes!(sync_state::get, start_sync::start));
    // No time limit: creating tables may take long.
    let long = OpenApiRouter::new().routes(routes!(prepare::prepare));
    time_limit(short).merge(long)
}

/// The external database as administrators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = NocodbState)]
struct Body {
    /// Whether one is configured.
    configured: bool,
    /// Its address and base; null if none is configured.
    #[schema(required)]
    config: Option<ConfigBody>,
    /// Whether the server's secrets include a token for it. The token itself is never returned.
    token_configured: bool,
    /// Result of the last test of this address and base.
    #[schema(required)]
    last_test: Option<ConnectionTest>,
    /// Minutes between synchronisations; 0 means only on request.
    sync_minutes: u32,
}

/// The address and base of the external database.
#[derive(Serialize, ToSchema)]
#[schema(as = NocodbConfig)]
struct ConfigBody {
    /// Always 1.
    id: i64,
    /// Base address of its API.
    api_url: String,
    /// Id of the base.
    project_id: String,
    /// When it was last tested.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    last_test_at: Option<Timestamp>,
    /// Whether the test succeeded.
    #[schema(required)]
    last_test_success: Option<bool>,
    /// The error in English, for developers.
    #[schema(required)]
    last_test_error: Option<String>,
}

impl Body {
    fn new(state: &AppState, config: Option<Config>) -> Self {
        let last_test = config.as_ref().and_then(|config| config.last_test.clone());
        Self {
            configured: config.is_some(),
            token_configured: state.config.nocodb.token.is_some(),
            // A result stored by another version of the program is ignored if it cannot be read.
            last_test: last_test.and_then(|test| serde_json::from_value(test).ok()),
            sync_minutes: state.config.nocodb.sync_minutes,
            config: config.map(|config| ConfigBody {
                id: 1,
                api_url: config.api_url,
                project_id: config.project_id,
                last_test_at: config.last_test_at.map(from_ms),
                last_test_success: config.last_test_success,
                last_test_error: config.last_test_error,
            }),
        }
    }
}

/// The configuration, or a problem if there is none.
async fn config(state: &AppState) -> Result<Config, Problem> {
    let mut connection = state.db.read().await?;
    let config = stored::config(&mut connection).await?;
    config.ok_or_else(not_configured)
}

fn not_configured() -> Problem {
    Problem::new(StatusCode::CONFLICT, ProblemCode::NocodbNotConfigured)
}
