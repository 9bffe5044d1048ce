//! Accounts, profiles, preferences, contact.

use serde::Serialize;
use slovo_rules::Violations;
use slovo_rules::account::{self, LoginForm, PasswordPolicy, Requirement, SignupForm};
use slovo_rules::contact::{self, ContactForm};
use slovo_rules::convert::{JsResult, from_js, read_name, single, to_js, verdict};
use slovo_rules::profile::{self, ProfileForm};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;

/// One line of the password checklist.
#[derive(Serialize, Tsify)]
pub struct ChecklistLine {
    /// What is asked.
    requirement: Requirement,
    /// Whether the password has it.
    met: bool,
}

/// Checks a sign-up form.
#[wasm_bindgen(js_name = validateSignup)]
pub fn validate_signup(form: &Ts<SignupForm>) -> JsResult<Ts<Violations>> {
    verdict(account::validate_signup(&from_js(form)?))
}

/// Checks a sign-in form.
#[wasm_bindgen(js_name = validateLogin)]
pub fn validate_login(form: &Ts<LoginForm>) -> JsResult<Ts<Violations>> {
    verdict(account::validate_login(&from_js(form)?))
}

/// Checks a new password and its confirmation.
#[wasm_bindgen(js_name = validatePassword)]
pub fn validate_password(
    policy: &Ts<PasswordPolicy>,
    password: &str,
    confirmation: &str,
) -> JsResult<Ts<Violations>> {
    verdict(account::validate_password(
        read_name(policy)?,
        password,
        confirmation,
    ))
}

/// The checklist beside a password field.
#[wasm_bindgen(js_name = passwordChecklist)]
pub fn password_checklist(
    policy: &Ts<PasswordPolicy>,
    password: &str,
) -> JsResult<Vec<Ts<ChecklistLine>>> {
    let lines = account::password_checklist(read_name(policy)?, password).into_iter();
    lines
        .map(|(requirement, met)| to_js(&ChecklistLine { requirement, met }))
        .collect()
}

/// Least number of characters of a policy.
#[wasm_bindgen(js_name = passwordMinLength)]
pub fn password_min_length(policy: &Ts<PasswordPolicy>) -> JsResult<usize> {
    Ok(read_name(policy)?.min_length())
}

/// The e-mail as it is stored and compared.
#[wasm_bindgen(js_name = normalizeEmail)]
#[must_use]
pub fn normalize_email(email: &str) -> String {
    account::normalize_email(email)
}

/// Checks a verification code's length.
#[wasm_bindgen(js_name = validateCode)]
pub fn validate_code(code: &str) -> JsResult<Ts<Violations>> {
    single(account::validate_code(code))
}

/// Checks a profile form.
#[wasm_bindgen(js_name = validateProfile)]
pub fn validate_profile(form: &Ts<ProfileForm>) -> JsResult<Ts<Violations>> {
    verdict(profile::validate(&from_js(form)?))
}

/// Checks an avatar by its first bytes and its size in bytes.
#[wasm_bindgen(js_name = validateAvatar)]
pub fn validate_avatar(first_bytes: &[u8], size: f64) -> JsResult<Ts<Violations>> {
    // The cast saturates: a value that is not a size becomes 0 or the maximum.
    verdict(profile::validate_avatar(first_bytes, size as u64))
}

/// Checks a contact form.
#[wasm_bindgen(js_name = validateContact)]
pub fn validate_contact(form: &Ts<ContactForm>) -> JsResult<Ts<Violations>> {
    verdict(contact::validate(&from_js(form)?))
}

/// Checks the newsletter's e-mail address.
#[wasm_bindgen(js_name = validateNewsletter)]
pub fn validate_newsletter(email: &str) -> JsResult<Ts<Violations>> {
    verdict(contact::validate_newsletter(email))
}
