//! The one place that decides which host and port an outgoing connection on a user's behalf may go
//! to.
//!
//! The decision is made on the address that is actually connected to, resolved once for that
//! connection, so DNS rebinding gains nothing.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::address;
use crate::allow_list::{AllowListEntry, Network};
use crate::place::{AllowedHost, normalised_host};

/// Timeout of one connection attempt.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);

/// From this port on any web server may listen; below it only the ports of http and https are
/// allowed. The others belong to protocols (mail, remote shells, printers) that a request could be
/// crafted to speak.
const FIRST_FREE_PORT: u16 = 1024;

/// Why the guard refused a URL or address.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum GuardRefusal {
    /// The address is private, or belongs to this machine.
    #[error("the address is not public")]
    Address,
    /// The port belongs to another service.
    #[error("the port is not that of a web server")]
    Port,
    /// Neither http nor https, or http after https.
    #[error("the scheme is not allowed")]
    Scheme,
    /// The URL contains a user name or a password.
    #[error("the URL contains credentials")]
    Credentials,
    /// Too many redirects.
    #[error("too many redirects")]
    Redirects,
}

/// The future of a name lookup.
pub type LookupFuture = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Resolves host names.
pub trait Resolver: Send + Sync {
    /// The addresses of a host.
    fn resolve(&self, host: &str) -> LookupFuture;
}

/// The system's resolver.
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> LookupFuture {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Decides where connections may go. Cheap to clone.
#[derive(Clone)]
pub struct Guard {
    resolver: Arc<dyn Resolver>,
    allowed: Arc<[AllowedHost]>,
    networks: Arc<[Network]>,
    is_public: fn(IpAddr) -> bool,
}

impl Guard {
    /// A guard that also allows what an administrator has listed.
    #[must_use]
    pub fn new(allowed: &[AllowedHost]) -> Self {
        Self {
            resolver: Arc::new(SystemResolver),
            allowed: allowed.into(),
            networks: Arc::new([]),
            is_public: |ip| address::is_public(ip) && !address::is_own(ip),
        }
    }

    /// A guard that also allows these hosts and address ranges.
    #[must_use]
    pub fn allowing(allowed: &[AllowListEntry]) -> Self {
        let (mut places, mut networks) = (Vec::new(), Vec::new());
        for entry in allowed {
            match entry {
                AllowListEntry::Place(place) => places.push(place.clone()),
                AllowListEntry::Network(network) => networks.push(*network),
            }
        }
        Self {
            networks: networks.into(),
            ..Self::new(&places)
        }
    }

    /// A guard with the test's own resolver and rules.
    #[cfg(test)]
    pub(crate) fn with_network(resolver: Arc<dyn Resolver>, is_public: fn(IpAddr) -> bool) -> Self {
        Self {
            resolver,
            allowed: Arc::new([]),
            networks: Arc::new([]),
            is_public,
        }
    }

    /// Whether an administrator has listed this host and port.
    #[must_use]
    pub fn is_allowed(&self, host: &str, port: u16) -> bool {
        let host = normalised_host(host);
        let matches_place = |place: &AllowedHost| {
            place.host == host && place.port.is_none_or(|allowed_port| allowed_port == port)
        };
        self.allowed.iter().any(matches_place)
    }

    /// Whether an address is public, or in a range that an administrator has listed.
    fn allows(&self, ip: IpAddr) -> bool {
        (self.is_public)(ip) || self.networks.iter().any(|network| network.has(ip))
    }

    /// Checks a URL as far as possible without network access.
    ///
    /// # Errors
    /// Why the URL is refused.
    pub fn check(&self, url: &Url) -> Result<(), GuardRefusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(GuardRefusal::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(GuardRefusal::Credentials);
        }
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(GuardRefusal::Address);
        };
        self.check_port(host, port)?;
        // Names are checked when they are resolved. An IP address in any notation (decimal, octal)
        // is parsed as one, and is connected to without a lookup.
        match normalised_host(host).parse::<IpAddr>() {
            Ok(ip) if !self.is_allowed(host, port) && !self.allows(ip) => {
                Err(GuardRefusal::Address)
            }
            _ => Ok(()),
        }
    }

    fn check_port(&self, host: &str, port: u16) -> Result<(), GuardRefusal> {
        let is_open = matches!(port, 80 | 443) || port >= FIRST_FREE_PORT;
        (is_open || self.is_allowed(host, port))
            .then_some(())
            .ok_or(GuardRefusal::Port)
    }

    /// The allowed addresses of a host; the others are left out.
    ///
    /// # Errors
    /// The host is unknown, or all its addresses are refused.
    pub async fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut found = self.resolver.resolve(&normalised_host(host)).await?;
        if found.is_empty() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        found.retain(|ip| self.allows(*ip));
        if found.is_empty() {
            return Err(io::Error::other(GuardRefusal::Address));
        }
        Ok(found)
    }

    /// Connects to one of the allowed addresses of a host.
    ///
    /// # Errors
    /// As [`Guard::look_up`], or the connection fails.
    pub async fn connect(&self, host: &str, port: u16) -> io::Result<TcpStream> {
        self.check_port(host, port).map_err(io::Error::other)?;
        let found = if self.is_allowed(host, port) {
            self.resolver.resolve(&normalised_host(host)).await?
        } else {
            self.look_up(host).await?
        };
        let mut last = io::Error::from(io::ErrorKind::NotFound);
        for ip in found {
            match timeout(CONNECT_TIME, TcpStream::connect(SocketAddr::new(ip, port))).await {
                Ok(Ok(stream)) => return Ok(stream),
                Ok(Err(error)) => last = error,
                Err(_) => last = io::ErrorKind::TimedOut.into(),
            }
        }
        Err(last)
    }
}

/// The refusal at the root of an error, if there is one.
#[must_use]
pub fn refusal_in(error: &(dyn std::error::Error + 'static)) -> Option<GuardRefusal> {
    let mut error = Some(error);
    while let Some(current) = error {
        if let Some(refusal) = current.downcast_ref::<GuardRefusal>() {
            return Some(*refusal);
        }
        // `io::Error::source` skips the error that it wraps.
        let inner = current
            .downcast_ref::<io::Error>()
            .and_then(io::Error::get_ref);
        error = match inner {
            Some(inner) => Some(inner),
            None => current.source(),
        };
    }
    None
}

/// Resolves names for the HTTP client.
pub struct ClientResolver {
    /// The guard.
    pub guard: Guard,
    /// Whether every address is allowed: only for listed hosts and ports.
    pub named: bool,
}

impl Resolve for ClientResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, is_allowed) = (self.guard.clone(), self.named);
        Box::pin(async move {
            let found = if is_allowed {
                guard
                    .resolver
                    .resolve(&normalised_host(name.as_str()))
                    .await?
            } else {
                guard.look_up(name.as_str()).await?
            };
            let found: Vec<_> = found.into_iter().map(|ip| SocketAddr::new(ip, 0)).collect();
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(url: &str) -> Result<(), GuardRefusal> {
        let guard = Guard::new(&["files.example:8080".parse().unwrap()]);
        guard.check(&Url::parse(url).unwrap())
    }

    #[test]
    fn a_url_is_checked_before_any_request_is_sent() {
        for private in [
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0177.0.0.1/",
            "http://0x7f.1/",
            "http://127.1/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[64:ff9b::7f00:1]/",
            "http://169.254.169.254/latest/meta-data/",
            "http://10.1.2.3./",
        ] {
            assert_eq!(check(private), Err(GuardRefusal::Address), "{private}");
        }
        assert_eq!(check("http://a.example:22/"), Err(GuardRefusal::Port));
        assert_eq!(check("http://a.example:25/"), Err(GuardRefusal::Port));
        assert_eq!(check("ftp://a.example/"), Err(GuardRefusal::Scheme));
        assert_eq!(check("file:///etc/passwd"), Err(GuardRefusal::Scheme));
        assert_eq!(
            check("http://me:x@a.example/"),
            Err(GuardRefusal::Credentials)
        );
        for fine in [
            "https://a.example/",
            "http://a.example:8000/x",
            "http://1.1.1.1/",
        ] {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn an_allowed_place_is_one_host_and_one_port() {
        let guard = Guard::new(&[
            "NAS.local.:80".parse().unwrap(),
            "[::1]:9000".parse().unwrap(),
        ]);
        assert!(guard.is_allowed("nas.local", 80));
        assert!(!guard.is_allowed("nas.local", 81));
        assert!(!guard.is_allowed("x.nas.local", 80));
        assert!(guard.is_allowed("[::1]", 9000));
        for wrong in [
            "nas",
            "nas:",
            "nas:0",
            "nas:70000",
            "nas:80/x",
            "a@nas:80",
            "",
        ] {
            assert!(wrong.parse::<AllowedHost>().is_err(), "{wrong}");
        }
    }
}
