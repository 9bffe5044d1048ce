//! Sessions and their tokens: shared by sign-up, sign-in and refresh.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use slovo_db::Connection;
use slovo_db::accounts::api_keys;
use slovo_db::accounts::sessions::{self, Device, Lifetimes, NewSession, NewToken};
use slovo_db::accounts::{Account, Status};
use slovo_rules::account::{SESSION_DAYS, TEMPORARY_SESSION_HOURS};
use slovo_rules::locale::{Locale, Theme};
use slovo_rules::profile::Usage;
use utoipa::ToSchema;

use super::{ACCESS_TOKEN_SECONDS, Parts};
use slovo_platform::clock::from_ms;
use slovo_platform::random::Random;

const HOUR_MS: i64 = 60 * 60 * 1000;
const LIFETIMES: Lifetimes = Lifetimes {
    remembered: SESSION_DAYS * 24 * HOUR_MS,
    until_closed: TEMPORARY_SESSION_HOURS * HOUR_MS,
};

/// What a person may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Their own data.
    User,
    /// Everything.
    Admin,
}

/// An account as its owner sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct User {
    /// UUID.
    #[schema(format = Uuid)]
    pub id: String,
    /// Normalised e-mail address.
    pub email: String,
    /// Name from the profile.
    #[schema(required)]
    pub fullname: Option<String>,
    /// What for, from the profile.
    #[schema(required)]
    pub usage: Option<Usage>,
    /// Names the present version of the avatar; none without one.
    #[schema(required)]
    pub avatar: Option<String>,
    /// Whether a password can sign in to it.
    pub has_password: bool,
    /// Whether terms and privacy policy are agreed to: it is asked once.
    pub terms_accepted: bool,
    /// Language of the interface, once chosen.
    #[schema(required)]
    pub locale: Option<Locale>,
    /// Light or dark, once chosen.
    #[schema(required)]
    pub theme: Option<Theme>,
    /// What they may do.
    pub role: Role,
    /// At most two capital letters that stand for them.
    pub initials: String,
    /// When the account was made.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
}

impl From<Account> for User {
    fn from(account: Account) -> Self {
        let name = account.fullname.as_deref().unwrap_or_default();
        Self {
            initials: slovo_rules::account::initials(name, &account.email),
            role: if account.is_admin {
                Role::Admin
            } else {
                Role::User
            },
            created_at: from_ms(account.created_at),
            id: account.id,
            email: account.email,
            fullname: account.fullname,
            usage: account.usage,
            avatar: account.avatar,
            has_password: account.has_password,
            terms_accepted: account.terms_accepted,
            locale: account.locale,
            theme: account.theme,
        }
    }
}

/// A session as its client holds it. Both tokens are secrets.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// For the header `Authorization: Bearer …`.
    pub access_token: String,
    /// For one call of refresh, which gives the next one.
    pub refresh_token: String,
    /// Always `bearer`.
    #[schema(example = "bearer")]
    pub token_type: &'static str,
    /// How long the access token is valid, in seconds.
    pub expires_in: i64,
    /// Until when the access token is valid.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// Whose session it is.
    pub user: User,
}

/// A new refresh token and its stored form.
pub struct RefreshToken {
    /// The token for the client.
    pub token: String,
    hash: String,
    created_at: i64,
}

impl RefreshToken {
    /// 256 random bits.
    pub fn new(random: &dyn Random, now_ms: i64) -> Self {
        let token = new_token(random);
        Self {
            hash: token_hash(&token),
            token,
            created_at: now_ms,
        }
    }

    /// The database row.
    pub fn row(&self) -> NewToken<'_> {
        NewToken {
            hash: &self.hash,
            created_at: self.created_at,
            lifetimes: LIFETIMES,
        }
    }
}

/// A secret for one browser or one mail: 256 random bits.
pub fn new_token(random: &dyn Random) -> String {
    let mut bytes = [0; 32];
    random.fill(&mut bytes);
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The stored form of a token. It has 256 random bits, so a fast hash without salt is enough.
pub fn token_hash(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}

/// Begins a session, in the caller's transaction.
///
/// # Errors
/// If the database or the signing fails.
pub async fn begin(
    parts: Parts<'_>,
    connection: &mut Connection,
    account: Account,
    device: &Device,
    remember: bool,
) -> anyhow::Result<Session> {
    let now = parts.clock.now();
    let session_id = parts.new_id();
    let refresh = RefreshToken::new(parts.random, now.as_millisecond());
    let new = NewSession {
        id: &session_id,
        user_id: &account.id,
        device,
        remember,
    };
    sessions::insert(connection, &new, &refresh.row()).await?;
    Ok(issue(parts, account, &session_id, refresh.token, now)?)
}

/// The account of a valid session or API key (the id of a [`super::Credential`]), unless it is
/// blocked. For streams and links, which outlive the request that began them, in place of the
/// extractors.
///
/// # Errors
/// If the database fails.
pub async fn active(
    connection: &mut Connection,
    credential_id: &str,
    now: Timestamp,
) -> slovo_db::Result<Option<Account>> {
    let now = now.as_millisecond();
    let account = match sessions::account(connection, credential_id, now).await? {
        Some(account) => Some(account),
        None => api_keys::usable_by_id(connection, credential_id, now)
            .await?
            .map(|key| key.account),
    };
    Ok(account.filter(|account| account.status == Status::Active))
}

/// The response for a session, with a fresh access token.
///
/// # Errors
/// If signing fails.
pub fn issue(
    parts: Parts<'_>,
    account: Account,
    session_id: &str,
    refresh_token: String,
    now: Timestamp,
) -> Result<Session, jsonwebtoken::errors::Error> {
    let access_token = parts.tokens.issue(&account.id, session_id, now)?;
    let expires_at = from_ms((now.as_second() + ACCESS_TOKEN_SECONDS) * 1000);
    Ok(Session {
        access_token,
        refresh_token,
        token_type: "bearer",
        expires_in: ACCESS_TOKEN_SECONDS,
        expires_at,
        user: account.into(),
    })
}
