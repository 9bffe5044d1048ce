//! What can be shown, and with what.

use std::net::IpAddr;
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
    /// `/changelog`
    Changelog,
    /// `/newsletter` and what its mails lead to.
    Newsletter,
    /// Every address that is nobody's.
    NotFound,
}

impl Name {
    /// The pages that search engines are told of.
    pub const LISTED: [Self; 12] = [
        Self::Home,
        Self::Features,
        Self::Pricing,
        Self::About,
        Self::Contact,
        Self::Docs,
        Self::Api,
        Self::Status,
        Self::Changelog,
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
            Self::Changelog => "/changelog",
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
    /// How data is kept, and whom it goes to.
    Privacy(Recipients),
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
    /// What has changed, by version.
    Changelog,
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
            Self::Privacy(_) => Name::Privacy,
            Self::Terms => Name::Terms,
            Self::Cookies(_) => Name::Cookies,
            Self::Status(_) => Name::Status,
            Self::Docs => Name::Docs,
            Self::Api(_) => Name::Api,
            Self::Changelog => Name::Changelog,
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

/// Whom this server hands data to, as it is configured now. Hosts are shown without paths; those of
/// the server's own network have no name here.
#[derive(Clone, Debug, Default)]
pub struct Recipients {
    /// The language model, if texts leave the machine for it.
    pub language_model: Option<Recipient>,
    /// The base of NocoDB that is kept in step.
    pub nocodb: Option<Recipient>,
    /// Services that are told of recordings and texts: their names and hosts.
    pub services: Vec<(String, Recipient)>,
    /// The relay that mails leave by.
    pub mail: Option<Recipient>,
    /// The provider that people can sign in with.
    pub sign_in: Option<Recipient>,
    /// Whether recordings are fetched from addresses.
    pub fetches: bool,
}

/// Where something goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A host of the internet.
    Host(String),
    /// A machine of the server's own network, or the server itself.
    Inside,
}

impl Recipient {
    /// That of a host as addresses name it. Names and numbers that the internet does not know are
    /// inside: strangers are not told how the network is built.
    #[must_use]
    pub fn of_host(host: &str) -> Self {
        let name = host.trim_start_matches('[').trim_end_matches(']');
        let inside = match name.parse::<IpAddr>() {
            Ok(IpAddr::V4(ip)) => {
                ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified()
            }
            Ok(IpAddr::V6(ip)) => {
                ip.is_loopback()
                    || ip.is_unique_local()
                    || ip.is_unicast_link_local()
                    || ip.is_unspecified()
            }
            Err(_) => {
                let name = name.trim_end_matches('.').to_ascii_lowercase();
                let last = name.rsplit('.').next().unwrap_or_default();
                !name.contains('.')
                    || matches!(
                        last,
                        "local" | "internal" | "lan" | "localhost" | "home" | "arpa"
                    )
            }
        };
        if inside {
            Self::Inside
        } else {
            Self::Host(host.to_owned())
        }
    }
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
