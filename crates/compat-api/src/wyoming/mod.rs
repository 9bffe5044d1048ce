//! The Wyoming protocol over TCP, as Home Assistant speaks it
//! (<https://github.com/OHF-Voice/wyoming>): `describe`, and a transcription of streamed audio.
//!
//! The protocol has no sign-in. All recordings belong to the account of one API key, so the port is
//! opened only where the administrator asks for it.

mod event;
mod info;
mod session;

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use slovo_app::state::AppState;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use self::session::Session;

/// Connections at the same time; Home Assistant opens one for each command.
const MAX_CONNECTIONS: usize = 64;
/// Connections of one address at the same time.
const MAX_OF_ADDRESS: usize = 16;
/// Recordings that arrive at the same time. Each is an open upload of the account, which may have
/// few of them.
const MAX_RECORDINGS: usize = 4;
/// Pause after a connection could not be accepted, such as when there are no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// What all connections share.
#[derive(Clone)]
struct Access {
    /// The API key.
    key: Arc<str>,
    recordings: Arc<Semaphore>,
}

/// The connections of each address.
#[derive(Default)]
struct Places(Mutex<HashMap<IpAddr, usize>>);

/// The place of a connection.
struct Place {
    places: Arc<Places>,
    address: IpAddr,
}

impl Place {
    /// A place, if there is one for this address.
    fn take(places: &Arc<Places>, address: IpAddr) -> Option<Self> {
        let mut taken = places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if taken.values().sum::<usize>() >= MAX_CONNECTIONS {
            return None;
        }
        let own = taken.entry(address).or_default();
        if *own >= MAX_OF_ADDRESS {
            return None;
        }
        *own += 1;
        Some(Self {
            places: Arc::clone(places),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

/// Serves until the state's `shutdown` is cancelled. `key` is the API key whose account transcribes.
pub async fn serve(listener: TcpListener, state: AppState, key: String) {
    let access = Access {
        key: key.into(),
        recordings: Arc::new(Semaphore::new(MAX_RECORDINGS)),
    };
    let places = Arc::new(Places::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = state.shutdown.cancelled() => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a Wyoming connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Some(place) = Place::take(&places, peer.ip().to_canonical()) else {
            tracing::debug!(%peer, "too many Wyoming connections");
            continue;
        };
        let (session_state, access) = (state.clone(), access.clone());
        state.tasks.spawn(async move {
            handle(stream, peer, &session_state, &access).await;
            drop(place);
        });
    }
}

async fn handle(stream: TcpStream, peer: SocketAddr, state: &AppState, access: &Access) {
    let (read, write) = stream.into_split();
    let mut session = Session::new(read, write, peer, state, access);
    tokio::select! {
        ended = session.run() => if let Err(error) = ended {
            tracing::debug!(%peer, %error, "a Wyoming connection ended");
        },
        () = state.shutdown.cancelled() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_address_takes_all_places() {
        let places = Arc::new(Places::default());
        let take = |last: u8| Place::take(&places, IpAddr::from([192, 0, 2, last]));
        let mut held: Vec<_> = (0..MAX_OF_ADDRESS).map(|_| take(1).unwrap()).collect();
        assert!(take(1).is_none());
        held.pop();
        held.push(take(1).unwrap());
        for last in 2..=4 {
            held.extend((0..MAX_OF_ADDRESS).map(|_| take(last).unwrap()));
        }
        assert!(take(5).is_none(), "all places are taken");
        held.clear();
        assert!(take(5).is_some());
        assert!(places.0.lock().unwrap().is_empty());
    }
}
