//! The public list of plans: `/api/v1/plans`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::time_limit;
use slovo_app::state::AppState;
use slovo_db::plans::Plan;
use slovo_platform::clock::from_ms;
use slovo_rules::plan::{PlanFeature, PlanForm, QueueSpeed};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

mod list;

/// The route of this module.
pub(super) fn router() -> OpenApiRouter<AppState> {
    time_limit(OpenApiRouter::new().routes(routes!(list::list)))
}

/// A plan.
#[derive(Clone, Serialize, ToSchema)]
#[schema(as = Plan)]
pub struct PlanBody {
    id: Uuid,
    /// Its number, which people see.
    subscription_id: i64,
    /// Its row in the external database; null without one.
    #[schema(required)]
    nocodb_id: Option<String>,
    name: String,
    description: String,
    /// A month, in `currency`.
    price: f64,
    /// ISO 4217.
    currency: String,
    /// Minutes a month; null means without a limit.
    #[schema(required)]
    monthly_minutes_limit: Option<f64>,
    /// Minutes of the longest recording; null means of any length.
    #[schema(required)]
    max_file_duration_minutes: Option<f64>,
    /// Whether it can be subscribed to.
    is_active: bool,
    /// What it lets its users ask for.
    features: Vec<PlanFeature>,
    /// The place of its jobs in the queue.
    queue_speed: QueueSpeed,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
}

impl From<Plan> for PlanBody {
    fn from(plan: Plan) -> Self {
        let PlanForm {
            name,
            description,
            price,
            currency,
            monthly_minutes_limit,
            max_file_duration_minutes,
            is_active,
            features,
            queue_speed,
        } = plan.form;
        Self {
            id: plan.id,
            subscription_id: plan.number,
            nocodb_id: plan.nocodb_id,
            name,
            description,
            price,
            currency,
            monthly_minutes_limit,
            max_file_duration_minutes,
            is_active,
            features,
            queue_speed,
            created_at: from_ms(plan.created_at),
        }
    }
}
