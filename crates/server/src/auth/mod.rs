//! Authentication: passwords, access tokens, refresh tokens, extractors and rate limits.
//!
//! An access token is valid for 15 minutes and only identifies its session. Whether the session is
//! valid, whose it is and what they may do is looked up for every request, so that signing out,
//! blocking and role changes take effect at once.
//!
//! Account enumeration: sign-in gives the same response in the same time for an unknown address and
//! for a wrong password. Sign-up has to reveal that an address is taken; it is rate limited per
//! client address.

mod caller;
mod known;
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

pub use caller::{Administrator, Caller, ClientAddress, Origin};
pub use known::KnownSessions;
pub use limiter::Limited;
pub use limits::Limits;
pub use passwords::{Passwords, Verdict};
pub use tokens::{ACCESS_TOKEN_SECONDS, AccessTokens, Claims};
