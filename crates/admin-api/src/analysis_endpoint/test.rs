//! `POST /api/v1/admin/analysis-endpoint/test`: sends requests to the endpoint in use.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_work::analysis::configured;
use slovo_work::endpoint_test::Purpose;

use crate::endpoint_test::EndpointTest;

/// Tests the current endpoint: asks for its models and for one token.
#[utoipa::path(post, path = "/admin/analysis-endpoint/test", tag = "admin",
    operation_id = "test_analysis_endpoint",
    responses(
        (status = OK, body = EndpointTest),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: the \
            stored endpoint cannot be used with this configuration"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<EndpointTest>, Problem> {
    let stored = configured::stored(&mut *state.db.read().await?).await?;
    let found = state.analyses.in_force(&stored)?;
    let endpoint = found.map(|found| found.endpoint);
    Ok(Json(
        EndpointTest::run(&state, endpoint.as_ref(), Purpose::Chat).await,
    ))
}
