//! What recognises a job.

use slovo_db::webhooks::services::Service;
use slovo_engine::Remote;

/// What recognises a job.
pub(super) enum Recogniser {
    /// A webhook service.
    Service {
        /// The service.
        service: Box<Service>,
        /// Its name in place of a model's.
        name: String,
    },
    /// The speech endpoint.
    Endpoint {
        /// The model for what the endpoint does not answer.
        model: String,
        /// The endpoint.
        remote: Remote,
    },
    /// A model.
    Model(String),
}

impl Recogniser {
    /// The name stored with the text.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Service { name, .. } => name,
            Self::Endpoint { remote, .. } => &remote.name,
            Self::Model(model) => model,
        }
    }
}
