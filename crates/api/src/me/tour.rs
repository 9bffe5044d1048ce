//! `/api/v1/me/tour`: progress of the tour through a new account's sample.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;
use slovo_app::auth::Caller;
use slovo_app::http::cookies::readers_locale;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::samples;
use slovo_app::state::AppState;
use slovo_db::texts::samples as stored;
use utoipa::ToSchema;
use uuid::Uuid;

/// The caller's progress in the tour.
#[derive(Serialize, ToSchema)]
#[schema(as = Tour)]
pub(super) struct Body {
    /// Whether the tour should start automatically: the sample exists, and the tour was neither
    /// finished nor left.
    is_offered: bool,
    /// The job that it uses; null if it does not exist, or no longer.
    #[schema(required)]
    sample: Option<Uuid>,
}

/// Returns the state of the tour through the caller's sample.
#[utoipa::path(get, path = "/me/tour", tag = "me", operation_id = "get_tour",
    responses(
        (status = OK, body = Body),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Json<Body>, Problem> {
    samples::create_if_due(state.samples(), &caller.user_id, readers_locale(&headers)).await;
    let tour = stored::tour(&mut *state.db.read().await?, &caller.user_id).await?;
    Ok(Json(Body {
        is_offered: tour.is_offered,
        sample: tour.sample,
    }))
}

/// Records that the caller has finished or left the tour: it is not offered again.
#[utoipa::path(post, path = "/me/tour/end", tag = "me", operation_id = "end_tour",
    responses(
        (status = NO_CONTENT),
        (status = UNAUTHORIZED, body = Document, description = "unauthorized"),
    ))]
pub(super) async fn end(
    State(state): State<AppState>,
    caller: Caller,
) -> Result<StatusCode, Problem> {
    let mut transaction = state.db.write().await?;
    stored::end_tour(&mut transaction, &caller.user_id, state.clock.now_ms()).await?;
    transaction.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}
