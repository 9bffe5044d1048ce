//! A mail as a MIME message: headers, and both forms side by side.

use std::time::{Duration, UNIX_EPOCH};

use lettre::Message;
use lettre::message::header::{Date, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart, SinglePart};

use crate::content::RenderedMail;
use crate::{MailError, Recipient, Sender};

/// Values that are unique to each sending of a mail.
pub struct Stamp<'a> {
    /// When, in Unix milliseconds.
    pub now_ms: i64,
    /// A random id.
    pub id: &'a str,
    /// The server's public host.
    pub host: &'a str,
}

/// RFC 3834: suppresses automatic replies, such as holiday notices.
const AUTO_SUBMITTED: HeaderName = HeaderName::new_from_ascii_str("Auto-Submitted");

/// Builds the message.
///
/// # Errors
/// If the parts do not form a valid message.
pub fn build(
    rendered: &RenderedMail,
    from: &Sender,
    to: &Recipient,
    reply_to: Option<&Recipient>,
    stamp: &Stamp<'_>,
) -> Result<Message, MailError> {
    let since_1970 = Duration::from_millis(u64::try_from(stamp.now_ms).unwrap_or(0));
    let bodies = MultiPart::alternative()
        .boundary(format!("slovo-{}", stamp.id))
        .singlepart(SinglePart::plain(rendered.text.clone()))
        .singlepart(SinglePart::html(rendered.html.clone()));
    let automatic = HeaderValue::new(AUTO_SUBMITTED, "auto-generated".to_owned());
    let mut builder = Message::builder();
    if let Some(reply_to) = reply_to {
        builder = builder.reply_to(Mailbox::new(None, reply_to.address()));
    }
    builder
        .from(from.mailbox().clone())
        .to(Mailbox::new(None, to.address()))
        .subject(rendered.subject.clone())
        .header(Date::new(UNIX_EPOCH + since_1970))
        .message_id(Some(format!("<{}@{}>", stamp.id, stamp.host)))
        .raw_header(automatic)
        .multipart(bodies)
        .map_err(|error| MailError::Unwritable(error.to_string()))
}
