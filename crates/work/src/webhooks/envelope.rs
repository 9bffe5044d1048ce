//! The bodies of requests to services.

use jiff::Timestamp;
use serde_json::{Value, json};
use slovo_db::webhooks::deliveries::Delivery;
use slovo_db::webhooks::services::Service;
use slovo_rules::webhook::{TEST_EVENT, WebhookEvent};

use super::links::LinkTarget;
use super::{Message, Webhooks};
use slovo_platform::clock::from_ms;

/// The fields that every body has.
pub(super) fn body(kind: &str, timestamp: Timestamp, data: &Value) -> Value {
    json!({ "type": kind, "timestamp": timestamp.to_string(), "data": data })
}

impl Webhooks {
    /// The message about an event, with fresh links.
    #[must_use]
    pub fn message(&self, delivery: &Delivery) -> Message {
        let mut data = delivery.payload.clone();
        if let Some(job) = delivery.job_id
            && let Some(fields) = data.as_object_mut()
        {
            fields.insert("url".to_owned(), self.page(job).into());
            let thing = match WebhookEvent::parse(&delivery.event_type) {
                Some(WebhookEvent::UploadCompleted) => Some(LinkTarget::Media),
                Some(WebhookEvent::JobCompleted) => Some(LinkTarget::Transcript),
                _ => None,
            };
            let name = match thing {
                Some(LinkTarget::Media) => "media_url",
                _ => "transcript_url",
            };
            let link = thing.and_then(|thing| self.link(delivery.service_id, job, thing));
            if let Some(link) = link {
                fields.insert(name.to_owned(), link.into());
            }
        }
        let at = from_ms(delivery.created_at);
        Message {
            id: delivery.event_id.clone(),
            body: body(&delivery.event_type, at, &data),
        }
    }

    /// A test.
    #[must_use]
    pub fn test_message(&self, service: &Service, id: String) -> Message {
        let data = json!({ "service_id": service.id, "name": service.form.name });
        let mut body = body(TEST_EVENT, self.0.clock.now(), &data);
        body["test"] = true.into();
        Message { id, body }
    }
}
