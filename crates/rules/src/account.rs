//! Sign-up, sign-in, passwords, and initials.

use serde::{Deserialize, Serialize};

use crate::form::{self, Validate};
use crate::text;
use crate::valid::Valid;
use crate::violation::{Code, Violation, Violations};

/// Longest e-mail address, in characters (RFC 5321's path limit).
pub const MAX_EMAIL: usize = 254;
/// Longest password, in characters: far above any real one; it bounds the hashing work.
pub const MAX_PASSWORD: usize = 1024;
/// Characters of a verification code.
pub const VERIFICATION_CODE_LENGTH: usize = 5;
/// How long a code is valid, in minutes.
pub const CODE_MINUTES: i64 = 15;
/// How long a sign-up can be completed, in hours.
pub const REGISTRATION_HOURS: i64 = 24;
/// How long the link for a forgotten password is valid, in hours.
pub const RESET_LINK_HOURS: u32 = 1;
/// How long a password link sent by an administrator is valid, in hours.
pub const SENT_LINK_HOURS: u32 = 24;
/// How long a sign-in with another provider may take, in minutes.
pub const OPENID_MINUTES: i64 = 10;
/// How long an access token is valid, in minutes.
pub const ACCESS_TOKEN_MINUTES: i64 = 15;
/// How long a persistent session lasts without use, in days.
pub const SESSION_DAYS: i64 = 30;
/// How long a session lasts that ends with the browser, in hours: a stolen token is not useful for
/// weeks. Longer than a working day in an open tab.
pub const TEMPORARY_SESSION_HOURS: i64 = 24;
/// How long an invitation is valid, in days: the recipient does not expect it.
pub const INVITATION_DAYS: u32 = 3;
/// Maximum number of letters in initials.
pub const MAX_INITIALS: usize = 2;

wire_enum! {
    /// Where a password is set. The requirements are the same everywhere.
    PasswordPolicy {
        /// At sign-up: 12 characters with the four classes.
        Signup => "signup",
        /// When a forgotten one is reset: as at sign-up.
        Reset => "reset",
        /// When it is changed in the settings: as at sign-up.
        Change => "change",
    }
}

/// The policy of the sign-up form.
pub const SIGNUP: PasswordPolicy = PasswordPolicy::Signup;
/// The policy of the reset form.
pub const RESET: PasswordPolicy = PasswordPolicy::Reset;
/// The policy of the settings page.
pub const CHANGE: PasswordPolicy = PasswordPolicy::Change;

wire_enum! {
    /// One line of the password checklist.
    Requirement {
        /// At least as many characters as the policy asks.
        MinLength => "min_length",
        /// One uppercase letter.
        Uppercase => "uppercase",
        /// One lowercase letter.
        Lowercase => "lowercase",
        /// One digit.
        Number => "number",
        /// One character besides letters and digits.
        Special => "special",
    }
}

impl PasswordPolicy {
    /// Minimum number of characters.
    #[must_use]
    pub const fn min_length(self) -> usize {
        match self {
            Self::Signup | Self::Reset | Self::Change => 12,
        }
    }

    /// The password requirements, in the order of the checklist.
    #[must_use]
    pub const fn requirements(self) -> &'static [Requirement] {
        match self {
            Self::Signup | Self::Reset | Self::Change => Requirement::ALL,
        }
    }
}

/// The sign-up form as it was filled in.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SignupForm {
    /// E-mail address.
    #[validate(
        length(min = 1, max = MAX_EMAIL, code = "email_required"),
        email(code = "email_invalid")
    )]
    pub email: String,
    /// Password.
    pub password: String,
    /// The password, repeated.
    pub confirm_password: String,
    /// Whether terms and privacy policy are agreed to.
    pub terms: bool,
}

/// A validated new account.
#[derive(Clone, PartialEq, Eq)]
pub struct NewAccount {
    /// Trimmed and lower-cased.
    pub email: String,
    /// As typed.
    pub password: String,
}

/// The sign-in form as it was filled in.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize, Validate)]
#[serde(default)]
#[validate(crate = "crate::form")]
#[cfg_attr(feature = "wasm", derive(tsify::Tsify))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LoginForm {
    /// E-mail address.
    #[validate(
        length(min = 1, max = MAX_EMAIL, code = "email_required"),
        email(code = "email_invalid")
    )]
    pub email: String,
    /// Password.
    pub password: String,
}

// Keeps passwords out of logs.
impl std::fmt::Debug for SignupForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SignupForm")
            .field("email", &self.email)
            .field("terms", &self.terms)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for NewAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewAccount")
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for LoginForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LoginForm")
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}

/// Checks a sign-up form.
///
/// # Errors
/// All violations: e-mail, then the password's, then the confirmation, then the terms.
pub fn validate_signup(form: &SignupForm) -> Result<Valid<NewAccount>, Violations> {
    let mut violations = if form.email.trim().is_empty() && form.password.is_empty() {
        Violation::new("email", Code::CredentialsRequired).into()
    } else {
        let mut violations = form::check(form, &["email"]);
        violations
            .0
            .extend(password_violations(SIGNUP, &form.password));
        violations
    };
    if form.password != form.confirm_password {
        violations.add("confirm_password", Code::PasswordsDoNotMatch);
    }
    if !form.terms {
        violations.add("terms", Code::TermsRequired);
    }
    violations.or(|| {
        Valid::new(NewAccount {
            email: normalize_email(&form.email),
            password: form.password.clone(),
        })
    })
}

/// Checks a sign-in form: both fields are filled in and the e-mail is well-formed. The result has
/// the normalised e-mail.
///
/// # Errors
/// All violations. The password policy is not applied to an existing password.
pub fn validate_login(form: &LoginForm) -> Result<Valid<LoginForm>, Violations> {
    let mut violations = form::check(form, &["email"]);
    if form.password.is_empty() {
        violations.add("password", Code::PasswordRequired);
    } else if text::longer_than(&form.password, MAX_PASSWORD) {
        violations
            .push(Violation::new("password", Code::PasswordTooLong).with("max", MAX_PASSWORD));
    }
    violations.or(|| {
        Valid::new(LoginForm {
            email: normalize_email(&form.email),
            password: form.password.clone(),
        })
    })
}

/// Checks a new password and its confirmation against a policy.
///
/// # Errors
/// All violations, on the fields `password` and `confirm_password`.
pub fn validate_password(
    policy: PasswordPolicy,
    password: &str,
    confirmation: &str,
) -> Result<(), Violations> {
    let mut violations = Violations(password_violations(policy, password));
    if password != confirmation {
        violations.add("confirm_password", Code::PasswordsDoNotMatch);
    }
    violations.or(|| ())
}

/// The violation for a password that is too easy to guess. Only the server, which has the
/// dictionaries, can detect it.
#[must_use]
pub fn weak_password() -> Violation {
    Violation::new("password", Code::PasswordWeak)
}

/// An e-mail address on its own.
#[derive(Validate)]
#[validate(crate = "crate::form")]
struct EmailForm<'a> {
    #[validate(
        length(min = 1, max = MAX_EMAIL, code = "email_required"),
        email(code = "email_invalid")
    )]
    email: &'a str,
}

/// Checks an e-mail address and returns it normalised.
///
/// # Errors
/// Missing, too long, or not of the form name, @, domain with a dot.
pub fn validate_email(field: &str, email: &str) -> Result<String, Violation> {
    match form::check(&EmailForm { email }, &[]).0.pop() {
        Some(violation) => Err(Violation {
            field: field.to_owned(),
            ..violation
        }),
        None => Ok(normalize_email(email)),
    }
}

/// The e-mail as it is stored and compared: trimmed and lower-cased.
#[must_use]
pub fn normalize_email(email: &str) -> String {
    email.trim().to_lowercase()
}

/// The checklist beside a password field: each requirement and whether it is met.
#[must_use]
pub fn password_checklist(policy: PasswordPolicy, password: &str) -> Vec<(Requirement, bool)> {
    policy
        .requirements()
        .iter()
        .map(|requirement| (*requirement, is_met(policy, *requirement, password)))
        .collect()
}

/// Checks the length of a verification code after trimming. Only the server can compare the code.
///
/// # Errors
/// It does not have five characters.
pub fn validate_code(code: &str) -> Result<(), Violation> {
    let code = code.trim();
    let complete = !text::longer_than(code, VERIFICATION_CODE_LENGTH)
        && text::length(code) == VERIFICATION_CODE_LENGTH;
    if complete {
        return Ok(());
    }
    Err(Violation::new("code", Code::CodeLength).with("length", VERIFICATION_CODE_LENGTH))
}

/// Initials for the avatar: the first letters of the name's words, at most two, in upper case; else
/// the first two letters of the e-mail, else `U`.
#[must_use]
pub fn initials(name: &str, email: &str) -> String {
    let of_name: String = name
        .split_whitespace()
        .filter_map(|word| word.chars().find(|c| c.is_alphanumeric()))
        .take(MAX_INITIALS)
        .collect();
    if !of_name.is_empty() {
        return upper(&of_name);
    }
    let of_email: String = email
        .chars()
        .filter(|c| c.is_alphanumeric())
        .take(MAX_INITIALS)
        .collect();
    if of_email.is_empty() {
        "U".to_owned()
    } else {
        upper(&of_email)
    }
}

/// Upper case, letter by letter: `ß` would become two letters, so only the first is kept.
fn upper(letters: &str) -> String {
    letters
        .chars()
        .filter_map(|letter| letter.to_uppercase().next())
        .collect()
}

fn password_violations(policy: PasswordPolicy, password: &str) -> Vec<Violation> {
    if password.is_empty() {
        return vec![Violation::new("password", Code::PasswordRequired)];
    }
    if text::longer_than(password, MAX_PASSWORD) {
        return vec![Violation::new("password", Code::PasswordTooLong).with("max", MAX_PASSWORD)];
    }
    let unmet = password_checklist(policy, password)
        .into_iter()
        .filter(|(_, met)| !met);
    unmet
        .map(|(requirement, _)| requirement_violation(policy, requirement))
        .collect()
}

fn requirement_violation(policy: PasswordPolicy, requirement: Requirement) -> Violation {
    let code = match requirement {
        Requirement::MinLength => {
            return Violation::new("password", Code::PasswordTooShort)
                .with("min", policy.min_length());
        }
        Requirement::Uppercase => Code::PasswordNoUppercase,
        Requirement::Lowercase => Code::PasswordNoLowercase,
        Requirement::Number => Code::PasswordNoNumber,
        Requirement::Special => Code::PasswordNoSpecial,
    };
    Violation::new("password", code)
}

fn is_met(policy: PasswordPolicy, requirement: Requirement, password: &str) -> bool {
    match requirement {
        Requirement::MinLength => text::longer_than(password, policy.min_length() - 1),
        Requirement::Uppercase => password.chars().any(char::is_uppercase),
        Requirement::Lowercase => password.chars().any(char::is_lowercase),
        Requirement::Number => password.chars().any(|c| c.is_ascii_digit()),
        Requirement::Special => password.chars().any(|c| !c.is_alphanumeric()),
    }
}
