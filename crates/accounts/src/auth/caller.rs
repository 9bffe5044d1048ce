//! Who makes a request, and from where.

use std::net::IpAddr;

use slovo_db::accounts::Account;
use slovo_db::accounts::sessions::Device;
use slovo_rules::api_key::ApiScope;

use super::session::Role;

/// What a request is authenticated with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// The access token of a session.
    Session {
        /// The session's id.
        id: String,
    },
    /// An API key.
    Key {
        /// The key's id.
        id: String,
        /// Its name.
        name: String,
        /// What it permits.
        scopes: Vec<ApiScope>,
    },
    /// None: the server itself works for the account, because of one of its sources.
    Source {
        /// The source's id.
        id: String,
    },
}

impl Credential {
    /// Id of the session, the key or the source. What outlives the request, such as a stream or a
    /// link, is in force as long as this is, see [`super::session::active`].
    #[must_use]
    pub fn id(&self) -> &str {
        match self {
            Self::Session { id } | Self::Key { id, .. } | Self::Source { id } => id,
        }
    }

    /// Name of the key, if it is one.
    #[must_use]
    pub fn key_name(&self) -> Option<&str> {
        match self {
            Self::Session { .. } | Self::Source { .. } => None,
            Self::Key { name, .. } => Some(name),
        }
    }
}

/// A signed-in user, or a program with one of their API keys.
#[derive(Clone, Debug)]
pub struct Caller {
    /// The account's id.
    pub user_id: String,
    /// What the request is authenticated with.
    pub credential: Credential,
    /// Their role, read for this request. With an API key they are an administrator only if it
    /// permits administration.
    pub role: Role,
    /// The whole account.
    pub account: Account,
}

impl Caller {
    /// Whether what needs this scope is permitted. A session permits everything that its user may do.
    #[must_use]
    pub fn permits(&self, scope: ApiScope) -> bool {
        match &self.credential {
            Credential::Session { .. } => true,
            Credential::Key { scopes, .. } => scopes.contains(&scope),
            Credential::Source { .. } => scope == ApiScope::Transcribe,
        }
    }

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
