//! Finds or creates the account of a user whom the provider has identified.

use slovo_db::Connection;
use slovo_db::accounts::identities::{self, Handoff};
use slovo_db::accounts::{self, Account, Status, preferences, profiles};
use slovo_rules::account::validate_email;
use slovo_rules::preferences::Preferences;
use slovo_rules::profile::ProfileForm;
use slovo_rules::sign_in::SignInOutcome;

use super::Person;
use super::attempt::Attempt;
use crate::auth::session::{new_token, token_hash};
use crate::auth::{Parts, new_account};

/// How long the page may take to fetch its session, in seconds.
pub const HANDOFF_SECONDS: i64 = 60;

/// Why the user was not signed in.
pub enum SignInError {
    /// The request does not belong to a sign-in that this browser began: anyone can make such a
    /// request.
    ForeignRequest(&'static str),
    /// The provider refused, could not be reached, or sent an invalid response.
    Failed(anyhow::Error),
    /// The provider has not verified their address, so it must not lead to an account.
    Unverified,
    /// An administrator has blocked their account.
    Blocked,
    /// They have no account, and an administrator has closed sign-up.
    Closed,
    /// The database failed.
    Database(slovo_db::Error),
}

impl From<anyhow::Error> for SignInError {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<slovo_db::Error> for SignInError {
    fn from(error: slovo_db::Error) -> Self {
        Self::Database(error)
    }
}

impl SignInError {
    /// The problem code for the page.
    pub fn problem(&self) -> &'static str {
        match self {
            Self::ForeignRequest(_) | Self::Failed(_) | Self::Database(_) => "google_failed",
            Self::Unverified => "google_unverified",
            Self::Blocked => "account_blocked",
            Self::Closed => "signup_closed",
        }
    }

    /// The outcome to record; none for failures that anyone can cause.
    pub fn outcome(&self) -> Option<SignInOutcome> {
        match self {
            Self::ForeignRequest(_) | Self::Closed | Self::Database(_) => None,
            Self::Failed(_) => Some(SignInOutcome::ProviderFailed),
            Self::Unverified => Some(SignInOutcome::Unverified),
            Self::Blocked => Some(SignInOutcome::Blocked),
        }
    }

    /// Logs the error.
    pub fn log(&self) {
        match self {
            Self::ForeignRequest(why) => tracing::debug!(why, "not a sign-in of this browser"),
            Self::Failed(error) => {
                tracing::warn!(error = format!("{error:#}"), "a sign-in with Google failed");
            }
            Self::Database(error) => tracing::error!(%error, "a sign-in with Google failed"),
            Self::Unverified | Self::Blocked | Self::Closed => {}
        }
    }

    /// Whether another sign-in of the same user was faster.
    fn is_race_conflict(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        matches!(
            error.constraint(),
            Some("accounts_email_key" | "identities_pkey")
        )
    }
}

/// A sign-in on its way to the page.
pub struct PendingHandoff {
    /// For the page.
    pub token: String,
    /// For the browser's cookie.
    pub browser: String,
}

/// Finds the user's account, links an existing one or, if `sign_up` is open, creates one, and
/// stores a handoff for the browser.
///
/// # Errors
/// [`SignInError`].
pub async fn hand_off(
    parts: Parts<'_>,
    person: &Person,
    attempt: &Attempt,
    sign_up: bool,
) -> Result<PendingHandoff, SignInError> {
    match try_hand_off(parts, person, attempt, sign_up).await {
        // The account exists now.
        Err(refusal) if refusal.is_race_conflict() => {
            try_hand_off(parts, person, attempt, sign_up).await
        }
        done => done,
    }
}

async fn try_hand_off(
    parts: Parts<'_>,
    person: &Person,
    attempt: &Attempt,
    sign_up: bool,
) -> Result<PendingHandoff, SignInError> {
    let handed = PendingHandoff {
        token: new_token(parts.random),
        browser: new_token(parts.random),
    };
    let expires_at = parts.clock.now_ms() + HANDOFF_SECONDS * 1000;
    let mut transaction = parts.db.write().await?;
    let handoff = Handoff {
        user_id: account_id(parts, &mut transaction, person, attempt, sign_up).await?,
        remember: attempt.remember,
    };
    let (token, browser) = (token_hash(&handed.token), token_hash(&handed.browser));
    identities::insert_handoff(&mut transaction, &token, &browser, &handoff, expires_at).await?;
    transaction.commit().await?;
    Ok(handed)
}

async fn account_id(
    parts: Parts<'_>,
    connection: &mut Connection,
    person: &Person,
    attempt: &Attempt,
    sign_up: bool,
) -> Result<String, SignInError> {
    let (issuer, subject) = (&person.issuer, &person.subject);
    if let Some(id) = identities::account_of(connection, issuer, subject).await? {
        let account = accounts::get(connection, &id).await?;
        let missing = || slovo_db::Error::row("accounts", id, "an identity refers to it");
        return unless_blocked(account.ok_or_else(missing)?);
    }
    // Only now the address counts: its owner may change, the subject does not.
    let email = person.email.as_deref().filter(|_| person.email_verified);
    let email = email.and_then(|email| validate_email("email", email).ok());
    let email = email.ok_or(SignInError::Unverified)?;
    let id = match accounts::get_by_email(connection, &email).await? {
        Some(account) => unless_blocked(account)?,
        None if !sign_up => return Err(SignInError::Closed),
        None => make_account(parts, connection, &email, person, attempt).await?,
    };
    let now = parts.clock.now_ms();
    identities::link(connection, issuer, subject, &id, now).await?;
    Ok(id)
}

fn unless_blocked(account: Account) -> Result<String, SignInError> {
    match account.status {
        Status::Blocked => Err(SignInError::Blocked),
        Status::Active => Ok(account.id),
    }
}

/// Creates an account without a password, with the name and language of its owner, and requests the
/// plan that they chose.
async fn make_account(
    parts: Parts<'_>,
    connection: &mut Connection,
    email: &str,
    person: &Person,
    attempt: &Attempt,
) -> Result<String, SignInError> {
    let account = new_account::open(parts, connection, email, None).await?;
    let now = parts.clock.now_ms();
    if let Some(name) = person.name.as_deref().and_then(fullname) {
        profiles::set_fullname(connection, &account.id, &name, now).await?;
    }
    let chosen = Preferences {
        locale: attempt.locale,
        ..Preferences::default()
    };
    if let Ok(chosen) = slovo_rules::preferences::validate(&chosen) {
        preferences::set(connection, &account.id, &chosen, now).await?;
    }
    if let Some(plan_id) = attempt.plan {
        new_account::request_plan(parts, connection, &account.id, plan_id).await?;
    }
    Ok(account.id)
}

/// The name, if it could have been typed into the profile.
fn fullname(name: &str) -> Option<String> {
    let form = ProfileForm {
        fullname: name.to_owned(),
        usage: String::new(),
        terms: true,
    };
    let profile = slovo_rules::profile::validate(&form).ok()?;
    Some(profile.fullname.clone())
}
