//! A small forward proxy on loopback for a program that cannot call the guard itself: all its
//! connections, also after redirects, go through here, and the guard checks every address.
//!
//! It supports `CONNECT` and requests with an absolute URL, one per connection, and requires a
//! credential made for one run, so that no other user of the machine can use it. The total number
//! of bytes is limited, so an endless response ends here.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use reqwest::Url;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_util::task::AbortOnDropHandle;

use crate::guard::{Guard, refusal_in};

/// Largest head of a request, in bytes.
const MAX_HEAD: usize = 32 * 1024;
/// Most header fields of a request.
const MAX_FIELDS: usize = 100;
/// Timeout for receiving a request's head.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// Concurrent connections; a program that downloads fragments in parallel has a few.
const MAX_CONNECTIONS: usize = 32;

/// Size of the copy buffer, in bytes.
const PIECE: usize = 16 * 1024;

/// A running proxy; dropping it ends it and all its connections.
pub struct Proxy {
    address: SocketAddr,
    credential: String,
    refused: Arc<AtomicBool>,
    remaining: Arc<AtomicU64>,
    _serving: AbortOnDropHandle<()>,
}

/// Shared state of all connections.
#[derive(Clone)]
struct ProxyState {
    guard: Guard,
    /// The accepted value of `Proxy-Authorization`.
    key: Arc<str>,
    refused: Arc<AtomicBool>,
    /// Bytes left, for both directions together.
    remaining: Arc<AtomicU64>,
}

impl Proxy {
    /// Starts a proxy on a free port. `credential` is a fresh secret of letters and digits; `bytes`
    /// limits the total transfer.
    ///
    /// # Errors
    /// If no port is available.
    pub async fn start(guard: Guard, credential: String, bytes: u64) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let refused = Arc::new(AtomicBool::new(false));
        let remaining = Arc::new(AtomicU64::new(bytes));
        let key = BASE64_STANDARD.encode(format!("slovo:{credential}"));
        let server = ProxyState {
            guard,
            key: format!("Basic {key}").into(),
            refused: Arc::clone(&refused),
            remaining: Arc::clone(&remaining),
        };
        let serving = tokio::spawn(serve(listener, server));
        Ok(Self {
            address,
            credential,
            refused,
            remaining,
            _serving: AbortOnDropHandle::new(serving),
        })
    }

    /// The proxy's URL with its credential.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://slovo:{}@{}", self.credential, self.address)
    }

    /// Whether the guard refused a connection.
    #[must_use]
    pub fn has_refused(&self) -> bool {
        self.refused.load(Ordering::Relaxed)
    }

    /// Whether the byte limit was reached.
    #[must_use]
    pub fn is_exhausted(&self) -> bool {
        self.remaining.load(Ordering::Relaxed) == 0
    }
}

async fn serve(listener: TcpListener, server: ProxyState) {
    let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    // Aborts its tasks when it is dropped.
    let mut connections = tokio::task::JoinSet::new();
    while let Ok(place) = Arc::clone(&room).acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            // For example out of file handles: closing connections may free some.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let server = server.clone();
        connections.spawn(async move {
            // The side that closed the connection knows why.
            let _ = server.answer(stream).await;
            drop(place);
        });
        while connections.try_join_next().is_some() {}
    }
}

/// A parsed request to the proxy.
#[derive(Debug, PartialEq)]
enum ProxyRequest {
    /// A tunnel to a host and port.
    Tunnel(String, u16),
    /// Forward this head to a host and port.
    Pass(String, u16, Vec<u8>),
    /// No credential, or a wrong one.
    Locked,
    /// Not a supported request.
    Nonsense,
}

impl ProxyState {
    async fn answer(&self, mut client: TcpStream) -> io::Result<()> {
        let head = timeout(HEAD_TIME, read_head(&mut client)).await;
        let Ok(Ok((head, length))) = head else {
            return Ok(());
        };
        let (requested, rest) = (parse_request(&head[..length], &self.key), &head[length..]);
        let (host, port, forwarded) = match requested {
            ProxyRequest::Tunnel(host, port) => (host, port, None),
            ProxyRequest::Pass(host, port, head) => (host, port, Some(head)),
            ProxyRequest::Locked => {
                let words = "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic";
                return respond(&mut client, words).await;
            }
            ProxyRequest::Nonsense => return respond(&mut client, "400 Bad Request").await,
        };
        let mut server = match self.guard.connect(&host, port).await {
            Ok(server) => server,
            Err(error) if refusal_in(&error).is_some() => {
                self.refused.store(true, Ordering::Relaxed);
                return respond(&mut client, "403 Forbidden").await;
            }
            Err(_) => return respond(&mut client, "502 Bad Gateway").await,
        };
        match forwarded {
            Some(head) => server.write_all(&head).await?,
            None => client.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await?,
        }
        server.write_all(rest).await?;
        let (of_client, to_client) = client.split();
        let (of_server, to_server) = server.split();
        tokio::try_join!(
            copy(of_client, to_server, &self.remaining),
            copy(of_server, to_client, &self.remaining),
        )?;
        Ok(())
    }
}

/// Copies until the end of the stream or until nothing is `remaining`.
async fn copy(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    remaining: &AtomicU64,
) -> io::Result<()> {
    let mut piece = vec![0; PIECE];
    loop {
        let read = from.read(&mut piece).await?;
        if read == 0 {
            return to.shutdown().await;
        }
        let bytes = u64::try_from(read).unwrap_or(u64::MAX);
        let before = remaining.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |remaining| {
            Some(remaining.saturating_sub(bytes))
        });
        if before.is_ok_and(|before| before < bytes) {
            return Err(io::ErrorKind::QuotaExceeded.into());
        }
        to.write_all(&piece[..read]).await?;
    }
}

async fn respond(client: &mut TcpStream, words: &str) -> io::Result<()> {
    let answer = format!("HTTP/1.1 {words}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    client.write_all(answer.as_bytes()).await?;
    client.shutdown().await
}

/// Reads until the head is complete, and returns the bytes read with the length of the head.
async fn read_head(client: &mut TcpStream) -> io::Result<(Vec<u8>, usize)> {
    let mut read = Vec::with_capacity(4096);
    loop {
        if client.read_buf(&mut read).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(at) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            return Ok((read, at + 4));
        }
        if read.len() > MAX_HEAD {
            return Err(io::ErrorKind::InvalidData.into());
        }
    }
}

fn parse_request(head: &[u8], key: &str) -> ProxyRequest {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    let is_complete = matches!(request.parse(head), Ok(httparse::Status::Complete(_)));
    let (Some(method), Some(path), true) = (request.method, request.path, is_complete) else {
        return ProxyRequest::Nonsense;
    };
    let is_field = |field: &httparse::Header<'_>, name: &str| field.name.eq_ignore_ascii_case(name);
    let mut keys = request
        .headers
        .iter()
        .filter(|field| is_field(field, "proxy-authorization"));
    if !keys.any(|field| field.value == key.as_bytes()) {
        return ProxyRequest::Locked;
    }
    if method == "CONNECT" {
        // With a scheme and a path it is a URL, whose parser reads hosts as everywhere else.
        let url = Url::parse(&format!("http://{path}/"));
        let port = path
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        return match (url, port) {
            (Ok(url), Some(port)) => url.host_str().map_or(ProxyRequest::Nonsense, |host| {
                ProxyRequest::Tunnel(host.to_owned(), port)
            }),
            _ => ProxyRequest::Nonsense,
        };
    }
    let Ok(url) = Url::parse(path) else {
        return ProxyRequest::Nonsense;
    };
    let (Some(host), Some(port), "http") =
        (url.host_str(), url.port_or_known_default(), url.scheme())
    else {
        return ProxyRequest::Nonsense;
    };
    let query = url
        .query()
        .map_or(String::new(), |query| format!("?{query}"));
    let mut forwarded = format!("{method} {}{query} HTTP/1.1\r\n", url.path()).into_bytes();
    for field in request.headers.iter() {
        let of_proxy = field.name.len() >= 6 && field.name[..6].eq_ignore_ascii_case("proxy-");
        if !of_proxy && !is_field(field, "connection") && !is_field(field, "keep-alive") {
            forwarded.extend([field.name.as_bytes(), b": ", field.value, b"\r\n"].concat());
        }
    }
    // Later requests on this connection are not parsed.
    forwarded.extend(b"Connection: close\r\n\r\n");
    ProxyRequest::Pass(host.to_owned(), port, forwarded)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "Basic a2V5";

    fn parsed(lines: &str) -> ProxyRequest {
        let head = format!("{lines}\r\nProxy-Authorization: {KEY}\r\n\r\n");
        parse_request(head.as_bytes(), KEY)
    }

    #[test]
    fn requests_are_forwarded_without_hop_by_hop_headers() {
        assert_eq!(
            parsed("CONNECT [2606:4700::1111]:443 HTTP/1.1"),
            ProxyRequest::Tunnel("[2606:4700::1111]".to_owned(), 443)
        );
        // An IP address is recognised in any notation.
        assert_eq!(
            parsed("CONNECT 0x7f.1:443 HTTP/1.1"),
            ProxyRequest::Tunnel("127.0.0.1".to_owned(), 443)
        );
        let forwarded = parsed(
            "GET http://a.example:81/x?y=1 HTTP/1.1\r\nHost: a.example:81\r\nConnection: keep-alive",
        );
        let head = "GET /x?y=1 HTTP/1.1\r\nHost: a.example:81\r\nConnection: close\r\n\r\n";
        assert_eq!(
            forwarded,
            ProxyRequest::Pass("a.example".to_owned(), 81, head.as_bytes().to_vec())
        );
    }

    #[test]
    fn malformed_and_unauthenticated_requests_are_not_forwarded() {
        for nonsense in [
            "GET /x HTTP/1.1",
            "GET https://a.example/ HTTP/1.1",
            "GET ftp://a.example/ HTTP/1.1",
            "CONNECT a.example HTTP/1.1",
            "CONNECT a.example:99999 HTTP/1.1",
            "",
        ] {
            assert_eq!(parsed(nonsense), ProxyRequest::Nonsense, "{nonsense}");
        }
        let locked = parse_request(b"CONNECT a.example:443 HTTP/1.1\r\n\r\n", KEY);
        assert_eq!(locked, ProxyRequest::Locked);
    }

    #[tokio::test]
    async fn the_guard_decides_which_hosts_the_proxy_reaches() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = server.local_addr().unwrap().port();
        let place = format!("127.0.0.1:{port}").parse().unwrap();
        for (allowed, status) in [(vec![place], "200"), (vec![], "403")] {
            let proxy = Proxy::start(Guard::new(&allowed), "abc".to_owned(), 100);
            let proxy = proxy.await.unwrap();
            let mut client = TcpStream::connect(proxy.address).await.unwrap();
            let key = BASE64_STANDARD.encode("slovo:abc");
            let head = format!(
                "CONNECT 127.0.0.1:{port} HTTP/1.1\r\nProxy-Authorization: Basic {key}\r\n\r\n"
            );
            client.write_all(head.as_bytes()).await.unwrap();
            let mut answer = [0; 12];
            client.read_exact(&mut answer).await.unwrap();
            assert_eq!(answer, format!("HTTP/1.1 {status}").as_bytes());
            assert_eq!(proxy.has_refused(), status == "403");
        }
    }

    #[tokio::test]
    async fn endless_transfers_are_cut_at_the_limit() {
        let server = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = server.local_addr().unwrap().port();
        let place = format!("127.0.0.1:{port}").parse().unwrap();
        let limit = 1_000_000;
        let proxy = Proxy::start(Guard::new(&[place]), "abc".to_owned(), limit);
        let proxy = proxy.await.unwrap();
        let endless = async {
            let (mut stream, _) = server.accept().await.unwrap();
            while stream.write_all(&[7; 1000]).await.is_ok() {}
        };
        let reads = async {
            let mut client = TcpStream::connect(proxy.address).await.unwrap();
            let key = BASE64_STANDARD.encode("slovo:abc");
            let head = format!(
                "CONNECT 127.0.0.1:{port} HTTP/1.1\r\nProxy-Authorization: Basic {key}\r\n\r\n"
            );
            client.write_all(head.as_bytes()).await.unwrap();
            let mut received = Vec::new();
            // The connection may end with a reset.
            let _ = client.read_to_end(&mut received).await;
            received.len()
        };
        let ((), received) = tokio::join!(endless, reads);
        assert!(received as u64 <= limit + 100, "{received}");
        assert!(proxy.is_exhausted() && !proxy.has_refused());
    }
}
