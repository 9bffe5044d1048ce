//! Backups that are made while jobs run, and brought into a server with the other kind of database.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use slovo_test_media::prompts;
use slovo_test_postgres::Cluster;

use super::program::Program;
use super::user::User;

const JOBS: usize = 20;

/// `slovo` with these arguments, for the server with this data folder and database.
fn command(data: &Path, database: Option<&str>, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_slovo"));
    command
        .args(arguments)
        .arg("--data")
        .arg(data)
        .env_remove("DATABASE_URL")
        .envs(database.map(|url| ("DATABASE_URL", url)))
        .stdin(Stdio::null());
    command
}

fn run(data: &Path, database: Option<&str>, arguments: &[&str]) -> Output {
    command(data, database, arguments).output().unwrap()
}

fn succeed(data: &Path, database: Option<&str>, arguments: &[&str]) -> String {
    let output = run(data, database, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

fn refuse(data: &Path, database: Option<&str>, arguments: &[&str], reason: &str) {
    let output = run(data, database, arguments);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{arguments:?} was done");
    assert!(error.contains(reason), "{arguments:?}: {error}");
}

fn moves(from: Option<&str>, to: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let backups = folder.path().join("backups");
    let place = ["--backup", backups.to_str().unwrap()];
    let backup = |verb: &[&'static str]| [verb, &place].concat();
    let program = Program::start(folder.path(), from, "first");
    let user = User::sign_up(&program);
    let recording = fs::read(prompts::WELCOME.path()).unwrap();
    let first = user.job(&program, &recording);
    let text = user.transcript(&program, &first);
    let jobs: Vec<_> = (1..JOBS).map(|_| user.job(&program, &recording)).collect();
    let data = program.data();

    // One that is killed is none, whenever that happens.
    for pause in [20, 60, 120] {
        let mut killed = command(&data, from, &backup(&["backup"])).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        killed.kill().unwrap();
        killed.wait().unwrap();
    }
    let made = succeed(&data, from, &backup(&["backup"]));
    assert!(made.contains("rows"), "{made}");
    succeed(&data, from, &backup(&["backup", "verify"]));
    let restore = [&["restore", "--replace"][..], &place].concat();
    refuse(&data, from, &restore, "Stop it first");
    // What comes later is not in it.
    let later = user.job(&program, &recording);
    program.kill();

    let other = tempfile::tempdir().unwrap();
    let target = other.path().join("data");
    let restored = succeed(&target, to, &backup(&["restore"]));
    assert!(restored.contains("each compared"), "{restored}");
    refuse(&target, to, &backup(&["restore"]), "--replace");
    let program = Program::start(other.path(), to, "restored");
    for job in &jobs {
        assert_eq!(user.transcript(&program, job)["segments"], text["segments"]);
    }
    assert_eq!(user.transcript(&program, &first), text);
    assert_eq!(user.get(&program, &later).status, 404);
    let media = user.post(
        &program,
        &format!("{first}/media-link"),
        &serde_json::json!({}),
    );
    assert!(media.status < 300, "{}", media.status);
    program.terminate();

    // The state before a restore comes back.
    succeed(&target, to, &backup(&["restore", "--replace"]));
    let program = Program::start(other.path(), to, "again");
    assert_eq!(user.get(&program, &first).json()["status"], "completed");
    program.terminate();
    let undone = succeed(&target, to, &["restore", "--undo"]);
    assert!(undone.contains("is back"), "{undone}");
    let program = Program::start(other.path(), to, "undone");
    for job in &jobs {
        assert_eq!(user.get(&program, job).json()["status"], "completed");
    }
    program.terminate();
}

#[test]
fn a_backup_made_at_work_moves_from_sqlite_to_postgresql() {
    let cluster = Cluster::start().unwrap();
    moves(None, Some(cluster.url()));
}

#[test]
fn a_backup_made_at_work_moves_from_postgresql_to_sqlite() {
    let cluster = Cluster::start().unwrap();
    moves(Some(cluster.url()), None);
}

#[test]
fn a_damaged_database_is_replaced_by_its_backup() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(folder.path(), None, "first");
    let user = User::sign_up(&program);
    let id = user.id(&program);
    let data = program.data();
    succeed(&data, None, &["backup"]);
    program.kill();
    let file = data.join("slovo.db");
    for log in ["slovo.db-wal", "slovo.db-shm"] {
        fs::remove_file(data.join(log)).ok();
    }
    fs::write(&file, "this was a database").unwrap();
    refuse(&data, None, &["restore"], "--replace");
    let restored = succeed(&data, None, &["restore", "--replace"]);
    assert!(restored.contains("before-restore-"), "{restored}");
    let program = Program::start(folder.path(), None, "restored");
    assert_eq!(user.id(&program), id);
    program.terminate();
}
