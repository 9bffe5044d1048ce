//! Who makes a request, and from where.

use std::net::IpAddr;

use slovo_db::accounts::Account;
use slovo_db::accounts::sessions::Device;

use super::session::Role;

/// A signed-in user.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account's id.
    pub user_id: String,
    /// The session's id.
    pub session_id: String,
    /// Their role, read for this request.
    pub role: Role,
    /// The whole account.
    pub account: Account,
}

impl Caller {
    /// Whether this is an administrator.
    pub fn is_admin(&self) -> bool {
        self.role == Role::Admin
    }
}

/// Where a session is started or refreshed from.
#[derive(Clone, Debug)]
pub struct Origin {
    /// For rate limits.
    pub address: IpAddr,
    /// For the list of sessions.
    pub device: Device,
}
