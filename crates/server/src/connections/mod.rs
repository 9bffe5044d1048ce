//! Accepting connections: so many at once, and none that keeps its place without a request.
//!
//! axum's own loop gives hyper no timer, so a client that sends half a request's head would keep
//! its connection, and its file descriptor, for ever.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::{Service, ServiceExt};

/// How long a request's head may take, and how long a connection may rest between two requests.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// The most connections at once, where the system allows as many open files.
const MOST_CONNECTIONS: u64 = 4096;
/// Open files that are kept for everything but connections: the database, models, decoders.
const OTHER_FILES: u64 = 128;
/// Open files that a connection may need: itself, and the recording it brings or reads.
const FILES_EACH: u64 = 2;
/// The pause after an error that will not go away by itself, such as too many open files.
const PAUSE: Duration = Duration::from_secs(1);

/// What a connection may take.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Connections at once.
    pub connections: usize,
    /// How long a request's head may take.
    pub head: Duration,
}

impl Bounds {
    /// As many connections as the system's limit of open files allows, which is raised as far as
    /// this process may.
    #[must_use]
    pub fn of_this_process() -> Self {
        let connections = open_files().saturating_sub(OTHER_FILES) / FILES_EACH;
        let connections = connections.clamp(1, MOST_CONNECTIONS);
        Self {
            connections: usize::try_from(connections).unwrap_or(usize::MAX),
            head: HEAD_TIME,
        }
    }
}

/// How many files this process may have open, after asking for as many as it may ask for.
fn open_files() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let now = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::debug!(%error, "the limit of open files stays");
            limit.current
        }
    };
    // None is no limit.
    now.unwrap_or(u64::MAX)
}

/// Serves until `stop`, then lets the connections finish what they are at.
pub async fn serve(listener: TcpListener, router: Router, bounds: Bounds, stop: CancellationToken) {
    let room = Arc::new(Semaphore::new(bounds.connections));
    let open = TaskTracker::new();
    let mut make = router.into_make_service_with_connect_info::<SocketAddr>();
    loop {
        let (permit, stream, peer) = tokio::select! {
            next = next(&listener, &room) => next,
            () = stop.cancelled() => break,
        };
        let Ok(make) = ServiceExt::<SocketAddr>::ready(&mut make).await;
        let Ok(service) = make.call(peer).await;
        let stop = stop.clone();
        let service = TowerToHyperService::new(service);
        open.spawn(async move {
            let mut builder = Builder::new(TokioExecutor::new()).http1_only();
            builder
                .http1()
                .timer(TokioTimer::new())
                .header_read_timeout(bounds.head);
            let connection = builder.serve_connection(TokioIo::new(stream), service);
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                // The client went away, or sent what is no HTTP: nothing of ours.
                tracing::trace!(%peer, %error, "a connection broke");
            }
            drop(permit);
        });
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// The next connection, when there is room for it.
async fn next(
    listener: &TcpListener,
    room: &Arc<Semaphore>,
) -> (Option<OwnedSemaphorePermit>, TcpStream, SocketAddr) {
    // The semaphore is never closed.
    let permit = Arc::clone(room).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // A file goes out in two writes; the second must not wait until the first is
                // acknowledged, which clients put off for 40 ms.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "small writes of a connection may be delayed");
                }
                return (permit, stream, peer);
            }
            // That one client gave up before it was accepted.
            Err(error) if is_the_clients(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn is_the_clients(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

    async fn start(connections: usize) -> (SocketAddr, CancellationToken) {
        let who = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string();
        let router = Router::new().route("/", get(who));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds {
            connections,
            head: Duration::from_millis(300),
        };
        let stop = CancellationToken::new();
        tokio::spawn(serve(listener, router, bounds, stop.clone()));
        (address, stop)
    }

    async fn read(mut client: TcpStream) -> String {
        let mut answer = Vec::new();
        // A connection that is closed on unread bytes ends with an error: closed all the same.
        let read = client.read_to_end(&mut answer);
        let read = tokio::time::timeout(Duration::from_secs(20), read).await;
        read.expect("the server closes the connection").ok();
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn half_a_head_or_none_is_closed_and_a_whole_one_is_served() {
        let (address, _stop) = start(10).await;
        for half in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: x\r\n"] {
            let mut client = TcpStream::connect(address).await.unwrap();
            client.write_all(half.as_bytes()).await.unwrap();
            let answer = read(client).await;
            assert!(!answer.contains(" 200 "), "{half}: {answer}");
        }
        let mut client = TcpStream::connect(address).await.unwrap();
        let me = client.local_addr().unwrap().to_string();
        client.write_all(REQUEST).await.unwrap();
        let answer = read(client).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(answer.ends_with(&me), "it is told who calls: {answer}");
    }

    #[tokio::test]
    async fn one_too_many_waits_until_a_place_is_free() {
        let (address, _stop) = start(1).await;
        let silent = TcpStream::connect(address).await.unwrap();
        let begun = tokio::time::Instant::now();
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(REQUEST).await.unwrap();
        let answer = read(second).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(begun.elapsed() >= Duration::from_millis(200));
        drop(silent);
    }
}
