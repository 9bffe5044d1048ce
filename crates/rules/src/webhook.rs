//! Webhook services registered by administrators, and what all webhooks have in common.

use serde::{Deserialize, Serialize};

use crate::form::{self, Validate};
use crate::mode::TranscriptionType;
use crate::text;
use crate::url::MAX_URL;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Longest name, in characters.
pub const MAX_NAME: usize = 200;
/// Longest description, in characters.
pub const MAX_DESCRIPTION: usize = 2000;

/// Timeout of a service's response, in seconds.
pub const ANSWER_SECONDS: u64 = 15;
/// Number of attempts after the first one of a call.
pub const RETRIES: usize = 9;
/// Duration of all attempts of a call, in days.
pub const RETRY_DAYS: i64 = 3;
/// Retention of calls in the log, in days.
pub const LOG_DAYS: i64 = 30;

wire_enum! {
    /// The purpose of a service.
    WebhookCategory {
        /// Is notified of uploads.
        Upload => "upload",
        /// Replaces the embedded engine for some modes.
        Transcription => "transcription",
        /// Is notified of finished jobs.
        Processing => "processing",
        /// Is called only by tests.
        Utility => "utility",
    }
}

wire_enum! {
    /// What receivers are notified of.
    WebhookEvent {
        /// A recording is complete, was checked, and has its job.
        UploadCompleted => "upload.completed",
        /// A job has its text.
        JobCompleted => "job.completed",
        /// A job ended without a text.
        JobFailed => "job.failed",
        /// A summary, translation or another analysis is there.
        AnalysisCompleted => "analysis.completed",
        /// An analysis ended without a result.
        AnalysisFailed => "analysis.failed",
    }
}

/// Type of the events with which receivers are tested.
pub const TEST_EVENT: &str = "test";

impl WebhookEvent {
    /// The category of administrators' services that receive it; `None` for an event that only
    /// users' webhooks receive.
    #[must_use]
    pub const fn category(self) -> Option<WebhookCategory> {
        match self {
            Self::UploadCompleted => Some(WebhookCategory::Upload),
            Self::JobCompleted | Self::JobFailed => Some(WebhookCategory::Processing),
            Self::AnalysisCompleted | Self::AnalysisFailed => None,
        }
    }
}

/// A webhook service as it was filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookForm {
    /// Name; required.
    #[validate(length(min = 1, max = MAX_NAME, code = "webhook_name_url_required"))]
    pub name: String,
    /// URL; required.
    #[validate(
        length(min = 1, max = MAX_URL, code = "webhook_name_url_required"),
        url(code = "url_invalid")
    )]
    pub url: String,
    /// Description.
    #[validate(length(max = MAX_DESCRIPTION))]
    pub description: String,
    /// The purpose.
    pub category: WebhookCategory,
    /// Whether it is called.
    pub is_active: bool,
    /// Modes that it recognises instead of the built-in engine; only for the category
    /// transcription.
    pub modes: Vec<TranscriptionType>,
}

impl Default for WebhookForm {
    fn default() -> Self {
        Self {
            name: String::new(),
            url: String::new(),
            description: String::new(),
            category: WebhookCategory::Utility,
            is_active: true,
            modes: Vec::new(),
        }
    }
}

/// Checks a webhook service. The result is trimmed, without invisible characters, and without modes
/// if its category has none.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &WebhookForm) -> Result<Valid<WebhookForm>, Violations> {
    let mut form = WebhookForm {
        name: text::one_line(&form.name).trim().to_owned(),
        url: form.url.trim().to_owned(),
        description: text::lines(&form.description).trim().to_owned(),
        ..form.clone()
    };
    let mut v = form::check(&form, &["name", "url", "description"]);
    form.modes = modes(&form, &mut v);
    v.or(|| Valid::new(form))
}

/// The modes in their usual order.
fn modes(form: &WebhookForm, violations: &mut Violations) -> Vec<TranscriptionType> {
    if form.category != WebhookCategory::Transcription {
        return Vec::new();
    }
    let chosen = |mode: &&TranscriptionType| form.modes.contains(mode);
    let modes: Vec<_> = TranscriptionType::ALL
        .iter()
        .filter(chosen)
        .copied()
        .collect();
    if modes.is_empty() {
        violations.add("modes", Code::ListEmpty);
    } else if modes.len() < form.modes.len() {
        violations.add("modes", Code::Repeated);
    }
    modes
}
