//! Users' requests for another plan, which administrators approve or decline.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::plans::requests::Request;
use slovo_platform::clock::from_ms;
use slovo_rules::plan::RequestStatus;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use uuid::Uuid;

mod decide;
mod list;

/// The routes of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list::list))
        .routes(routes!(decide::decide))
}

/// A plan request as administrators see it.
#[derive(Serialize, ToSchema)]
#[schema(as = ManagedPlanRequest)]
struct RequestBody {
    id: Uuid,
    /// Id of the user.
    #[schema(format = Uuid)]
    user_id: String,
    email: String,
    #[schema(required)]
    fullname: Option<String>,
    plan_id: Uuid,
    /// Its current name.
    plan_name: String,
    /// The user's current plan; null without one.
    #[schema(required)]
    present_plan: Option<String>,
    /// Whether the user has this plan on trial and wants to keep it.
    keeps: bool,
    /// The user's message.
    message: String,
    status: RequestStatus,
    /// The administrator's answer; may be empty.
    answer: String,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When it was decided; null while it is open.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    decided_at: Option<Timestamp>,
}

impl From<Request> for RequestBody {
    fn from(request: Request) -> Self {
        Self {
            id: request.id,
            user_id: request.user_id,
            email: request.email,
            fullname: request.fullname,
            plan_id: request.plan_id,
            plan_name: request.plan_name,
            present_plan: request.present_plan,
            keeps: request.keeps,
            message: request.message,
            status: request.status,
            answer: request.answer,
            created_at: from_ms(request.created_at),
            decided_at: request.decided_at.map(from_ms),
        }
    }
}
