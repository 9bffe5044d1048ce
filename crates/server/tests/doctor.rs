//! `slovo doctor` against set-ups that are broken in one way each: it names what is wrong and what
//! mends it, and changes nothing.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// A server's folder after its first start; its models are there.
struct Setup {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Setup {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let setup = Self {
            folder,
            variables: Vec::new(),
        };
        // Opening the database and the folder is what the first start does.
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            use slovo_app::config::Config;
            use slovo_app::state::AppState;
            #[derive(clap::Parser)]
            struct Line {
                #[command(flatten)]
                config: Config,
            }
            let data = setup.data();
            let line = ["slovo", "--data", data.to_str().unwrap()];
            let config = <Line as clap::Parser>::parse_from(line).config;
            let state = AppState::open(config.prepare().unwrap()).await.unwrap();
            state.db.close().await;
        });
        fs::set_permissions(
            setup.data().join("slovo.db"),
            fs::Permissions::from_mode(0o600),
        )
        .unwrap();
        setup
    }

    fn data(&self) -> std::path::PathBuf {
        self.folder.path().join("data")
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.variables.push((name, value.into()));
        self
    }

    /// The findings, and whether the exit code says that there is a fault.
    fn examine(&self) -> (Vec<Value>, bool) {
        let output = Command::new(env!("CARGO_BIN_EXE_slovo"))
            .args(["doctor", "--json", "--data"])
            .arg(self.data())
            .env_remove("DATABASE_URL")
            .envs(self.variables.iter().map(|(name, value)| (*name, value)))
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        let error = String::from_utf8_lossy(&output.stderr);
        let findings = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{error}"));
        (findings, !output.status.success())
    }

    /// There is a finding of this kind that says this and how to mend it.
    fn assert_found(&self, check: &str, state: &str, says: &str, remedy: &str) {
        let (findings, failed) = self.examine();
        let found = findings.iter().any(|finding| {
            let text = |name: &str| finding[name].as_str().unwrap_or_default().to_owned();
            text("check") == check
                && text("state") == state
                && text("message").contains(says)
                && text("remedy").contains(remedy)
        });
        assert!(found, "{check}: {findings:#?}");
        assert_eq!(
            failed,
            findings.iter().any(|finding| finding["state"] == "fault")
        );
    }
}

fn snapshot(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(snapshot(&path)),
            // Opening a database makes these, and closing it removes them.
            false if path.to_string_lossy().ends_with("-shm") => {}
            false => files.push((path.clone(), fs::read(&path).unwrap())),
        }
    }
    files.sort();
    files
}

#[test]
fn a_server_that_works_has_no_fault_and_stays_as_it_is() {
    let setup = Setup::new();
    let before = snapshot(&setup.data());
    let (findings, failed) = setup.examine();
    assert!(!failed, "{findings:#?}");
    assert!(findings.len() >= 10, "{findings:#?}");
    let names: Vec<_> = snapshot(&setup.data())
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    let expected: Vec<_> = before.into_iter().map(|(path, _)| path).collect();
    assert_eq!(names, expected);
    // Nothing is created where there is nothing.
    let empty = tempfile::tempdir().unwrap();
    let nothing = Setup {
        folder: empty,
        variables: Vec::new(),
    };
    nothing.assert_found("data_folder", "warning", "does not exist", "--data");
    assert!(!nothing.data().exists());
}

#[test]
fn a_damaged_database_is_found() {
    let setup = Setup::new();
    let file = setup.data().join("slovo.db");
    let mut bytes = fs::read(&file).unwrap();
    for page in bytes.chunks_mut(4096).skip(5).step_by(3) {
        page.fill(0x5a);
    }
    fs::write(&file, bytes).unwrap();
    setup.assert_found("database", "fault", "", "slovo restore latest");
    fs::write(&file, "this was a database").unwrap();
    setup.assert_found(
        "database",
        "fault",
        "not a database",
        "slovo restore latest",
    );
}

#[test]
fn another_folder_and_another_secret_are_found() {
    let setup = Setup::new();
    fs::write(setup.data().join("installation"), "0000\n").unwrap();
    setup.assert_found("installation", "fault", "another data folder", "--adopt");
    let setup = Setup::new();
    fs::write(setup.data().join("secret.key"), [7; 32]).unwrap();
    setup.assert_found("secret", "fault", "another one", "secret.key from a backup");
    let setup = Setup::new();
    fs::remove_file(setup.data().join("secret.key")).unwrap();
    setup.assert_found("secret", "fault", "is not there", "SLOVO_SECRET");
    assert!(!setup.data().join("secret.key").exists());
}

#[test]
fn wrong_places_are_found() {
    let setup = Setup::new();
    fs::set_permissions(setup.data(), fs::Permissions::from_mode(0o755)).unwrap();
    setup.assert_found("data_folder", "warning", "other users", "chmod -R go=");
    let setup = Setup::new().with("DATABASE_URL", "postgres://me:hunter2@127.0.0.1:1/slovo");
    setup.assert_found("database", "fault", "cannot be reached", "start PostgreSQL");
    assert!(!format!("{:?}", setup.examine().0).contains("hunter2"));
    let setup = Setup::new().with("DATABASE_URL", "mysql://me:hunter2@127.0.0.1/slovo");
    setup.assert_found("database", "fault", "address", "DATABASE_URL=postgres://");
    let setup = Setup::new()
        .with("SLOVO_STORAGE", "s3://bucket/prefix")
        .with("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
        .with("AWS_ACCESS_KEY_ID", "key")
        .with("AWS_SECRET_ACCESS_KEY", "hunter2");
    setup.assert_found("storage", "fault", "s3://bucket/prefix", "AWS_ENDPOINT_URL");
    let setup = Setup::new().with("SLOVO_MODELS", "/nowhere");
    setup.assert_found("models", "fault", "not in /nowhere", "slovo models pull");
}

#[test]
fn wrong_options_are_found() {
    let setup = Setup::new().with("SLOVO_SMTP_URL", "smtp://me:hunter2@mail.example.com");
    setup.assert_found("mail", "fault", "", "SLOVO_SMTP_URL");
    assert!(!format!("{:?}", setup.examine().0).contains("hunter2"));
    let setup = Setup::new().with("SLOVO_SMTP_URL", "smtp://127.0.0.1:1");
    setup.assert_found("mail", "fault", "127.0.0.1:1", "slovo mail test");
    let setup = Setup::new().with("SLOVO_BACKUP_RECIPIENTS", "ssh-ed25519 AAAA");
    setup.assert_found("configuration", "fault", "age1", "slovo serve --help");
    let setup = Setup::new().with("SLOVO_YT_DLP", "/nowhere/yt-dlp");
    setup.assert_found("yt_dlp", "fault", "/nowhere/yt-dlp", "--yt-dlp");
    let setup = Setup::new().with("SLOVO_BACKUP", "off");
    setup.assert_found("backup", "warning", "none are made", "slovo backup");
    let setup = Setup::new().with("PATH", "/nowhere");
    setup.assert_found("ffmpeg", "warning", "not installed", "apt install ffmpeg");
}

/// A proxy that answers requests with bodies as nginx does without `client_max_body_size`.
fn proxy(ours: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut head = [0; 4096];
            let length = stream.read(&mut head).unwrap_or(0);
            let is_upload = head[..length].starts_with(b"PATCH");
            let answer = match (is_upload, ours) {
                (true, _) => "HTTP/1.1 413 Request Entity Too Large\r\nserver: nginx\r\n",
                (false, true) => "HTTP/1.1 200 OK\r\nx-request-id: 1\r\n",
                (false, false) => "HTTP/1.1 502 Bad Gateway\r\nserver: nginx\r\n",
            };
            let answer = format!("{answer}content-length: 0\r\nconnection: close\r\n\r\n");
            stream.write_all(answer.as_bytes()).ok();
            // Reads what is still sent, so that the answer is not lost to a reset.
            stream
                .set_read_timeout(Some(std::time::Duration::from_secs(2)))
                .ok();
            let mut rest = [0; 65536];
            while stream.read(&mut rest).is_ok_and(|length| length > 0) {}
        }
    });
    format!("http://{address}")
}

#[test]
fn a_proxy_in_the_way_is_found() {
    let setup = Setup::new().with("SLOVO_PUBLIC_URL", proxy(true));
    setup.assert_found("upload_size", "fault", "413", "client_max_body_size");
    let setup = Setup::new().with("SLOVO_PUBLIC_URL", proxy(false));
    setup.assert_found("public_address", "fault", "502", "pass everything to");
    let setup = Setup::new().with("SLOVO_PUBLIC_URL", "http://127.0.0.1:1");
    setup.assert_found("public_address", "warning", "does not answer", "firewall");
    let setup = Setup::new()
        .with("SLOVO_PUBLIC_URL", proxy(true))
        .with("SLOVO_BEHIND_PROXY", "true")
        .with("SLOVO_HOST", "0.0.0.0");
    setup.assert_found("proxy", "warning", "pretend", "SLOVO_HOST=127.0.0.1");
}
