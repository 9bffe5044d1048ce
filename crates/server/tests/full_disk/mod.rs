//! The program on a disk of its own that fills up and is emptied again.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Server, field, slovo};

/// Large enough that recordings are taken in, which leave 256 MiB free.
const DISK: &str = "288m";

/// Far longer than it takes on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Moves the data folder to the small disk, and starts the server.
const START: &str = r#"kept=$(mktemp -d) && cp -a "$1/." "$kept" &&
    mount -t tmpfs -o "size=$DISK" slovo "$1" &&
    cp -a "$kept/." "$1" && rm -rf "$kept" && shift && exec "$@""#;

/// A server whose data folder is a tmpfs in its own mount namespace, so that the test needs no
/// root.
fn start(data: &Path) -> Server {
    // Its stop empties the write-ahead log, which the migrations have filled: a log that has grown has
    // room for many writes, however full the disk is.
    let (code, log) = Server::start(data).stop("-TERM");
    assert_eq!(code, Some(0), "{log}");
    let program = slovo();
    let mut command = Command::new("unshare");
    command.args([
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        START,
        "-",
    ]);
    command.env("DISK", DISK);
    command.arg(data).arg(program.get_program());
    for (variable, value) in program.get_envs() {
        match value {
            Some(value) => command.env(variable, value),
            None => command.env_remove(variable),
        };
    }
    Server::start_by(command, data)
}

/// The server's data folder as it sees it.
fn inside(server: &Server, data: &Path) -> PathBuf {
    let root = PathBuf::from(format!("/proc/{}/root", server.child.id()));
    root.join(data.strip_prefix("/").unwrap())
}

/// Writes until nothing more goes in.
fn fill(file: &Path) {
    let mut file = File::create(file).unwrap();
    for size in [1 << 20, 1 << 12, 1] {
        let piece = vec![b'x'; size];
        let full = loop {
            if let Err(error) = file.write_all(&piece) {
                break error;
            }
        };
        assert_eq!(full.kind(), ErrorKind::StorageFull, "{full}");
    }
}

fn can_mount() -> bool {
    let nothing = [
        "--user",
        "--map-root-user",
        "--mount",
        "mount",
        "-t",
        "tmpfs",
        "x",
        "/mnt",
    ];
    let tried = Command::new("unshare").args(nothing).output();
    tried.is_ok_and(|tried| tried.status.success())
}

fn status(answer: &str) -> &str {
    answer
        .get("HTTP/1.1 ".len()..)
        .and_then(|rest| rest.get(..3))
        .unwrap_or(answer)
}

#[test]
fn a_full_disk_is_reported_until_there_is_room_again() {
    if !can_mount() {
        // Containers may forbid mounts; `slovo_db` tests the same with a size-limited database.
        eprintln!("not run: this machine lets nobody mount a file system");
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let server = start(data.path());
    let disk = inside(&server, data.path());
    let (_, _, session) = server.sign_up(&disk, "a@example.com");
    let token = field(&session, "access_token");
    let send = |request: &str, body: &str| server.send_as(&token, request, body);
    let current = send("GET /api/v1/me/preferences", "");
    let preferences = current.split("\r\n\r\n").nth(1).unwrap().to_owned();
    let save = || send("PUT /api/v1/me/preferences", &preferences);
    assert_eq!(status(&save()), "200");
    let ready = || send("GET /readyz", "");
    assert_eq!(status(&ready()), "200");

    let ballast = disk.join("ballast");
    fill(&ballast);
    // Many at once, so that every connection to the database meets it.
    let answers: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| (0..12).map(|_| save()).collect::<Vec<_>>()))
            .collect();
        let answers = writers
            .into_iter()
            .flat_map(|writer| writer.join().unwrap());
        answers.collect()
    });
    let full = answers
        .iter()
        .filter(|answer| status(answer) == "507")
        .count();
    assert!(full > 0, "the disk was never full");
    for answer in &answers {
        assert!(
            status(answer) == "200" || answer.contains("\"code\":\"storage_full\""),
            "{answer}"
        );
    }
    until("it says that it is not ready", || {
        ready().contains("storage_full")
    });
    assert_eq!(
        status(&send("GET /api/v1/jobs", "")),
        "200",
        "reading goes on"
    );

    std::fs::remove_file(&ballast).unwrap();
    until("it stores again", || status(&save()) == "200");
    for _ in 0..40 {
        let answer = save();
        assert_eq!(status(&answer), "200", "{answer}");
    }
    until("it says that it is ready", || status(&ready()) == "200");
    let (code, log) = server.stop("-TERM");
    assert_eq!(code, Some(0), "{log}");
}

fn until(what: &str, condition: impl Fn() -> bool) {
    let started = Instant::now();
    while !condition() {
        assert!(started.elapsed() < TIMEOUT, "{what}: not in {TIMEOUT:?}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
