//! Pages and work in processes of their own, on one database and one data folder: work waits for a
//! process that does it, and another one takes over when that is killed.

use serde_json::json;
use slovo_test_postgres::Cluster;

use super::channels::recording;
use super::program::Program;
use super::user::User;
use super::{recognised, repeated};

fn work_is_done_by_other_processes(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let recording = recording(folder.path(), 2);
    let settings = json!({
        "transcription_type": "full",
        "language_code": "en",
        "diarization": true,
    });
    let web = Program::start_web(folder.path(), database, "web");
    let user = User::sign_up(&web);
    let job = user.job_with(&web, &recording, &settings);
    let others = Program::start_work(
        folder.path(),
        database,
        "others",
        "analysis,download,delivery",
    );
    let waiting = user.try_get(&web, &job).unwrap();
    assert_eq!(waiting.json()["status"], "pending", "nobody recognises");

    let mut first = Program::start_work(folder.path(), database, "first", "recognition");
    first.wait_for_windows(2);
    first.kill();
    let second = Program::start_work(folder.path(), database, "second", "recognition");
    let transcript = user.transcript(&web, &job);
    let segments = transcript["segments"].as_array().unwrap();
    assert!(segments.len() > 5, "{transcript}");
    let logs = ["first", "second"]
        .map(|run| std::fs::read_to_string(folder.path().join(format!("{run}.log"))).unwrap());
    let windows = logs.iter().flat_map(|log| recognised(log)).collect();
    assert!(repeated(windows) <= 2, "{logs:#?}");
    // Whose speech it is was found by the process that analyses.
    assert!(
        segments
            .iter()
            .all(|segment| segment["speaker"].is_string()),
        "{transcript}"
    );
    for process in [&web, &others] {
        assert!(
            !process.log().contains("window recognised"),
            "{}",
            process.log()
        );
    }
    for process in [second, others, web] {
        process.terminate();
    }
}

#[test]
fn work_is_done_by_other_processes_on_sqlite() {
    work_is_done_by_other_processes(None);
}

#[test]
fn work_is_done_by_other_processes_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    work_is_done_by_other_processes(Some(cluster.url()));
}
