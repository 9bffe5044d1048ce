//! Why the external database did not do what it was asked.

use std::error::Error;
use std::io;

use reqwest::StatusCode;

/// Characters of another server's message that are shown.
const MAX_TOLD: usize = 300;

/// Why. Its `Display` is for developers; people are told by [`Failure::hint`].
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Failure {
    /// The server has no token.
    #[error("the server has no token for NocoDB")]
    TokenMissing,
    /// The address is one that no NocoDB has.
    #[error("the address is link-local and not asked")]
    Address,
    /// The host is not known.
    #[error("the host name is not known")]
    Dns,
    /// Nobody listens there.
    #[error("the connection is refused")]
    Refused,
    /// No trust.
    #[error("TLS fails: {0}")]
    Tls(String),
    /// No answer in time.
    #[error("no answer came in time")]
    Timeout,
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// It sends elsewhere, and a token does not follow.
    #[error("the server redirects to another address, which is not followed")]
    Redirected(u16),
    /// It does not know the token.
    #[error("the token is refused ({0})")]
    Unauthorized(u16),
    /// The token may not do this.
    #[error("the token may not do this ({0})")]
    Forbidden(u16),
    /// There is no such base, table or row.
    #[error("not found: {1}")]
    NotFound(u16, String),
    /// What answers is no NocoDB.
    #[error("what answers there is not NocoDB's API")]
    NotNocodb(Option<u16>),
    /// Tables or fields are missing.
    #[error("missing: {0}")]
    Schema(String),
    /// It takes no more requests for now.
    #[error("too many requests; it asks to wait longer than is waited")]
    RateLimited,
    /// Something of its own broke.
    #[error("the server answers {0}: {1}")]
    Server(u16, String),
    /// It does not take what it was sent.
    #[error("refused with {0}: {1}")]
    Rejected(u16, String),
    /// More than is read.
    #[error("the answer is too large")]
    TooLarge,
    /// It is JSON, but not what was asked for.
    #[error("the answer is not understood: {0}")]
    Malformed(&'static str),
    /// This server is told to stop.
    #[error("the server is stopping")]
    Stopped,
}

impl Failure {
    /// Stable code of what to do; its text is `hints.<code>` of the locale file `admin-nocodb`.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::TokenMissing => "token_missing",
            Self::Address => "address",
            Self::Dns => "dns",
            Self::Refused => "refused",
            Self::Tls(_) => "tls",
            Self::Timeout => "timeout",
            Self::Broken(_) => "broken",
            Self::Redirected(_) => "redirected",
            Self::Unauthorized(_) => "unauthorized",
            Self::Forbidden(_) => "forbidden",
            Self::NotFound(..) => "not_found",
            Self::NotNocodb(_) => "not_nocodb",
            Self::Schema(_) => "schema",
            Self::RateLimited => "rate_limited",
            Self::Server(..) => "server",
            Self::Rejected(..) => "rejected",
            Self::TooLarge => "too_large",
            Self::Malformed(_) => "malformed",
            Self::Stopped => "stopped",
        }
    }

    /// The status of the answer, where there was one.
    #[must_use]
    pub const fn status(&self) -> Option<u16> {
        match self {
            Self::Redirected(status)
            | Self::Unauthorized(status)
            | Self::Forbidden(status)
            | Self::NotFound(status, _)
            | Self::Server(status, _)
            | Self::Rejected(status, _) => Some(*status),
            Self::NotNocodb(status) => *status,
            Self::RateLimited => Some(429),
            _ => None,
        }
    }

    /// Whether the same request may succeed a little later.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Refused | Self::Timeout | Self::Broken(_) | Self::Server(..)
        )
    }

    /// Whether the request cannot have been carried out.
    #[must_use]
    pub const fn never_arrived(&self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Refused | Self::Tls(_) | Self::Address
        )
    }

    /// Whether a write may have been carried out although its answer did not come.
    #[must_use]
    pub const fn is_in_doubt(&self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::Broken(_)
                | Self::Server(..)
                | Self::NotNocodb(_)
                | Self::TooLarge
                | Self::Malformed(_)
        )
    }

    /// What the client says.
    pub(super) fn of_client(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Timeout;
        }
        let mut cause: Option<&(dyn Error + 'static)> = Some(error);
        let mut last = String::new();
        let mut dns = false;
        while let Some(one) = cause {
            last = one.to_string();
            if one.is::<super::client::LinkLocal>() {
                return Self::Address;
            }
            if one.is::<rustls::Error>() {
                return Self::Tls(clean(&last));
            }
            dns |= last.contains("dns error") || last.contains("lookup address");
            let io = one.downcast_ref::<io::Error>();
            match io.map(io::Error::kind) {
                Some(io::ErrorKind::ConnectionRefused) => return Self::Refused,
                Some(io::ErrorKind::TimedOut) => return Self::Timeout,
                _ => {}
            }
            // `io::Error` does not show what it was made of as its source.
            let inner = io.and_then(io::Error::get_ref);
            cause = match inner {
                Some(inner) => Some(inner),
                None => one.source(),
            };
        }
        if dns {
            Self::Dns
        } else {
            Self::Broken(clean(&last))
        }
    }

    /// What a status other than a success says, with the server's own words.
    pub(super) fn of_status(status: StatusCode, told: &str) -> Self {
        let code = status.as_u16();
        match code {
            300..=399 => Self::Redirected(code),
            401 => Self::Unauthorized(code),
            403 => Self::Forbidden(code),
            404 => Self::NotFound(code, clean(told)),
            429 => Self::RateLimited,
            500.. => Self::Server(code, clean(told)),
            _ => Self::Rejected(code, clean(told)),
        }
    }
}

/// Another server's words, cut and without what could break a line.
fn clean(told: &str) -> String {
    let told = told.chars().map(|c| if c.is_control() { ' ' } else { c });
    told.take(MAX_TOLD).collect()
}
