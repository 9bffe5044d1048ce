//! Pending sign-ups: the mailed verification code and the limits on trying it.
//!
//! A code has 25 bits. Guessing is prevented by five attempts per code, five codes per sign-up, and
//! the sign-up's token, which never leaves the browser that signed up.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::Serialize;
use slovo_db::accounts::registrations::{self, NewCode};
use slovo_db::{Connection, Database};
use slovo_rules::account::{CODE_MINUTES, REGISTRATION_HOURS, VERIFICATION_CODE_LENGTH};
use slovo_rules::locale::Locale;
use utoipa::ToSchema;
use uuid::Uuid;

use super::session::{new_token, token_hash};
use super::{Parts, RateLimited};
use slovo_mail::Mail;
use slovo_platform::clock::from_ms;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

/// Wrong attempts after which a new code is needed.
pub const MAX_TRIES: i64 = 5;

/// Most codes mailed for one sign-up.
pub const MAX_SENDS: i64 = 5;

/// Minimum time between two codes, in seconds.
pub const RESEND_SECONDS: i64 = 60;

const SECOND_MS: i64 = 1000;

/// The alphabet of codes: no letter that looks like a digit, and no U, which looks like V.
const ALPHABET: &[u8; 30] = b"23456789ABCDEFGHJKMNPQRSTVWXYZ";

/// A sign-up that waits for the code mailed to its address.
#[derive(Serialize, ToSchema)]
pub struct Registration {
    /// A secret of the browser that signed up; a code is of use with it only.
    pub registration: String,
    /// Where the code was sent: normalised e-mail address.
    pub email: String,
    /// Seconds until another code may be asked for; 0 if at once.
    pub resend_after: i64,
    /// Until when the newest code can be used.
    #[schema(value_type = String, format = DateTime)]
    pub code_expires_at: Timestamp,
    /// Whether the code has been handed to the mail server; if not, ask for another.
    pub sent: bool,
}

/// The data of a sign-up.
pub struct NewRegistration<'a> {
    /// Normalised.
    pub email: &'a str,
    /// PHC string.
    pub password_hash: String,
    /// Language of the mail.
    pub locale: Locale,
    /// The plan chosen before sign-up.
    pub plan_id: Option<Uuid>,
}

/// Stores a new sign-up and mails its code.
///
/// # Errors
/// If the database fails. Whether the mail was sent is in the result.
pub async fn begin(
    parts: Parts<'_>,
    request: NewRegistration<'_>,
    address: IpAddr,
) -> slovo_db::Result<Registration> {
    let now = parts.clock.now_ms();
    let token = new_token(parts.random);
    let (id, code) = (parts.new_id(), new_code(parts.random));
    let row = registrations::Registration {
        token_hash: token_hash(&token),
        email: request.email.to_owned(),
        password_hash: request.password_hash,
        locale: request.locale,
        plan_id: request.plan_id,
        address: address.to_canonical().to_string(),
        code_hash: code_hash(parts.secret, &id, &code),
        code_sent_at: now,
        code_expires_at: now + CODE_MINUTES * 60 * SECOND_MS,
        tries: 0,
        sends: 1,
        created_at: now,
        id,
    };
    store(parts.db, &row).await?;
    mail(parts, row, code, token).await
}

async fn store(db: &Database, row: &registrations::Registration) -> slovo_db::Result<()> {
    let mut transaction = db.write().await?;
    registrations::insert(&mut transaction, row).await?;
    transaction.commit().await
}

/// Result of requesting another code.
pub enum Renewal {
    /// A new code is stored; `sent` tells whether it was mailed.
    Renewed(Registration),
    /// Not yet, or no more codes are allowed.
    TooSoon(RateLimited),
}

/// Stores another code and mails it, if enough time has passed.
///
/// # Errors
/// If the database fails.
pub async fn renew(
    parts: Parts<'_>,
    mut row: registrations::Registration,
    token: String,
) -> slovo_db::Result<Renewal> {
    let now = parts.clock.now_ms();
    let code = new_code(parts.random);
    let hash = code_hash(parts.secret, &row.id, &code);
    let new = NewCode {
        hash: &hash,
        sent_at: now,
        expires_at: now + CODE_MINUTES * 60 * SECOND_MS,
    };
    let mut transaction = parts.db.write().await?;
    let until = now - RESEND_SECONDS * SECOND_MS;
    let renewed =
        registrations::renew_code(&mut transaction, &row.id, &new, until, MAX_SENDS).await?;
    transaction.commit().await?;
    if !renewed {
        // All codes are used up: a new sign-up can begin when this one has expired.
        let wait = if row.sends < MAX_SENDS {
            resend_after(row.code_sent_at, now)
        } else {
            let age = (now - row.created_at).max(0) / SECOND_MS;
            REGISTRATION_HOURS * 3600 - age
        };
        return Ok(Renewal::TooSoon(RateLimited {
            retry_after: u64::try_from(wait).unwrap_or(0).max(1),
        }));
    }
    (row.code_sent_at, row.code_expires_at) = (new.sent_at, new.expires_at);
    Ok(Renewal::Renewed(mail(parts, row, code, token).await?))
}

/// Transfers the sign-up to another browser that has given the password: with a new token, and
/// another code if one may be sent now and `mails` allows mailing the address.
/// # Errors
/// If the database fails.
pub async fn move_to_browser(
    parts: Parts<'_>,
    row: registrations::Registration,
    mails: bool,
) -> slovo_db::Result<Registration> {
    let now = parts.clock.now_ms();
    let token = new_token(parts.random);
    let mut transaction = parts.db.write().await?;
    registrations::set_token(&mut transaction, &row.id, &token_hash(&token), now).await?;
    transaction.commit().await?;
    let waiting = registration_of(&row, token.clone(), now, true);
    if !mails {
        return Ok(waiting);
    }
    Ok(match renew(parts, row, token).await? {
        Renewal::Renewed(registration) => registration,
        Renewal::TooSoon(_) => waiting,
    })
}

/// The sign-up with this token, if it can still be completed.
///
/// # Errors
/// If the database fails.
pub async fn find(
    parts: Parts<'_>,
    connection: &mut Connection,
    token: &str,
) -> slovo_db::Result<Option<registrations::Registration>> {
    registrations::find(connection, &token_hash(token), oldest(parts)).await
}

/// Whether the sign-up with this token was replaced by a newer one.
///
/// # Errors
/// If the database fails.
pub async fn is_superseded(
    parts: Parts<'_>,
    connection: &mut Connection,
    token: &str,
) -> slovo_db::Result<bool> {
    registrations::is_superseded(connection, &token_hash(token), oldest(parts)).await
}

/// The sign-up of this (normalised) e-mail address that can still be completed; if there are
/// several, the one from this network address.
///
/// # Errors
/// If the database fails.
pub async fn of_email(
    parts: Parts<'_>,
    connection: &mut Connection,
    email: &str,
    address: IpAddr,
) -> slovo_db::Result<Option<registrations::Registration>> {
    let address = address.to_canonical().to_string();
    registrations::of_email(connection, email, &address, oldest(parts)).await
}

fn oldest(parts: Parts<'_>) -> i64 {
    parts.clock.now_ms() - REGISTRATION_HOURS * 3600 * SECOND_MS
}

/// Mails the code. If that fails, another one may be requested at once.
async fn mail(
    parts: Parts<'_>,
    mut row: registrations::Registration,
    code: String,
    token: String,
) -> slovo_db::Result<Registration> {
    let minutes = u32::try_from(CODE_MINUTES).unwrap_or(0);
    let mail = Mail::Code { code, minutes };
    let sent = parts.mail.send(&row.email, row.locale, &mail).await;
    if let Err(error) = &sent {
        tracing::warn!(%error, "a verification code could not be sent");
        row.code_sent_at = 0;
        let mut transaction = parts.db.write().await?;
        registrations::clear_sent_at(&mut transaction, &row.id).await?;
        transaction.commit().await?;
    }
    Ok(registration_of(
        &row,
        token,
        parts.clock.now_ms(),
        sent.is_ok(),
    ))
}

fn registration_of(
    row: &registrations::Registration,
    token: String,
    now: i64,
    sent: bool,
) -> Registration {
    Registration {
        registration: token,
        email: row.email.clone(),
        resend_after: resend_after(row.code_sent_at, now),
        code_expires_at: from_ms(row.code_expires_at),
        sent,
    }
}

/// Seconds until another code may be sent, rounded up; never more than the whole pause, also after
/// the clock was set back.
fn resend_after(sent_at: i64, now: i64) -> i64 {
    let wait = sent_at + RESEND_SECONDS * SECOND_MS - now;
    ((wait.max(0) + SECOND_MS - 1) / SECOND_MS).min(RESEND_SECONDS)
}

/// Generates a code.
#[must_use]
pub fn new_code(random: &dyn Random) -> String {
    let mut code = String::with_capacity(VERIFICATION_CODE_LENGTH);
    while code.len() < VERIFICATION_CODE_LENGTH {
        let mut byte = [0];
        random.fill(&mut byte);
        // Uses five bits; values beyond the alphabet are drawn again, so that all codes are equally
        // likely.
        if let Some(character) = ALPHABET.get(usize::from(byte[0] & 31)) {
            code.push(char::from(*character));
        }
    }
    code
}

// Keeps the token out of logs.
impl std::fmt::Debug for Registration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Registration")
            .field("email", &self.email)
            .finish_non_exhaustive()
    }
}

/// The stored form of a code: keyed with a secret of this server, because a plain hash of so short
/// a text could be brute-forced, and with the sign-up's id, so that equal codes differ. Case and
/// spaces of the input are normalised first.
#[must_use]
pub fn code_hash(secret: &Secret, registration_id: &str, code: &str) -> String {
    let typed: String = code.split_whitespace().collect();
    let typed = typed.to_uppercase();
    // HKDF's output is a keyed hash (PRF) of the purpose (RFC 5869, section 2.3).
    hex::encode(secret.derive(&format!("verification code\0{registration_id}\0{typed}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use slovo_platform::testing::SeededRandom;

    #[test]
    fn codes_have_the_right_length_and_use_the_complete_alphabet() {
        let random = SeededRandom::new(1);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..500 {
            let code = new_code(&random);
            assert_eq!(code.len(), VERIFICATION_CODE_LENGTH);
            slovo_rules::account::validate_code(&code).unwrap();
            seen.extend(code.bytes());
        }
        let mut alphabet = ALPHABET.to_vec();
        alphabet.sort_unstable();
        assert_eq!(seen.into_iter().collect::<Vec<_>>(), alphabet);
    }

    #[test]
    fn a_code_hash_depends_on_the_sign_up_and_the_server() {
        let secret = |byte: &str| Secret::given(&byte.repeat(32)).unwrap();
        let stored = code_hash(&secret("a"), "r1", "AB2CD");
        assert_eq!(code_hash(&secret("a"), "r1", " ab2 cd "), stored);
        assert_ne!(code_hash(&secret("a"), "r1", "AB2CE"), stored);
        assert_ne!(code_hash(&secret("a"), "r2", "AB2CD"), stored);
        assert_ne!(code_hash(&secret("b"), "r1", "AB2CD"), stored);
        assert!(!stored.contains("AB2CD"));
    }
}
