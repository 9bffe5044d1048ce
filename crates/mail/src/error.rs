//! Why a mail could not be sent.

use std::error::Error;
use std::io;

use lettre::transport::smtp;

use crate::one_line::one_line;

/// Longest part of a server's reply that is repeated, in characters.
const MAX_REPLY: usize = 200;

/// Why a mail could not be sent. The texts hold no code, no link and no password.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// SMTP cannot carry the address.
    #[error("the mail address is not valid: {0}")]
    Address(&'static str),
    /// The message could not be built.
    #[error("the mail cannot be built: {0}")]
    Unwritable(String),
    /// The server cannot be reached, or not securely.
    #[error("the SMTP server cannot be reached: {0}")]
    Unreachable(String),
    /// The server rejects the user or the password.
    #[error("the SMTP server rejects the user or the password of SLOVO_SMTP_URL: {0}")]
    SignIn(String),
    /// The server permanently rejects this mail (5xx).
    #[error("the SMTP server rejects the mail: {0}")]
    Refused(String),
    /// The server temporarily rejects the mail (4xx).
    #[error("the SMTP server temporarily rejects the mail: {0}")]
    Postponed(String),
    /// The server did not answer in time.
    #[error("the SMTP server did not respond in time")]
    TimedOut,
    /// The outbox cannot be written.
    #[error("the outbox cannot be written: {0}")]
    Outbox(#[from] io::Error),
}

impl MailError {
    /// Stable name of the reason; the advice for administrators is chosen by it.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Address(_) => "address",
            Self::Unwritable(_) => "unwritable",
            Self::Unreachable(_) => "unreachable",
            Self::SignIn(_) => "sign_in",
            Self::Refused(_) => "refused",
            Self::Postponed(_) => "postponed",
            Self::TimedOut => "timed_out",
            Self::Outbox(_) => "outbox",
        }
    }

    /// Whether a retry would fail in the same way.
    pub const fn is_permanent(&self) -> bool {
        match self {
            Self::Address(_) | Self::Unwritable(_) | Self::SignIn(_) | Self::Refused(_) => true,
            Self::Unreachable(_) | Self::Postponed(_) | Self::TimedOut | Self::Outbox(_) => false,
        }
    }
}

impl From<smtp::Error> for MailError {
    fn from(error: smtp::Error) -> Self {
        if error.is_timeout() {
            return Self::TimedOut;
        }
        let cause = error
            .source()
            .map_or_else(|| error.to_string(), ToString::to_string);
        let Some(code) = error.status() else {
            return Self::Unreachable(one_line(&cause, MAX_REPLY));
        };
        let reply = one_line(&format!("{code} {cause}"), MAX_REPLY);
        match u16::from(code) {
            // RFC 4954: authentication is required, too weak, or has failed.
            530 | 534 | 535 => Self::SignIn(reply),
            _ if error.is_permanent() => Self::Refused(reply),
            _ => Self::Postponed(reply),
        }
    }
}
