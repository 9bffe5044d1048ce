//! The real program, killed (`kill -9`) and stopped (SIGTERM) at work: uploads resume at the right
//! byte, jobs resume where they were and produce the same text.
//!
//! The recording is made of Debian's telephone prompts with pauses between them.

#![expect(clippy::unwrap_used, reason = "what fails here fails the test")]

mod analyses;
mod backups;
mod channels;
mod deletions;
mod downloads;
mod edits;
mod elsewhere;
#[path = "../endpoint/mod.rs"]
mod endpoint;
mod engine;
mod faults;
mod line;
mod minutes;
mod object_store;
mod objects;
#[path = "../outbox/mod.rs"]
mod outbox;
mod pages;
mod program;
mod roles;
mod temporal;
mod temporal_server;
mod upgrades;
mod user;
mod watching;
mod world;

use std::fs;
use std::io::Write;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use slovo_test_media::prompts;
use slovo_test_postgres::Cluster;

use program::{Program, TIMEOUT};
use user::User;

/// Seconds of silence between two prompts.
const PAUSE: f64 = 1.5;

/// About two minutes of speech with pauses.
fn recording(folder: &Path) -> Vec<u8> {
    recording_of(folder, 130.0)
}

/// At least so many seconds of speech with pauses.
fn recording_of(folder: &Path, length: f64) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-y"]);
    let mut parts = 0;
    let mut seconds = 0.0;
    let mut graph = String::new();
    for prompt in prompts::ALL.iter().cycle() {
        command.arg("-i").arg(prompt.path());
        graph += &format!("[{parts}:a]apad=pad_dur={PAUSE}[p{parts}];");
        parts += 1;
        seconds += prompt.seconds + PAUSE;
        if seconds >= length {
            break;
        }
    }
    for part in 0..parts {
        graph += &format!("[p{part}]");
    }
    graph += &format!("concat=n={parts}:v=0:a=1[all]");
    let file = folder.join("recording.wav");
    command
        .args(["-filter_complex", &graph, "-map", "[all]"])
        .arg(&file);
    assert!(command.status().unwrap().success());
    fs::read(file).unwrap()
}

/// The models folder, as the program finds it.
fn models_folder() -> PathBuf {
    let chosen = std::env::var_os("SLOVO_MODELS").map(PathBuf::from);
    chosen.or_else(slovo_engine::models::default_dir).unwrap()
}

/// The numbers of the windows that were recognised, in order.
fn recognised(log: &str) -> Vec<u64> {
    let lines = log
        .lines()
        .filter(|line| line.contains("window recognised"));
    let lines = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.map(|line| line["chunk"].as_u64().unwrap()).collect()
}

/// How often a window was recognised although it had been before.
fn repeated(mut windows: Vec<u64>) -> usize {
    let all = windows.len();
    windows.sort_unstable();
    windows.dedup();
    all - windows.len()
}

#[test]
fn a_job_is_resumed_after_a_kill_and_a_stop() {
    job_survives_a_kill_and_a_stop(None);
}

#[test]
fn a_job_is_resumed_after_a_kill_and_a_stop_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    job_survives_a_kill_and_a_stop(Some(cluster.url()));
}

fn job_survives_a_kill_and_a_stop(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path());
    let mut program = Program::start(folder.path(), database, "first");
    let user = User::sign_up(&program);

    let job = user.job(&program, &recording);
    program.wait_for_windows(2);
    let before = recognised(&program.log()).len();
    program.kill();

    let mut program = Program::start(folder.path(), database, "second");
    program.wait_for_windows(2);
    let log = program.terminate();
    assert!(log.contains("going on where it stopped"), "{log}");

    let program = Program::start(folder.path(), database, "third");
    let interrupted = user.transcript(&program, &job);
    let mut windows = Vec::new();
    for run in ["first", "second", "third"] {
        let log = fs::read_to_string(folder.path().join(format!("{run}.log"))).unwrap();
        windows.extend(recognised(&log));
    }
    let all = windows.len();
    let repeats = repeated(windows);
    println!("{all} windows, {before} before the kill, {repeats} repeated");
    assert!(repeats <= 1, "{repeats} windows were recognised twice");

    let other = user.job(&program, &recording);
    let uninterrupted = user.transcript(&program, &other);
    assert_eq!(interrupted, uninterrupted);
    assert!(interrupted["segments"].as_array().unwrap().len() > 10);
    program.terminate();
}

#[test]
fn an_upload_is_resumed_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    // 40 MB of a valid recording: a second of noise over and over is no matter here.
    let header = &fs::read(prompts::WELCOME.path()).unwrap()[..44];
    let size = 40 * 1024 * 1024;
    let mut recording = header.to_vec();
    recording.extend((44..size).map(|at: u32| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    recording[4..8].copy_from_slice(&(size - 8).to_le_bytes());
    recording[40..44].copy_from_slice(&(size - 44).to_le_bytes());

    let program = Program::start(folder.path(), None, "first");
    let user = User::sign_up(&program);
    let upload = user.begin(&program, recording.len());
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let head = program.head("PATCH", &upload, &user.patch_headers("0"), recording.len());
    stream.write_all(&head).unwrap();
    stream.write_all(&recording[..30_000_000]).unwrap();
    program.kill();
    drop(stream);

    let program = Program::start(folder.path(), None, "second");
    let at = user.offset(&program, &upload);
    println!("30000000 bytes sent, {at} stored");
    assert!(at <= 30_000_000);
    let id = upload.rsplit('/').next().unwrap();
    let file = folder.path().join("data/media").join(id);
    assert!(
        fs::read(&file).unwrap()[..at] == recording[..at],
        "what is stored is right"
    );

    // A connection that is reset in the middle: what came is kept.
    let middle = at + 1_000_003;
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let at_text = at.to_string();
    let head = program.head(
        "PATCH",
        &upload,
        &user.patch_headers(&at_text),
        recording.len() - at,
    );
    stream.write_all(&head).unwrap();
    stream.write_all(&recording[at..middle]).unwrap();
    // All of it must have arrived before the reset, which throws away what is under way.
    let mut waited = Duration::ZERO;
    while fs::metadata(&file).unwrap().len() < (at + 512 * 1024) as u64 && waited < TIMEOUT {
        std::thread::sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
    }
    reset(&stream);
    drop(stream);
    let mut now_at = at;
    while now_at == at && waited < TIMEOUT {
        std::thread::sleep(Duration::from_millis(20));
        waited += Duration::from_millis(20);
        now_at = user.offset(&program, &upload);
    }
    assert!(
        now_at > at && now_at <= middle,
        "{at} < {now_at} <= {middle}"
    );
    user.append(&program, &upload, now_at, &recording[now_at..]);
    assert!(fs::read(&file).unwrap() == recording);
    program.terminate();
}

/// Makes the connection end with a reset instead of in order.
fn reset(stream: &TcpStream) {
    rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO)).unwrap();
}
/// Streamed while it is made, killed in the middle of a piece and gone on with by a page that knows
/// its address only: the file ends with the sizes in its header that nobody knew before.
#[test]
fn an_open_recording_is_resumed_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let mut expected = fs::read(prompts::WELCOME.path()).unwrap()[..44].to_vec();
    let size: u32 = 24 * 1024 * 1024;
    expected.extend((44..size).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8));
    expected[4..8].copy_from_slice(&(size - 8).to_le_bytes());
    expected[40..44].copy_from_slice(&(size - 44).to_le_bytes());
    let mut sent = expected.clone();
    sent[4..8].copy_from_slice(&[0xFF; 4]);
    sent[40..44].copy_from_slice(&[0xFF; 4]);

    let program = Program::start(folder.path(), None, "first");
    let user = User::sign_up(&program);
    let upload = user.begin_recording(&program);
    user.append(&program, &upload, 0, &sent[..100_001]);
    let mut stream = TcpStream::connect(&program.address).unwrap();
    let piece = &sent[100_001..];
    let head = program.head("PATCH", &upload, &user.patch_headers("100001"), piece.len());
    stream.write_all(&head).unwrap();
    stream.write_all(&piece[..18_000_000]).unwrap();
    program.kill();
    drop(stream);

    let program = Program::start(folder.path(), None, "second");
    let at = user.offset(&program, &upload);
    println!("18100001 bytes sent, {at} stored");
    assert!((100_001..=18_100_001).contains(&at));
    user.append(&program, &upload, at, &sent[at..]);
    user.end_recording(&program, &upload, sent.len());
    let id = upload.rsplit('/').next().unwrap();
    let file = folder.path().join("data/media").join(id);
    assert!(fs::read(&file).unwrap() == expected, "the sizes are true");
}
