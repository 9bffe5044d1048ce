//! Sign-in with Google or another OpenID Connect provider.

use std::net::IpAddr;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use reqwest::Url;
use slovo_accounts::auth::openid::Provider;

use super::Redacted;
use super::openid_mark::ProviderLogo;

/// Sign-in with Google.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Sign-in with Google")]
pub struct OpenId {
    /// Client ID of this server at the provider; the secret goes in SLOVO_OPENID_CLIENT_SECRET
    #[arg(
        long = "openid-client-id",
        env = "SLOVO_OPENID_CLIENT_ID",
        value_name = "ID"
    )]
    pub client_id: Option<String>,
    /// The client's secret; from the environment alone, but tests have no environment of their own
    #[cfg_attr(not(test), arg(skip = super::from_environment("SLOVO_OPENID_CLIENT_SECRET")))]
    #[cfg_attr(test, arg(long = "openid-client-secret"))]
    pub client_secret: Option<Redacted>,
    /// Provider: the issuer of its ID tokens
    #[arg(
        long = "openid-issuer",
        env = "SLOVO_OPENID_ISSUER",
        value_name = "URL",
        default_value = "https://accounts.google.com"
    )]
    pub issuer: String,
    /// Name of the provider shown to users [default: Google, or the issuer's host]
    #[arg(long = "openid-name", env = "SLOVO_OPENID_NAME", value_name = "NAME")]
    pub name: Option<String>,
    /// Mark of the provider beside its name: the path of an SVG, PNG or WebP file of at most 64 KiB
    /// [default: Google's for Google, else a key]
    #[arg(long = "openid-mark", env = "SLOVO_OPENID_MARK", value_name = "FILE")]
    pub mark: Option<String>,
}

/// Google's issuer.
const GOOGLE: &str = "https://accounts.google.com";

/// Longest name that fits on a button, in characters.
const LONGEST_NAME: usize = 40;

impl OpenId {
    /// The provider, if one is configured.
    ///
    /// # Errors
    /// The message names what is missing or not valid.
    pub fn provider(&self) -> Result<Option<Provider>> {
        // An empty variable counts as not set.
        let id = self.client_id.as_deref().filter(|id| !id.is_empty());
        let secret = self.client_secret.as_ref();
        let secret = secret.filter(|secret| !secret.expose().is_empty());
        let (client_id, client_secret) = match (id, secret) {
            (None, None) => return Ok(None),
            (Some(id), Some(secret)) => (id.to_owned(), secret.clone()),
            (Some(_), None) => bail!("--openid-client-id: SLOVO_OPENID_CLIENT_SECRET is missing"),
            (None, Some(_)) => bail!("SLOVO_OPENID_CLIENT_SECRET: --openid-client-id is missing"),
        };
        let is_local = check_issuer(&self.issuer)
            .with_context(|| format!("--openid-issuer {}: cannot be used", self.issuer))?;
        let is_google = self.issuer.trim_end_matches('/') == GOOGLE;
        Ok(Some(Provider {
            issuer: self.issuer.clone(),
            name: self.shown_name(is_google)?,
            is_google,
            is_local,
            client_id,
            client_secret,
        }))
    }
}

impl OpenId {
    /// The provider's mark, if one is configured.
    ///
    /// # Errors
    /// The message says what is wrong with the file.
    pub fn read_mark(&self) -> Result<Option<ProviderLogo>> {
        // An empty variable counts as not set.
        let path = self.mark.as_deref().filter(|path| !path.is_empty());
        let read = |path: &str| {
            let mark = ProviderLogo::read(Path::new(path));
            mark.with_context(|| format!("--openid-mark {path}: cannot be used"))
        };
        path.map(read).transpose()
    }

    fn shown_name(&self, is_google: bool) -> Result<String> {
        let configured = self.name.as_deref().map(str::trim);
        if let Some(name) = configured.filter(|name| !name.is_empty()) {
            ensure!(
                name.chars().count() <= LONGEST_NAME && !name.contains(char::is_control),
                "--openid-name: at most {LONGEST_NAME} characters on one line"
            );
            return Ok(name.to_owned());
        }
        if is_google {
            return Ok("Google".to_owned());
        }
        let url = Url::parse(&self.issuer)?;
        Ok(url.host_str().unwrap_or_default().to_owned())
    }
}

/// Whether the issuer is on this machine.
fn check_issuer(issuer: &str) -> Result<bool> {
    let url = Url::parse(issuer)?;
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_local = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    ensure!(
        url.scheme() == "https" || (url.scheme() == "http" && is_local),
        "it has to begin with https://"
    );
    ensure!(
        url.username().is_empty() && url.password().is_none(),
        "it must not hold a user or a password"
    );
    ensure!(
        url.query().is_none() && url.fragment().is_none(),
        "nothing may follow its path"
    );
    Ok(is_local)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn provider_of(id: &str, secret: &str, issuer: &str) -> Result<Option<Provider>> {
        let openid = OpenId {
            client_id: Some(id.to_owned()),
            client_secret: Some(secret.parse().unwrap()),
            issuer: issuer.to_owned(),
            name: None,
            mark: None,
        };
        assert!(secret.is_empty() || !format!("{openid:?}").contains(secret));
        openid.provider()
    }

    #[test]
    fn client_id_and_secret_must_be_set_together() {
        let issuer = "https://accounts.google.com";
        assert!(provider_of("", "", issuer).unwrap().is_none());
        let provider = provider_of("me", "hunter2", issuer).unwrap().unwrap();
        assert_eq!((&*provider.issuer, provider.is_local), (issuer, false));
        assert!(!format!("{provider:?}").contains("hunter2"));
        for (id, secret) in [("me", ""), ("", "hunter2")] {
            let error = provider_of(id, secret, issuer).unwrap_err().to_string();
            assert!(error.contains("is missing"), "{error}");
        }
    }

    #[test]
    fn a_provider_has_the_configured_name_or_that_of_its_host() {
        let called = |name: Option<&str>, issuer: &str| {
            let openid = OpenId {
                client_id: Some("me".to_owned()),
                client_secret: Some("hunter2".parse().unwrap()),
                issuer: issuer.to_owned(),
                name: name.map(str::to_owned),
                mark: None,
            };
            let provider = openid.provider();
            provider.map(|provider| {
                provider
                    .map(|settings| (settings.name, settings.is_google))
                    .unwrap()
            })
        };
        let other_issuer = "https://id.example.com/realm";
        for (name, issuer, expected) in [
            (None, GOOGLE, ("Google", true)),
            (Some(" "), other_issuer, ("id.example.com", false)),
            (Some(" Облік "), other_issuer, ("Облік", false)),
            (
                Some("Школа"),
                "https://accounts.google.com/",
                ("Школа", true),
            ),
        ] {
            let (name, is_google) = called(name, issuer).unwrap();
            assert_eq!((name.as_str(), is_google), expected);
        }
        for bad in ["two\nlines", &"n".repeat(41)] {
            assert!(called(Some(bad), other_issuer).is_err());
        }
    }

    #[test]
    fn an_unreadable_mark_is_named_in_the_error() {
        let marked = |path: &str| {
            let openid = OpenId {
                client_id: None,
                client_secret: None,
                issuer: GOOGLE.to_owned(),
                name: None,
                mark: Some(path.to_owned()),
            };
            openid.read_mark()
        };
        assert!(marked("").unwrap().is_none());
        let error = marked("/nowhere/mark.svg").unwrap_err().to_string();
        assert!(
            error.starts_with("--openid-mark /nowhere/mark.svg"),
            "{error}"
        );
    }

    #[test]
    fn an_issuer_needs_https_unless_it_is_local() {
        for (issuer, local) in [
            ("https://accounts.example.com/realm", false),
            ("http://127.0.0.1:4000", true),
            ("http://[::1]:4000", true),
            ("http://localhost:4000", true),
        ] {
            let provider = provider_of("me", "hunter2", issuer).unwrap().unwrap();
            assert_eq!(provider.is_local, local, "{issuer}");
        }
        for issuer in [
            "accounts.google.com",
            "http://accounts.google.com",
            "http://127.0.0.1.example.com",
            "http://localhost.example.com",
            "ftp://localhost",
            "https://me:secret@accounts.google.com",
            "https://accounts.google.com/?a=b",
            "https://accounts.google.com/#a",
        ] {
            let error = provider_of("me", "hunter2", issuer)
                .unwrap_err()
                .to_string();
            assert!(error.starts_with("--openid-issuer"), "{error}");
        }
    }
}
