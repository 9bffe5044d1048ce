//! Visitors' contact messages and newsletter subscriptions. Used by both the JSON actions and the
//! pages' plain forms.
//!
//! Input is stored before it is mailed: [`send_periodically`] sends from the tables, so a server
//! that is killed in between loses nothing.

use std::net::IpAddr;
use std::sync::Arc;

use anyhow::Context;
use slovo_db::site::admin_notices::{self, NoticeTopic};
use slovo_db::site::contact;
use slovo_db::site::newsletter::{self, SubscriptionRequest};
use slovo_db::{Connection, Database};
use slovo_mail::{Mailer, Recipient};
use slovo_platform::clock::Clock;
use slovo_platform::public_url::PublicUrl;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;
use slovo_platform::signed_links::SignedId;
use slovo_rules::codes::ProblemCode;
use slovo_rules::contact::{CONFIRM_DAYS, ContactForm, UNSUBSCRIBED_DAYS};
use slovo_rules::locale::Locale;
use slovo_rules::violation::{Code, Violation, Violations};
use slovo_server_settings::ServerSettings;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::auth::{Limits, RateLimited};

mod mails;

pub use mails::send_periodically;
#[cfg(feature = "testing")]
pub use mails::{MailContent, claim, mail_content, record_outcome, send_due};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Purposes of the tokens in confirm and unsubscribe links.
const CONFIRM_PURPOSE: &str = "newsletter, confirm";
const LEAVE_PURPOSE: &str = "newsletter, leave";

/// The dependencies of messages and subscriptions. Clones share all of them.
#[derive(Clone)]
pub struct Parts {
    /// The database.
    pub db: Database,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Randomness, for new ids.
    pub random: Arc<dyn Random>,
    /// Signs the links in mails.
    pub secret: Secret,
    /// The administrators' settings, which may switch the forms off.
    pub settings: ServerSettings,
    /// How many messages and addresses are accepted.
    pub limits: Arc<Limits>,
    /// Sends the mails.
    pub mail: Mailer,
    /// The beginning of links in mails.
    pub public_url: PublicUrl,
    /// Who gets contact messages; the administrators if it is not set.
    pub contact_to: Option<Recipient>,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
}

/// Why the input was rejected.
#[derive(Debug)]
pub enum SubmissionError {
    /// The input violates rules.
    Invalid(Violations),
    /// Disabled by an administrator; the code says what.
    Off(ProblemCode),
    /// Too many from this network, or for this address.
    Limited(RateLimited),
    /// It could not be stored.
    Internal(anyhow::Error),
}

/// Why a newsletter link failed.
#[derive(Debug)]
pub enum LinkError {
    /// The token is invalid, too old, or its subscription has ended.
    Unknown,
    /// The database is unavailable.
    Internal(anyhow::Error),
}

/// Accepts a message. `trap` is the honeypot field `website`, which is hidden from people: if it is
/// filled, the response is the same but nothing is stored.
///
/// # Errors
/// [`SubmissionError`] contains the reason.
pub async fn send_contact(
    parts: &Parts,
    address: IpAddr,
    locale: Locale,
    form: &ContactForm,
    trap: &str,
) -> Result<(), SubmissionError> {
    if !parts.settings.current().await?.switches.contact_form {
        return Err(SubmissionError::Off(ProblemCode::ContactOff));
    }
    if is_honeypot_filled(trap) {
        return Ok(());
    }
    let form = slovo_rules::contact::validate(form).map_err(SubmissionError::Invalid)?;
    parts
        .limits
        .contact(address)
        .map_err(SubmissionError::Limited)?;
    let form = form.into_inner();
    let now = parts.clock.now_ms();
    let message = contact::Message {
        id: new_id(parts)?,
        first_name: form.first_name,
        last_name: form.last_name,
        email: form.email,
        message: form.message,
        locale,
        created_at: now,
        mailed_at: None,
        handled_at: None,
    };
    let mail_after = parts.contact_to.as_ref().map(|_| now);
    let mut transaction = parts.db.write().await?;
    contact::insert(&mut transaction, &message, mail_after).await?;
    if mail_after.is_none() {
        let about = NoticeTopic::ContactMessage;
        admin_notices::insert(&mut transaction, about, message.id, now).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Accepts an address for the newsletter and queues a confirmation mail. The response is the same
/// for an already confirmed address, which gets no mail.
///
/// # Errors
/// [`SubmissionError`] contains the reason.
pub async fn subscribe(
    parts: &Parts,
    address: IpAddr,
    locale: Locale,
    email: &str,
    trap: &str,
) -> Result<(), SubmissionError> {
    if !parts.settings.current().await?.switches.newsletter {
        return Err(SubmissionError::Off(ProblemCode::NewsletterOff));
    }
    if is_honeypot_filled(trap) {
        return Ok(());
    }
    let email =
        slovo_rules::contact::validate_newsletter(email).map_err(SubmissionError::Invalid)?;
    // No mail could be sent to it, so reject it instead of letting the visitor wait.
    if Recipient::parse(&email).is_err() {
        let violation = Violation::new("email", Code::EmailInvalid);
        return Err(SubmissionError::Invalid(violation.into()));
    }
    let limits = parts.limits.newsletter(&email, address);
    limits.map_err(SubmissionError::Limited)?;
    let request = SubscriptionRequest {
        id: new_id(parts)?,
        email: &email,
        locale,
        now: parts.clock.now_ms(),
    };
    let mut transaction = parts.db.write().await?;
    newsletter::subscribe(&mut transaction, &request).await?;
    transaction.commit().await?;
    Ok(())
}

/// Confirms a subscription by its mailed token. Idempotent.
///
/// # Errors
/// [`LinkError::Unknown`] if the token confirms nothing.
pub async fn confirm(parts: &Parts, token: &str) -> Result<(), LinkError> {
    let id = read_token(parts, CONFIRM_PURPOSE, token)?;
    let now = parts.clock.now_ms();
    let mut transaction = parts.db.write().await?;
    let subscribed = newsletter::confirm(&mut transaction, id, now, oldest(now)).await?;
    transaction.commit().await?;
    if subscribed {
        Ok(())
    } else {
        Err(LinkError::Unknown)
    }
}

/// Ends a subscription, confirmed or not, by its mailed token. Idempotent, and succeeds for a
/// subscription that does not exist any more.
///
/// # Errors
/// [`LinkError::Unknown`] if the token is invalid.
pub async fn unsubscribe(parts: &Parts, token: &str) -> Result<(), LinkError> {
    let id = read_token(parts, LEAVE_PURPOSE, token)?;
    let mut transaction = parts.db.write().await?;
    newsletter::unsubscribe(&mut transaction, id, parts.clock.now_ms()).await?;
    transaction.commit().await?;
    Ok(())
}

/// Deletes unconfirmed addresses after their deadline, addresses that unsubscribed long ago, and
/// messages older than the configured retention; returns how many.
///
/// # Errors
/// If the database fails.
pub async fn remove_old(connection: &mut Connection, now: i64) -> slovo_db::Result<u64> {
    let unsubscribed_before = now - UNSUBSCRIBED_DAYS * DAY_MS;
    let removed =
        newsletter::remove_old(&mut *connection, oldest(now), unsubscribed_before).await?;
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
fn is_honeypot_filled(trap: &str) -> bool {
    let is_filled = !trap.trim().is_empty();
    if is_filled {
        tracing::debug!("a form of a public page was filled in by a program; nothing is stored");
    }
    is_filled
}

fn new_id(parts: &Parts) -> Result<Uuid, SubmissionError> {
    let id = parts
        .random
        .uuid_at(parts.clock.now_ms())
        .parse()
        .context("a new id is not a UUID");
    id.map_err(SubmissionError::Internal)
}

/// The row that a token of this purpose identifies. Forged tokens cause no database query.
fn read_token(parts: &Parts, purpose: &'static str, token: &str) -> Result<Uuid, LinkError> {
    let id = SignedId::new(&parts.secret, purpose).read(token.trim());
    id.ok_or(LinkError::Unknown)
}

impl From<slovo_db::Error> for SubmissionError {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}

impl From<slovo_db::Error> for LinkError {
    fn from(error: slovo_db::Error) -> Self {
        Self::Internal(error.into())
    }
}
