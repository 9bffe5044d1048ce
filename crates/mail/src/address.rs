//! E-mail addresses that SMTP can carry.
//!
//! The rules accept more e-mail addresses than mail servers do. Here an address must consist of
//! plain ASCII atoms, so that it cannot end a header, a command or an angle bracket. Domains with
//! other letters are sent in their ASCII form (IDNA).

use std::fmt;

use anyhow::{Context, Result, ensure};
use lettre::Address;
use lettre::message::Mailbox;
use url::Url;

use crate::MailError;

/// Longest name of a sender, in characters.
const MAX_NAME: usize = 100;
/// Longest local part, in bytes (RFC 5321, section 4.5.3.1.1).
const MAX_LOCAL: usize = 64;
/// Longest domain, in bytes (RFC 5321, section 4.5.3.1.2, less the dot of the root).
const MAX_DOMAIN: usize = 253;

/// A recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipient(Address);

impl Recipient {
    /// Parses an address.
    ///
    /// # Errors
    /// [`MailError::Address`] with the reason, if SMTP cannot carry it.
    pub fn parse(text: &str) -> Result<Self, MailError> {
        let refused = |reason| Err(MailError::Address(reason));
        let Some((local, domain)) = text.split_once('@') else {
            return refused("it has no @");
        };
        if !local.is_ascii() {
            return refused("the part before the @ has non-ASCII characters");
        }
        if local.len() > MAX_LOCAL {
            return refused("the part before the @ is too long");
        }
        let is_atom = |atom: &str| !atom.is_empty() && atom.bytes().all(is_atom_byte);
        if !local.split('.').all(is_atom) {
            return refused("the part before the @ has characters that mail servers reject");
        }
        let Some(domain) = domain_in_ascii(domain) else {
            return refused("the part after the @ is not a domain name");
        };
        match Address::new(local, domain) {
            Ok(address) => Ok(Self(address)),
            Err(_) => refused("mail servers reject it"),
        }
    }

    /// The address as written on the envelope.
    pub fn as_str(&self) -> &str {
        self.0.as_ref()
    }

    pub(crate) fn address(&self) -> Address {
        self.0.clone()
    }
}

/// RFC 5322's `atext`.
const fn is_atom_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-')
        || matches!(byte, b'/' | b'=' | b'?' | b'^'..=b'`' | b'{'..=b'~')
}

/// The ASCII form of a domain name; `None` if it is invalid or an IP address.
fn domain_in_ascii(domain: &str) -> Option<String> {
    let is_name = |c: char| c.is_alphanumeric() || c == '-' || c == '.' || is_mark(c);
    if domain.is_empty() || !domain.chars().all(is_name) {
        return None;
    }
    // Host names are parsed as browsers do, because the sign-up page used the same parser.
    let url = Url::parse(&format!("http://{domain}/")).ok()?;
    let host = url.domain()?;
    let is_label =
        |label: &str| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
    (host.len() <= MAX_DOMAIN && host.split('.').all(is_label)).then(|| host.to_owned())
}

/// Combining marks of some scripts are not alphanumeric; IDNA validates them. ASCII characters must
/// be alphanumeric.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && !c.is_control() && !c.is_whitespace()
}

/// The sender of mails.
#[derive(Clone, Debug)]
pub struct Sender(Mailbox);

impl Sender {
    /// Parses `Name <address>` or a bare address.
    ///
    /// # Errors
    /// The message says what is wrong.
    pub fn parse(text: &str) -> Result<Self> {
        let text = text.trim();
        let parts = text
            .strip_suffix('>')
            .and_then(|rest| rest.rsplit_once('<'));
        let (name, address) = parts.unwrap_or(("", text));
        let name = name.trim();
        let quoted = name
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'));
        let name = quoted.unwrap_or(name);
        ensure!(
            !name.chars().any(char::is_control),
            "the name has control characters"
        );
        ensure!(
            name.chars().count() <= MAX_NAME,
            "the name has more than {MAX_NAME} characters"
        );
        let address = Recipient::parse(address)?.address();
        let name = (!name.is_empty()).then(|| name.to_owned());
        Ok(Self(Mailbox::new(name, address)))
    }

    /// Slovo at this domain, or at localhost if there is none.
    ///
    /// # Errors
    /// If the domain cannot send mail.
    pub fn of_host(domain: Option<&str>) -> Result<Self> {
        let domain = domain.unwrap_or("localhost");
        let address = Recipient::parse(&format!("slovo@{domain}"))
            .with_context(|| format!("mail cannot be sent from {domain}"))?;
        Ok(Self(Mailbox::new(
            Some("Slovo".to_owned()),
            address.address(),
        )))
    }

    pub(crate) fn mailbox(&self) -> &Mailbox {
        &self.0
    }
}

impl fmt::Display for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_valid_in_smtp_are_accepted() {
        for (input, expected) in [
            ("a@example.com", "a@example.com"),
            ("root@localhost", "root@localhost"),
            (
                "o'neil+tag_1.x~y@mail.example.com",
                "o'neil+tag_1.x~y@mail.example.com",
            ),
            ("user@Bücher.example", "user@xn--bcher-kva.example"),
            ("user@пошта.укр", "user@xn--80a1acn3a.xn--j1amh"),
        ] {
            let recipient = Recipient::parse(input).unwrap();
            assert_eq!(recipient.as_str(), expected);
        }
    }

    #[test]
    fn addresses_that_could_inject_headers_or_commands_are_refused() {
        let long_local = format!("{}@example.com", "a".repeat(65));
        let long_domain = format!("a@{}com", "label.".repeat(50));
        let long_label = format!("a@{}.com", "a".repeat(64));
        for wrong in [
            "",
            "a",
            "@example.com",
            "a@",
            "a@@example.com",
            "a@b@example.com",
            "a@example.com\r\nBcc: b@example.com",
            "a\r\nRCPT TO:<b@example.com>@example.com",
            "a\nb@example.com",
            "a b@example.com",
            " a@example.com",
            "a@example.com ",
            "a@exam\u{0}ple.com",
            "a\u{7f}@example.com",
            "\"a\"@example.com",
            "\"a\r\nb\"@example.com",
            "a<b@example.com",
            "a>@example.com",
            "<a@example.com>",
            "a,b@example.com",
            "a;b@example.com",
            "a:b@example.com",
            "a\\b@example.com",
            "a(comment)@example.com",
            ".a@example.com",
            "a.@example.com",
            "a..b@example.com",
            "a@example..com",
            "a@.example.com",
            "a@-example.com",
            "a@example.com:25",
            "a@example.com/path",
            "a@example.com?x",
            "a@example.com#x",
            "a@ex%61mple.com",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@2130706433",
            "a@[::1]",
            "a@exa\u{202e}mple.com",
            "a@example\u{2028}.com",
            "адреса@example.com",
            "аdmin@example.com",
            &long_local,
            &long_domain,
            &long_label,
        ] {
            let error = Recipient::parse(wrong).unwrap_err();
            assert!(matches!(error, MailError::Address(_)), "{wrong:?}");
            assert!(error.is_permanent());
        }
    }

    #[test]
    fn a_sender_name_may_have_any_letters() {
        for (input, expected) in [
            ("mail@example.com", "mail@example.com"),
            ("Slovo <mail@example.com>", "Slovo <mail@example.com>"),
            (
                "\"Slovo, Inc.\" <mail@example.com>",
                "\"Slovo, Inc.\" <mail@example.com>",
            ),
            ("<mail@example.com>", "mail@example.com"),
        ] {
            assert_eq!(Sender::parse(input).unwrap().to_string(), expected);
        }
        for name in ["Слово", "Слово, \"Київ\"", "\"Київ\" і Львів"] {
            let sender = Sender::parse(&format!("{name} <mail@example.com>")).unwrap();
            assert_eq!(sender.mailbox().name.as_deref(), Some(name));
        }
        for wrong in [
            "",
            "Slovo",
            "a\r\nb <mail@example.com>",
            "Slovo <a@b@c>",
            "<<a@b.c>>",
        ] {
            assert!(Sender::parse(wrong).is_err(), "{wrong:?}");
        }
        assert!(Sender::parse(&format!("{} <a@b.c>", "a".repeat(101))).is_err());
    }
}
