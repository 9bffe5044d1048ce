//! Running the downloader behind the proxy, with scripts in place of the real program.

use std::path::PathBuf;
use std::time::Duration;

use slovo_rules::upload::MAX_UPLOAD_BYTES;
use slovo_test_media::prompts;

use super::{fetch, probe, refused, url};
use crate::FetchError;
use crate::downloader_program;
use crate::guard::GuardRefusal;
use crate::pages::MAX_FETCHED;
use crate::probe::Kind;
use crate::process::MAX_MEMORY;
use crate::testing::{RemoteServer, file, redirect, reply, script};

#[tokio::test(flavor = "multi_thread")]
async fn the_downloader_runs_with_a_proxy_and_a_clean_environment() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("seen");
    let program = script(
        folder.path(),
        &format!(
            "env > {0}; printf '%s\\n' \"$@\" > {0}.args; pwd >> {0}; cat > {0}.input; \
             echo \"data $(ulimit -d) core $(ulimit -c)\" > {0}.limits; \
             echo '{{\"title\": \"A talk\", \"duration\": 61.5, \"filesize\": 1000}}'",
            output.display()
        ),
    );
    let fetch = fetch(&[], Some(program));
    let page = "https://youtu.be/dQw4w9WgXcQ";
    let found = probe(&fetch, page).await.unwrap();
    assert_eq!(found.kind, Kind::Youtube);
    assert_eq!(found.title.as_deref(), Some("A talk"));
    assert_eq!((found.duration, found.size), (Some(61.5), Some(1000)));
    let environment = std::fs::read_to_string(&output).unwrap();
    assert!(
        environment.contains("https_proxy=http://slovo:"),
        "{environment}"
    );
    assert!(!environment.contains("CARGO"), "{environment}");
    let arguments = std::fs::read_to_string(format!("{}.args", output.display())).unwrap();
    assert!(arguments.starts_with("--no-config"), "{arguments}");
    for secret in ["slovo:", "youtu"] {
        assert!(!arguments.contains(secret), "anybody can read arguments");
    }
    let input = std::fs::read_to_string(format!("{}.input", output.display())).unwrap();
    assert_eq!(input, format!("{page}\n"));
    let limits = std::fs::read_to_string(format!("{}.limits", output.display())).unwrap();
    assert_eq!(limits.trim(), format!("data {} core 0", MAX_MEMORY / 1024));
    // Nothing is delegated to programs that bypass the proxy (rtsp, rtmp).
    let after = |name: &str| {
        let mut lines = arguments.lines().skip_while(|line| *line != name);
        lines.nth(1).unwrap_or_else(|| panic!("no {name}"))
    };
    assert_eq!(after("--downloader"), "native");
    assert_eq!(after("--batch-file"), "-");
    for format in after("--format").split('/') {
        let native = ["[protocol^=http]", "[protocol=m3u8_native]"];
        assert!(native.iter().any(|end| format.ends_with(end)), "{format}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_described_while_all_fetch_slots_are_busy() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("begun");
    std::fs::create_dir(&started).unwrap();
    let program = script(
        folder.path(),
        &format!(
            "case \"$*\" in *--dump-single-json*) echo '{{\"title\": \"A talk\"}}';; \
             *) touch {}/$$; sleep 1000;; esac",
            started.display()
        ),
    );
    let fetch = fetch(&[], Some(program));
    let page = url("https://page.example/");
    let mut fetches = tokio::task::JoinSet::new();
    for number in 0..MAX_FETCHED {
        let (fetch, page) = (fetch.clone(), page.clone());
        let target = folder.path().join(format!("made-{number}"));
        std::fs::create_dir(&target).unwrap();
        fetches.spawn(async move {
            fetch
                .fetch_page(&page, &target, MAX_UPLOAD_BYTES, |_| {})
                .await
                .map(|_| ())
        });
    }
    let running = || std::fs::read_dir(&started).unwrap().count();
    for _ in 0..1000 {
        if running() == MAX_FETCHED {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(running(), MAX_FETCHED);
    let described = fetch
        .pages()
        .describe(&page, MAX_UPLOAD_BYTES)
        .await
        .unwrap();
    assert_eq!(described.title.as_deref(), Some("A talk"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_misbehaving_downloader_is_killed_with_its_children() {
    let folder = tempfile::tempdir().unwrap();
    let fetch_with = |body: &str| fetch(&[], Some(script(folder.path(), body)));
    let page = url("https://page.example/");
    let target = folder.path().join("made");
    std::fs::create_dir(&target).unwrap();
    let get = async |body: &str| {
        let fetch = fetch_with(body);
        let result = fetch
            .fetch_page(&page, &target, MAX_UPLOAD_BYTES, |_| {})
            .await;
        result.map(|fetched| fetched.file)
    };
    // An endless line.
    let endless = get("yes | tr -d '\\n'").await.unwrap_err();
    assert!(matches!(endless, FetchError::Unreachable(_)), "{endless:?}");
    // An endless file; the script's child would continue writing.
    let children = folder.path().join("children");
    let fills = format!(
        "sleep 1000 & echo $! > {}; truncate -s 600M media.webm; wait",
        children.display()
    );
    assert_eq!(
        get(&fills).await,
        Err(FetchError::TooLarge {
            max_bytes: MAX_UPLOAD_BYTES
        })
    );
    let child = std::fs::read_to_string(&children).unwrap();
    let child = PathBuf::from(format!("/proc/{}/stat", child.trim()));
    let mut alive = true;
    for _ in 0..6000 {
        let stat = std::fs::read_to_string(&child).unwrap_or_default();
        alive = !stat.is_empty() && !stat.contains(") Z ");
        if !alive {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(!alive, "the child is gone with it");
    std::fs::remove_file(target.join("media.webm")).unwrap();
    assert_eq!(
        get("echo 'slovo-progress 1 999999999999 NA'; sleep 1000").await,
        Err(FetchError::TooLarge {
            max_bytes: MAX_UPLOAD_BYTES
        })
    );
    assert_eq!(
        get("echo 'ERROR: Unsupported URL: https://page.example/?key=1' >&2; exit 1").await,
        Err(FetchError::not_media("html"))
    );
    assert_eq!(
        get("echo 'ERROR: unable to download: HTTP Error 403: Forbidden' >&2; exit 1").await,
        Err(FetchError::status(403, None))
    );
    assert_eq!(get("exit 0").await, Err(FetchError::not_media("html")));
    let fine = get("echo x > media.webm; echo x > media.webm.part").await;
    assert_eq!(fine.unwrap(), target.join("media.webm"));
}

/// With the real program, where it is on the PATH.
#[tokio::test(flavor = "multi_thread")]
async fn yt_dlp_reads_a_page_through_the_proxy() {
    let Some(program) = downloader_program::find(None) else {
        eprintln!("yt-dlp is not on the PATH: only the scripts stand in for it");
        return;
    };
    let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
    let sent = wav.clone();
    let secret = RemoteServer::start(async |_, mut stream| {
        reply(&mut stream, "200 OK", &[], b"secret").await;
    })
    .await;
    let private = secret.url("/private.mp4");
    let server = RemoteServer::start(move |request, mut stream| {
        let (wav, private) = (sent.clone(), private.clone());
        async move {
            let html = ["Content-Type: text/html"];
            match request.path.as_str() {
                "/page" => {
                    let page = b"<html><head><title>A page</title></head><body>\
                        <video src=\"/talk.wav\"></video></body></html>";
                    reply(&mut stream, "200 OK", &html, page).await;
                }
                "/trap" => {
                    let page = format!("<html><title>T</title><video src=\"{private}\"></video>");
                    reply(&mut stream, "200 OK", &html, page.as_bytes()).await;
                }
                "/jump" => redirect(&mut stream, &private).await,
                "/talk.wav" => file(&request, &mut stream, &wav, "\"1\"").await,
                _ => reply(&mut stream, "404 Not Found", &[], b"").await,
            }
        }
    })
    .await;
    let fetch = fetch(&[&server], Some(program));
    let found = probe(&fetch, &server.url("/page")).await.unwrap();
    assert_eq!(found.kind, Kind::Page);
    assert!(found.title.unwrap().starts_with("A page"));
    let folder = tempfile::tempdir().unwrap();
    let mut reports = 0;
    let fetched = fetch
        .fetch_page(
            &url(&server.url("/page")),
            folder.path(),
            MAX_UPLOAD_BYTES,
            |_| reports += 1,
        )
        .await
        .unwrap();
    assert!(reports > 0, "it says how far it is");
    assert_eq!(std::fs::read(&fetched.file).unwrap(), wav);
    for path in ["/trap", "/jump"] {
        let folder = tempfile::tempdir().unwrap();
        let trapped = fetch
            .fetch_page(
                &url(&server.url(path)),
                folder.path(),
                MAX_UPLOAD_BYTES,
                |_| {},
            )
            .await;
        assert_eq!(
            trapped.unwrap_err(),
            refused(GuardRefusal::Address),
            "{path}"
        );
    }
    assert!(secret.requests().is_empty(), "nobody was there");
}
