//! Mail: what is said, in whose language, and how it gets out.
//!
//! A mail is data ([`Mail`]); its sentences come from the locale files, its look from the
//! templates. It goes to the SMTP server that is configured, else into the data folder's outbox.
//! Nothing that a person typed becomes part of a header or of markup, and neither codes nor
//! links are ever logged.

use std::fmt;

use jiff::Timestamp;
use slovo_rules::settings::MadeFile;

mod address;
#[cfg(test)]
mod caught;
mod error;
mod letter;
mod mailer;
mod message;
mod outbox;
pub mod preview;
mod smtp;
pub mod stored;
#[cfg(test)]
mod tests;
mod texts;

pub use address::{Recipient, Sender};
#[cfg(test)]
pub use caught::CaughtMail;
pub use error::MailError;
pub use letter::one_line;
pub use mailer::{Carrier, Mailer, Parts, Patience, Way};
pub use smtp::SmtpServer;

/// What is said. Its `Debug` names the kind and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub enum Mail {
    /// The code that proves an address at sign-up.
    Code {
        /// The code.
        code: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// The link to set a new password with.
    Reset {
        /// The link.
        link: String,
        /// How long it is valid, in hours.
        hours: u32,
    },
    /// The password is another one now.
    PasswordChanged {
        /// Since when.
        when: Timestamp,
    },
    /// A transcription is done.
    JobDone {
        /// The recording's title, as its owner wrote it.
        title: String,
        /// Where the text is.
        link: String,
        /// The files that were made of it, with where each is read.
        files: Vec<(MadeFile, String)>,
        /// How long those links work, in days.
        days: u32,
    },
    /// A visitor has written by the contact form.
    ContactMessage {
        /// Who, as they say.
        name: String,
        /// Where an answer goes, as they say.
        email: String,
        /// What they say.
        message: String,
    },
    /// Asks the owner of an address whether they want the newsletter.
    NewsletterConfirmation {
        /// The link that says yes.
        confirm: String,
        /// The link that says no, now or later.
        leave: String,
        /// How long the first one is valid, in days.
        days: u32,
    },
    /// Nothing but that mail works.
    Test,
}

impl Mail {
    /// The kind's name, for file names and logs.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Code { .. } => "code",
            Self::Reset { .. } => "reset",
            Self::PasswordChanged { .. } => "password_changed",
            Self::JobDone { .. } => "job_done",
            Self::ContactMessage { .. } => "contact_message",
            Self::NewsletterConfirmation { .. } => "newsletter_confirmation",
            Self::Test => "test",
        }
    }

    /// Where an answer goes, if not to the sender and if SMTP can carry the address. Without a
    /// name: nobody vouches for the one that was typed.
    pub fn reply_to(&self) -> Option<Recipient> {
        match self {
            Self::ContactMessage { email, .. } => Recipient::parse(email).ok(),
            Self::Code { .. }
            | Self::Reset { .. }
            | Self::PasswordChanged { .. }
            | Self::JobDone { .. }
            | Self::NewsletterConfirmation { .. }
            | Self::Test => None,
        }
    }
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mail({})", self.kind())
    }
}
