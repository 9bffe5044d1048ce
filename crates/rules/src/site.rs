//! Administrators' information about the server for its public pages: audience, owner, and contact
//! details.
//!
//! A missing field is empty, and empty fields are not displayed.

use serde::{Deserialize, Serialize};

use crate::account;
use crate::locale::Locale;
use crate::text;
use crate::url;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

pub use figures::{ExampleFigures, MAX_FIGURE};

mod figures;
#[cfg(test)]
mod tests;

/// Longest name of a server, in characters.
pub const MAX_SERVER_NAME: usize = 60;
/// Longest line about a server, its owner or its location, in characters.
pub const MAX_LINE: usize = 300;
/// Longest imprint, in characters.
pub const MAX_IMPRINT: usize = 5000;
/// Longest telephone number, in characters.
pub const MAX_PHONE: usize = 40;
/// Longest URL of an external page, in characters.
pub const MAX_LINK: usize = 300;
/// Maximum number of external pages.
pub const MAX_LINKS: usize = 10;
/// Maximum number of testimonials.
pub const MAX_TESTIMONIALS: usize = 12;
/// Longest testimonial, in characters.
pub const MAX_TESTIMONIAL: usize = 1000;
/// Maximum number of stars.
pub const MAX_RATING: i64 = 5;

/// Minimum digits of a telephone number: short numbers have three.
const MIN_DIGITS: usize = 3;
/// Maximum digits of a telephone number (E.164), plus an extension.
const MAX_DIGITS: usize = 20;

wire_enum! {
    /// Who this server is for.
    Edition {
        /// Customers: with prices, a trial and testimonials.
        Service => "service",
        /// The members of one organisation: nothing is sold.
        Organisation => "organisation",
    }
}

/// A text in both languages of the pages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Words {
    /// Ukrainian.
    pub uk: String,
    /// English.
    pub en: String,
}

impl Words {
    /// The text for pages in this language, else the other language's; `None` if both are empty.
    #[must_use]
    pub fn shown(&self, locale: Locale) -> Option<&str> {
        let (own, other) = match locale {
            Locale::Uk => (&self.uk, &self.en),
            Locale::En => (&self.en, &self.uk),
        };
        [own, other]
            .into_iter()
            .map(String::as_str)
            .find(|text| !text.is_empty())
    }
}

/// An external page of the owner.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SocialLink {
    /// Its name; if empty, its host is shown.
    pub name: String,
    /// Its https address.
    pub url: String,
}

/// A testimonial about this server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Testimonial {
    /// Name of the author.
    pub name: String,
    /// Occupation of the author.
    pub role: String,
    /// The text.
    pub content: String,
    /// Stars, 1 to 5.
    pub rating: i64,
}

/// The server's information on the public pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SiteSettings {
    /// Who the server is for; null if it has not been chosen.
    pub edition: Option<Edition>,
    /// Its name; if empty, the product's name is used.
    pub server_name: String,
    /// Its purpose, in one line.
    pub purpose: Words,
    /// The legally responsible person or organisation.
    pub legal_name: Words,
    /// E-mail address of the owner.
    pub email: String,
    /// Telephone number.
    pub phone: String,
    /// Postal address.
    pub address: Words,
    /// Times at which enquiries are answered.
    pub hours: Words,
    /// Where the server is located.
    pub hosting: Words,
    /// Information required by the law of the owner's country; may have several lines.
    pub imprint: Words,
    /// External pages of the owner.
    pub social: Vec<SocialLink>,
    /// Whether the landing page shows figures.
    pub figures: bool,
    /// The example figures, shown until the server has its own.
    pub example_figures: ExampleFigures,
    /// Whether the landing page shows testimonials.
    pub testimonials: bool,
    /// The owner's testimonials, which replace the examples.
    pub own_testimonials: Vec<Testimonial>,
}

impl Default for SiteSettings {
    fn default() -> Self {
        Self {
            edition: None,
            server_name: String::new(),
            purpose: Words::default(),
            legal_name: Words::default(),
            email: String::new(),
            phone: String::new(),
            address: Words::default(),
            hours: Words::default(),
            hosting: Words::default(),
            imprint: Words::default(),
            social: Vec::new(),
            figures: true,
            example_figures: ExampleFigures::default(),
            testimonials: true,
            own_testimonials: Vec::new(),
        }
    }
}

impl SiteSettings {
    /// The empty fields, which visitors do not see, in order.
    #[must_use]
    pub fn missing(&self) -> Vec<&'static str> {
        let empty = |words: &Words| words.shown(Locale::Uk).is_none();
        [
            ("server_name", self.server_name.is_empty()),
            ("purpose", empty(&self.purpose)),
            ("legal_name", empty(&self.legal_name)),
            ("email", self.email.is_empty()),
            ("phone", self.phone.is_empty()),
            ("address", empty(&self.address)),
            ("hours", empty(&self.hours)),
            ("hosting", empty(&self.hosting)),
            ("imprint", empty(&self.imprint)),
            ("social", self.social.is_empty()),
        ]
        .into_iter()
        .filter_map(|(field, is_empty)| is_empty.then_some(field))
        .collect()
    }
}

/// Checks the information about a server. The result is trimmed and without invisible characters.
/// Addresses reserved for examples are rejected, because nobody can be reached there.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &SiteSettings) -> Result<Valid<SiteSettings>, Violations> {
    let mut v = Violations::new();
    let server_name = line(&mut v, "server_name", &form.server_name, MAX_SERVER_NAME);
    let purpose = words(&mut v, "purpose", &form.purpose);
    let legal_name = words(&mut v, "legal_name", &form.legal_name);
    let email = email(&mut v, &form.email);
    let phone = phone(&mut v, &form.phone);
    let address = words(&mut v, "address", &form.address);
    let hours = words(&mut v, "hours", &form.hours);
    let hosting = words(&mut v, "hosting", &form.hosting);
    let imprint = Words {
        uk: lines(&mut v, "imprint.uk", &form.imprint.uk),
        en: lines(&mut v, "imprint.en", &form.imprint.en),
    };
    let social = list(&mut v, "social", &form.social, MAX_LINKS, social_link);
    let example_figures = figures::validate(&mut v, &form.example_figures);
    let own_testimonials = list(
        &mut v,
        "own_testimonials",
        &form.own_testimonials,
        MAX_TESTIMONIALS,
        testimonial,
    );
    v.or(|| {
        Valid::new(SiteSettings {
            edition: form.edition,
            server_name,
            purpose,
            legal_name,
            email,
            phone,
            address,
            hours,
            hosting,
            imprint,
            social,
            figures: form.figures,
            example_figures,
            testimonials: form.testimonials,
            own_testimonials,
        })
    })
}

/// Validated settings with another edition.
#[must_use]
pub fn with_edition(mut settings: SiteSettings, edition: Edition) -> Valid<SiteSettings> {
    settings.edition = Some(edition);
    Valid::new(settings)
}

/// An optional text of one line.
fn line(v: &mut Violations, field: &str, value: &str, max: usize) -> String {
    // Checked before it is copied: the input may be long.
    text::limited(v, field, value.trim(), max);
    if text::longer_than(value.trim(), max) {
        return String::new();
    }
    text::one_line(value).trim().to_owned()
}

fn words(v: &mut Violations, field: &str, value: &Words) -> Words {
    bilingual(v, field, value, MAX_LINE)
}

/// A line in both languages.
fn bilingual(v: &mut Violations, field: &str, value: &Words, max: usize) -> Words {
    Words {
        uk: line(v, &format!("{field}.uk"), &value.uk, max),
        en: line(v, &format!("{field}.en"), &value.en, max),
    }
}

fn lines(v: &mut Violations, field: &str, value: &str) -> String {
    text::limited(v, field, value.trim(), MAX_IMPRINT);
    if text::longer_than(value.trim(), MAX_IMPRINT) {
        return String::new();
    }
    text::lines(value).trim().to_owned()
}

fn email(v: &mut Violations, email: &str) -> String {
    if email.trim().is_empty() {
        return String::new();
    }
    let Some(email) = v.take(account::validate_email("email", email)) else {
        return String::new();
    };
    let host = email.rsplit('@').next().unwrap_or_default();
    if is_example(host) {
        v.add("email", Code::EmailInvalid);
    }
    email
}

/// A telephone number as users write it: `+`, digits and separators.
fn phone(v: &mut Violations, phone: &str) -> String {
    let phone = line(v, "phone", phone, MAX_PHONE);
    let digits = phone.bytes().filter(u8::is_ascii_digit).count();
    let fits = phone.char_indices().all(|(at, c)| {
        c.is_ascii_digit() || matches!(c, ' ' | '(' | ')' | '-' | '.') || (c == '+' && at == 0)
    });
    let fits = fits && (MIN_DIGITS..=MAX_DIGITS).contains(&digits);
    if !(phone.is_empty() || fits) {
        v.add("phone", Code::PhoneInvalid);
    }
    phone
}

/// Checks the entries of a list, with paths below their positions. If there are too many, none is
/// checked.
fn list<T>(
    v: &mut Violations,
    field: &str,
    entries: &[T],
    max: usize,
    check: impl Fn(&T) -> Result<T, Violations>,
) -> Vec<T> {
    if entries.len() > max {
        v.push(Violation::new(field, Code::TooMany).with("max", max));
        return Vec::new();
    }
    let mut checked = Vec::with_capacity(entries.len());
    for (position, entry) in entries.iter().enumerate() {
        match check(entry) {
            Ok(entry) => checked.push(entry),
            Err(violations) => v.extend_under(&format!("{field}.{position}"), violations),
        }
    }
    checked
}

fn social_link(link: &SocialLink) -> Result<SocialLink, Violations> {
    let mut v = Violations::new();
    let name = line(&mut v, "name", &link.name, MAX_SERVER_NAME);
    let url = link.url.trim();
    if text::longer_than(url, MAX_LINK) {
        v.push(Violation::new("url", Code::TooLong).with("max", MAX_LINK));
    } else if url.is_empty() {
        v.add("url", Code::UrlRequired);
    } else if !is_https(url) || is_example(host_of(url)) {
        v.add("url", Code::UrlNotHttps);
    }
    let name = if name.is_empty() {
        host_of(url).to_owned()
    } else {
        name
    };
    let url = url.to_owned();
    v.or(|| SocialLink { name, url })
}

fn testimonial(entry: &Testimonial) -> Result<Testimonial, Violations> {
    let mut v = Violations::new();
    let name = line(&mut v, "name", &entry.name, MAX_SERVER_NAME);
    if name.is_empty() {
        v.add("name", Code::FullnameRequired);
    }
    let role = line(&mut v, "role", &entry.role, MAX_LINE);
    let content = line(&mut v, "content", &entry.content, MAX_TESTIMONIAL);
    if entry.content.trim().is_empty() {
        v.add("content", Code::MessageRequired);
    }
    if entry.rating < 1 {
        v.push(Violation::new("rating", Code::NumberTooSmall).with("min", 1));
    } else if entry.rating > MAX_RATING {
        v.push(Violation::new("rating", Code::NumberTooLarge).with("max", MAX_RATING));
    }
    let rating = entry.rating;
    v.or(|| Testimonial {
        name,
        role,
        content,
        rating,
    })
}

/// Whether the URL begins with `https://` and has a host.
fn is_https(url: &str) -> bool {
    let scheme = url.get(..8).unwrap_or_default();
    scheme.eq_ignore_ascii_case("https://")
        && url::is_http(url)
        && !url.contains(['"', '<', '>', '`', '\\'])
}

/// The host of a URL, for display.
fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or_default();
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether a host is reserved for examples (RFC 2606).
fn is_example(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let labels: Vec<&str> = host.rsplit('.').take(2).collect();
    match labels.as_slice() {
        [top, rest @ ..] => {
            matches!(*top, "example" | "invalid" | "test" | "localhost")
                || (rest == ["example"] && matches!(*top, "com" | "org" | "net"))
        }
        [] => false,
    }
}
