//! What can be shown, and with what.

use std::sync::Arc;

use slovo_rules::contact::ContactForm;
use slovo_rules::violation::Violation;

use crate::api_page::ApiPage;

/// The public pages by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// `/`
    Home,
    /// `/about`
    About,
    /// `/features`
    Features,
    /// `/pricing`
    Pricing,
    /// `/contact`
    Contact,
    /// `/privacy`
    Privacy,
    /// `/terms`
    Terms,
    /// `/cookies`
    Cookies,
    /// `/status`
    Status,
    /// `/docs`
    Docs,
    /// `/docs/api`
    Api,
    /// `/newsletter` and what its mails lead to.
    Newsletter,
    /// Every address that is nobody's.
    NotFound,
}

impl Name {
    /// The pages that search engines are told of.
    pub const LISTED: [Self; 11] = [
        Self::Home,
        Self::Features,
        Self::Pricing,
        Self::About,
        Self::Contact,
        Self::Docs,
        Self::Api,
        Self::Status,
        Self::Privacy,
        Self::Terms,
        Self::Cookies,
    ];

    /// The page's path.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Home | Self::NotFound => "/",
            Self::About => "/about",
            Self::Features => "/features",
            Self::Pricing => "/pricing",
            Self::Contact => "/contact",
            Self::Privacy => "/privacy",
            Self::Terms => "/terms",
            Self::Cookies => "/cookies",
            Self::Status => "/status",
            Self::Docs => "/docs",
            Self::Api => "/docs/api",
            Self::Newsletter => "/newsletter",
        }
    }
}

/// A page with what it shows.
#[derive(Clone, Debug)]
pub enum Page {
    /// The landing page.
    Home,
    /// Mission, values, questions.
    About,
    /// What the product does.
    Features,
    /// Plans.
    Pricing,
    /// The contact form, as it was filled in.
    Contact(ContactPage),
    /// How data is kept.
    Privacy,
    /// Terms of use.
    Terms,
    /// Cookies, and the choice of them.
    Cookies(CookiesPage),
    /// Whether the server works.
    Status(StatusPage),
    /// For developers.
    Docs,
    /// The API, as its own document says.
    Api(Arc<ApiPage>),
    /// What the newsletter's form and its mails lead to.
    Newsletter(NewsletterPage),
    /// There is no such page.
    NotFound,
}

impl Page {
    /// Which page it is.
    #[must_use]
    pub const fn name(&self) -> Name {
        match self {
            Self::Home => Name::Home,
            Self::About => Name::About,
            Self::Features => Name::Features,
            Self::Pricing => Name::Pricing,
            Self::Contact(_) => Name::Contact,
            Self::Privacy => Name::Privacy,
            Self::Terms => Name::Terms,
            Self::Cookies(_) => Name::Cookies,
            Self::Status(_) => Name::Status,
            Self::Docs => Name::Docs,
            Self::Api(_) => Name::Api,
            Self::Newsletter(_) => Name::Newsletter,
            Self::NotFound => Name::NotFound,
        }
    }
}

/// What became of a form that was sent without scripts.
#[derive(Clone, Debug, Default)]
pub enum Sent {
    /// Nothing was sent yet.
    #[default]
    Not,
    /// It was accepted.
    Accepted,
    /// Fields are to be mended.
    Invalid(Vec<Violation>),
    /// Too many for now.
    Limited,
    /// An administrator has switched the form off.
    Off,
    /// The server could not.
    Failed,
}

impl Sent {
    /// As the islands and the style sheet know it.
    pub(crate) const fn state(&self) -> Option<&'static str> {
        match self {
            Self::Not => None,
            Self::Accepted => Some("sent"),
            Self::Invalid(_) | Self::Limited | Self::Off | Self::Failed => Some("failed"),
        }
    }
}

/// The contact form.
#[derive(Clone, Debug, Default)]
pub struct ContactPage {
    /// What was filled in.
    pub form: ContactForm,
    /// What became of it.
    pub sent: Sent,
}

/// Which optional cookies are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CookiesPage {
    /// To keep an unfinished message on the device.
    pub preferences: bool,
    /// To count visits.
    pub statistics: bool,
    /// Whether this has just been saved.
    pub saved: bool,
}

/// The newsletter's pages.
#[derive(Clone, Debug)]
pub enum NewsletterPage {
    /// The form alone, as it was sent.
    Form {
        /// The address that was filled in.
        email: String,
        /// What became of it.
        sent: Sent,
    },
    /// A button that confirms, with the mail's token.
    Confirm(String),
    /// It is confirmed.
    Confirmed,
    /// A button that ends a subscription, with the mail's token.
    Leave(String),
    /// It has ended.
    Left,
    /// The link is no good.
    Unknown,
}

/// The server's condition now.
#[derive(Clone, Debug)]
pub struct StatusPage {
    /// The program's version.
    pub version: &'static str,
    /// Its parts, in the order in which they are shown.
    pub parts: Vec<(Part, bool)>,
}

/// A part of the server that can fail by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The program, as `/healthz` says.
    Program,
    /// The database, as `/readyz` says.
    Database,
    /// Recognition of speech: its models are installed.
    Engine,
}
