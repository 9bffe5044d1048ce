//! What the pages say about this server.

use std::sync::Arc;

use slovo_rules::locale::Locale;
use slovo_rules::site::{Edition, SiteSettings};

use crate::accepted_files::AcceptedFiles;
use crate::offer::Offer;
use crate::page::Name;

/// The product's name, used by a server without a name.
const PRODUCT: &str = "Slovo";

/// The server's owner, audience and figures.
#[derive(Clone, Debug, PartialEq)]
pub struct SiteInfo {
    /// Its audience.
    pub edition: Edition,
    /// Settings by its administrators.
    pub settings: Arc<SiteSettings>,
    /// Its figures, once they are large enough to show.
    pub figures: Option<Figures>,
    /// Its plans, and what may be promised about them.
    pub offer: Offer,
    /// The recordings it accepts.
    pub accepted_files: AcceptedFiles,
    /// The enabled forms.
    pub forms: Forms,
    /// Name of the identity provider.
    pub provider: Option<String>,
    /// Token of the draft to preview, which the links of its pages pass on.
    pub preview: Option<String>,
}

/// Forms for visitors. A form that an administrator has disabled is not shown or linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forms {
    /// Sign-up.
    pub sign_up: bool,
    /// The contact form.
    pub contact: bool,
    /// The newsletter.
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

/// Figures of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Minutes of recordings with a transcript.
    pub minutes: i64,
    /// Number of those recordings.
    pub recordings: i64,
    /// Words of their transcripts.
    pub words: i64,
}

/// A server without settings.
impl Default for SiteInfo {
    fn default() -> Self {
        Self {
            edition: Edition::Service,
            settings: Arc::default(),
            figures: None,
            offer: Offer::default(),
            accepted_files: AcceptedFiles::default(),
            forms: Forms::default(),
            provider: None,
            preview: None,
        }
    }
}

impl SiteInfo {
    /// Whether this server sells plans.
    #[must_use]
    pub fn sells_plans(&self) -> bool {
        self.edition == Edition::Service
    }

    /// Whether the server has this page.
    #[must_use]
    pub fn has_page(&self, page: Name) -> bool {
        page != Name::Pricing || self.sells_plans()
    }

    /// The server's name.
    pub(crate) fn name(&self) -> &str {
        if self.is_named() {
            &self.settings.server_name
        } else {
            PRODUCT
        }
    }

    /// Whether it has its own name.
    pub(crate) fn is_named(&self) -> bool {
        !self.settings.server_name.is_empty()
    }

    /// The responsible party: the legal name, or else the server's name.
    pub(crate) fn owner(&self, locale: Locale) -> &str {
        self.settings
            .legal_name
            .shown(locale)
            .unwrap_or_else(|| self.name())
    }
}
