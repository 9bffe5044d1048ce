//! What the pages say of this very server.

use std::sync::Arc;

use slovo_rules::locale::Locale;
use slovo_rules::site::{Edition, SiteSettings};

use crate::offer::Offer;
use crate::page::Name;
use crate::taken::Taken;

/// The product's name, and that of a server without one.
const PRODUCT: &str = "Slovo";

/// Whose server it is, for whom, and what it has done.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// For whom.
    pub edition: Edition,
    /// What its administrators say of it.
    pub settings: Arc<SiteSettings>,
    /// What it has done, as soon as that is worth telling.
    pub figures: Option<Figures>,
    /// Its plans, and what may be promised of them.
    pub offer: Offer,
    /// Which recordings it takes.
    pub taken: Taken,
    /// The forms that are on.
    pub forms: Forms,
    /// What the provider is called whom people can sign in with.
    pub provider: Option<String>,
    /// The token of the draft that these are, which the links of its pages carry on.
    pub preview: Option<String>,
}

/// The forms that a visitor can send. One that an administrator has switched off is not shown, nor
/// is a link to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// To make an account.
    pub sign_up: bool,
    /// To write to whoever runs the server.
    pub contact: bool,
    /// To subscribe to news.
    pub newsletter: bool,
}

impl Default for Forms {
    fn default() -> Self {
        Self {
            sign_up: true,
            contact: true,
            newsletter: true,
        }
    }
}

/// What a server has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Minutes of recordings that have their text.
    pub minutes: i64,
    /// How many recordings those are.
    pub recordings: i64,
    /// Words of their texts.
    pub words: i64,
}

/// A server of which nobody has said anything yet.
impl Default for Own {
    fn default() -> Self {
        Self {
            edition: Edition::Service,
            settings: Arc::default(),
            figures: None,
            offer: Offer::default(),
            taken: Taken::default(),
            forms: Forms::default(),
            provider: None,
            preview: None,
        }
    }
}

impl Own {
    /// Whether anything is sold here.
    #[must_use]
    pub fn sells(&self) -> bool {
        self.edition == Edition::Service
    }

    /// Whether the server has this page.
    #[must_use]
    pub fn shows(&self, page: Name) -> bool {
        page != Name::Pricing || self.sells()
    }

    /// What the server is called.
    pub(crate) fn name(&self) -> &str {
        if self.is_named() {
            &self.settings.server_name
        } else {
            PRODUCT
        }
    }

    /// Whether it has a name of its own.
    pub(crate) fn is_named(&self) -> bool {
        !self.settings.server_name.is_empty()
    }

    /// Who answers for it: by law, or else by its name.
    pub(crate) fn owner(&self, locale: Locale) -> &str {
        self.settings
            .legal_name
            .shown(locale)
            .unwrap_or_else(|| self.name())
    }
}
