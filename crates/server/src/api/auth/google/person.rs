//! Finds or creates the account of a person whom the provider has identified.

use slovo_db::Connection;
use slovo_db::accounts::identities::{self, Handoff};
use slovo_db::accounts::{self, Account, Status, preferences, profiles};
use slovo_rules::account::validate_email;
use slovo_rules::preferences::Preferences;
use slovo_rules::profile::ProfileForm;
use slovo_rules::sign_in::SignInOutcome;

use super::attempt::Attempt;
use crate::auth::new_account;
use crate::auth::openid::Person;
use crate::auth::session::{new_token, token_hash};
use crate::state::AppState;

/// How long a handoff is valid, in seconds: the page must fetch its session within this time.
pub(super) const HANDOFF_SECONDS: i64 = 60;

/// Why the sign-in failed.
pub(super) enum Refusal {
    /// The request does not belong to a sign-in started by this browser; anybody can send one.
    NotOurs(&'static str),
    /// The provider refused, was unreachable, or sent data that cannot be trusted.
    Failed(anyhow::Error),
    /// The provider has not verified the address, so it must not lead to an account.
    Unverified,
    Blocked,
    /// There is no account, and an administrator has disabled sign-up.
    Closed,
    Database(slovo_db::Error),
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        Self::Failed(error)
    }
}

impl From<slovo_db::Error> for Refusal {
    fn from(error: slovo_db::Error) -> Self {
        Self::Database(error)
    }
}

impl Refusal {
    /// The problem code for the page.
    pub fn problem(&self) -> &'static str {
        match self {
            Self::NotOurs(_) | Self::Failed(_) | Self::Database(_) => "google_failed",
            Self::Unverified => "google_unverified",
            Self::Blocked => "account_blocked",
            Self::Closed => "signup_closed",
        }
    }

    /// The entry for the sign-in log; `None` for failures that anybody can cause.
    pub fn outcome(&self) -> Option<SignInOutcome> {
        match self {
            Self::NotOurs(_) | Self::Closed | Self::Database(_) => None,
            Self::Failed(_) => Some(SignInOutcome::ProviderFailed),
            Self::Unverified => Some(SignInOutcome::Unverified),
            Self::Blocked => Some(SignInOutcome::Blocked),
        }
    }

    pub fn log(&self) {
        match self {
            Self::NotOurs(why) => tracing::debug!(why, "not the end of a sign-in"),
            Self::Failed(error) => {
                tracing::warn!(error = format!("{error:#}"), "a sign-in with Google failed");
            }
            Self::Database(error) => tracing::error!(%error, "a sign-in with Google failed"),
            Self::Unverified | Self::Blocked | Self::Closed => {}
        }
    }

    /// Whether a concurrent sign-in of the same person was faster.
    fn came_second(&self) -> bool {
        let Self::Database(error) = self else {
            return false;
        };
        matches!(
            error.constraint(),
            Some("accounts_email_key" | "identities_pkey")
        )
    }
}

/// The tokens with which the page fetches its session.
pub(super) struct HandedOff {
    /// For the page.
    pub token: String,
    /// For the browser's cookie.
    pub browser: String,
}

/// Finds the person's account, links one or makes one, and stores a handoff for the browser.
pub(super) async fn hand_off(
    state: &AppState,
    person: &Person,
    attempt: &Attempt,
) -> Result<HandedOff, Refusal> {
    match try_hand_off(state, person, attempt).await {
        // The account exists by now.
        Err(refusal) if refusal.came_second() => try_hand_off(state, person, attempt).await,
        done => done,
    }
}

async fn try_hand_off(
    state: &AppState,
    person: &Person,
    attempt: &Attempt,
) -> Result<HandedOff, Refusal> {
    let handed = HandedOff {
        token: new_token(&*state.random),
        browser: new_token(&*state.random),
    };
    let expires_at = state.clock.now_ms() + HANDOFF_SECONDS * 1000;
    let open = state.settings.current().await?.switches.sign_up;
    let mut transaction = state.db.write().await?;
    let handoff = Handoff {
        user_id: account_id(state, &mut transaction, person, attempt, open).await?,
        remember: attempt.remember,
    };
    let (token, browser) = (token_hash(&handed.token), token_hash(&handed.browser));
    identities::hand_off(&mut transaction, &token, &browser, &handoff, expires_at).await?;
    transaction.commit().await?;
    Ok(handed)
}

async fn account_id(
    state: &AppState,
    connection: &mut Connection,
    person: &Person,
    attempt: &Attempt,
    open: bool,
) -> Result<String, Refusal> {
    let (issuer, subject) = (&person.issuer, &person.subject);
    if let Some(id) = identities::account_of(connection, issuer, subject).await? {
        let account = accounts::get(connection, &id).await?;
        let missing = || slovo_db::Error::row("accounts", id, "an identity leads to it");
        return unless_blocked(account.ok_or_else(missing)?);
    }
    // The address counts for the first sign-in only: it can change its owner, the subject cannot.
    let email = person.email.as_deref().filter(|_| person.email_verified);
    let email = email.and_then(|email| validate_email("email", email).ok());
    let email = email.ok_or(Refusal::Unverified)?;
    let id = match accounts::get_by_email(connection, &email).await? {
        Some(account) => unless_blocked(account)?,
        None if !open => return Err(Refusal::Closed),
        None => make_account(state, connection, &email, person, attempt).await?,
    };
    let now = state.clock.now_ms();
    identities::link(connection, issuer, subject, &id, now).await?;
    Ok(id)
}

fn unless_blocked(account: Account) -> Result<String, Refusal> {
    match account.status {
        Status::Blocked => Err(Refusal::Blocked),
        Status::Active => Ok(account.id),
    }
}

/// Creates an account without a password, with the name from the provider, and requests the chosen
/// plan.
async fn make_account(
    state: &AppState,
    connection: &mut Connection,
    email: &str,
    person: &Person,
    attempt: &Attempt,
) -> Result<String, Refusal> {
    let account = new_account::open(state, connection, email, None).await?;
    let now = state.clock.now_ms();
    if let Some(name) = person.name.as_deref().and_then(fullname) {
        profiles::set_fullname(connection, &account.id, &name, now).await?;
    }
    let wanted = Preferences {
        locale: attempt.locale,
        ..Preferences::default()
    };
    if let Ok(wanted) = slovo_rules::preferences::validate(&wanted) {
        preferences::set(connection, &account.id, &wanted, now).await?;
    }
    if let Some(plan_id) = attempt.plan {
        new_account::ask_for(state, connection, &account.id, plan_id).await?;
    }
    Ok(account.id)
}

/// The name, if the rules for profiles accept it.
fn fullname(name: &str) -> Option<String> {
    let form = ProfileForm {
        fullname: name.to_owned(),
        usage: String::new(),
        terms: true,
    };
    let profile = slovo_rules::profile::validate(&form).ok()?;
    Some(profile.fullname.clone())
}
