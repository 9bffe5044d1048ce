//! The SMTP server, built from the configuration.

use anyhow::{Context, Result};
use slovo_mail::SmtpServer;

use crate::config;

/// The SMTP server; `None` if none is configured.
///
/// # Errors
/// The message says what is wrong with the certificate, or with the URL, which it does not contain.
pub fn smtp_server(options: &config::Mail) -> Result<Option<SmtpServer>> {
    let Some(url) = &options.smtp_url else {
        return Ok(None);
    };
    let mut server = SmtpServer::parse(url.expose()).context("SLOVO_SMTP_URL")?;
    if let Some(path) = &options.smtp_ca {
        let name = || format!("--smtp-ca {}", path.display());
        let pem = std::fs::read(path).with_context(name)?;
        server.trust(&pem).with_context(name)?;
    }
    Ok(Some(server))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(url: &str) -> config::Mail {
        config::Mail {
            smtp_url: Some(url.parse().unwrap()),
            mail_from: None,
            smtp_ca: None,
            contact_to: None,
        }
    }

    #[test]
    fn an_error_does_not_contain_the_password() {
        let options = options("smtp://me:hunter2@mail.example.com");
        let error = format!("{:#}", smtp_server(&options).unwrap_err());
        assert!(error.starts_with("SLOVO_SMTP_URL: "), "{error}");
        assert!(!error.contains("hunter2"), "{error}");
    }

    #[test]
    fn an_unreadable_certificate_is_named_in_the_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("ca.pem");
        let mut options = options("smtps://mail.example.com");
        options.smtp_ca = Some(file.clone());
        let missing = format!("{:#}", smtp_server(&options).unwrap_err());
        assert!(missing.contains("ca.pem: No such file"), "{missing}");
        std::fs::write(&file, "no certificate").unwrap();
        let wrong = format!("{:#}", smtp_server(&options).unwrap_err());
        assert!(wrong.contains("ca.pem: "), "{wrong}");
    }
}
