//! The Wyoming protocol over TCP, as Home Assistant speaks it
//! (<https://github.com/OHF-Voice/wyoming>): `describe`, and a transcription of streamed audio.
//!
//! The protocol has no sign-in. All recordings belong to the account of one API key, so the port is
//! opened only where the administrator asks for it.

mod event;
mod info;
mod session;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use slovo_app::state::AppState;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use self::session::Session;

/// Connections at the same time; Home Assistant opens one for each command.
const MAX_CONNECTIONS: usize = 64;
/// Pause after a connection could not be accepted, such as when there are no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until the state's `shutdown` is cancelled. `key` is the API key whose account transcribes.
pub async fn serve(listener: TcpListener, state: AppState, key: String) {
    let key: Arc<str> = key.into();
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
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
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            tracing::warn!(%peer, "too many Wyoming connections");
            continue;
        };
        let (session_state, key) = (state.clone(), Arc::clone(&key));
        state.tasks.spawn(async move {
            handle(stream, peer, &session_state, &key).await;
            drop(place);
        });
    }
}

async fn handle(stream: TcpStream, peer: SocketAddr, state: &AppState, key: &str) {
    let (read, write) = stream.into_split();
    let mut session = Session::new(read, write, peer, state, key);
    tokio::select! {
        ended = session.run() => if let Err(error) = ended {
            tracing::debug!(%peer, %error, "a Wyoming connection ended");
        },
        () = state.shutdown.cancelled() => {}
    }
}
