//! `GET /api/v1/jobs/{id}`.

use super::{JobBody, Seen};
use crate::http::{Document, Json};

/// One of the caller's jobs; for administrators, anybody's.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", operation_id = "get_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = JobBody),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(seen: Seen) -> Json<JobBody> {
    Json(seen.job.into())
}
