//! Administration of plans: `/api/v1/admin/plans`.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use slovo_api::plans::PlanBody;
use slovo_app::http::Problem;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::plans::Plan;
use slovo_rules::codes::ProblemCode;
use slovo_rules::violation::Violations;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

mod create;
mod delete;
mod demo;
mod list;
mod terms;
mod update;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list, create::create))
        .routes(routes!(update::update, delete::delete))
        .routes(routes!(demo::get, demo::set))
        .routes(routes!(terms::get, terms::set))
}

/// A plan with data for administrators only.
#[derive(Serialize, ToSchema)]
pub(super) struct ManagedPlan {
    #[serde(flatten)]
    plan: PlanBody,
    /// Number of accounts that have it.
    users: i64,
}

impl From<Plan> for ManagedPlan {
    fn from(plan: Plan) -> Self {
        Self {
            users: plan.users,
            plan: plan.into(),
        }
    }
}

/// Why a plan is unchanged.
#[derive(Debug)]
enum Error {
    /// There is no such plan.
    NotFound,
    /// The form is invalid.
    Invalid(Violations),
    /// An account has it.
    InUse,
    /// Another plan was created at the same time.
    Raced,
    Internal(Problem),
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self::Internal(problem)
    }
}

impl From<slovo_db::Error> for Error {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        match self {
            Self::NotFound => Problem::not_found(),
            Self::Invalid(violations) => violations.into(),
            Self::InUse => Problem::new(StatusCode::CONFLICT, ProblemCode::PlanInUse),
            Self::Raced => Problem::new(StatusCode::CONFLICT, ProblemCode::PlanRaced),
            Self::Internal(problem) => problem,
        }
        .into_response()
    }
}
