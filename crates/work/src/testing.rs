//! The steps of sending a mail about a finished job, for the tests of the server.

use std::fmt::Display;

use slovo_db::jobs::completion_mails::ClaimedMail;
use slovo_db::jobs::workflows::MessageScope;
use slovo_mail::Mail;
use slovo_rules::locale::Locale;

use crate::completion_mails::CompletionMails;

/// Sends the mails that are due.
///
/// # Errors
/// When the database fails.
pub async fn send_due(mails: &CompletionMails) -> slovo_db::Result<()> {
    mails.send_due(MessageScope::All).await.map(drop)
}

/// Claims the mails that are due.
///
/// # Errors
/// When the database fails.
pub async fn claim(mails: &CompletionMails) -> slovo_db::Result<Vec<ClaimedMail>> {
    mails.claim(MessageScope::All).await
}

/// The recipient, language and mail; `None` if it is not wanted any more.
///
/// # Errors
/// When the database fails.
pub async fn mail_content(
    mails: &CompletionMails,
    claimed: &ClaimedMail,
) -> slovo_db::Result<Option<(String, Locale, Mail)>> {
    mails.mail_content(claimed).await
}

/// Stores the outcome of sending a mail.
///
/// # Errors
/// When the database fails.
pub async fn record_outcome<E: Display>(
    mails: &CompletionMails,
    claimed: &ClaimedMail,
    result: Result<(), E>,
) -> slovo_db::Result<()> {
    mails.record_outcome(claimed, result).await
}
