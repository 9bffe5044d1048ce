//! Where the server lets itself be sent: the one place that decides which host and port an
//! outgoing connection on a user's behalf may go to.
//!
//! What decides is the address that is connected to, looked up once for that connection; a name
//! that answers differently the second time gains nothing.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::address;
use crate::allow_list::{AllowListEntry, Network};

/// Longest time that one connection may take to be made.
pub const CONNECT_TIME: Duration = Duration::from_secs(10);

/// From here on ports are free to be anybody's web server; below, only those of http and https are.
/// The others have protocols of their own (mail, remote shells, printers) that a request could be
/// made to speak.
const FIRST_FREE_PORT: u16 = 1024;

/// A host and port that may be reached although they are not of the public internet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    host: String,
    /// Any port where none is named.
    port: Option<u16>,
}

impl Place {
    /// A host with all its ports.
    pub(crate) fn any_port(host: &str) -> Self {
        Self {
            host: bare(host),
            port: None,
        }
    }
}

impl FromStr for Place {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("{text} is not HOST:PORT");
        let url = Url::parse(&format!("http://{text}/")).map_err(|_| wrong())?;
        let (_, port) = text.rsplit_once(':').ok_or_else(wrong)?;
        let port: u16 = port.parse().map_err(|_| wrong())?;
        let plain = url.path() == "/" && url.query().is_none() && url.username().is_empty();
        match url.host_str() {
            Some(host) if plain && port > 0 => Ok(Self {
                host: bare(host),
                port: Some(port),
            }),
            _ => Err(wrong()),
        }
    }
}

/// A host as it is compared: in small letters, without brackets or the dot of the root.
fn bare(host: &str) -> String {
    let host = host.strip_prefix('[').unwrap_or(host);
    let host = host.strip_suffix(']').unwrap_or(host);
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase()
}

/// The server does not go there.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum Refusal {
    /// The address is private, or this machine's own.
    #[error("the address is not one of the public internet")]
    Address,
    /// The port is another service's.
    #[error("the port is not one of a web server")]
    Port,
    /// Neither http nor https, or http after https.
    #[error("the scheme is refused")]
    Scheme,
    /// A user name or a password in the URL.
    #[error("the URL has credentials in it")]
    Credentials,
    /// One redirect too many.
    #[error("too many redirects")]
    Redirects,
}

/// What a name's looking up gives.
pub type Found = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Looks names up.
pub trait Resolver: Send + Sync {
    /// The addresses of a host.
    fn resolve(&self, host: &str) -> Found;
}

/// As the system does.
pub struct SystemResolver;

impl Resolver for SystemResolver {
    fn resolve(&self, host: &str) -> Found {
        let host = host.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((host, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// See the module. Cheap to clone.
#[derive(Clone)]
pub struct Guard {
    resolver: Arc<dyn Resolver>,
    allowed: Arc<[Place]>,
    networks: Arc<[Network]>,
    is_public: fn(IpAddr) -> bool,
}

impl Guard {
    /// A guard that also lets pass what an administrator has named.
    #[must_use]
    pub fn new(allowed: &[Place]) -> Self {
        Self {
            resolver: Arc::new(SystemResolver),
            allowed: allowed.into(),
            networks: Arc::new([]),
            is_public: |ip| address::is_public(ip) && !address::is_own(ip),
        }
    }

    /// A guard that also lets pass these hosts and ranges of addresses.
    #[must_use]
    pub fn allowing(allowed: &[AllowListEntry]) -> Self {
        let (mut places, mut networks) = (Vec::new(), Vec::new());
        for one in allowed {
            match one {
                AllowListEntry::Place(place) => places.push(place.clone()),
                AllowListEntry::Network(network) => networks.push(*network),
            }
        }
        Self {
            networks: networks.into(),
            ..Self::new(&places)
        }
    }

    /// A guard with a network of the test's own making.
    #[cfg(test)]
    pub(crate) fn with_network(resolver: Arc<dyn Resolver>, is_public: fn(IpAddr) -> bool) -> Self {
        Self {
            resolver,
            allowed: Arc::new([]),
            networks: Arc::new([]),
            is_public,
        }
    }

    /// Whether this host and port are named by an administrator.
    #[must_use]
    pub fn is_allowed(&self, host: &str, port: u16) -> bool {
        let host = bare(host);
        let fits =
            |place: &Place| place.host == host && place.port.is_none_or(|named| named == port);
        self.allowed.iter().any(fits)
    }

    /// Whether an address is everybody's, or in a range that an administrator has named.
    fn lets_pass(&self, ip: IpAddr) -> bool {
        (self.is_public)(ip) || self.networks.iter().any(|network| network.has(ip))
    }

    /// Checks all of a URL that can be told without a look into the network.
    ///
    /// # Errors
    /// Why the server does not go there.
    pub fn check(&self, url: &Url) -> Result<(), Refusal> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Refusal::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refusal::Credentials);
        }
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return Err(Refusal::Address);
        };
        self.check_port(host, port)?;
        // A name is judged when it is looked up; an address in whatever spelling (decimal, octal)
        // is one after parsing, and is connected to without being looked up.
        match bare(host).parse::<IpAddr>() {
            Ok(ip) if !self.is_allowed(host, port) && !self.lets_pass(ip) => Err(Refusal::Address),
            _ => Ok(()),
        }
    }

    fn check_port(&self, host: &str, port: u16) -> Result<(), Refusal> {
        let fits = matches!(port, 80 | 443) || port >= FIRST_FREE_PORT;
        (fits || self.is_allowed(host, port))
            .then_some(())
            .ok_or(Refusal::Port)
    }

    /// The addresses of a host that may be connected to; those that may not are left out.
    ///
    /// # Errors
    /// The host is not known, or all its addresses are refused.
    pub async fn look_up(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        let mut found = self.resolver.resolve(&bare(host)).await?;
        if found.is_empty() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        found.retain(|ip| self.lets_pass(*ip));
        if found.is_empty() {
            return Err(io::Error::other(Refusal::Address));
        }
        Ok(found)
    }

    /// Connects to a host, to one of its addresses that may be connected to.
    ///
    /// # Errors
    /// As [`Guard::look_up`], or nobody answers.
    pub async fn connect(&self, host: &str, port: u16) -> io::Result<TcpStream> {
        self.check_port(host, port).map_err(io::Error::other)?;
        let found = if self.is_allowed(host, port) {
            self.resolver.resolve(&bare(host)).await?
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

/// The refusal at the bottom of an error, if it is one.
#[must_use]
pub fn refusal_in(error: &(dyn std::error::Error + 'static)) -> Option<Refusal> {
    let mut error = Some(error);
    while let Some(one) = error {
        if let Some(refusal) = one.downcast_ref::<Refusal>() {
            return Some(*refusal);
        }
        // `io::Error` does not show what it was made of as its source.
        let inner = one.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        error = match inner {
            Some(inner) => Some(inner),
            None => one.source(),
        };
    }
    None
}

/// Looks names up for the HTTP client.
pub struct ForClient {
    /// The guard.
    pub guard: Guard,
    /// Whether every address is let pass: only for hosts and ports that are named.
    pub named: bool,
}

impl Resolve for ForClient {
    fn resolve(&self, name: Name) -> Resolving {
        let (guard, named) = (self.guard.clone(), self.named);
        Box::pin(async move {
            let found = if named {
                guard.resolver.resolve(&bare(name.as_str())).await?
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

    fn check(url: &str) -> Result<(), Refusal> {
        let guard = Guard::new(&["files.example:8080".parse().unwrap()]);
        guard.check(&Url::parse(url).unwrap())
    }

    #[test]
    fn what_a_url_says_by_itself_is_judged_before_anything_is_sent() {
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
            assert_eq!(check(private), Err(Refusal::Address), "{private}");
        }
        assert_eq!(check("http://a.example:22/"), Err(Refusal::Port));
        assert_eq!(check("http://a.example:25/"), Err(Refusal::Port));
        assert_eq!(check("ftp://a.example/"), Err(Refusal::Scheme));
        assert_eq!(check("file:///etc/passwd"), Err(Refusal::Scheme));
        assert_eq!(check("http://me:x@a.example/"), Err(Refusal::Credentials));
        for fine in [
            "https://a.example/",
            "http://a.example:8000/x",
            "http://1.1.1.1/",
        ] {
            assert_eq!(check(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn a_place_is_one_host_and_one_port() {
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
            assert!(wrong.parse::<Place>().is_err(), "{wrong}");
        }
    }
}
