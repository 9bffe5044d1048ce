//! The public list of plans: `/api/v1/plans`.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::time_limit;
use slovo_app::routes;
use slovo_app::state::AppState;
use slovo_db::plans::Plan;
use slovo_platform::clock::from_ms;
use slovo_rules::plan::{PlanFeature, PlanForm, QueueSpeed};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
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
    /// Its number, which is shown to users.
    subscription_id: i64,
    /// Id of its row in the external database; null without one.
    #[schema(required)]
    nocodb_id: Option<String>,
    name: String,
    description: String,
    /// Price per month, in `currency`.
    price: f64,
    /// ISO 4217.
    currency: String,
    /// Minutes per month; null means unlimited.
    #[schema(required)]
    monthly_minutes_limit: Option<f64>,
    /// Longest recording in minutes; null means unlimited.
    #[schema(required)]
    max_file_duration_minutes: Option<f64>,
    /// Whether users can subscribe to it.
    is_active: bool,
    /// The features that it includes.
    features: Vec<PlanFeature>,
    /// The queue priority of its jobs.
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
