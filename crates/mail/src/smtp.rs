//! Delivery to the SMTP server.
//!
//! Each connection delivers one mail. A reused one could be left in the middle of an exchange when
//! an attempt is cancelled, and then acknowledge a mail that it never received.

use std::net::IpAddr;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, Mechanism};
use lettre::transport::smtp::client::{
    AsyncSmtpConnection, Certificate, TlsParameters, TlsVersion,
};
use lettre::transport::smtp::extension::ClientId;
use tokio::sync::Semaphore;
use url::Url;

use crate::MailError;
use slovo_platform::public_url::PublicUrl;

/// Concurrent deliveries. Many servers refuse more than some ten connections from one client.
const AT_ONCE: usize = 8;
/// Timeout for `QUIT` after the mail has been accepted.
const QUIT_TIMEOUT: Duration = Duration::from_secs(1);

/// How the connection is encrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Privacy {
    /// TLS from the first byte.
    Tls,
    /// TLS after STARTTLS; without it nothing is sent.
    StartTls,
    /// Unencrypted, on this machine only.
    Loopback,
}

/// A configured SMTP server. Its `Debug` shows no password.
#[derive(Clone)]
pub struct SmtpServer {
    host: String,
    port: u16,
    privacy: Privacy,
    credentials: Option<Credentials>,
    roots: Vec<Certificate>,
}

impl SmtpServer {
    /// Parses `smtps://user:password@host:465`, `smtp://host:587?tls=required` or
    /// `smtp://localhost:25`. User and password are percent-encoded.
    ///
    /// # Errors
    /// A description of what is wrong, without repeating the URL.
    pub fn parse(text: &str) -> Result<Self> {
        let url = Url::parse(text).context("it is not a URL")?;
        let host = url.host_str().filter(|host| !host.is_empty());
        let host = host.context("it has no host")?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        ensure!(
            matches!(url.path(), "" | "/") && url.fragment().is_none(),
            "only ?tls=required may follow the host and port"
        );
        let privacy = match (url.scheme(), url.query()) {
            ("smtps", None) => Privacy::Tls,
            ("smtp", Some("tls=required")) => Privacy::StartTls,
            ("smtp", None) if is_loopback(host) => Privacy::Loopback,
            ("smtp", None) => bail!(
                "{host} is another machine, and without TLS the mails can be read on the way: \
                 use smtps:// or add ?tls=required"
            ),
            ("smtp" | "smtps", Some(_)) => {
                bail!("the only allowed parameter is ?tls=required, with smtp:// only")
            }
            _ => bail!("it must begin with smtps:// or smtp://"),
        };
        let credentials = match (decoded(url.username())?, url.password()) {
            (user, None) if user.is_empty() => None,
            (user, Some(password)) if !user.is_empty() => {
                Some(Credentials::new(user, decoded(password)?))
            }
            _ => bail!("user and password must be given together"),
        };
        Ok(Self {
            host: host.to_owned(),
            port: url.port().unwrap_or(match privacy {
                Privacy::Tls => 465,
                Privacy::StartTls => 587,
                Privacy::Loopback => 25,
            }),
            privacy,
            credentials,
            roots: Vec::new(),
        })
    }

    /// Also trusts certificates of these authorities, besides the system's.
    ///
    /// # Errors
    /// If the text contains no certificate.
    pub fn trust(&mut self, pem: &[u8]) -> Result<()> {
        ensure!(
            pem.windows(MARK.len()).any(|bytes| bytes == MARK),
            "it contains no PEM certificate"
        );
        let root = Certificate::from_pem(pem).context("it is not a PEM certificate")?;
        self.roots.push(root);
        self.tls().context("it is not an authority's certificate")?;
        Ok(())
    }

    /// Host and port for display.
    pub fn place(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    fn tls(&self) -> Result<TlsParameters> {
        let mut builder =
            TlsParameters::builder(self.host.clone()).set_min_tls_version(TlsVersion::Tlsv12);
        for root in &self.roots {
            builder = builder.add_root_certificate(root.clone());
        }
        Ok(builder.build_rustls()?)
    }
}

/// How a PEM certificate begins.
const MARK: &[u8] = b"-----BEGIN CERTIFICATE-----";

impl std::fmt::Debug for SmtpServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmtpServer")
            .field("place", &self.place())
            .field("privacy", &self.privacy)
            .field("signs_in", &self.credentials.is_some())
            .finish_non_exhaustive()
    }
}

fn is_loopback(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Decodes percent-encoding.
fn decoded(text: &str) -> Result<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).filter(|_| *first == b'%');
        if let Some(digits) = digits {
            let byte = hex::decode(digits).context("a % must be followed by two hex digits")?;
            bytes.extend(byte);
            rest = &after[2..];
        } else {
            ensure!(*first != b'%', "a % must be followed by two hex digits");
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).context("user and password must be UTF-8")
}

/// The SMTP transport.
pub struct Smtp {
    server: SmtpServer,
    tls: TlsParameters,
    hello: ClientId,
    places: Semaphore,
}

impl Smtp {
    /// A transport to this server; our public host is the name in `EHLO`.
    ///
    /// # Errors
    /// If TLS cannot be set up.
    pub fn new(server: SmtpServer, public_url: &PublicUrl) -> Result<Self> {
        let hello = match public_url.domain() {
            Some(domain) => ClientId::Domain(domain.to_owned()),
            None => match public_url.host().trim_matches(['[', ']']).parse() {
                Ok(IpAddr::V4(ip)) => ClientId::Ipv4(ip),
                Ok(IpAddr::V6(ip)) => ClientId::Ipv6(ip),
                Err(_) => ClientId::Domain("localhost".to_owned()),
            },
        };
        Ok(Self {
            tls: server.tls().context("TLS cannot be set up")?,
            server,
            hello,
            places: Semaphore::new(AT_ONCE),
        })
    }

    /// Host and port for display.
    pub fn place(&self) -> String {
        self.server.place()
    }

    /// Delivers the mail; when this returns, the server has accepted it.
    ///
    /// # Errors
    /// Why it was not accepted, or that it took longer than `limit`, including the wait for a slot.
    pub async fn send(&self, message: &Message, limit: Duration) -> Result<(), MailError> {
        let result = tokio::time::timeout(limit, async {
            let _place = self.places.acquire().await;
            let mut connection = self.connect().await?;
            let mail = message.formatted();
            connection.send(message.envelope(), &mail).await?;
            Ok::<_, MailError>(connection)
        });
        let mut connection = result.await.map_err(|_| MailError::TimedOut)??;
        // The server has accepted the mail, whatever happens to `QUIT`.
        let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.abort()).await;
        Ok(())
    }

    /// Connects and signs in, and sends nothing.
    ///
    /// # Errors
    /// Why that is not possible, or that it took longer than `limit`.
    pub async fn try_to_connect(&self, limit: Duration) -> Result<(), MailError> {
        let connected = tokio::time::timeout(limit, self.connect()).await;
        let mut connection = connected.map_err(|_| MailError::TimedOut)??;
        let _ = tokio::time::timeout(QUIT_TIMEOUT, connection.abort()).await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        let at_once = (self.server.privacy == Privacy::Tls).then(|| self.tls.clone());
        let place = (self.server.host.as_str(), self.server.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(place, None, &self.hello, at_once, None).await?;
        if self.server.privacy == Privacy::StartTls {
            connection.starttls(self.tls.clone(), &self.hello).await?;
        }
        if let Some(credentials) = &self.server.credentials {
            let mechanisms = [Mechanism::Plain, Mechanism::Login];
            connection.auth(&mechanisms, credentials).await?;
        }
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_parsed_from_its_url() {
        for (url, place, privacy, signs_in) in [
            (
                "smtps://mail.example.com",
                "mail.example.com:465",
                Privacy::Tls,
                false,
            ),
            (
                "smtps://me:p%40ss%3A%2F%25@mail.example.com:4650/",
                "mail.example.com:4650",
                Privacy::Tls,
                true,
            ),
            (
                "smtp://mail.example.com?tls=required",
                "mail.example.com:587",
                Privacy::StartTls,
                false,
            ),
            ("smtp://localhost", "localhost:25", Privacy::Loopback, false),
            (
                "smtp://me:secret@127.0.0.1:2525",
                "127.0.0.1:2525",
                Privacy::Loopback,
                true,
            ),
            ("smtp://[::1]:2525", "::1:2525", Privacy::Loopback, false),
        ] {
            let server = SmtpServer::parse(url).unwrap();
            assert_eq!(
                (server.place(), server.privacy),
                (place.to_owned(), privacy),
                "{url}"
            );
            assert_eq!(server.credentials.is_some(), signs_in, "{url}");
        }
        let server = SmtpServer::parse("smtps://me%40x:p%40ss%3A%2F%25+@mail.example.com").unwrap();
        let expected = Credentials::new("me@x".to_owned(), "p@ss:/%+".to_owned());
        assert_eq!(server.credentials, Some(expected));
    }

    #[test]
    fn unencrypted_connections_are_refused() {
        for url in [
            "smtp://mail.example.com",
            "smtp://me:hunter2@10.0.0.1:25",
            "smtp://localhost.example.com",
            "smtp://mail.example.com?tls=opportunistic",
            "smtp://mail.example.com?tls=none",
            "smtp://localhost?tls=required&x=y",
            "smtps://mail.example.com?tls=required",
        ] {
            let error = format!("{:#}", SmtpServer::parse(url).unwrap_err());
            assert!(error.contains("?tls=required"), "{url}: {error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn invalid_urls_are_refused_without_showing_the_password() {
        for url in [
            "",
            "mail.example.com",
            "http://mail.example.com",
            "smtps://",
            "smtps://hunter2@mail.example.com",
            "smtps://:hunter2@mail.example.com",
            "smtps://me:hunter2%@mail.example.com",
            "smtps://me:hunter2%zz@mail.example.com",
            "smtps://me:hunter2%ff@mail.example.com",
            "smtps://me:hunter2@mail.example.com/inbox",
            "smtps://me:hunter2@mail.example.com:port",
        ] {
            let error = format!("{:#}", SmtpServer::parse(url).unwrap_err());
            assert!(!error.contains("hunter2"), "{error}");
        }
        let server = SmtpServer::parse("smtps://me:hunter2@mail.example.com").unwrap();
        assert!(!format!("{server:?}").contains("hunter2"));
    }
}
