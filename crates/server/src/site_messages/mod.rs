//! Visitors' contact messages and newsletter subscriptions. Used by both the JSON actions and the
//! pages' plain forms.
//!
//! Input is stored before it is mailed: [`keep_sent`] sends from the tables, so a server that is
//! killed in between loses nothing.

use std::net::IpAddr;

use anyhow::Context;
use slovo_db::Connection;
use slovo_db::site::admin_notices::{self, About};
use slovo_db::site::contact;
use slovo_db::site::newsletter::{self, Asked};
use slovo_rules::contact::ContactForm;
use slovo_rules::locale::Locale;
use slovo_rules::violation::{Code, Violation, Violations};
use uuid::Uuid;

use crate::auth::Limited;
use crate::state::AppState;
use slovo_mail::Recipient;
use slovo_platform::signed_links::SignedId;

mod mails;
#[cfg(test)]
mod tests;

pub use mails::keep_sent;

/// How long a confirmation link works, in days. The address is deleted after that.
const CONFIRM_DAYS: u32 = 7;

/// How long an unsubscribed address is kept, in days: so that external copies of the list can be
/// updated.
const LEFT_DAYS: i64 = 30;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Purposes of the tokens in confirm and unsubscribe links.
const CONFIRM: &str = "newsletter, confirm";
const LEAVE: &str = "newsletter, leave";

/// Why the input was rejected.
#[derive(Debug)]
pub enum Refused {
    /// The input violates rules.
    Invalid(Violations),
    /// Disabled by an administrator; the code says what.
    Off(&'static str),
    /// Too many from this network, or for this address.
    Limited(Limited),
    /// It could not be stored.
    Internal(anyhow::Error),
}

/// Why a newsletter link failed.
#[derive(Debug)]
pub enum LinkRefused {
    /// The token is invalid, too old, or its subscription has ended.
    Unknown,
    /// The database is unavailable.
    Internal(anyhow::Error),
}

/// Accepts a message. `trap` is the honeypot field `website`, which is hidden from people: if it is
/// filled, the response is the same but nothing is stored.
///
/// # Errors
/// [`Refused`] contains the reason.
pub async fn send_contact(
    state: &AppState,
    address: IpAddr,
    locale: Locale,
    form: &ContactForm,
    trap: &str,
) -> Result<(), Refused> {
    if !state.settings.current().await?.switches.contact_form {
        return Err(Refused::Off("contact_off"));
    }
    if trapped(trap) {
        return Ok(());
    }
    let form = slovo_rules::contact::validate(form).map_err(Refused::Invalid)?;
    state.limits.contact(address).map_err(Refused::Limited)?;
    let form = form.into_inner();
    let now = state.clock.now_ms();
    let message = contact::Message {
        id: new_id(state)?,
        first_name: form.first_name,
        last_name: form.last_name,
        email: form.email,
        message: form.message,
        locale,
        created_at: now,
        mailed_at: None,
        handled_at: None,
    };
    let mail_after = state.config.mail.contact_to.as_ref().map(|_| now);
    let mut transaction = state.db.write().await?;
    contact::insert(&mut transaction, &message, mail_after).await?;
    if mail_after.is_none() {
        let about = About::ContactMessage;
        admin_notices::insert(&mut transaction, about, message.id, now).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Accepts an address for the newsletter and queues a confirmation mail. The response is the same
/// for an already confirmed address, which gets no mail.
///
/// # Errors
/// [`Refused`] contains the reason.
pub async fn subscribe(
    state: &AppState,
    address: IpAddr,
    locale: Locale,
    email: &str,
    trap: &str,
) -> Result<(), Refused> {
    if !state.settings.current().await?.switches.newsletter {
        return Err(Refused::Off("newsletter_off"));
    }
    if trapped(trap) {
        return Ok(());
    }
    let email = slovo_rules::contact::validate_newsletter(email).map_err(Refused::Invalid)?;
    // No mail could be sent to it, so reject it instead of letting the visitor wait.
    if Recipient::parse(&email).is_err() {
        let violation = Violation::new("email", Code::EmailInvalid);
        return Err(Refused::Invalid(violation.into()));
    }
    let limits = state.limits.newsletter(&email, address);
    limits.map_err(Refused::Limited)?;
    let asked = Asked {
        id: new_id(state)?,
        email: &email,
        locale,
        now: state.clock.now_ms(),
    };
    let mut transaction = state.db.write().await?;
    newsletter::ask(&mut transaction, &asked).await?;
    transaction.commit().await?;
    Ok(())
}

/// Confirms a subscription by its mailed token. Idempotent.
///
/// # Errors
/// [`LinkRefused::Unknown`] if the token confirms nothing.
pub async fn confirm(state: &AppState, token: &str) -> Result<(), LinkRefused> {
    let id = read_token(state, CONFIRM, token)?;
    let now = state.clock.now_ms();
    let mut transaction = state.db.write().await?;
    let subscribed = newsletter::confirm(&mut transaction, id, now, oldest(now)).await?;
    transaction.commit().await?;
    if subscribed {
        Ok(())
    } else {
        Err(LinkRefused::Unknown)
    }
}

/// Ends a subscription, confirmed or not, by its mailed token. Idempotent, and succeeds for a
/// subscription that does not exist any more.
///
/// # Errors
/// [`LinkRefused::Unknown`] if the token is invalid.
pub async fn leave(state: &AppState, token: &str) -> Result<(), LinkRefused> {
    let id = read_token(state, LEAVE, token)?;
    let mut transaction = state.db.write().await?;
    newsletter::leave(&mut transaction, id, state.clock.now_ms()).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes unconfirmed addresses after their deadline, addresses that unsubscribed long ago, and
/// messages older than the configured retention; returns how many.
///
/// # Errors
/// If the database fails.
pub async fn remove_old(connection: &mut Connection, now: i64) -> slovo_db::Result<u64> {
    let left_before = now - LEFT_DAYS * DAY_MS;
    let removed = newsletter::remove_old(&mut *connection, oldest(now), left_before).await?;
    let settings = slovo_server_settings::read(&mut *connection).await?;
    match settings.limits.contact_days {
        None => Ok(removed),
        Some(days) => {
            let before = now.saturating_sub(days.saturating_mul(DAY_MS));
            Ok(removed + contact::remove_before(connection, before).await?)
        }
    }
}

/// Earliest request time of an address that can still be confirmed.
const fn oldest(now: i64) -> i64 {
    now - CONFIRM_DAYS as i64 * DAY_MS
}

/// Whether the honeypot field is filled.
fn trapped(trap: &str) -> bool {
    let trapped = !trap.trim().is_empty();
    if trapped {
        tracing::debug!("a form of a public page was filled in by a program; nothing is stored");
    }
    trapped
}

fn new_id(state: &AppState) -> Result<Uuid, Refused> {
    let id = state.new_id().parse().context("a new id is no UUID");
    id.map_err(Refused::Internal)
}

/// The row that a token of this purpose identifies. Forged tokens cause no database query.
fn read_token(state: &AppState, purpose: &'static str, token: &str) -> Result<Uuid, LinkRefused> {
    let id = SignedId::new(&state.secret, purpose).read(token.trim());
    id.ok_or(LinkRefused::Unknown)
}

impl From<slovo_db::Error> for Refused {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<slovo_db::Error> for LinkRefused {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}
