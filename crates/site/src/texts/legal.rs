//! Texts of privacy, terms and cookies; and the structure of all text pages.

use serde::Deserialize;

use super::common::texts;

/// A chapter: paragraphs, then a list or a table, then closing paragraphs.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Section {
    pub title: String,
    #[serde(default)]
    pub text: Vec<String>,
    #[serde(default)]
    pub points: Vec<String>,
    #[serde(default)]
    pub rows: Vec<Row>,
    #[serde(default)]
    pub end: Vec<String>,
}

/// A document of named chapters; their order and names are those of the page and its anchors.
macro_rules! chapters {
    ($name:ident { $($chapter:ident,)* }) => {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            pub title: String,
            pub lead: String,
            $($chapter: Section,)*
        }

        impl $name {
            /// Anchors and chapters.
            pub(crate) fn chapters(&self) -> Vec<(&'static str, &Section)> {
                // A chapter named like a keyword is a raw identifier; its anchor omits the `r#`.
                vec![$((stringify!($chapter).trim_start_matches("r#"), &self.$chapter),)*]
            }
        }
    };
}

chapters! {
    Privacy { who, stored, seen, outside, mail, device, yours, rights, safety, changes, }
}

chapters! {
    Terms {
        parties, account, recordings, accuracy, plans, r#use, service, ending, liability, licence,
        changes,
    }
}

texts! {
    Legal {
        contents: String,
        changed: String,
        columns: Columns,
        outside: Outside,
        privacy: Privacy,
        terms: Terms,
        cookies: Cookies,
    }
    Columns {
        what: String,
        why: String,
        how_long: String,
    }
    /// Data that the current configuration sends to other parties.
    Outside {
        title: String,
        nothing: String,
        inside: String,
        speech_endpoint: String,
        language_model: String,
        nocodb: String,
        service: String,
        mail: String,
        sign_in: String,
        fetches: String,
    }
    /// Something that is stored.
    Row {
        what: String,
        detail: String,
        why: String,
        how_long: String,
    }
    /// A heading and a paragraph.
    Paragraph {
        title: String,
        text: String,
    }
    Cookies {
        title: String,
        lead: String,
        columns: CookieColumns,
        kinds: Kinds,
        cookies: Paragraph,
        storage: Paragraph,
        tab: Paragraph,
        database: Paragraph,
        nothing: Paragraph,
        items: Items,
    }
    CookieColumns {
        name: String,
        purpose: String,
        kept: String,
        kind: String,
    }
    Kinds {
        necessary: String,
        preferences: String,
    }
    Item {
        purpose: String,
        kept: String,
    }
    Items {
        locale_cookie: Item,
        consent: Item,
        open: Item,
        sidebar: Item,
        openid: Item,
        session: Item,
        locale: Item,
        theme: Item,
        settings: Item,
        preset: Item,
        tray: Item,
        tus: Item,
        edits: Item,
        player: Item,
        export: Item,
        device: Item,
        hidden_warnings: Item,
        visitor: Item,
        discarded: Item,
        removed: Item,
        lease: Item,
        draft: Item,
        scroll: Item,
        client: Item,
        share: Item,
        google: Item,
        typed: Item,
        uploads: Item,
        voice: Item,
    }
}

/// Texts of the islands that a page also shows without scripts.
#[derive(Deserialize)]
pub(crate) struct Islands {
    pub contact: Outcome,
    pub newsletter: Outcome,
    pub cookies: Choice,
}

/// Messages for the result of a form.
#[derive(Deserialize)]
pub(crate) struct Outcome {
    pub sent: String,
    pub failed: String,
}

/// Texts of the consent form. The dialog has more texts than the page.
#[derive(Deserialize)]
pub(crate) struct Choice {
    pub title: String,
    pub text: String,
    pub necessary: Paragraph,
    pub preferences: Paragraph,
    pub statistics: Paragraph,
    pub save: String,
    pub saved: String,
}
