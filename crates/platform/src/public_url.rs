//! The server's public URL: the beginning of every link in a mail.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use url::Url;

/// Scheme, host and port of the server as a browser sees it, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    text: String,
    host: String,
}

impl PublicUrl {
    /// The URL of a server that is reached at its listen address. An unspecified address (all
    /// interfaces) becomes loopback.
    pub fn of_address(address: SocketAddr) -> Self {
        let ip = match address.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => IpAddr::V6(Ipv6Addr::LOCALHOST),
            ip => ip,
        };
        let host = match ip {
            IpAddr::V4(ip) => ip.to_string(),
            IpAddr::V6(ip) => format!("[{ip}]"),
        };
        let text = match address.port() {
            80 => format!("http://{host}"),
            port => format!("http://{host}:{port}"),
        };
        Self { text, host }
    }

    /// The origin without a trailing slash, such as `https://slovo.example.com`; append a path to
    /// it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host alone, in ASCII; an IPv6 address in its brackets.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// Whether browsers reach the server over TLS.
    pub fn is_https(&self) -> bool {
        self.text.starts_with("https:")
    }

    /// The host if it is a domain name that can appear in a sender's address; `None` for an IP
    /// address.
    pub fn domain(&self) -> Option<&str> {
        let is_address = self.host.starts_with('[') || self.host.parse::<Ipv4Addr>().is_ok();
        (!is_address).then_some(&*self.host)
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let url = Url::parse(text.trim()).map_err(|error| error.to_string())?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err("it has to begin with http:// or https://".to_owned());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("it must not hold a user or a password".to_owned());
        }
        if url.path() != "/" || url.query().is_some() || url.fragment().is_some() {
            return Err("scheme, host and port only: nothing may follow them".to_owned());
        }
        let host = url.host_str().ok_or("it has no host")?.to_owned();
        let text = url.as_str().trim_end_matches('/').to_owned();
        Ok(Self { text, host })
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_url_is_normalised() {
        for (given, expected, host) in [
            (
                "https://Slovo.Example.com/",
                "https://slovo.example.com",
                "slovo.example.com",
            ),
            (
                "https://slovo.example.com:443",
                "https://slovo.example.com",
                "slovo.example.com",
            ),
            ("http://10.0.0.7:8787", "http://10.0.0.7:8787", "10.0.0.7"),
            ("http://[::1]:80/", "http://[::1]", "[::1]"),
            (
                "https://слово.укр",
                "https://xn--b1arjbl.xn--j1amh",
                "xn--b1arjbl.xn--j1amh",
            ),
        ] {
            let url: PublicUrl = given.parse().unwrap();
            assert_eq!((url.as_str(), url.host()), (expected, host), "{given}");
            assert_eq!(url.is_https(), given.starts_with("https"));
        }
    }

    #[test]
    fn a_url_that_is_not_exactly_an_origin_is_refused() {
        for wrong in [
            "",
            "slovo.example.com",
            "ftp://slovo.example.com",
            "javascript:alert(1)",
            "https://",
            "https://me:secret@slovo.example.com",
            "https://me@slovo.example.com",
            "https://slovo.example.com/app",
            "https://slovo.example.com/?a=b",
            "https://slovo.example.com/#a",
        ] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn without_a_public_url_the_listening_address_is_used() {
        for (address, url) in [
            ("127.0.0.1:8787", "http://127.0.0.1:8787"),
            ("0.0.0.0:80", "http://127.0.0.1"),
            ("[::]:8787", "http://[::1]:8787"),
        ] {
            let derived = PublicUrl::of_address(address.parse().unwrap());
            assert_eq!(derived, url.parse().unwrap());
            assert_eq!(derived.domain(), None);
        }
    }
}
