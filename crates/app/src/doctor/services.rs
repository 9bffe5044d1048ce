//! Other servers that this one uses.

use std::time::Duration;

use slovo_mail::Smtp;

use super::Finding;
use crate::config::Config;
use crate::state::mail::smtp_server;

/// How long another server may take.
const WITHIN: Duration = Duration::from_secs(10);

/// The mail server: whether it accepts us, without sending anything.
pub(super) async fn mail(config: &Config) -> Finding {
    let server = match smtp_server(&config.mail) {
        Ok(Some(server)) => server,
        Ok(None) => {
            return Finding::warning(
                "mail",
                "no mail server is configured: codes for sign-up are only printed and stored",
                "SLOVO_SMTP_URL=smtps://user:password@host:465",
            );
        }
        Err(error) => {
            return Finding::fault("mail", format!("{error:#}"), "correct SLOVO_SMTP_URL");
        }
    };
    let place = server.place();
    let tried = match Smtp::new(server, &config.public_url()) {
        Ok(smtp) => smtp
            .try_to_connect(WITHIN)
            .await
            .map_err(anyhow::Error::from),
        Err(error) => Err(error),
    };
    match tried {
        Ok(()) => Finding::ok("mail", format!("{place} accepts this server")),
        Err(error) => Finding::fault(
            "mail",
            format!("{place}: {error:#}"),
            "check host, port, user and password in SLOVO_SMTP_URL, then: slovo mail test you@example.com",
        ),
    }
}

/// The API of a language model: whether anybody answers there.
pub(super) async fn analysis(config: &Config) -> Option<Finding> {
    let url = config.analysis.given_url()?;
    let client = super::client(WITHIN)?;
    Some(match client.get(url.as_str()).send().await {
        Ok(_) => Finding::ok("language_model", "its server answers"),
        Err(error) => Finding::warning(
            "language_model",
            format!("its server does not answer: {}", error.without_url()),
            "start it, or correct ANALYSIS_URL",
        ),
    })
}
