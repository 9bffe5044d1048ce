//! The contact form and the newsletter form.

use serde::{Deserialize, Serialize};

use crate::account::{self, MAX_EMAIL};
use crate::form::{self, Validate};
use crate::text;
use crate::valid::Valid;
use crate::violation::Violations;

/// Longest first or last name, in characters.
pub const MAX_NAME: usize = 100;
/// Longest message, in characters.
pub const MAX_MESSAGE: usize = 5000;

/// How long the link that confirms a newsletter works, in days. The address is deleted after that.
pub const CONFIRM_DAYS: u32 = 7;
/// How long an unsubscribed address is kept, in days: so that external copies of the list can be
/// updated.
pub const UNSUBSCRIBED_DAYS: i64 = 30;

/// The contact form.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ContactForm {
    /// First name.
    #[validate(length(min = 1, max = MAX_NAME, code = "first_name_required"))]
    pub first_name: String,
    /// Last name.
    #[validate(length(min = 1, max = MAX_NAME, code = "last_name_required"))]
    pub last_name: String,
    /// E-mail address.
    #[validate(
        length(min = 1, max = MAX_EMAIL, code = "email_required"),
        email(code = "email_invalid")
    )]
    pub email: String,
    /// Message.
    #[validate(length(min = 1, max = MAX_MESSAGE, code = "message_required"))]
    pub message: String,
}

/// Checks a contact form: all four fields are required. The result is trimmed, without characters
/// that could break a line, a mail header or a stored text.
///
/// # Errors
/// All violations, in the order of the fields.
pub fn validate(form: &ContactForm) -> Result<Valid<ContactForm>, Violations> {
    let mut form = ContactForm {
        first_name: text::one_line(&form.first_name).trim().to_owned(),
        last_name: text::one_line(&form.last_name).trim().to_owned(),
        email: form.email.clone(),
        message: text::lines(&form.message).trim().to_owned(),
    };
    let fields = ["first_name", "last_name", "email", "message"];
    form::check(&form, &fields).or(|| {
        form.email = account::normalize_email(&form.email);
        Valid::new(form)
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
    use crate::violation::Code;

    #[test]
    fn invisible_characters_are_removed() {
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
        let invisible = ContactForm {
            first_name: "\0".to_owned(),
            message: "\r\u{1b}".to_owned(),
            ..form
        };
        let violations = validate(&invisible).unwrap_err().0;
        let codes: Vec<_> = violations.iter().map(|violation| violation.code).collect();
        assert_eq!(codes, [Code::FirstNameRequired, Code::MessageRequired]);
    }
}
