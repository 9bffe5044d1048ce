//! Stands in until the real module is merged.
use jiff::Timestamp;
use slovo_rules::locale::Locale;
/// What is said.
#[derive(Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "stand-in")]
pub enum Mail {
    Code { code: String, minutes: u32 },
    Reset { link: String, hours: u32 },
    PasswordChanged { when: Timestamp },
    JobDone { title: String, link: String },
}
/// Sends.
pub struct Mailer;
impl Mailer {
    /// Sends.
    #[expect(
        clippy::unused_async,
        missing_docs,
        clippy::missing_errors_doc,
        reason = "stand-in"
    )]
    pub async fn send(
        &self,
        _to: &str,
        _locale: Locale,
        _mail: &Mail,
    ) -> Result<(), std::io::Error> {
        Ok(())
    }
    /// Sends soon.
    pub fn send_soon(&self, _to: &str, _locale: Locale, _mail: Mail) {}
}
