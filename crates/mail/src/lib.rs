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
#[cfg(any(test, feature = "testing"))]
mod caught;
mod content;
mod error;
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
#[cfg(any(test, feature = "testing"))]
pub use caught::CaughtMail;
pub use content::one_line;
pub use error::MailError;
pub use mailer::{Mailer, Parts, RetryPolicy, Transport, Way};
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
    /// An administrator has made an account: the link to set its first password with.
    Invitation {
        /// The administrator's address.
        by: String,
        /// The link.
        link: String,
        /// How long it is valid, in days.
        days: u32,
    },
    /// The code that shows that whoever wants another address has the present one.
    EmailCodeOld {
        /// The code.
        code: String,
        /// The address that is wanted.
        wanted: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// The code that shows that whoever wants this address has it.
    EmailCodeNew {
        /// The code.
        code: String,
        /// How long it is valid, in minutes.
        minutes: u32,
    },
    /// Somebody wants this address for their account, but there is one with it already.
    EmailTaken,
    /// The account has another address now; goes to the one before.
    EmailChanged {
        /// The new one.
        now: String,
        /// Since when.
        when: Timestamp,
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
    /// A user asks for another plan.
    PlanRequest {
        /// Whose wish it is.
        email: String,
        /// The plan.
        plan: String,
        /// What they have now.
        present_plan: Option<String>,
        /// Whether they have it on trial and want to keep it.
        keeps: bool,
        /// What they say.
        message: String,
        /// Where it is answered.
        link: String,
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
    /// A plan on trial ends soon.
    TrialEnding {
        /// The plan's name.
        plan: String,
        /// When it ends.
        when: Timestamp,
        /// Where it can be asked for.
        link: String,
    },
    /// An administrator has decided about a request for a plan.
    PlanDecided {
        /// Yes or no.
        approved: bool,
        /// The plan's name.
        plan: String,
        /// What the administrator says; may be empty.
        answer: String,
        /// Where the plan is shown.
        link: String,
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

    /// Where an answer goes, if not to the sender and if SMTP can carry the address. Without a
    /// name: nobody vouches for the one that was typed.
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
