//! How mail is sent.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use slovo_mail::{MailError, Recipient, Sender};

use super::{PublicUrl, Redacted};

/// How mail is sent. The server comes from the variable `SLOVO_SMTP_URL` alone, because it holds
/// a password: `smtps://user:password@host:465`, `smtp://host:587?tls=required` (STARTTLS), or
/// `smtp://localhost:25` on the same machine. Without one, mails are printed and kept in the
/// data folder's `outbox`.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Mail (SLOVO_SMTP_URL names the server: smtps://user:password@host)")]
pub struct Mail {
    /// Where mails are handed over
    #[arg(skip = super::from_environment("SLOVO_SMTP_URL"))]
    pub smtp_url: Option<Redacted>,
    /// Sender of all emails [default: Slovo <slovo@HOST>, with the host of the public URL]
    #[arg(long, env = "SLOVO_MAIL_FROM", value_name = "NAME <ADDRESS>")]
    pub mail_from: Option<String>,
    /// PEM certificate of the private authority that issued the SMTP server's certificate
    #[arg(long, env = "SLOVO_SMTP_CA", value_name = "FILE")]
    pub smtp_ca: Option<PathBuf>,
    /// Where contact form messages are emailed [default: nowhere; administrators see them]
    #[arg(long, env = "SLOVO_CONTACT_TO", value_name = "ADDRESS", value_parser = recipient)]
    pub contact_to: Option<Recipient>,
}

fn recipient(text: &str) -> Result<Recipient, MailError> {
    Recipient::parse(text.trim())
}

impl Mail {
    /// The sender of mails.
    ///
    /// # Errors
    /// If `--mail-from` is not a valid sender.
    pub fn sender(&self, public_url: &PublicUrl) -> Result<Sender> {
        match &self.mail_from {
            Some(sender) => Sender::parse(sender).context("--mail-from"),
            None => Sender::of_host(public_url.domain()).context("--mail-from is needed"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mail(url: &str) -> Mail {
        Mail {
            smtp_url: Some(url.parse().unwrap()),
            mail_from: None,
            smtp_ca: None,
            contact_to: None,
        }
    }

    #[test]
    fn debug_output_does_not_contain_the_password() {
        let mail = mail("smtp://me:hunter2@mail.example.com");
        assert!(!format!("{mail:?}").contains("hunter2"));
    }

    #[test]
    fn the_default_sender_is_at_the_host_of_the_public_url() {
        let mut mail = mail("smtps://mail.example.com");
        let from = |mail: &Mail, url: &str| mail.sender(&url.parse().unwrap()).unwrap().to_string();
        assert_eq!(
            from(&mail, "https://slovo.example.com"),
            "Slovo <slovo@slovo.example.com>"
        );
        assert_eq!(
            from(&mail, "http://127.0.0.1:8787"),
            "Slovo <slovo@localhost>"
        );
        mail.mail_from = Some("mail@example.com".to_owned());
        assert_eq!(from(&mail, "https://slovo.example.com"), "mail@example.com");
        mail.mail_from = Some("a\r\nBcc: b@example.com".to_owned());
        assert!(mail.sender(&"http://localhost".parse().unwrap()).is_err());
    }
}
