//! Questions about a job's text, and their answers.

use jiff::Timestamp;
use serde::Serialize;
use slovo_db::texts::assistant::{Message, Role};
use slovo_platform::clock::from_ms;
use slovo_rules::analysis::{EngineName, Moment};
use slovo_work::analysis::engines::Engines;
use utoipa::ToSchema;
use uuid::Uuid;

pub(super) mod ask;
pub(super) mod clear;
pub(super) mod get;

/// How questions are answered here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum AssistantMode {
    /// In words of its own, by the configured endpoint.
    Endpoint,
    /// By quoting the closest passages.
    Passages,
    /// Not at all.
    None,
}

impl AssistantMode {
    fn of(engines: &Engines) -> Self {
        if engines.answers.is_some() {
            Self::Endpoint
        } else if engines.passages.is_some() {
            Self::Passages
        } else {
            Self::None
        }
    }
}

/// Who says something.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AssistantRole {
    /// Who asks.
    User,
    /// What answers.
    Assistant,
}

/// A question or an answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AssistantMessage)]
pub(crate) struct MessageBody {
    /// Its id.
    id: Uuid,
    /// Who says it.
    role: AssistantRole,
    /// What is said; an answer's time codes stand in it as `[12:34]`.
    text: String,
    /// The places that an answer rests on.
    moments: Vec<Moment>,
    /// What answers.
    engine: Option<EngineName>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Whether the answer was broken off.
    incomplete: bool,
}

impl From<Message> for MessageBody {
    fn from(message: Message) -> Self {
        Self {
            id: message.id,
            role: match message.role {
                Role::User => AssistantRole::User,
                Role::Assistant => AssistantRole::Assistant,
            },
            text: message.text,
            moments: message.moments,
            engine: message.engine,
            created_at: from_ms(message.created_at),
            incomplete: message.incomplete,
        }
    }
}
