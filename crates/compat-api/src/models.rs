//! What the names of models mean.

use slovo_app::state::AppState;
use slovo_rules::mode::TranscriptionType;

/// What a model's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NamedModel {
    /// Mode of recognition.
    pub mode: TranscriptionType,
    /// Whether speakers are told apart.
    pub diarizes: bool,
}

impl NamedModel {
    /// What a request without a model asks for.
    pub(crate) const FULL: Self = Self {
        mode: TranscriptionType::Full,
        diarizes: false,
    };
}

/// The modes of this server and their models.
pub(crate) fn names(state: &AppState) -> Vec<(String, NamedModel)> {
    let serving = state.models.serving().now();
    let mut names: Vec<(String, NamedModel)> = Vec::new();
    for mode in [TranscriptionType::Full, TranscriptionType::Lite] {
        let meaning = NamedModel {
            mode,
            diarizes: false,
        };
        names.push((mode.as_str().to_owned(), meaning));
        let id = serving.model(mode);
        // Both modes may have the same model.
        if names.iter().all(|(name, _)| name != id) {
            names.push((id.to_owned(), meaning));
        }
    }
    names
}

/// What the name of a mode or its model asks for.
pub(crate) fn find(state: &AppState, name: &str) -> Option<NamedModel> {
    let mut names = names(state).into_iter();
    let found = names.find(|(known, _)| known == name);
    found.map(|(_, meaning)| meaning)
}
