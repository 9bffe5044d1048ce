//! A fake hub on the loopback interface with configurable faults.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::get;
use futures_util::stream;
use reqwest::Url;

use super::contents;

/// The hub's behaviour.
#[derive(Clone, Copy, PartialEq)]
pub enum HubBehaviour {
    /// Correct, with ranges.
    Good,
    /// Correct, without ranges.
    NoRanges,
    /// Every transfer breaks off after this many bytes.
    BreaksAfter(usize),
    /// Sends nothing after this many bytes, and keeps the connection open.
    FallsSilentAfter(usize),
    /// One byte is wrong.
    WrongByte,
    /// The body is too short and has no length.
    Short,
    /// A web page with status 200.
    Html,
    /// An endless body.
    Endless,
    /// Responds with this status.
    Status(u16),
    /// Redirects to another URL.
    Redirects,
}

#[derive(Clone)]
pub struct FakeHub {
    manner: Arc<Mutex<HubBehaviour>>,
    /// The `Range` header of each request for the file.
    ranges: Arc<Mutex<Vec<Option<String>>>>,
}

impl FakeHub {
    pub fn set(&self, manner: HubBehaviour) {
        *self.manner.lock().unwrap() = manner;
    }

    pub fn ranges(&self) -> Vec<Option<String>> {
        self.ranges.lock().unwrap().clone()
    }
}

pub async fn serve(manner: HubBehaviour) -> (FakeHub, Url) {
    let hub = FakeHub {
        manner: Arc::new(Mutex::new(manner)),
        ranges: Arc::default(),
    };
    let app = Router::new()
        .route("/hub/someone/models/resolve/main/{file}", get(file))
        .route("/cdn/{file}", get(file))
        .with_state(hub.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hub/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (hub, Url::parse(&url).unwrap())
}

async fn file(
    State(hub): State<FakeHub>,
    UrlPath(name): UrlPath<String>,
    uri: axum::http::Uri,
    headers: HeaderMap,
) -> Response<Body> {
    assert_eq!(name, "ggml-made.bin");
    let range = headers
        .get(header::RANGE)
        .map(|value| value.to_str().unwrap().to_owned());
    let manner = *hub.manner.lock().unwrap();
    if manner == HubBehaviour::Redirects && uri.path().starts_with("/hub/") {
        return Response::builder()
            .status(StatusCode::FOUND)
            .header(header::LOCATION, "/cdn/ggml-made.bin")
            .body(Body::empty())
            .unwrap();
    }
    hub.ranges.lock().unwrap().push(range.clone());
    let mut bytes = contents();
    let answer = Response::builder().header(header::CONTENT_TYPE, "application/octet-stream");
    match manner {
        HubBehaviour::Status(status) => {
            return answer.status(status).body(Body::from("no")).unwrap();
        }
        HubBehaviour::Html => {
            return Response::builder()
                .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                .body(Body::from("<html>Sign in to this network</html>"))
                .unwrap();
        }
        HubBehaviour::WrongByte => bytes[50_000] ^= 1,
        HubBehaviour::Short => {
            return answer
                .body(without_length(bytes[..70_000].to_vec()))
                .unwrap();
        }
        HubBehaviour::Endless => {
            let piece = Bytes::from(vec![7_u8; 1 << 16]);
            let endless = stream::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()));
            return answer.body(Body::from_stream(endless)).unwrap();
        }
        _ => {}
    }
    let start = match range {
        Some(range) if manner != HubBehaviour::NoRanges => range
            .strip_prefix("bytes=")
            .unwrap()
            .strip_suffix('-')
            .unwrap()
            .parse()
            .unwrap(),
        _ => 0_usize,
    };
    if start >= bytes.len() {
        let all = format!("bytes */{}", bytes.len());
        return answer
            .status(416)
            .header(header::CONTENT_RANGE, all)
            .body(Body::empty())
            .unwrap();
    }
    let rest = bytes[start..].to_vec();
    let mut answer = answer.header(header::CONTENT_LENGTH, rest.len());
    if start > 0 {
        let range = format!("bytes {start}-{}/{}", bytes.len() - 1, bytes.len());
        answer = answer.status(206).header(header::CONTENT_RANGE, range);
    }
    let body = match manner {
        HubBehaviour::BreaksAfter(most) if most < rest.len() => aborted(rest[..most].to_vec()),
        HubBehaviour::FallsSilentAfter(most) if most < rest.len() => stalled(rest[..most].to_vec()),
        _ => Body::from(rest),
    };
    answer.body(body).unwrap()
}

/// A body of one chunk whose connection is aborted after it has been sent.
fn aborted(piece: Vec<u8>) -> Body {
    let first = stream::iter([Ok(Bytes::from(piece))]);
    // The pause lets the server send the chunk before the connection is aborted.
    let abort = stream::once(async {
        tokio::time::sleep(Duration::from_millis(250)).await;
        Err(std::io::Error::other("torn"))
    });
    Body::from_stream(futures_util::StreamExt::chain(first, abort))
}

/// A body of one chunk without a length.
fn without_length(piece: Vec<u8>) -> Body {
    Body::from_stream(stream::iter([Ok::<_, std::io::Error>(Bytes::from(piece))]))
}

fn stalled(piece: Vec<u8>) -> Body {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from(piece))]);
    Body::from_stream(futures_util::StreamExt::chain(first, stream::pending()))
}
