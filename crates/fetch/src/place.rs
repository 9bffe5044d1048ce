//! A host and port that requests may reach.

use std::str::FromStr;

use reqwest::Url;

/// A host and port that may be reached although they are not on the public internet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    pub(crate) host: String,
    /// `None` for any port.
    pub(crate) port: Option<u16>,
}

impl AllowedHost {
    /// A host with all its ports.
    pub(crate) fn any_port(host: &str) -> Self {
        Self {
            host: normalised_host(host),
            port: None,
        }
    }
}

impl FromStr for AllowedHost {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not HOST:PORT");
        let url = Url::parse(&format!("http://{text}/")).map_err(|_| wrong())?;
        let (_, port) = text.rsplit_once(':').ok_or_else(wrong)?;
        let port: u16 = port.parse().map_err(|_| wrong())?;
        let plain = url.path() == "/" && url.query().is_none() && url.username().is_empty();
        match url.host_str() {
            Some(host) if plain && port > 0 => Ok(Self {
                host: normalised_host(host),
                port: Some(port),
            }),
            _ => Err(wrong()),
        }
    }
}

/// A host in its normalised form: lower case, without brackets or the trailing dot.
pub(crate) fn normalised_host(host: &str) -> String {
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}
