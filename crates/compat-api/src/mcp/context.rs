//! What all tools need: whose recordings they reach, and their errors.

use rmcp::ErrorData;
use rmcp::handler::server::tool::IntoCallToolResult;
use rmcp::model::{CallToolResponse, CallToolResult, ContentBlock};
use slovo_app::auth::Caller;
use slovo_app::http::Problem;
use slovo_app::state::AppState;
use slovo_db::jobs::{self, Job};
use slovo_rules::api_key::ApiScope;
use uuid::Uuid;

use crate::refusal::Refusal;

/// The tools in the name of one caller.
#[derive(Clone)]
pub(super) struct Tools {
    pub state: AppState,
    pub caller: Caller,
}

/// Why a tool has no result, in words for the model. Server errors are only named.
pub(super) struct ToolError(String);

impl ToolError {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl<E: Into<Problem>> From<E> for ToolError {
    fn from(error: E) -> Self {
        let refusal = Refusal::from(error.into());
        Self(refusal.message(|field| field))
    }
}

impl IntoCallToolResult for ToolError {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::error(vec![ContentBlock::text(self.0)]).into())
    }
}

impl Tools {
    pub(super) fn new(state: AppState, caller: Caller) -> Self {
        Self { state, caller }
    }

    /// The caller's own job.
    pub(super) async fn job(&self, id: &str) -> Result<Job, ToolError> {
        let found = match id.parse::<Uuid>() {
            Ok(id) => {
                let mut connection = self.state.db.read().await?;
                jobs::find(&mut connection, &self.caller.user_id, id).await?
            }
            Err(_) => None,
        };
        found.ok_or_else(|| {
            ToolError::new(format!(
                "There is no recording {id:?}. search_transcripts and list_recordings give the ids."
            ))
        })
    }

    /// Whether the key permits what uses the plan's minutes.
    pub(super) fn check_transcribe(&self) -> Result<(), ToolError> {
        if self.caller.permits(ApiScope::Transcribe) {
            return Ok(());
        }
        Err(ToolError::new(
            "The API key has no scope transcribe. Its owner can make a key with it in the settings.",
        ))
    }

    /// Where people open a recording.
    pub(super) fn page(&self, job: Uuid) -> String {
        self.state.webhooks.page(job)
    }
}
