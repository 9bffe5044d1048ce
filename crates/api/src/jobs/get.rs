//! `GET /api/v1/jobs/{id}`.

use axum::extract::State;
use serde::Serialize;
use slovo_app::http::{Document, Json, Problem};
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Owner};
use utoipa::ToSchema;

use super::{JobBody, ReadAccess};

/// A job, opened by its owner or an administrator.
#[derive(Serialize, ToSchema)]
pub(super) struct OpenedJob {
    #[serde(flatten)]
    job: JobBody,
    /// The owner, if it is not the caller: the caller then reads the job as an administrator and
    /// cannot change it.
    #[schema(required)]
    owner: Option<OwnerBody>,
}

/// The owner of a job.
#[derive(Serialize, ToSchema)]
#[schema(as = JobOwner)]
pub struct OwnerBody {
    /// Id of the account.
    id: String,
    /// Its e-mail address.
    email: String,
    /// Name from the profile.
    #[schema(required)]
    fullname: Option<String>,
}

impl From<Owner> for OwnerBody {
    fn from(owner: Owner) -> Self {
        Self {
            id: owner.id,
            email: owner.email,
            fullname: owner.fullname,
        }
    }
}

/// Returns one of the caller's jobs; administrators can read any job.
#[utoipa::path(get, path = "/jobs/{id}", tag = "jobs", operation_id = "get_job",
    params(("id" = String, Path, description = "Job id")),
    responses(
        (status = OK, body = OpenedJob),
        (status = NOT_FOUND, body = Document, description = "not_found"),
    ))]
pub(super) async fn get(
    State(state): State<AppState>,
    access: ReadAccess,
) -> Result<Json<OpenedJob>, Problem> {
    let owner = match access.is_own() {
        true => None,
        false => jobs::owner(&mut *state.db.read().await?, &access.job).await?,
    };
    Ok(Json(OpenedJob {
        job: JobBody::of(access.job, &state.condition),
        owner: owner.map(OwnerBody::from),
    }))
}
