//! Webhook services that an administrator registers.

use serde::{Deserialize, Serialize};

use crate::text;
use crate::url;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Longest name, in characters.
pub const MAX_NAME: usize = 200;
/// Longest description, in characters.
pub const MAX_DESCRIPTION: usize = 2000;

wire_enum! {
    /// What the service is for.
    WebhookCategory {
        /// Receives uploads.
        Upload => "upload",
        /// Takes the place of the embedded engine.
        Transcription => "transcription",
        /// Receives finished jobs.
        Processing => "processing",
        /// Anything else.
        Utility => "utility",
    }
}

/// A webhook service as it was filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct WebhookForm {
    /// Name; required.
    pub name: String,
    /// Address; required.
    pub url: String,
    /// Description.
    pub description: String,
    /// What for.
    pub category: WebhookCategory,
    /// Whether it is called.
    pub is_active: bool,
}

impl Default for WebhookForm {
    fn default() -> Self {
        Self {
            name: String::new(),
            url: String::new(),
            description: String::new(),
            category: WebhookCategory::Utility,
            is_active: true,
        }
    }
}

/// Checks a webhook service. The result is trimmed.
///
/// # Errors
/// Every broken rule, in the order of the fields.
pub fn validate(form: &WebhookForm) -> Result<Valid<WebhookForm>, Violations> {
    let mut v = Violations::new();
    let missing = Code::WebhookNameUrlRequired;
    let name = text::required(&mut v, "name", &form.name, missing, MAX_NAME);
    let url = text::required(&mut v, "url", &form.url, missing, url::MAX_URL);
    if !url.is_empty() && !text::longer_than(&url, url::MAX_URL) && !url::is_http(&url) {
        v.add("url", Code::UrlInvalid);
    }
    let description = form.description.trim();
    text::limited(&mut v, "description", description, MAX_DESCRIPTION);
    let description = description.to_owned();
    v.or(|| {
        Valid::new(WebhookForm {
            name,
            url,
            description,
            ..form.clone()
        })
    })
}
