//! Sends a mail when a transcription has finished.
//!
//! Each mail is a row inserted together with the job's completion
//! (`slovo_db::jobs::completion_mails`). A process claims the row before sending, so that only one
//! of several processes sends it.

use std::sync::Arc;

use slovo_db::Database;
use slovo_db::jobs::completion_mails::{self, ClaimedMail};
use slovo_db::jobs::files::JobFile;
use slovo_db::jobs::workflows::MessageScope;
use slovo_mail::stored::{BATCH, CLAIM_MS, INTERVAL, MAX_TRIES, pause_ms};
use slovo_mail::{Mail, Mailer};
use slovo_platform::clock::Clock;
use slovo_platform::secret::Secret;
use slovo_rules::locale::Locale;
use slovo_rules::settings::MadeFile;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::jobs::file_links::{FileLink, FileLinks, LINK_DAYS, LINK_SECONDS};

/// Dependencies of the mails. Cheap to clone.
#[derive(Clone)]
pub struct CompletionMails {
    /// The database.
    pub db: Database,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// Secret that links to files are signed with.
    pub secret: Secret,
    /// Sends mails.
    pub mail: Mailer,
    /// The server's public URL, without a trailing slash.
    pub base: String,
    /// Cancelled when the server stops.
    pub shutdown: CancellationToken,
}

impl CompletionMails {
    /// Sends due mails of the scope periodically until the server stops.
    pub async fn send_periodically(self, scope: MessageScope) {
        loop {
            if let Err(error) = self.send_due(scope).await {
                tracing::warn!(%error, "mails about finished jobs could not be sent; trying again");
            }
            tokio::select! {
                () = self.shutdown.cancelled() => return,
                () = tokio::time::sleep(INTERVAL) => {}
            }
        }
    }

    /// Sends due mails of the scope, and returns how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_due(&self, scope: MessageScope) -> slovo_db::Result<usize> {
        let mut sent = 0;
        loop {
            let due = self.claim(scope).await?;
            if due.is_empty() {
                return Ok(sent);
            }
            for claimed in due {
                if self.shutdown.is_cancelled() {
                    return Ok(sent);
                }
                sent += 1;
                let result = match self.mail_content(&claimed).await? {
                    Some((to, locale, mail)) => self.mail.send(&to, locale, &mail).await,
                    None => Ok(()),
                };
                self.record_outcome(&claimed, result).await?;
            }
        }
    }

    pub(crate) async fn claim(&self, scope: MessageScope) -> slovo_db::Result<Vec<ClaimedMail>> {
        let now = self.clock.now_ms();
        let mut transaction = self.db.write().await?;
        let due =
            completion_mails::claim(&mut transaction, scope, now, now + CLAIM_MS, BATCH).await?;
        transaction.commit().await?;
        Ok(due)
    }

    /// The recipient, language and mail; `None` if it is not wanted any more.
    pub(crate) async fn mail_content(
        &self,
        claimed: &ClaimedMail,
    ) -> slovo_db::Result<Option<(String, Locale, Mail)>> {
        let mut connection = self.db.read().await?;
        let mail_content = completion_mails::mail_content(&mut connection, claimed.job_id).await?;
        Ok(mail_content.map(|mail_content| {
            let files = self.linked(claimed.job_id, &mail_content.files);
            let base = &self.base;
            let mail = Mail::JobDone {
                title: mail_content.name,
                link: format!("{base}/transcription/{}", claimed.job_id),
                files,
                days: LINK_DAYS,
            };
            (mail_content.email, mail_content.locale, mail)
        }))
    }

    /// The files made from the text, with links that open them for a week.
    fn linked(&self, job: Uuid, files: &[JobFile]) -> Vec<(MadeFile, String)> {
        let links = FileLinks::new(&self.secret);
        let expires_at = self.clock.now().as_second() + LINK_SECONDS;
        let base = &self.base;
        let linked = files.iter().filter_map(|file| {
            let right = FileLink {
                job,
                file: file.format,
                made_at: file.made_at,
            };
            match links.issue(&right, expires_at) {
                Ok(token) => Some((file.format, format!("{base}/api/v1/files/{token}"))),
                // Without the link the mail is still useful.
                Err(error) => {
                    tracing::error!(%job, %error, "a link to a file cannot be made");
                    None
                }
            }
        });
        linked.collect()
    }

    /// Stores the outcome of sending a mail.
    pub(crate) async fn record_outcome<E: std::fmt::Display>(
        &self,
        claimed: &ClaimedMail,
        result: Result<(), E>,
    ) -> slovo_db::Result<()> {
        let (job, tries) = (claimed.job_id, claimed.tries);
        let mut transaction = self.db.write().await?;
        match result {
            Ok(()) => completion_mails::remove(&mut transaction, job).await?,
            Err(error) if tries >= MAX_TRIES => {
                tracing::error!(%job, %error, tries, "a mail about a finished job is given up");
                completion_mails::remove(&mut transaction, job).await?;
            }
            Err(error) => {
                tracing::warn!(%job, %error, tries, "a mail about a finished job was not sent");
                let later = self.clock.now_ms() + pause_ms(tries);
                completion_mails::postpone(&mut transaction, job, later).await?;
            }
        }
        transaction.commit().await
    }
}
