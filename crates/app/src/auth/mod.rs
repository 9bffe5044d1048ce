//! Who sends a request: the extractors by which an action declares who may call it.

mod caller;
pub mod scopes;
mod token;

pub use caller::{Administrator, ClientAddress};
pub use slovo_accounts::auth::{
    Caller, Credential, Origin, RateLimited, Verdict, api_keys, new_account, openid, proof,
    registration, session, sign_ins,
};
