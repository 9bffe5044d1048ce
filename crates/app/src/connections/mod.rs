//! Accepts connections, limited in total and per address, and closes those that send no request or
//! do not read the response.
//!
//! axum's own loop gives hyper no timer, so a client that sends half a request head would keep its
//! connection, and its file descriptor, for ever.

mod limiter;
mod pace;

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use rustix::net::sockopt::set_socket_send_buffer_size;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::{Service, ServiceExt};

use crate::config::Http;
use limiter::{Admission, ConnectionLimiter};
pub use limiter::{ConnectionLimits, ConnectionPermit};
pub use pace::MinimumRate;
use pace::PacedStream;

/// Time limit of a request's head, and idle timeout between two requests.
const HEAD_TIME: Duration = Duration::from_secs(30);
/// The same while the places for anonymous clients are all taken: signed-in clients send at once.
const TRIAL_TIME: Duration = Duration::from_secs(5);
/// A client that reads less than a quarter of a kilobyte per second for a minute is disconnected. A
/// player that was paused requests the rest with a range.
const PACE: MinimumRate = MinimumRate {
    time: Duration::from_secs(60),
    min_bytes: 16 * 1024,
};
/// Size of a connection's write buffer, and the longest request head.
const BUFFER: usize = 64 * 1024;
/// Size of the kernel's send buffer per connection. It would grow to 4 MiB for a client that does
/// not read; this is enough for 2 MB/s at a latency of 100 ms.
const SEND_BUFFER: usize = 256 * 1024;
/// File descriptors reserved for everything but connections: the database, models, decoders.
const OTHER_FILES: u64 = 128;
/// File descriptors per connection: the socket, and the recording it uploads or downloads.
const FILES_PER_CONNECTION: u64 = 2;
/// Pause after an error that persists for a while, such as too many open files.
const PAUSE: Duration = Duration::from_secs(1);

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Numbers of connections.
    pub limits: ConnectionLimits,
    /// How long a request's head may take.
    pub head: Duration,
    /// The same while the places for anonymous clients are all taken.
    pub trial: Duration,
    /// Minimum read rate.
    pub pace: MinimumRate,
}

impl Bounds {
    /// As many connections as configured, if the limit on open files allows them; the soft limit is
    /// raised to the hard limit.
    #[must_use]
    pub fn of_this_process(http: &Http) -> Self {
        let connections = open_files().saturating_sub(OTHER_FILES) / FILES_PER_CONNECTION;
        let connections = connections.clamp(1, http.connections);
        let connections = usize::try_from(connections).unwrap_or(usize::MAX);
        Self {
            limits: ConnectionLimits::of(connections, http.behind_proxy),
            head: HEAD_TIME,
            trial: TRIAL_TIME,
            pace: PACE,
        }
    }
}

/// The limit on open files, after raising it as far as possible.
fn open_files() -> u64 {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let new_limit = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let now = match setrlimit(Resource::Nofile, new_limit) {
        Ok(()) => limit.maximum,
        Err(error) => {
            tracing::debug!(%error, "the limit on open files cannot be raised");
            limit.current
        }
    };
    // `None` means unlimited.
    now.unwrap_or(u64::MAX)
}

/// Serves until `stop`, then lets running requests finish.
pub async fn serve(listener: TcpListener, router: Router, bounds: Bounds, stop: CancellationToken) {
    let limiter = ConnectionLimiter::new(bounds.limits);
    let open = TaskTracker::new();
    let mut make = router.into_make_service_with_connect_info::<SocketAddr>();
    // Accepted sockets inherit it.
    if let Err(error) = set_socket_send_buffer_size(&listener, SEND_BUFFER) {
        tracing::debug!(%error, "the send buffer of connections cannot be limited");
    }
    loop {
        let (permit, stream, peer) = tokio::select! {
            next = next(&listener, &limiter) => next,
            () = stop.cancelled() => break,
        };
        let Ok(make) = ServiceExt::<SocketAddr>::ready(&mut make).await;
        let Ok(service) = make.call(peer).await;
        let stop = stop.clone();
        open.spawn(async move {
            let head = if permit.is_from_reserve() {
                bounds.trial
            } else {
                bounds.head
            };
            let mut builder = Builder::new(TokioExecutor::new()).http1_only();
            builder
                .http1()
                .timer(TokioTimer::new())
                .max_buf_size(BUFFER)
                .header_read_timeout(head);
            let service = service.map_request(move |mut request: Request<_>| {
                request.extensions_mut().insert(permit.clone());
                request
            });
            let stream = TokioIo::new(PacedStream::new(stream, bounds.pace));
            let connection = builder.serve_connection(stream, TowerToHyperService::new(service));
            let mut connection = std::pin::pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = stop.cancelled() => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            if let Err(error) = ended {
                // The client disconnected or did not send valid HTTP: not an error of the server.
                tracing::trace!(%peer, %error, "a connection broke");
            }
        });
    }
    drop(listener);
    open.close();
    open.wait().await;
}

/// The next admitted connection. While the server is full, connections wait in the kernel's queue;
/// one above the limit of its address is closed at once.
async fn next(
    listener: &TcpListener,
    limiter: &ConnectionLimiter,
) -> (ConnectionPermit, TcpStream, SocketAddr) {
    loop {
        while limiter.is_full() {
            limiter.freed().await;
        }
        let (stream, peer) = accept(listener).await;
        match limiter.acquire(peer.ip()) {
            Admission::In(permit) => return (permit, stream, peer),
            Admission::TooMany => tracing::debug!(%peer, "has too many connections"),
            // Cannot happen: nothing else takes places.
            Admission::Full => tracing::debug!(%peer, "no place is left"),
        }
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // A file is sent in two writes; with Nagle's algorithm the second would wait for
                // the acknowledgement of the first, which clients delay by 40 ms.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "small writes of a connection may be delayed");
                }
                return (stream, peer);
            }
            // That client disconnected before it was accepted.
            Err(error) if is_client_error(&error) => {}
            Err(error) => {
                tracing::error!(%error, "no connection can be accepted");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

fn is_client_error(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::ConnectionReset
    )
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, Bytes};
    use axum::extract::ConnectInfo;
    use axum::routing::get;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

    const PACE: MinimumRate = MinimumRate {
        time: Duration::from_millis(500),
        min_bytes: 1024,
    };

    async fn start(limits: ConnectionLimits) -> (SocketAddr, CancellationToken) {
        let peer_address = async |ConnectInfo(peer): ConnectInfo<SocketAddr>| peer.to_string();
        let endless = async || {
            Body::from_stream(futures_util::stream::repeat_with(|| {
                Ok::<_, io::Error>(Bytes::from_static(&[b'x'; 8192]))
            }))
        };
        let router = Router::new()
            .route("/", get(peer_address))
            .route("/endless", get(endless));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let bounds = Bounds {
            limits,
            head: Duration::from_millis(300),
            trial: Duration::from_millis(100),
            pace: PACE,
        };
        let stop = CancellationToken::new();
        tokio::spawn(serve(listener, router, bounds, stop.clone()));
        (address, stop)
    }

    async fn read(mut client: TcpStream) -> String {
        let mut answer = Vec::new();
        // Closing a connection with unread bytes resets it, which is an error here but closed all
        // the same.
        let read = client.read_to_end(&mut answer);
        let read = tokio::time::timeout(Duration::from_secs(20), read).await;
        read.expect("the server closes the connection").ok();
        String::from_utf8(answer).unwrap()
    }

    #[tokio::test]
    async fn connections_without_a_complete_request_head_are_closed() {
        let (address, _stop) = start(ConnectionLimits::of(80, false)).await;
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
    async fn a_connection_over_the_limit_waits_for_a_free_place() {
        let (address, _stop) = start(ConnectionLimits::of(1, true)).await;
        let idle_client = TcpStream::connect(address).await.unwrap();
        let started = tokio::time::Instant::now();
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(REQUEST).await.unwrap();
        let answer = read(second).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(started.elapsed() >= Duration::from_millis(200));
        drop(idle_client);
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_loses_its_place() {
        let (address, _stop) = start(ConnectionLimits::of(1, true)).await;
        let mut client = TcpStream::connect(address).await.unwrap();
        let request = b"GET /endless HTTP/1.1\r\nhost: x\r\n\r\n";
        client.write_all(request).await.unwrap();
        let mut second = TcpStream::connect(address).await.unwrap();
        second.write_all(REQUEST).await.unwrap();
        let answer = read(second).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        drop(client);
    }

    #[tokio::test]
    async fn an_address_over_its_limit_does_not_block_other_addresses() {
        let limits = ConnectionLimits {
            address: 2,
            ..ConnectionLimits::of(80, false)
        };
        let (address, _stop) = start(limits).await;
        let mut connections = Vec::new();
        for _ in 0..2 {
            connections.push(TcpStream::connect(address).await.unwrap());
        }
        let mut third = TcpStream::connect(address).await.unwrap();
        third.write_all(REQUEST).await.ok();
        assert_eq!(read(third).await, "");
        let other = tokio::net::TcpSocket::new_v4().unwrap();
        other.bind(([127, 0, 0, 2], 0).into()).unwrap();
        let mut other = other.connect(address).await.unwrap();
        other.write_all(REQUEST).await.unwrap();
        let answer = read(other).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        drop(connections);
    }
}
