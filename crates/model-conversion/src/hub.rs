//! Checks whether the model hub can be reached.

use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use slovo_model_catalogue::HUB;
use url::Url;

/// Connection timeout; the same as that of `slovo models pull`.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// Variables that name a proxy. Connections then go through it, so a direct connection would prove
/// nothing.
const PROXIES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
];

/// Whether a connection to the models' repository (`HF_ENDPOINT`, or else the public hub) can be
/// made. With a proxy it is assumed to be reachable; the download will show it.
#[must_use]
pub fn is_reachable() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let address = std::env::var("HF_ENDPOINT").unwrap_or_default();
    PROXIES.iter().any(|name| is_set(name)) || connects(&address, CONNECT_LIMIT)
}

/// Whether this address accepts TCP connections.
fn connects(address: &str, limit: Duration) -> bool {
    let address = match address.trim() {
        "" => HUB,
        address => address,
    };
    let Some((host, port)) = host_and_port(address) else {
        return false;
    };
    let places = (host.as_str(), port).to_socket_addrs();
    places.is_ok_and(|mut places| {
        places.any(|place| TcpStream::connect_timeout(&place, limit).is_ok())
    })
}

/// Host and port of an http or https address; an IPv6 address without its brackets.
fn host_and_port(address: &str) -> Option<(String, u16)> {
    let url = Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
    Some((host, url.port_or_known_default()?))
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn addresses_are_split_into_host_and_port() {
        for (address, expected) in [
            ("https://hub.example", Some(("hub.example", 443))),
            ("http://hub.example/mirror", Some(("hub.example", 80))),
            (
                "https://name:word@hub.example:8443/",
                Some(("hub.example", 8443)),
            ),
            ("http://[::1]:90/x", Some(("::1", 90))),
            ("http://[::1]", Some(("::1", 80))),
            ("ftp://hub.example", None),
            ("https://", None),
            ("https://hub.example:port", None),
            ("no address", None),
        ] {
            let found = host_and_port(address);
            let found = found.as_ref().map(|(host, port)| (host.as_str(), *port));
            assert_eq!(found, expected, "{address}");
        }
    }

    #[test]
    fn a_home_is_reachable_if_it_accepts_connections() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/hub", listener.local_addr().unwrap());
        assert!(connects(&address, CONNECT_LIMIT));
        drop(listener);
        assert!(!connects(&address, CONNECT_LIMIT));
    }
}
