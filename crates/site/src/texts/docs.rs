//! Texts of the pages for developers.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::common::texts;
use super::legal::{Paragraph, Section};

texts! {
    Docs {
        title: String,
        lead: String,
        reference: Reference,
        hosting: Section,
        commands: Section,
        verbs: Verbs,
        api: Section,
        steps: Steps,
        clients: Section,
        programs: Programs,
        webhooks: Section,
        assistants: Section,
        errors: Section,
        uploads: Section,
        rules: Section,
        keys: Section,
        columns: KeyColumns,
        reference_page: ReferencePage,
    }
    Reference {
        text: String,
        open: String,
        raw: String,
    }
    Verbs {
        title: String,
        serve: String,
        models: String,
        pull: String,
        backup: String,
        doctor: String,
        export: String,
        admin: String,
        mail: String,
        openapi: String,
        remote: String,
    }
    Steps {
        key: Paragraph,
        upload: Paragraph,
        start: Paragraph,
        follow: Paragraph,
        take: Paragraph,
    }
    Programs {
        open_webui: Paragraph,
        n8n: Paragraph,
        home_assistant: Paragraph,
        bazarr: Paragraph,
        speakr: Paragraph,
        nextcloud: Paragraph,
        obsidian: Paragraph,
        livekit: Paragraph,
        deepgram: Paragraph,
        whisper_cpp: Paragraph,
    }
    KeyColumns {
        does: String,
        keys: String,
        typing: String,
    }
    ReferencePage {
        title: String,
        lead: String,
        back: String,
        open: String,
        bearer: String,
        scope: String,
        no_key: String,
        parameters: String,
        body: String,
        answers: String,
        fields: String,
        values: String,
        required: String,
        objects: String,
        objects_text: String,
        places: BTreeMap<String, String>,
        tags: BTreeMap<String, String>,
    }
}

/// Texts of the player's shortcuts; the file has more.
#[derive(Deserialize)]
pub(crate) struct Player {
    pub back5: String,
    pub forward5: String,
    pub space: String,
    pub keys: PlayerKeys,
}

/// The player's shortcuts.
#[derive(Deserialize)]
pub(crate) struct PlayerKeys {
    pub toggle: String,
    pub slower: String,
    pub faster: String,
    pub r#loop: String,
    pub or: String,
    pub help: String,
}

/// Texts of the editor's shortcuts; the file has more.
#[derive(Deserialize)]
pub(crate) struct Editor {
    pub shortcuts: EditorKeys,
}

/// The editor's shortcuts.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EditorKeys {
    pub edit: String,
    pub split: String,
    pub done: String,
    pub undo: String,
    pub redo: String,
    pub replace: String,
    pub next_unsure: String,
    pub confirm: String,
}
