//! Who may hold how many connections: so many in all, of one address, of one network, and of
//! people who are not signed in.
//!
//! A place is a stranger's until a request on it was found to be by somebody who is signed in.
//! Strangers never have all of them: what is kept back is given to a newcomer for one request, and
//! stays theirs if that shows who they are.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

/// The least that an address may have, where there are as many at all.
const LEAST: usize = 64;

/// How many connections there may be.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// In all.
    pub all: usize,
    /// Of strangers.
    pub strangers: usize,
    /// Of one address; of IPv6, of one /64, which is what one household or machine is given.
    pub address: usize,
    /// Of one network: /24 of IPv4, /48 of IPv6.
    pub network: usize,
}

impl Shares {
    /// The usual shares of this many. Where everybody comes through one proxy, addresses say
    /// nothing and the proxy has limits of its own.
    #[must_use]
    pub fn of(all: usize, behind_proxy: bool) -> Self {
        // Ten people behind one address need this many, however few the system lets there be.
        let least = LEAST.min(all);
        let part = |of: usize| {
            if behind_proxy {
                all
            } else {
                (all / of).max(least)
            }
        };
        Self {
            all,
            strangers: (all - all / 4).max(1),
            address: part(8),
            network: part(4),
        }
    }
}

/// The places of one listener. Cheap to clone.
#[derive(Clone)]
pub struct Places(Arc<Inner>);

struct Inner {
    shares: Shares,
    taken: Mutex<Taken>,
    /// Told whenever a place is free again.
    freed: Notify,
}

#[derive(Default)]
struct Taken {
    all: usize,
    strangers: usize,
    /// Connections by address and by network; what has none is not in it.
    by_origin: HashMap<Origin, usize>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Origin {
    Address(IpAddr),
    Network(IpAddr),
}

/// Whether a connection is let in.
pub enum Entry {
    /// It is, for as long as the place lives.
    In(Place),
    /// Its address or its network has as many as it may have.
    TooMany,
    /// Nobody is, until a place is free.
    Full,
}

impl Places {
    /// Places that nobody has taken.
    #[must_use]
    pub fn new(shares: Shares) -> Self {
        Self(Arc::new(Inner {
            shares,
            taken: Mutex::default(),
            freed: Notify::new(),
        }))
    }

    /// Waits until there may be a place.
    pub async fn freed(&self) {
        self.0.freed.notified().await;
    }

    /// Whether nobody can be let in now.
    #[must_use]
    pub fn are_full(&self) -> bool {
        self.0.taken().all >= self.0.shares.all
    }

    /// A place for a connection from this address.
    #[must_use]
    pub fn enter(&self, peer: IpAddr) -> Entry {
        let shares = self.0.shares;
        let origins = origins(peer);
        let mut taken = self.0.taken();
        if taken.all >= shares.all {
            return Entry::Full;
        }
        let of = |origin| taken.by_origin.get(&origin).copied().unwrap_or_default();
        let [address, network] = origins;
        if of(address) >= shares.address || of(network) >= shares.network {
            return Entry::TooMany;
        }
        taken.all += 1;
        for origin in origins {
            *taken.by_origin.entry(origin).or_default() += 1;
        }
        let on_trial = taken.strangers >= shares.strangers;
        if !on_trial {
            taken.strangers += 1;
        }
        drop(taken);
        Entry::In(Place(Arc::new(Held {
            places: Arc::clone(&self.0),
            origins,
            on_trial,
            is_known: AtomicBool::new(false),
        })))
    }
}

impl Inner {
    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The address, as far as it tells one caller from another, and its network.
fn origins(peer: IpAddr) -> [Origin; 2] {
    let [address, network] = match peer.to_canonical() {
        IpAddr::V4(peer) => {
            let [a, b, c, _] = peer.octets();
            [IpAddr::V4(peer), IpAddr::from([a, b, c, 0])]
        }
        IpAddr::V6(peer) => {
            let cut = |bits: u32| {
                let kept = u128::MAX << (128 - bits);
                IpAddr::V6(Ipv6Addr::from_bits(peer.to_bits() & kept))
            };
            [cut(64), cut(48)]
        }
    };
    [Origin::Address(address), Origin::Network(network)]
}

/// A connection's place, given back when the last clone is dropped. Every request on it carries
/// one.
#[derive(Clone)]
pub struct Place(Arc<Held>);

struct Held {
    places: Arc<Inner>,
    origins: [Origin; 2],
    /// It was given although strangers have all of theirs.
    on_trial: bool,
    is_known: AtomicBool,
}

impl Place {
    /// Whoever has this place is signed in: it is no stranger's any more.
    pub fn know(&self) {
        let held = &self.0;
        if !held.is_known.swap(true, Ordering::SeqCst) && !held.on_trial {
            held.places.taken().strangers -= 1;
        }
    }

    /// Whether its connection ends with its first answer: it was given on trial, and whoever has
    /// it has not shown to be signed in.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.0.on_trial && !self.0.is_known.load(Ordering::SeqCst)
    }

    /// Whether it was given on trial.
    #[must_use]
    pub fn is_on_trial(&self) -> bool {
        self.0.on_trial
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        taken.all -= 1;
        if !self.on_trial && !*self.is_known.get_mut() {
            taken.strangers -= 1;
        }
        for origin in self.origins {
            if let Some(count) = taken.by_origin.get_mut(&origin) {
                *count -= 1;
                if *count == 0 {
                    taken.by_origin.remove(&origin);
                }
            }
        }
        drop(taken);
        self.places.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHARES: Shares = Shares {
        all: 8,
        strangers: 6,
        address: 2,
        network: 3,
    };

    fn enter(places: &Places, peer: &str) -> Option<Place> {
        match places.enter(peer.parse().unwrap()) {
            Entry::In(place) => Some(place),
            Entry::TooMany | Entry::Full => None,
        }
    }

    #[test]
    fn shares_follow_the_number_and_stay_usable() {
        let of = |all, behind_proxy| {
            let shares = Shares::of(all, behind_proxy);
            (shares.strangers, shares.address, shares.network)
        };
        assert_eq!(of(4096, false), (3072, 512, 1024));
        assert_eq!(of(4096, true), (3072, 4096, 4096));
        assert_eq!(of(448, false), (336, 64, 112));
        assert_eq!(of(1, false), (1, 1, 1));
    }

    #[test]
    fn an_address_and_a_network_have_their_share_and_no_more() {
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
            let places = Places::new(SHARES);
            let held = [first, same].map(|peer| enter(&places, peer).unwrap());
            assert!(enter(&places, first).is_none(), "{first}");
            let third = enter(&places, near).unwrap();
            assert!(enter(&places, next).is_none(), "{next}");
            assert!(enter(&places, far).is_some(), "{far}");
            drop(third);
            assert!(enter(&places, next).is_some(), "{next}");
            drop(held);
            assert!(places.0.taken().by_origin.is_empty());
        }
    }

    #[test]
    fn what_is_kept_back_is_for_those_who_show_who_they_are() {
        let places = Places::new(SHARES);
        let far = |n: u8| format!("10.{n}.0.1");
        let strangers: Vec<_> = (0..6).map(|n| enter(&places, &far(n)).unwrap()).collect();
        assert!(strangers.iter().all(|place| !place.is_over()));
        let trial = enter(&places, &far(6)).unwrap();
        assert!(trial.is_over() && trial.is_on_trial());
        trial.know();
        assert!(!trial.is_over());
        let last = enter(&places, &far(7)).unwrap();
        assert!(matches!(places.enter([10, 8, 0, 1].into()), Entry::Full));
        drop((trial, last));
        // A stranger who signs in makes room for another one.
        let first = strangers.first().unwrap();
        first.know();
        first.know();
        assert!(!enter(&places, &far(8)).unwrap().is_over());
        drop(strangers);
        let taken = places.0.taken();
        assert_eq!((taken.all, taken.strangers), (0, 0));
    }
}
