//! The guarded client against a hostile server.

mod pages;
mod shared_links;

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use reqwest::Url;
use slovo_engine::{Engine, EngineConfig};
use slovo_rules::upload::MAX_UPLOAD_BYTES;
use slovo_rules::url::{UrlKind, classify};
use slovo_test_media::prompts;
use tokio::io::AsyncWriteExt;

use crate::client::{Http, MAX_REDIRECTS, Part, TransferLimits};
use crate::guard::{Guard, GuardRefusal, LookupFuture as Resolved, Resolver};
use crate::probe::Kind;
use crate::shared_links::Services;
use crate::testing::{RemoteServer, file, redirect, reply};
use crate::{Fetch, FetchError};
use slovo_platform::clock::Clock;
use slovo_platform::random::Random;
use slovo_platform::testing::{SeededRandom, TestClock};

const WHOLE: Part<'_> = Part {
    from: 0,
    to: None,
    if_range: None,
};

fn fetch(allowed: &[&RemoteServer], program: Option<PathBuf>) -> Fetch {
    fetch_with(allowed, program, Services::default())
}

fn fetch_with(allowed: &[&RemoteServer], program: Option<PathBuf>, services: Services) -> Fetch {
    let allow = allowed.iter().map(|server| server.place().parse().unwrap());
    let allow: Vec<_> = allow.collect();
    let clock: Arc<dyn Clock> = Arc::new(TestClock::new());
    let random: Arc<dyn Random> = Arc::new(SeededRandom::new(3));
    Fetch::with_services(
        &allow,
        program,
        Engine::new(EngineConfig::new(PathBuf::new())).unwrap(),
        &clock,
        &random,
        services,
    )
}

fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

async fn probe(fetch: &Fetch, text: &str) -> Result<crate::probe::UrlInfo, FetchError> {
    fetch
        .probe(&url(text), &classify(text).unwrap(), MAX_UPLOAD_BYTES)
        .await
}

fn refused(error: GuardRefusal) -> FetchError {
    FetchError::Refused(error)
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_to_private_addresses_are_refused() {
    let secret = RemoteServer::start(async |_, mut stream| {
        reply(&mut stream, "200 OK", &[], b"secret").await;
    })
    .await;
    let port = secret.address.port();
    let targets = [
        format!("http://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        format!("http://2130706433:{port}/"),
        format!("http://0177.0.0.1:{port}/"),
        format!("http://0x7f000001:{port}/"),
        format!("http://127.1:{port}/"),
        format!("http://[::1]:{port}/"),
        format!("http://[::ffff:127.0.0.1]:{port}/"),
        format!("http://0.0.0.0:{port}/"),
        format!("//127.0.0.1:{port}/"),
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://192.168.0.1/".to_owned(),
    ];
    for target in targets {
        let to = target.clone();
        let redirector = RemoteServer::start(move |_, mut stream| {
            let to = to.clone();
            async move { redirect(&mut stream, &to).await }
        })
        .await;
        let error = probe(&fetch(&[&redirector], None), &redirector.url("/a.mp3")).await;
        assert_eq!(error, Err(refused(GuardRefusal::Address)), "{target}");
    }
    for (target, refusal) in [
        ("http://a.example:22/", GuardRefusal::Port),
        ("ftp://a.example/a.mp3", GuardRefusal::Scheme),
        ("file:///etc/passwd", GuardRefusal::Scheme),
        ("http://me:pass@a.example/", GuardRefusal::Credentials),
    ] {
        let redirector = RemoteServer::start(move |_, mut stream| async move {
            redirect(&mut stream, target).await;
        })
        .await;
        let error = probe(&fetch(&[&redirector], None), &redirector.url("/a.mp3")).await;
        assert_eq!(error, Err(refused(refusal)), "{target}");
    }
    assert!(secret.requests().is_empty(), "nobody was there");
}

#[tokio::test(flavor = "multi_thread")]
async fn redirects_are_limited() {
    let circle =
        RemoteServer::start(async |_, mut stream| redirect(&mut stream, "/again").await).await;
    let error = probe(&fetch(&[&circle], None), &circle.url("/")).await;
    assert_eq!(error, Err(refused(GuardRefusal::Redirects)));
    assert_eq!(error.unwrap_err().fault().code, "url_redirects");
    assert_eq!(circle.requests().len(), MAX_REDIRECTS + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_recognised_by_its_first_bytes() {
    let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
    let (length, sent) = (wav.len(), wav.clone());
    let server = RemoteServer::start(move |request, mut stream| {
        let wav = sent.clone();
        async move {
            match request.path.as_str() {
                "/go" => redirect(&mut stream, "/files/a%20talk.wav?key=1").await,
                "/named" => {
                    let name = "Content-Disposition: attachment; filename*=UTF-8''%D0%90.wav";
                    reply(&mut stream, "200 OK", &[name], &wav).await;
                }
                _ => file(&request, &mut stream, &wav, "\"1\"").await,
            }
        }
    })
    .await;
    let fetch = fetch(&[&server], None);
    let found = probe(&fetch, &server.url("/go")).await.unwrap();
    assert_eq!(found.kind, Kind::File);
    assert_eq!(found.filename.as_deref(), Some("a talk.wav"));
    assert_eq!(found.size, Some(u64::try_from(length).unwrap()));
    assert_eq!(found.content_type.as_deref(), Some("audio/wav"));
    let seconds = found.duration.unwrap();
    assert!(
        (seconds - prompts::WELCOME.seconds).abs() < 0.1,
        "{seconds}"
    );
    let named = probe(&fetch, &server.url("/named")).await.unwrap();
    assert_eq!(named.filename.as_deref(), Some("А.wav"));
    assert_eq!(named.size, None, "nobody has said");
    let request = &server.requests()[0];
    assert_eq!(request.headers["range"], "bytes=0-65535");
    assert_eq!(request.headers["accept-encoding"], "identity");
    assert!(request.headers["user-agent"].starts_with("Slovo/"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_that_is_no_recording_has_a_specific_error() {
    let server = RemoteServer::start(async |request, mut stream| {
        let stream = &mut stream;
        match request.path.as_str() {
            "/page" => {
                reply(
                    stream,
                    "200 OK",
                    &["Content-Type: audio/mpeg"],
                    b"<!doctype html><p>",
                )
                .await;
            }
            // Twenty compressed bytes prove it: nothing is decompressed.
            "/bomb" => {
                let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xed\xc1\x01\x0d\0\0\0\xc2\xa0";
                let headers = ["Content-Type: audio/wav", "Content-Encoding: gzip"];
                reply(stream, "200 OK", &headers, gzip).await;
            }
            "/other" => {
                let part = ["Content-Range: bytes 5-9/100", "Content-Length: 5"];
                reply(stream, "206 Partial Content", &part, b"fLaC\0").await;
            }
            "/large" => {
                let part = ["Content-Range: bytes 0-3/999999999999"];
                reply(stream, "206 Partial Content", &part, b"fLaC").await;
            }
            "/empty" => reply(stream, "200 OK", &["Content-Length: 0"], b"").await,
            "/busy" => reply(stream, "503 Busy", &["Retry-After: 7"], b"").await,
            "/json" => reply(stream, "200 OK", &[], b"{\"a\": 1}").await,
            "/not-http" => stream
                .write_all(b"SSH-2.0-OpenSSH_9\r\n\r\n")
                .await
                .unwrap(),
            _ => reply(stream, "404 Not Found", &[], b"").await,
        }
    })
    .await;
    let fetch = fetch(&[&server], None);
    let at = async |path| probe(&fetch, &server.url(path)).await.unwrap_err();
    assert_eq!(at("/page").await, FetchError::NeedsDownloader);
    assert_eq!(at("/bomb").await, FetchError::not_media("gzip"));
    assert_eq!(at("/json").await, FetchError::not_media("json"));
    assert_eq!(at("/empty").await, FetchError::not_media("empty"));
    assert_eq!(
        at("/large").await,
        FetchError::TooLarge {
            max_bytes: MAX_UPLOAD_BYTES
        }
    );
    for (path, transient, retry_after) in [
        ("/other", false, None),
        ("/none", false, None),
        ("/busy", true, Some(Duration::from_secs(7))),
        ("/not-http", true, None),
    ] {
        let FetchError::Unreachable(silence) = at(path).await else {
            panic!("{path}");
        };
        assert_eq!(
            (silence.transient, silence.retry_after),
            (transient, retry_after),
            "{path}"
        );
    }
    let youtube = probe(&fetch, "https://youtu.be/dQw4w9WgXcQ").await;
    assert_eq!(
        youtube,
        Err(FetchError::NeedsDownloader),
        "and nothing was asked"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_error_code_reflects_the_http_status() {
    let server = RemoteServer::start(async |request, mut stream| {
        let status = request.path.trim_start_matches('/').replace('-', " ");
        reply(&mut stream, &status, &[], b"").await;
    })
    .await;
    let fetch = fetch(&[&server], None);
    for (answer, code, status) in [
        ("404-Not-Found", "url_not_found", None),
        ("410-Gone", "url_not_found", None),
        ("401-Unauthorized", "url_forbidden", Some(401)),
        ("403-Forbidden", "url_forbidden", Some(403)),
        ("418-Teapot", "url_status", Some(418)),
        ("429-Slower", "url_status", Some(429)),
        ("500-Broken", "url_server_error", Some(500)),
        ("503-Busy", "url_server_error", Some(503)),
    ] {
        let error = probe(&fetch, &server.url(&format!("/{answer}"))).await;
        let fault = error.unwrap_err().fault();
        assert_eq!(fault.code, code, "{answer}");
        let actual = fault.params.get("status").map(ToString::to_string);
        assert_eq!(
            actual,
            status.map(|number: u16| number.to_string()),
            "{answer}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn endless_and_too_slow_downloads_are_aborted() {
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    let server = RemoteServer::start(move |request, mut stream| {
        let sent = Arc::clone(&counted);
        async move {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nfLaC").await;
            let drips = request.path == "/drip";
            let piece = vec![0; if drips { 1 } else { 64 * 1024 }];
            while stream.write_all(&piece).await.is_ok() {
                sent.fetch_add(piece.len(), Ordering::Relaxed);
                if drips {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        }
    })
    .await;
    let endless = probe(&fetch(&[&server], None), &server.url("/endless.flac")).await;
    assert_eq!(endless.unwrap().size, None);
    assert!(
        sent.load(Ordering::Relaxed) < 64 * 1024 * 1024,
        "it was left early"
    );

    let guard = Guard::new(&[server.place().parse().unwrap()]);
    let limits = TransferLimits {
        window: Duration::from_millis(50),
        ..TransferLimits::default()
    };
    let http = Http::new(guard, limits);
    let now = "2026-03-01T12:00:00Z".parse().unwrap();
    let mut answer = http
        .get(&url(&server.url("/drip")), WHOLE, now)
        .await
        .unwrap();
    let error = loop {
        match answer.chunk().await {
            Ok(chunk) => assert!(chunk.is_some()),
            Err(error) => break error,
        }
    };
    assert_eq!(error, FetchError::transient("the bytes come too slowly"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_stops_responding_times_out() {
    let server = RemoteServer::start(async |request, mut stream| {
        if request.path == "/body" {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nfLaC").await;
        }
        std::future::pending::<()>().await;
    })
    .await;
    let guard = Guard::new(&[server.place().parse().unwrap()]);
    let short = Duration::from_millis(50);
    let limits = TransferLimits {
        head: short,
        idle: short,
        ..TransferLimits::default()
    };
    let http = Http::new(guard, limits);
    let now = "2026-03-01T12:00:00Z".parse().unwrap();
    let head = http.get(&url(&server.url("/head")), WHOLE, now).await;
    assert_eq!(
        head.unwrap_err(),
        FetchError::transient("no answer in time")
    );
    let patient = Http::new(
        Guard::new(&[server.place().parse().unwrap()]),
        TransferLimits {
            idle: short,
            ..TransferLimits::default()
        },
    );
    let mut answer = patient
        .get(&url(&server.url("/body")), WHOLE, now)
        .await
        .unwrap();
    assert!(answer.chunk().await.unwrap().is_some());
    let second_chunk = answer.chunk().await.map(|chunk| chunk.is_some());
    assert_eq!(
        second_chunk,
        Err(FetchError::transient("nothing came for too long"))
    );
}

/// Answers the first lookup with the first list, and so on; the last list is repeated.
struct ChangingResolver(Mutex<Vec<Vec<&'static str>>>);

impl Resolver for ChangingResolver {
    fn resolve(&self, _host: &str) -> Resolved {
        let mut all = self.0.lock().unwrap();
        let now = if all.len() > 1 {
            all.remove(0)
        } else {
            all[0].clone()
        };
        let found = now.iter().map(|ip| ip.parse().unwrap()).collect();
        Box::pin(async move { io::Result::Ok(found) })
    }
}

/// 127.0.0.2 stands for the public internet, and 127.0.0.1 for a private network.
fn network(answers: Vec<Vec<&'static str>>) -> Http {
    let public: fn(IpAddr) -> bool = |ip| ip == IpAddr::from([127, 0, 0, 2]);
    let guard = Guard::with_network(Arc::new(ChangingResolver(Mutex::new(answers))), public);
    Http::new(guard, TransferLimits::default())
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_use_only_the_checked_addresses() {
    let public = RemoteServer::start_at("127.0.0.2:0", async |_, mut stream| {
        redirect(&mut stream, "/again").await;
    })
    .await;
    let port = public.address.port();
    let private = RemoteServer::start_at(&format!("127.0.0.1:{port}"), async |_, mut stream| {
        reply(&mut stream, "200 OK", &[], b"secret").await;
    })
    .await;
    let address = url(&format!("http://rebinds.example:{port}/"));
    let now = "2026-03-01T12:00:00Z".parse().unwrap();
    // The name resolves to a private address after the first answer.
    let http = network(vec![vec!["127.0.0.2"], vec!["127.0.0.1"]]);
    let error = http.get(&address, WHOLE, now).await.unwrap_err();
    assert_eq!(error, refused(GuardRefusal::Address));
    assert_eq!(public.requests().len(), 1);
    // A name with both kinds of addresses is reached at its public one.
    let http = network(vec![vec!["127.0.0.1", "127.0.0.2"]]);
    let error = http.get(&address, WHOLE, now).await.unwrap_err();
    assert_eq!(error, refused(GuardRefusal::Redirects));
    // A name with private addresses only.
    let http = network(vec![vec!["127.0.0.1"]]);
    let error = http.get(&address, WHOLE, now).await.unwrap_err();
    assert_eq!(error, refused(GuardRefusal::Address));
    assert!(private.requests().is_empty());
}

#[test]
fn youtube_is_recognised_by_its_url() {
    let kind = classify("https://www.youtube.com/shorts/dQw4w9WgXcQ").unwrap();
    assert!(matches!(kind, UrlKind::Youtube { .. }));
}
