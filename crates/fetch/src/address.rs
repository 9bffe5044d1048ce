//! Which IP addresses belong to the public internet, and which to private networks, this machine or
//! special purposes.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Whether the address belongs to the public internet. IPv6 addresses that embed an IPv4 address
/// (mapped, NAT64, 6to4) are classified by that address.
#[must_use]
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

/// Based on the registry of special-purpose addresses (RFC 6890 and its updates), plus multicast
/// and the range reserved for future use.
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let special = a == 0
        || address.is_private()
        // Shared address space of carriers (RFC 6598).
        || (a == 100 && b & 0xc0 == 64)
        || address.is_loopback()
        || address.is_link_local()
        // Protocol assignments, documentation, 6to4 relays.
        || (a == 192 && b == 0 && (c == 0 || c == 2))
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && b & 0xfe == 18)
        || (a == 198 && b == 51 && c == 100)
        || (a == 203 && b == 0 && c == 113)
        || a >= 224;
    !special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    let embedded = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        is_public_v4(Ipv4Addr::new(a, b, c, d))
    };
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    // The well-known prefix of NAT64: a network without IPv4 reaches every IPv4 host through it.
    if s[..6] == [0x64, 0xff9b, 0, 0, 0, 0] {
        return embedded(s[6], s[7]);
    }
    if s[0] == 0x2002 {
        return embedded(s[1], s[2]);
    }
    // ISATAP: the lower half of an address of any prefix.
    if s[4] & 0xfdff == 0 && s[5] == 0x5efe && !embedded(s[6], s[7]) {
        return false;
    }
    let special =
        (s[0] == 0x2001 && (s[1] < 0x200 || s[1] == 0xdb8)) || (s[0] == 0x3fff && s[1] < 0x1000);
    // All public addresses are in 2000::/3; loopback, unique local, link-local, site-local,
    // multicast, the unspecified address and local NAT64 are outside it.
    s[0] & 0xe000 == 0x2000 && !special
}

/// Whether the address is one of this machine's own: a packet to it would have it as its source, or
/// it can be bound. Nothing is sent to find out.
#[must_use]
pub fn is_own(address: IpAddr) -> bool {
    // Documentation addresses, which are not in use.
    let (any, nobodys): (IpAddr, IpAddr) = match address {
        IpAddr::V4(_) => (
            Ipv4Addr::UNSPECIFIED.into(),
            Ipv4Addr::new(192, 0, 2, 1).into(),
        ),
        IpAddr::V6(_) => (
            Ipv6Addr::UNSPECIFIED.into(),
            Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(),
        ),
    };
    let at = |address| UdpSocket::bind(SocketAddr::new(address, 0)).ok();
    let from = || {
        // Any port: only the route is looked up.
        let socket = at(any)?;
        socket.connect(SocketAddr::new(address, 9)).ok()?;
        socket.local_addr().ok()
    };
    // Packets to an interface's second address have its first one as their source. If the system
    // lets any address be bound (`ip_nonlocal_bind`), binding proves nothing.
    from().is_some_and(|from| from.ip() == address)
        || (at(address).is_some() && at(nobodys).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn public(text: &str) -> bool {
        is_public(text.parse().unwrap_or_else(|_| panic!("{text}")))
    }

    #[test]
    fn private_addresses_are_refused_in_every_notation() {
        for private in [
            "0.0.0.0",
            "0.1.2.3",
            "10.0.0.1",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.1",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2002:c0a8:101::1",
            "2001::1",
            "2001:db8::1",
            "2001:20::1",
            "3fff::1",
            "100::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2a00::5efe:192.168.0.1",
            "2a00::200:5efe:10.0.0.1",
        ] {
            assert!(!public(private), "{private}");
        }
    }

    #[test]
    fn public_addresses_are_allowed() {
        for address in [
            "1.1.1.1",
            "100.63.255.255",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "223.255.255.254",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "64:ff9b::101:101",
            "::ffff:1.1.1.1",
            "2002:101:101::1",
        ] {
            assert!(public(address), "{address}");
        }
    }

    #[test]
    fn addresses_of_this_machine_are_recognised() {
        assert!(is_own("127.0.0.1".parse().unwrap()));
        // An address that is not the source address of packets.
        assert!(is_own("127.0.0.2".parse().unwrap()));
        assert!(!is_own("192.0.2.77".parse().unwrap()));
    }
}
