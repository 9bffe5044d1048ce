//! What this server offers, for `describe`.

use serde_json::{Value, json};
use slovo_app::state::AppState;
use slovo_rules::language;
use slovo_rules::mode::TranscriptionType;

/// The data of the event `info`. Clients wait a second for it, so it loads nothing.
pub(super) fn info(state: &AppState) -> Value {
    let source = json!({"name": "Slovo", "url": state.config.public_url().to_string()});
    let serving = state.models.serving().now();
    let models = [TranscriptionType::Full, TranscriptionType::Lite].map(|mode| {
        json!({
            "name": mode.as_str(),
            "description": serving.model(mode),
            "attribution": source,
            "installed": true,
            "languages": language::offered(mode),
            "version": env!("CARGO_PKG_VERSION"),
        })
    });
    json!({
        "asr": [{
            "name": "Slovo",
            "description": "Speech to text",
            "attribution": source,
            "installed": true,
            "version": env!("CARGO_PKG_VERSION"),
            "models": models,
            "supports_transcript_streaming": true,
        }],
        "tts": [], "handle": [], "intent": [], "wake": [], "mic": [], "snd": [],
    })
}
