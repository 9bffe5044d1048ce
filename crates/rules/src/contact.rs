//! The contact form and the newsletter form.

use serde::{Deserialize, Serialize};

use crate::account;
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violations};

/// Longest first or last name, in characters.
pub const MAX_NAME: usize = 100;
/// Longest message, in characters.
pub const MAX_MESSAGE: usize = 5000;

/// The contact form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContactForm {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// E-mail address.
    pub email: String,
    /// Message.
    pub message: String,
}

/// Checks a contact form: all four fields are required. The result is trimmed, without characters
/// that could break a line, a mail header or a stored text.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &ContactForm) -> Result<Valid<ContactForm>, Violations> {
    let mut v = Violations::new();
    let first_name = text::required(
        &mut v,
        "first_name",
        &text::one_line(&form.first_name),
        Code::FirstNameRequired,
        MAX_NAME,
    );
    let last_name = text::required(
        &mut v,
        "last_name",
        &text::one_line(&form.last_name),
        Code::LastNameRequired,
        MAX_NAME,
    );
    let email = v
        .take(account::validate_email("email", &form.email))
        .unwrap_or_default();
    let message = text::required(
        &mut v,
        "message",
        &text::lines(&form.message),
        Code::MessageRequired,
        MAX_MESSAGE,
    );
    v.or(|| {
        Valid::new(ContactForm {
            first_name,
            last_name,
            email,
            message,
        })
    })
}

/// Checks the newsletter's e-mail address and returns it normalised.
///
/// # Errors
/// Missing, too long or malformed.
pub fn validate_newsletter(email: &str) -> Result<Valid<String>, Violations> {
    account::validate_email("email", email)
        .map(Valid::new)
        .map_err(Violations::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_taken_out() {
        let form = ContactForm {
            first_name: "Олена\r\nBcc: b@example.com".to_owned(),
            last_name: "\u{202e}Lee\0".to_owned(),
            email: " A@Example.com ".to_owned(),
            message: " one\r\ntwo\0\u{1b}[31m\tthree\n".to_owned(),
        };
        let valid = validate(&form).unwrap();
        assert_eq!(valid.first_name, "Олена  Bcc: b@example.com");
        assert_eq!(valid.last_name, "Lee");
        assert_eq!(valid.email, "a@example.com");
        assert_eq!(valid.message, "one\ntwo[31m\tthree");
        let unseen = ContactForm {
            first_name: "\0".to_owned(),
            message: "\r\u{1b}".to_owned(),
            ..form
        };
        let violations = validate(&unseen).unwrap_err().0;
        let codes: Vec<_> = violations.iter().map(|violation| violation.code).collect();
        assert_eq!(codes, [Code::FirstNameRequired, Code::MessageRequired]);
    }
}
