//! Authentication: passwords, access tokens, refresh tokens, sign-up and rate limits.
//!
//! An access token is valid for 15 minutes and only identifies its session. Whether the session is
//! valid, whose it is and what they may do is looked up for every request, so that signing out,
//! blocking and role changes take effect at once.
//!
//! Account enumeration: sign-in gives the same response in the same time for an unknown address and
//! for a wrong password. Sign-up has to reveal that an address is taken; it is rate limited per
//! client address.

pub mod api_keys;
mod caller;
mod credential_cache;
mod limiter;
mod limits;
pub mod new_account;
pub mod openid;
mod passwords;
pub mod proof;
pub mod registration;
pub mod session;
pub mod sign_ins;
mod tokens;

use slovo_db::Database;
use slovo_mail::Mailer;
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::secret::Secret;

use crate::plans::edition::Edition;

pub use caller::{Caller, Credential, Origin};
pub use credential_cache::{CredentialCache, KnownKey};
pub use limiter::{Allowance, RateLimited};
pub use limits::{Attempts, Limits, NoAttempts, Rates};
pub use passwords::{Passwords, Verdict};
pub use tokens::{ACCESS_TOKEN_SECONDS, AccessTokens, Claims};

/// The dependencies of sign-up, sign-in and sessions, borrowed for one call.
#[derive(Clone, Copy)]
pub struct Parts<'a> {
    /// The database.
    pub db: &'a Database,
    /// The time.
    pub clock: &'a dyn Clock,
    /// Randomness, for ids, tokens, codes and salts.
    pub random: &'a dyn Random,
    /// Keys the stored form of codes.
    pub secret: &'a Secret,
    /// Issues access tokens.
    pub tokens: &'a AccessTokens,
    /// Verifies passwords.
    pub passwords: &'a Passwords,
    /// Rate limits.
    pub limits: &'a Limits,
    /// Mails codes.
    pub mail: &'a Mailer,
    /// The configured edition, which an administrator can override.
    pub edition: Option<Edition>,
    /// Whether new accounts get a sample recording.
    pub has_samples: bool,
}

impl Parts<'_> {
    /// An id for a new row: a UUID that sorts by time.
    fn new_id(&self) -> String {
        self.random.uuid_at(self.clock.now_ms())
    }
}
