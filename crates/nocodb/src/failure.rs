//! Errors of requests to the external database.

use std::error::Error;
use std::io;

use reqwest::StatusCode;

/// Longest part of another server's message that is shown, in characters.
const MAX_MESSAGE: usize = 300;

/// Why a request failed. `Display` is for developers; users see [`Failure::hint`].
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Failure {
    /// No token is configured.
    #[error("the server has no token for NocoDB")]
    TokenMissing,
    /// The address cannot be that of a NocoDB.
    #[error("the address is link-local, which is not allowed")]
    Address,
    /// The host is unknown.
    #[error("the host name is unknown")]
    Dns,
    /// The connection was refused.
    #[error("the connection is refused")]
    Refused,
    /// The TLS certificate is not trusted.
    #[error("TLS fails: {0}")]
    Tls(String),
    /// Timed out.
    #[error("the server did not respond in time")]
    Timeout,
    /// The connection broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// A redirect, which is not followed because of the token.
    #[error("the server redirects to another address, which is not followed")]
    Redirected(u16),
    /// The token is rejected.
    #[error("the token is rejected ({0})")]
    Unauthorized(u16),
    /// The token lacks the permission.
    #[error("the token may not do this ({0})")]
    Forbidden(u16),
    /// There is no such base, table or row.
    #[error("not found: {1}")]
    NotFound(u16, String),
    /// The server is not NocoDB.
    #[error("the server is not NocoDB")]
    NotNocodb(Option<u16>),
    /// Tables or fields are missing.
    #[error("missing: {0}")]
    Schema(String),
    /// Too many requests.
    #[error("too many requests; the requested wait is too long")]
    RateLimited,
    /// An internal error of the server.
    #[error("the server responded with {0}: {1}")]
    Server(u16, String),
    /// It rejects the request.
    #[error("rejected with {0}: {1}")]
    Rejected(u16, String),
    /// The response is too large.
    #[error("the response is too large")]
    TooLarge,
    /// The response is JSON of an unexpected form.
    #[error("the response cannot be parsed: {0}")]
    Malformed(&'static str),
    /// This server is shutting down.
    #[error("the server is stopping")]
    Stopped,
}

impl Failure {
    /// Stable code of the advice; its text is `hints.<code>` of the locale file `admin-nocodb`.
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

    /// The HTTP status of the response, if there was one.
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

    /// Whether a retry may succeed.
    #[must_use]
    pub const fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Refused | Self::Timeout | Self::Broken(_) | Self::Server(..)
        )
    }

    /// Whether the request was certainly not carried out.
    #[must_use]
    pub const fn never_arrived(&self) -> bool {
        matches!(
            self,
            Self::Dns | Self::Refused | Self::Tls(_) | Self::Address
        )
    }

    /// Whether a write may have been carried out although no response arrived.
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

    /// Classifies an error of the HTTP client.
    pub(super) fn of_client(error: &reqwest::Error) -> Self {
        if error.is_timeout() {
            return Self::Timeout;
        }
        let mut cause: Option<&(dyn Error + 'static)> = Some(error);
        let mut last = String::new();
        let mut dns = false;
        while let Some(current) = cause {
            last = current.to_string();
            if current.is::<LinkLocal>() {
                return Self::Address;
            }
            if current.is::<rustls::Error>() {
                return Self::Tls(clean(&last));
            }
            dns |= last.contains("dns error") || last.contains("lookup address");
            let io = current.downcast_ref::<io::Error>();
            match io.map(io::Error::kind) {
                Some(io::ErrorKind::ConnectionRefused) => return Self::Refused,
                Some(io::ErrorKind::TimedOut) => return Self::Timeout,
                _ => {}
            }
            // `io::Error::source` skips the error that it wraps.
            let inner = io.and_then(io::Error::get_ref);
            cause = match inner {
                Some(inner) => Some(inner),
                None => current.source(),
            };
        }
        if dns {
            Self::Dns
        } else {
            Self::Broken(clean(&last))
        }
    }

    /// Classifies an error status, with the server's message.
    pub(super) fn of_status(status: StatusCode, message: &str) -> Self {
        let code = status.as_u16();
        match code {
            300..=399 => Self::Redirected(code),
            401 => Self::Unauthorized(code),
            403 => Self::Forbidden(code),
            404 => Self::NotFound(code, clean(message)),
            429 => Self::RateLimited,
            500.. => Self::Server(code, clean(message)),
            _ => Self::Rejected(code, clean(message)),
        }
    }
}

/// Another server's message, truncated and without line breaks.
fn clean(message: &str) -> String {
    let message = message
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c });
    message.take(MAX_MESSAGE).collect()
}

/// A host that only resolves to link-local addresses.
#[derive(Debug, thiserror::Error)]
#[error("the address is link-local")]
pub(super) struct LinkLocal;
