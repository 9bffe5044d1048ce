//! Private hosts and addresses that an administrator allows the server to reach.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use reqwest::Url;

use crate::place::AllowedHost;

/// One entry of the allow list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AllowListEntry {
    /// A host, with one port or all of them, regardless of its addresses.
    Place(AllowedHost),
    /// Every host with an address in this range.
    Network(Network),
}

/// A range of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network {
    first: IpAddr,
    prefix: u8,
}

impl Network {
    /// Whether the address is in it.
    pub(crate) fn has(&self, ip: IpAddr) -> bool {
        match (self.first, ip.to_canonical()) {
            (IpAddr::V4(first), IpAddr::V4(ip)) => {
                cut_v4(first, self.prefix) == cut_v4(ip, self.prefix)
            }
            (IpAddr::V6(first), IpAddr::V6(ip)) => {
                cut_v6(first, self.prefix) == cut_v6(ip, self.prefix)
            }
            _ => false,
        }
    }
}

fn cut_v4(ip: Ipv4Addr, prefix: u8) -> u32 {
    ip.to_bits() & u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0)
}

fn cut_v6(ip: Ipv6Addr, prefix: u8) -> u128 {
    ip.to_bits() & u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0)
}

impl FromStr for AllowListEntry {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let wrong = || format!("{text} is not HOST, HOST:PORT or an address range");
        if let Some((first, prefix)) = text.split_once('/') {
            let first: IpAddr = first.parse().map_err(|_| wrong())?;
            let prefix: u8 = prefix.parse().map_err(|_| wrong())?;
            let longest = if first.is_ipv4() { 32 } else { 128 };
            return if prefix <= longest {
                Ok(Self::Network(Network { first, prefix }))
            } else {
                Err(wrong())
            };
        }
        if let Ok(place) = text.parse() {
            return Ok(Self::Place(place));
        }
        // An IPv6 address has brackets in a URL, but not on a command line.
        let host = match text.parse::<Ipv6Addr>() {
            Ok(ip) => format!("[{ip}]"),
            Err(_) => text.to_owned(),
        };
        let url = Url::parse(&format!("http://{host}/")).map_err(|_| wrong())?;
        let plain = url.path() == "/" && url.query().is_none() && url.username().is_empty();
        match url.host_str() {
            Some(host) if plain && url.port().is_none() && !text.contains('@') => {
                Ok(Self::Place(AllowedHost::any_port(host)))
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::{Guard, GuardRefusal};

    fn check(allowed: &[&str], url: &str) -> Result<(), GuardRefusal> {
        let allowed: Vec<_> = allowed.iter().map(|text| text.parse().unwrap()).collect();
        Guard::allowing(&allowed).check(&Url::parse(url).unwrap())
    }

    #[test]
    fn an_allowed_range_permits_only_addresses_within_it() {
        let range = ["10.1.0.0/16", "fd00:1::/32"];
        for fine in [
            "http://10.1.2.3/",
            "http://10.1.255.255:8080/",
            "http://[fd00:1::5]/",
            "http://[::ffff:10.1.0.1]/",
        ] {
            assert_eq!(check(&range, fine), Ok(()), "{fine}");
        }
        for refused in [
            "http://10.2.0.1/",
            "http://127.0.0.1/",
            "http://[fd00:2::5]/",
            "http://169.254.169.254/",
        ] {
            assert_eq!(
                check(&range, refused),
                Err(GuardRefusal::Address),
                "{refused}"
            );
        }
        assert_eq!(
            check(&range, "http://10.1.2.3:25/"),
            Err(GuardRefusal::Port)
        );
        assert_eq!(check(&["0.0.0.0/0"], "http://127.0.0.1/"), Ok(()));
        assert_eq!(
            check(&["0.0.0.0/0"], "http://[::1]/"),
            Err(GuardRefusal::Address)
        );
    }

    #[test]
    fn an_allowed_host_has_one_port_or_all_ports() {
        assert_eq!(check(&["127.0.0.1"], "http://127.0.0.1:25/"), Ok(()));
        assert_eq!(check(&["::1"], "http://[::1]:8080/"), Ok(()));
        assert_eq!(check(&["[::1]:80"], "http://[::1]/"), Ok(()));
        let other = check(&["127.0.0.1:80"], "http://127.0.0.1:8080/");
        assert_eq!(other, Err(GuardRefusal::Address));
        let named: AllowListEntry = "N8N.local".parse().unwrap();
        assert!(Guard::allowing(&[named]).is_allowed("n8n.local", 5678));
        for wrong in [
            "",
            "a b",
            "http://a",
            "a@b",
            "10.0.0.0/33",
            "10.0.0.0/x",
            "a/8",
            "nas:0",
            "nas:70000",
            "a?b",
        ] {
            assert!(wrong.parse::<AllowListEntry>().is_err(), "{wrong}");
        }
    }
}
