//! Limits connections: in total, per address, per network, and for anonymous clients.
//!
//! A connection is anonymous until a request on it is authenticated. Anonymous clients can never
//! take all places: from the reserve a newcomer gets a place for one request, and keeps it if that
//! request is authenticated.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// Smallest limit per address, if there are that many places at all.
const MIN_PER_ADDRESS: usize = 64;

/// The limits on connections.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// In total.
    pub all: usize,
    /// Anonymous.
    pub anonymous: usize,
    /// Per address; for IPv6 per /64, the usual prefix of one household or machine.
    pub address: usize,
    /// Per network: /24 of IPv4, /48 of IPv6.
    pub network: usize,
}

impl ConnectionLimits {
    /// The default limits of this many connections. Behind a proxy all clients have the proxy's
    /// address, so addresses are not limited here.
    #[must_use]
    pub fn of(all: usize, behind_proxy: bool) -> Self {
        // Enough for ten people behind one address, even if there are few places in total.
        let least = MIN_PER_ADDRESS.min(all);
        let part = |divisor: usize| {
            if behind_proxy {
                all
            } else {
                (all / divisor).max(least)
            }
        };
        Self {
            all,
            anonymous: (all - all / 4).max(1),
            address: part(8),
            network: part(4),
        }
    }
}

/// The places of one listener. Cheap to clone.
#[derive(Clone)]
pub struct ConnectionLimiter(Arc<Inner>);

struct Inner {
    limits: ConnectionLimits,
    used: Mutex<UsedPermits>,
    /// Notified whenever a place is freed.
    freed: Notify,
}

#[derive(Default)]
struct UsedPermits {
    all: usize,
    anonymous: usize,
    /// Connections by address and by network; zero counts are removed.
    by_origin: HashMap<Origin, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Address(IpAddr),
    Network(IpAddr),
}

/// Whether a connection is admitted.
pub enum Admission {
    /// Admitted, for as long as the place lives.
    In(ConnectionPermit),
    /// Its address or its network has reached its limit.
    TooMany,
    /// No connection is admitted until a place is freed.
    Full,
}

impl ConnectionLimiter {
    /// All places are free.
    #[must_use]
    pub fn new(limits: ConnectionLimits) -> Self {
        Self(Arc::new(Inner {
            limits,
            used: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    /// Waits until a place may be free.
    pub async fn freed(&self) {
        self.0.freed.notified().await;
    }

    /// Whether no connection can be admitted now.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0.lock().all >= self.0.limits.all
    }

    /// Takes a place for a connection from this address.
    #[must_use]
    pub fn acquire(&self, peer: IpAddr) -> Admission {
        let limits = self.0.limits;
        let origins = origins(peer);
        let mut counts = self.0.lock();
        if counts.all >= limits.all {
            return Admission::Full;
        }
        let count_of = |origin| counts.by_origin.get(&origin).copied().unwrap_or_default();
        let [address, network] = origins;
        if count_of(address) >= limits.address || count_of(network) >= limits.network {
            return Admission::TooMany;
        }
        counts.all += 1;
        for origin in origins {
            *counts.by_origin.entry(origin).or_default() += 1;
        }
        let from_reserve = counts.anonymous >= limits.anonymous;
        if !from_reserve {
            counts.anonymous += 1;
        }
        drop(counts);
        Admission::In(ConnectionPermit(Arc::new(PermitState {
            limiter: Arc::clone(&self.0),
            origins,
            from_reserve,
            is_known: AtomicBool::new(false),
        })))
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, UsedPermits> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address, reduced to what identifies a client, and its network.
fn origins(peer: IpAddr) -> [Origin; 2] {
    let [address, network] = match peer.to_canonical() {
        IpAddr::V4(peer) => {
            let [a, b, c, _] = peer.octets();
            [IpAddr::V4(peer), IpAddr::from([a, b, c, 0])]
        }
        IpAddr::V6(peer) => {
            let cut = |bits: u32| {
                let mask = u128::MAX << (128 - bits);
                IpAddr::V6(Ipv6Addr::from_bits(peer.to_bits() & mask))
            };
            [cut(64), cut(48)]
        }
    };
    [Origin::Address(address), Origin::Network(network)]
}

/// A connection's place, freed when the last clone is dropped. Every request on the connection
/// carries one.
#[derive(Clone)]
pub struct ConnectionPermit(Arc<PermitState>);

struct PermitState {
    limiter: Arc<Inner>,
    origins: [Origin; 2],
    /// Taken from the reserve because the places for anonymous clients were all taken.
    from_reserve: bool,
    is_known: AtomicBool,
}

impl ConnectionPermit {
    /// Marks the connection as authenticated, so that it no longer counts as anonymous.
    pub fn mark_authenticated(&self) {
        let connection = &self.0;
        if !connection.is_known.swap(true, Ordering::SeqCst) && !connection.from_reserve {
            connection.limiter.lock().anonymous -= 1;
        }
    }

    /// Whether the connection closes after its first response: it came from the reserve and was not
    /// authenticated.
    #[must_use]
    pub fn must_close(&self) -> bool {
        self.0.from_reserve && !self.0.is_known.load(Ordering::SeqCst)
    }

    /// Whether the place came from the reserve.
    #[must_use]
    pub fn is_from_reserve(&self) -> bool {
        self.0.from_reserve
    }
}

impl Drop for PermitState {
    fn drop(&mut self) {
        let mut counts = self.limiter.lock();
        counts.all -= 1;
        if !self.from_reserve && !*self.is_known.get_mut() {
            counts.anonymous -= 1;
        }
        for origin in self.origins {
            if let Some(count) = counts.by_origin.get_mut(&origin) {
                *count -= 1;
                if *count == 0 {
                    counts.by_origin.remove(&origin);
                }
            }
        }
        drop(counts);
        self.limiter.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ConnectionLimits = ConnectionLimits {
        all: 8,
        anonymous: 6,
        address: 2,
        network: 3,
    };

    fn acquire(limiter: &ConnectionLimiter, peer: &str) -> Option<ConnectionPermit> {
        match limiter.acquire(peer.parse().unwrap()) {
            Admission::In(permit) => Some(permit),
            Admission::TooMany | Admission::Full => None,
        }
    }

    #[test]
    fn limits_are_derived_from_the_total_and_are_at_least_one() {
        let limits = |all, behind_proxy| {
            let limits = ConnectionLimits::of(all, behind_proxy);
            (limits.anonymous, limits.address, limits.network)
        };
        assert_eq!(limits(4096, false), (3072, 512, 1024));
        assert_eq!(limits(4096, true), (3072, 4096, 4096));
        assert_eq!(limits(448, false), (336, 64, 112));
        assert_eq!(limits(1, false), (1, 1, 1));
    }

    #[test]
    fn connections_per_address_and_per_network_are_limited() {
        for [first, same, near, next, far] in [
            [
                "192.0.2.1",
                "192.0.2.1",
                "192.0.2.2",
                "192.0.2.3",
                "198.51.100.1",
            ],
            [
                "::ffff:192.0.2.1",
                "192.0.2.1",
                "192.0.2.2",
                "192.0.2.3",
                "2001:db8::1",
            ],
            [
                "2001:db8:1:1::1",
                "2001:db8:1:1::2",
                "2001:db8:1:2::1",
                "2001:db8:1:3::1",
                "2001:db8:2::1",
            ],
        ] {
            let limiter = ConnectionLimiter::new(LIMITS);
            let connections = [first, same].map(|peer| acquire(&limiter, peer).unwrap());
            assert!(acquire(&limiter, first).is_none(), "{first}");
            let third = acquire(&limiter, near).unwrap();
            assert!(acquire(&limiter, next).is_none(), "{next}");
            assert!(acquire(&limiter, far).is_some(), "{far}");
            drop(third);
            assert!(acquire(&limiter, next).is_some(), "{next}");
            drop(connections);
            assert!(limiter.0.lock().by_origin.is_empty());
        }
    }

    #[test]
    fn reserved_connections_are_for_authenticated_clients() {
        let limiter = ConnectionLimiter::new(LIMITS);
        let far = |n: u8| format!("10.{n}.0.1");
        let anonymous: Vec<_> = (0..6)
            .map(|n| acquire(&limiter, &far(n)).unwrap())
            .collect();
        assert!(anonymous.iter().all(|permit| !permit.must_close()));
        let trial = acquire(&limiter, &far(6)).unwrap();
        assert!(trial.must_close() && trial.is_from_reserve());
        trial.mark_authenticated();
        assert!(!trial.must_close());
        let last = acquire(&limiter, &far(7)).unwrap();
        assert!(matches!(
            limiter.acquire([10, 8, 0, 1].into()),
            Admission::Full
        ));
        drop((trial, last));
        // A client that signs in frees a place for an anonymous one.
        let first = anonymous.first().unwrap();
        first.mark_authenticated();
        first.mark_authenticated();
        assert!(!acquire(&limiter, &far(8)).unwrap().must_close());
        drop(anonymous);
        let counts = limiter.0.lock();
        assert_eq!((counts.all, counts.anonymous), (0, 0));
    }
}
