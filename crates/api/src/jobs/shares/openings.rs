//! `GET /api/v1/jobs/{id}/shares/{share_id}/openings`: the visits of a link.

use axum::extract::State;
use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::{Document, Json, Path, Problem};
use slovo_app::state::AppState;
use slovo_db::texts::{share_openings, shares};
use slovo_platform::clock::from_ms;
use slovo_rules::share::{BrowserFamily, DeviceKind};
use utoipa::ToSchema;

use super::super::OwnJob;
use super::remove::SharePath;

/// An opening of a link. No network address is stored, and only this data about the browser.
#[derive(Serialize, ToSchema)]
pub(in super::super) struct ShareOpening {
    /// When it was opened.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
    /// The browser.
    browser: BrowserFamily,
    /// The device.
    device: DeviceKind,
}

/// Lists when a share link was opened and with what kind of browser, newest first; at most the last
/// 100 openings. Requests by one visitor within half an hour count as one opening.
#[utoipa::path(get, path = "/jobs/{id}/shares/{share_id}/openings", tag = "shares",
    operation_id = "list_share_openings",
    params(("id" = String, Path, description = "Job id"),
        ("share_id" = String, Path, description = "Id of the link")),
    responses(
        (status = OK, body = Vec<ShareOpening>),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(in super::super) async fn openings(
    State(state): State<AppState>,
    own: OwnJob,
    Path(SharePath { share_id }): Path<SharePath>,
) -> Result<Json<Vec<ShareOpening>>, Problem> {
    let mut connection = state.db.read().await?;
    let share = shares::find(&mut connection, own.job.id, share_id).await?;
    let share = share.ok_or_else(Problem::not_found)?;
    let all = share_openings::list(&mut connection, share.id).await?;
    let all = all.into_iter().map(|opening| ShareOpening {
        at: from_ms(opening.at),
        browser: opening.browser,
        device: opening.device,
    });
    Ok(Json(all.collect()))
}
