//! Jobs of all users: `/api/v1/admin/jobs`. Reading a single job is part of `api/jobs`.

use slovo_api::jobs::JobBody;
use slovo_app::http::Problem;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod cancel;
mod delete;
mod list;
mod retry;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(retry::retry))
        .routes(routes!(cancel::cancel))
        .routes(routes!(delete::delete))
}

/// The job of any user.
async fn find(state: &AppState, id: Uuid) -> Result<Job, Problem> {
    let job = jobs::find_any(&mut *state.db.read().await?, id).await?;
    job.ok_or_else(Problem::not_found)
}

/// The job, read again after a change.
async fn reread(state: &AppState, id: Uuid) -> Result<JobBody, Problem> {
    find(state, id).await.map(JobBody::from)
}
