//! The result of a test of an OpenAI-compatible endpoint.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::state::AppState;
use slovo_work::endpoint_test::{self, Endpoint, Outcome, Purpose};
use utoipa::ToSchema;

/// The result of the test.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EndpointTest {
    /// The outcome.
    outcome: Outcome,
    /// The endpoint's last HTTP status.
    #[schema(required)]
    status: Option<u16>,
    /// The first models that the endpoint lists.
    models: Vec<String>,
    /// Duration of the test.
    milliseconds: u64,
    /// When the test was made.
    #[schema(value_type = String, format = DateTime)]
    tested_at: Timestamp,
}

impl EndpointTest {
    /// Tests an endpoint, if there is one.
    pub(crate) async fn run(
        state: &AppState,
        endpoint: Option<&Endpoint>,
        purpose: Purpose,
    ) -> Self {
        let tested_at = state.clock.now();
        let Some(endpoint) = endpoint else {
            return Self {
                outcome: Outcome::NotConfigured,
                status: None,
                models: Vec::new(),
                milliseconds: 0,
                tested_at,
            };
        };
        let tried = endpoint_test::run(endpoint, purpose).await;
        Self {
            outcome: tried.outcome,
            status: tried.status,
            models: tried.models,
            milliseconds: tried.milliseconds,
            tested_at,
        }
    }
}
