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

/// How questions are answered on this server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum AssistantMode {
    /// In its own words, by the configured endpoint.
    Endpoint,
    /// By quoting the closest passages of the text.
    Passages,
    /// Questions are not answered.
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

/// The author of a message.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum AssistantRole {
    /// The user.
    User,
    /// The assistant.
    Assistant,
}

/// A question or an answer.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = AssistantMessage)]
pub(crate) struct MessageBody {
    /// Its id.
    id: Uuid,
    /// The author.
    role: AssistantRole,
    /// The text; time codes in an answer are written as `[12:34]`.
    text: String,
    /// The places in the recording that support an answer.
    moments: Vec<Moment>,
    /// The engine that answered.
    engine: Option<EngineName>,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// Whether the answer was interrupted.
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
