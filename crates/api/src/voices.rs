//! A remembered voice in responses.

use jiff::Timestamp;
use serde::Serialize;
use slovo_app::http::Problem;
use slovo_db::Connection;
use slovo_db::texts::voices::{self, Voice};
use slovo_platform::clock::from_ms;
use slovo_rules::transcript::rounded;
use slovo_rules::voice::VoiceState;
use utoipa::ToSchema;
use uuid::Uuid;

/// A voice that the account remembers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Voice)]
pub(crate) struct VoiceBody {
    /// Its id.
    id: Uuid,
    /// The name that is proposed for speakers with this voice.
    name: String,
    /// Whether it can be compared.
    state: VoiceState,
    /// Code of why its newest sample could not be computed: too_little_speech (less than five
    /// seconds), recording_missing, recognition_failed, feature_unavailable.
    error: Option<String>,
    /// Seconds of speech that it is made from.
    seconds: f64,
    /// Number of recordings that it is made from, including deleted ones.
    recordings: u32,
    /// When it was first remembered.
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// When its name or its samples were last changed by the user.
    #[schema(value_type = String, format = DateTime)]
    updated_at: Timestamp,
}

impl From<Voice> for VoiceBody {
    fn from(voice: Voice) -> Self {
        Self {
            id: voice.id,
            state: voice.state(),
            name: voice.name,
            error: voice.error,
            seconds: rounded(voice.seconds),
            recordings: u32::try_from(voice.recordings).unwrap_or(u32::MAX),
            created_at: from_ms(voice.created_at),
            updated_at: from_ms(voice.updated_at),
        }
    }
}

/// A voice of the account as it is stored now.
pub(crate) async fn stored(
    connection: &mut Connection,
    user_id: &str,
    id: Uuid,
) -> Result<VoiceBody, Problem> {
    let voice = voices::find(connection, user_id, id).await?;
    voice.map(VoiceBody::from).ok_or_else(Problem::not_found)
}
