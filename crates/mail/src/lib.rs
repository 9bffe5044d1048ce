//! Mail: contents, languages and delivery.
//!
//! A mail is data ([`Mail`]); its sentences come from the locale files, its layout from the
//! templates. It is sent to the configured SMTP server, otherwise stored in the data folder's
//! outbox. User input never becomes part of a header or of markup, and neither codes nor links are
//! ever logged.

use std::fmt;

use jiff::Timestamp;
use slovo_rules::settings::MadeFile;

mod address;
#[cfg(any(test, feature = "testing"))]
mod captured;
mod content;
mod error;
mod mailer;
mod message;
mod one_line;
mod outbox;
pub mod preview;
mod smtp;
pub mod stored;
#[cfg(test)]
mod tests;
mod texts;

pub use address::{Recipient, Sender};
#[cfg(any(test, feature = "testing"))]
pub use captured::CapturedMail;
pub use error::MailError;
pub use mailer::{DeliveryMethod, Mailer, Parts, RetryPolicy, Transport};
pub use one_line::one_line;
pub use smtp::{Smtp, SmtpServer};

/// A mail as data. Its `Debug` output names the kind and nothing else.
#[derive(Clone, PartialEq, Eq)]
pub enum Mail {
    /// The code that verifies an address at sign-up.
    Code {
        /// The code.
        code: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// The link for setting a new password.
    Reset {
        /// The link.
        link: String,
        /// How long it is valid, in hours.
        hours: u32,
    },
    /// An administrator has created an account: the link for setting its first password.
    Invitation {
        /// The administrator's address.
        by: String,
        /// The link.
        link: String,
        /// How long it is valid, in days.
        days: u32,
    },
    /// The code that confirms the current address when an account's address is changed.
    EmailCodeOld {
        /// The code.
        code: String,
        /// The requested address.
        wanted: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// The code that confirms the new address when an account's address is changed.
    EmailCodeNew {
        /// The code.
        code: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// A user requested this address for their account, but another account already has it.
    EmailTaken,
    /// The account's address was changed; goes to the previous one.
    EmailChanged {
        /// The new address.
        now: String,
        /// When it was changed.
        when: Timestamp,
    },
    /// The password was changed.
    PasswordChanged {
        /// When it was changed.
        when: Timestamp,
    },
    /// A transcription is done.
    JobDone {
        /// The recording's title, as its owner wrote it.
        title: String,
        /// The URL of the text.
        link: String,
        /// The exported files, each with the link to download it.
        files: Vec<(MadeFile, String)>,
        /// How long those links work, in days.
        days: u32,
    },
    /// A visitor has sent a message with the contact form.
    ContactMessage {
        /// The sender's name, unverified.
        name: String,
        /// The reply address, unverified.
        email: String,
        /// The message.
        message: String,
    },
    /// A user requests another plan.
    PlanRequest {
        /// The user's address.
        email: String,
        /// The plan.
        plan: String,
        /// The current plan.
        present_plan: Option<String>,
        /// Whether the plan is on trial and the user wants to keep it.
        keeps: bool,
        /// The user's message.
        message: String,
        /// The page for answering the request.
        link: String,
    },
    /// Asks the owner of an address whether they want the newsletter.
    NewsletterConfirmation {
        /// The link that confirms the subscription.
        confirm: String,
        /// The link that declines it or unsubscribes.
        leave: String,
        /// How long the first link is valid, in days.
        days: u32,
    },
    /// A trial plan ends soon.
    TrialEnding {
        /// The plan's name.
        plan: String,
        /// When it ends.
        when: Timestamp,
        /// The page for requesting it.
        link: String,
    },
    /// An administrator has decided about a request for a plan.
    PlanDecided {
        /// Whether the request was granted.
        approved: bool,
        /// The plan's name.
        plan: String,
        /// The administrator's message; may be empty.
        answer: String,
        /// The page that shows the plan.
        link: String,
    },
    /// A test of mail delivery.
    Test,
}

impl Mail {
    /// The kind's name, for file names and logs.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Code { .. } => "code",
            Self::Reset { .. } => "reset",
            Self::Invitation { .. } => "invitation",
            Self::EmailCodeOld { .. } => "email_code_old",
            Self::EmailCodeNew { .. } => "email_code_new",
            Self::EmailTaken => "email_taken",
            Self::EmailChanged { .. } => "email_changed",
            Self::PasswordChanged { .. } => "password_changed",
            Self::JobDone { .. } => "job_done",
            Self::ContactMessage { .. } => "contact_message",
            Self::PlanRequest { keeps: true, .. } => "plan_kept",
            Self::PlanRequest { .. } => "plan_request",
            Self::NewsletterConfirmation { .. } => "newsletter_confirmation",
            Self::TrialEnding { .. } => "trial_ending",
            Self::PlanDecided { approved: true, .. } => "plan_approved",
            Self::PlanDecided { .. } => "plan_declined",
            Self::Test => "test",
        }
    }

    /// The reply address, if it differs from the sender and SMTP can carry it. Without a name,
    /// because the one that was typed is unverified.
    pub fn reply_to(&self) -> Option<Recipient> {
        match self {
            Self::ContactMessage { email, .. } => Recipient::parse(email).ok(),
            Self::Code { .. }
            | Self::Reset { .. }
            | Self::Invitation { .. }
            | Self::EmailCodeOld { .. }
            | Self::EmailCodeNew { .. }
            | Self::EmailTaken
            | Self::EmailChanged { .. }
            | Self::PasswordChanged { .. }
            | Self::JobDone { .. }
            | Self::PlanRequest { .. }
            | Self::NewsletterConfirmation { .. }
            | Self::TrialEnding { .. }
            | Self::PlanDecided { .. }
            | Self::Test => None,
        }
    }
}

impl fmt::Debug for Mail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mail({})", self.kind())
    }
}
