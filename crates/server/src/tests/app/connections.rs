//! Signed-in clients keep the places that are reserved for them; others give them back.

use std::time::Duration;

use slovo_app::connections::{self, Bounds, ConnectionLimits, MinimumRate};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

use crate::testing::{Backend, with_server};

/// One place for anonymous clients, three reserved ones.
const BOUNDS: Bounds = Bounds {
    limits: ConnectionLimits {
        all: 4,
        anonymous: 1,
        address: 4,
        network: 4,
    },
    head: Duration::from_secs(60),
    trial: Duration::from_secs(60),
    pace: MinimumRate {
        time: Duration::from_secs(60),
        min_bytes: 1,
    },
};

/// Sends a request without closing the connection; returns the head of the response.
async fn ask(client: &mut TcpStream, authorization: &str) -> String {
    let request = format!("GET /api/v1/auth/me HTTP/1.1\r\nhost: x\r\n{authorization}\r\n");
    client.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        answer.push(client.read_u8().await.unwrap());
    }
    String::from_utf8(answer).unwrap().to_lowercase()
}

#[test]
fn only_a_signed_in_client_keeps_a_reserved_connection() {
    with_server(Backend::Sqlite, async |server| {
        let me = server.signup("a@example.com").await;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let stop = CancellationToken::new();
        let router = server.router.clone();
        let serving = tokio::spawn(connections::serve(listener, router, BOUNDS, stop.clone()));

        let mut stranger = TcpStream::connect(address).await.unwrap();
        let first = ask(&mut stranger, "").await;
        assert!(first.starts_with("http/1.1 401"), "{first}");
        assert!(!first.contains("connection: close"), "{first}");

        // The place for anonymous clients is taken: what follows comes from the reserve.
        let mut other = TcpStream::connect(address).await.unwrap();
        let refused = ask(&mut other, "").await;
        assert!(refused.contains("connection: close"), "{refused}");
        let mut user = TcpStream::connect(address).await.unwrap();
        let token = format!("authorization: Bearer {}\r\n", me.access_token);
        let known = ask(&mut user, &token).await;
        assert!(known.starts_with("http/1.1 200"), "{known}");
        assert!(!known.contains("connection: close"), "{known}");

        drop((stranger, other, user));
        stop.cancel();
        serving.await.unwrap();
    });
}
