//! `POST /api/v1/admin/speech-endpoint/test`: sends requests to the stored endpoint.

use axum::extract::State;
use slovo_app::auth::Administrator;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_work::endpoint_test::Purpose;
use slovo_work::speech_endpoint;

use crate::endpoint_test::EndpointTest;

/// Tests the stored endpoint: asks for its models and for the text of one second of silence.
#[utoipa::path(post, path = "/admin/speech-endpoint/test", tag = "admin",
    operation_id = "test_speech_endpoint",
    responses(
        (status = OK, body = EndpointTest),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
        (status = FORBIDDEN, body = Document, description = "forbidden"),
        (status = UNPROCESSABLE_ENTITY, body = Document, description = "validation_failed: the \
            stored address cannot be used"),
    ))]
pub(super) async fn test(
    State(state): State<AppState>,
    _administrator: Administrator,
) -> Result<Json<EndpointTest>, Problem> {
    let stored = speech_endpoint::stored(&mut *state.db.read().await?).await?;
    let found = state.jobs.speech_endpoints().endpoint(&stored);
    let found = found.map_err(|_| Violations::from(Violation::new("url", Code::UrlInvalid)))?;
    Ok(Json(
        EndpointTest::run(&state, found.as_ref(), Purpose::Speech).await,
    ))
}
