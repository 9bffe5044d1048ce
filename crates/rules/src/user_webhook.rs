//! Webhooks of users: addresses that are notified of the events of one account's recordings.

use serde::{Deserialize, Serialize};

use crate::form::{self, Validate};
use crate::text;
use crate::url::MAX_URL;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};
use crate::webhook::{MAX_NAME, WebhookEvent};

/// Maximum number of webhooks of an account.
pub const MAX_WEBHOOKS: i64 = 20;
/// Maximum number of folders that a webhook is limited to.
pub const MAX_FOLDERS: usize = 50;

/// A user's webhook as it was filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(deny_unknown_fields)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct UserWebhookForm {
    /// 1 to 200 characters.
    #[validate(length(min = 1, max = MAX_NAME, code = "webhook_name_url_required"))]
    pub name: String,
    /// Where events are sent to; http or https.
    #[validate(
        length(min = 1, max = MAX_URL, code = "webhook_name_url_required"),
        url(code = "url_invalid")
    )]
    pub url: String,
    /// Whether it is called.
    pub is_active: bool,
    /// What it is notified of; at least one.
    pub events: Vec<WebhookEvent>,
    /// Ids of folders: only events of recordings in one of them are sent. At most 50; empty for all
    /// recordings. A folder that is deleted stays here, so that nothing else is sent.
    #[serde(default)]
    pub folders: Vec<String>,
}

/// Checks a user's webhook. The result is trimmed, without invisible characters; each event and each
/// folder occurs once. Whether the folders exist is not checked here.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &UserWebhookForm) -> Result<Valid<UserWebhookForm>, Violations> {
    let wanted = |event: &&WebhookEvent| form.events.contains(event);
    let mut folders = form.folders.clone();
    folders.sort_unstable();
    folders.dedup();
    let form = UserWebhookForm {
        name: text::one_line(&form.name).trim().to_owned(),
        url: form.url.trim().to_owned(),
        is_active: form.is_active,
        events: WebhookEvent::ALL.iter().filter(wanted).copied().collect(),
        folders,
    };
    let mut v = form::check(&form, &["name", "url"]);
    if form.events.is_empty() {
        v.add("events", Code::ListEmpty);
    }
    if form.folders.len() > MAX_FOLDERS {
        v.push(Violation::new("folders", Code::TooMany).with("max", MAX_FOLDERS));
    }
    v.or(|| Valid::new(form))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form() -> UserWebhookForm {
        UserWebhookForm {
            name: " n8n\u{202e} ".to_owned(),
            url: " https://example.com/hook ".to_owned(),
            is_active: true,
            events: vec![
                WebhookEvent::JobFailed,
                WebhookEvent::JobCompleted,
                WebhookEvent::JobFailed,
            ],
            folders: vec!["b".to_owned(), "a".to_owned(), "b".to_owned()],
        }
    }

    #[test]
    fn a_webhook_is_trimmed_and_has_each_event_and_folder_once() {
        let valid = validate(&form()).unwrap();
        assert_eq!(valid.name, "n8n");
        assert_eq!(valid.url, "https://example.com/hook");
        let events = [WebhookEvent::JobCompleted, WebhookEvent::JobFailed];
        assert_eq!(valid.events, events);
        assert_eq!(valid.folders, ["a", "b"]);
    }

    #[test]
    fn all_violations_are_reported() {
        let bad = UserWebhookForm {
            name: String::new(),
            url: "javascript:alert(1)".to_owned(),
            is_active: true,
            events: Vec::new(),
            folders: (0..=MAX_FOLDERS).map(|n| n.to_string()).collect(),
        };
        let refused = validate(&bad).unwrap_err();
        let found: Vec<_> = refused.0.iter().map(|it| (&*it.field, it.code)).collect();
        let expected = [
            ("name", Code::WebhookNameUrlRequired),
            ("url", Code::UrlInvalid),
            ("events", Code::ListEmpty),
            ("folders", Code::TooMany),
        ];
        assert_eq!(found, expected);
    }
}
