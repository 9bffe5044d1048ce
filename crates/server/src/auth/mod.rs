//! Who calls: passwords, access tokens, refresh tokens, the extractors, and how often one may try.
//!
//! An access token lives 15 minutes and only says which session it belongs to; whether that
//! session is in force, whose it is and what they may do is the database's to say at every
//! request, so that signing out, blocking and taking a role away work at once.
//!
//! What an outsider can learn about which addresses have accounts: sign-in answers the same, in
//! the same time, for an unknown address and for a wrong password. Sign-up has to say that an
//! address is taken; how often it can be asked is limited per address of the network.

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
