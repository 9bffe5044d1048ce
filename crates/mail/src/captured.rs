//! For tests: mails that are captured instead of sent.

use std::sync::{Mutex, MutexGuard, PoisonError};

use slovo_rules::locale::Locale;

/// A mail that would have been sent.
#[derive(Clone, Debug)]
pub struct CapturedMail {
    /// The address on the envelope.
    pub to: String,
    /// See [`Mail::kind`](crate::Mail::kind).
    pub kind: &'static str,
    /// The language it is written in.
    pub locale: Locale,
    /// The reply address, if it differs from the sender.
    pub reply_to: Option<String>,
    /// The subject, a single line.
    pub subject: String,
    /// The plain text.
    pub text: String,
    /// The HTML.
    pub html: String,
}

impl CapturedMail {
    /// The code in it.
    #[track_caller]
    pub fn code(&self) -> String {
        let mut indented = self
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("    "));
        let code = indented.next();
        code.unwrap_or_else(|| panic!("no code in {self:?}"))
            .to_owned()
    }

    /// The first link in it.
    #[track_caller]
    pub fn link(&self) -> String {
        let mut words = self.text.split_whitespace();
        let link = words.find(|word| word.starts_with("http"));
        link.unwrap_or_else(|| panic!("no link in {self:?}"))
            .to_owned()
    }
}

/// All mails so far, oldest first.
#[derive(Default)]
pub struct CapturedMails(Mutex<Vec<CapturedMail>>);

impl CapturedMails {
    pub(crate) fn add(&self, mail: CapturedMail) {
        self.lock().push(mail);
    }

    /// All mails so far, oldest first.
    pub fn all(&self) -> Vec<CapturedMail> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<CapturedMail>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
