//! `POST /api/v1/admin/analysis-endpoint/test`: sends requests to the endpoint in use.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_work::analysis::configured;
use slovo_work::analysis::endpoint_test::{self, Outcome};
use utoipa::ToSchema;

/// The result of the test.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AnalysisTest)]
pub(super) struct Body {
    /// The outcome.
    outcome: Outcome,
    /// The endpoint's last HTTP status.
    #[schema(required)]
    status: Option<u16>,
    /// The first models that the endpoint lists.
    models: Vec<String>,
    /// Duration of the test.
    milliseconds: u64,
    /// When the test was made.
    #[schema(value_type = String, format = DateTime)]
    tested_at: Timestamp,
}

/// Tests the current endpoint: asks for its models and for one token.
#[utoipa::path(post, path = "/admin/analysis-endpoint/test", tag = "admin",
    operation_id = "test_analysis_endpoint",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: the \
            stored endpoint cannot be used with this configuration"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<Body>, Problem> {
    let stored = configured::stored(&mut *state.db.read().await?).await?;
    let found = state.analyses.in_force(&stored)?;
    let tested_at = state.clock.now();
    let Some(found) = found else {
        return Ok(Json(Body {
            outcome: Outcome::NotConfigured,
            status: None,
            models: Vec::new(),
            milliseconds: 0,
            tested_at,
        }));
    };
    let tried = endpoint_test::run(&found.endpoint).await;
    Ok(Json(Body {
        outcome: tried.outcome,
        status: tried.status,
        models: tried.models,
        milliseconds: tried.milliseconds,
        tested_at,
    }))
}
