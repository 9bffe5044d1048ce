//! The pages and their data.

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
    /// `/newsletter`, and the targets of links in its mails.
    Newsletter,
    /// Any unknown address.
    NotFound,
}

impl Name {
    /// The pages listed in the sitemap.
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

/// A page with its data.
#[derive(Clone, Debug)]
pub enum Page {
    /// The landing page.
    Home,
    /// Mission, values and questions.
    About,
    /// Features of the product.
    Features,
    /// Plans.
    Pricing,
    /// The contact form with its values.
    Contact(ContactPage),
    /// Data protection, and recipients of data.
    Privacy(Recipients),
    /// Terms of use.
    Terms,
    /// Cookies, and consent to them.
    Cookies(CookiesPage),
    /// The server's status.
    Status(StatusPage),
    /// Documentation for developers.
    Docs,
    /// The API reference.
    Api(Arc<ApiPage>),
    /// Changes by version.
    Changelog,
    /// The newsletter form, and the targets of links in its mails.
    Newsletter(NewsletterPage),
    /// Not found.
    NotFound,
}

impl Page {
    /// The page's name.
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

/// The result of a form that was sent without scripts.
#[derive(Clone, Debug, Default)]
pub enum FormOutcome {
    /// Nothing was sent.
    #[default]
    Not,
    /// It was accepted.
    Accepted,
    /// Some fields are invalid.
    Invalid(Vec<Violation>),
    /// Too many requests for now.
    Limited,
    /// An administrator has disabled the form.
    Off,
    /// The server failed.
    Failed,
}

impl FormOutcome {
    /// The state's name for the islands and the style sheet.
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
    /// The values.
    pub form: ContactForm,
    /// The result of sending it.
    pub sent: FormOutcome,
}

/// Consent to optional cookies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CookiesPage {
    /// Keeping an unfinished message on the device.
    pub preferences: bool,
    /// Counting visits.
    pub statistics: bool,
    /// Whether this was just saved.
    pub saved: bool,
}

/// The newsletter's pages.
#[derive(Clone, Debug)]
pub enum NewsletterPage {
    /// The form, as it was sent.
    Form {
        /// The address entered.
        email: String,
        /// The result of sending it.
        sent: FormOutcome,
    },
    /// A button to confirm, with the mail's token.
    Confirm(String),
    /// It is confirmed.
    Confirmed,
    /// A button to unsubscribe, with the mail's token.
    Leave(String),
    /// It is cancelled.
    Left,
    /// The link is invalid.
    Unknown,
}

/// The recipients of data under the current configuration. Hosts are shown without paths; hosts in
/// the server's own network are not named.
#[derive(Clone, Debug, Default)]
pub struct Recipients {
    /// The language model, if texts leave the machine for it.
    pub language_model: Option<Recipient>,
    /// The speech endpoint that receives recordings.
    pub speech_endpoint: Option<Recipient>,
    /// The synchronised NocoDB base.
    pub nocodb: Option<Recipient>,
    /// Services that receive recordings or transcripts: their names and hosts.
    pub services: Vec<(String, Recipient)>,
    /// The mail relay.
    pub mail: Option<Recipient>,
    /// The identity provider.
    pub sign_in: Option<Recipient>,
    /// Whether recordings are downloaded from URLs.
    pub fetches: bool,
}

/// A recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    /// A host on the internet.
    Host(String),
    /// A machine in the server's own network, or the server itself.
    Inside,
}

impl Recipient {
    /// The recipient for a host in a URL. Names and addresses unknown on the internet are inside:
    /// visitors must not learn how the network is built.
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

/// The server's current status.
#[derive(Clone, Debug)]
pub struct StatusPage {
    /// The program's version.
    pub version: &'static str,
    /// Its parts, in display order.
    pub parts: Vec<(Part, bool)>,
}

/// A part of the server that can fail on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The program, as reported by `/healthz`.
    Program,
    /// The database, as reported by `/readyz`.
    Database,
    /// Speech recognition: its models are installed.
    Engine,
}
