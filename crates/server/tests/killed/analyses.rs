//! Analyses while the program is killed: the running part and the queued ones are each stored once,
//! and the job stays completed.

use std::time::Duration;

use serde_json::{Value, json};
use slovo_test_postgres::Cluster;

use crate::edits::finished_job;
use crate::endpoint::{Endpoint, EndpointBehaviour, MINUTES};
use crate::program::{Program, TIMEOUT};
use crate::user::User;

/// What the user asks of the text.
const PROMPT: &str = "Write the minutes.";
#[test]
fn an_analysis_is_resumed_after_a_kill() {
    analysis_survives_a_kill(None);
}

#[test]
fn an_analysis_is_resumed_after_a_kill_on_postgresql() {
    let cluster = Cluster::start().unwrap();
    analysis_survives_a_kill(Some(cluster.url()));
}

fn analysis_survives_a_kill(database: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let endpoint = Endpoint::start(EndpointBehaviour {
        stalls_first: true,
        ..EndpointBehaviour::default()
    });
    let place = ["--analysis-url", &endpoint.url, "--analysis-model", "test"];
    // Each part is one request.
    let options = [&place[..], &["--analysis-context", "65536"]].concat();
    let program = Program::start_with(folder.path(), database, "first", &options);
    let user = User::sign_up(&program);
    let (job, transcript) = finished_job(folder.path(), database, &user.id(&program));
    let requests = [
        json!({"part": "prompt", "prompt": PROMPT}),
        json!({"part": "translation", "target": "spanish"}),
        json!({"part": "translation", "target": "german"}),
    ];
    let path = format!("{job}/analysis");
    let mut ids = Vec::new();
    for request in &requests {
        let answer = user.try_post(&program, &path, request).unwrap();
        assert_eq!(answer.status, 202, "{}", answer.json());
        ids.push(answer.json()["id"].clone());
    }
    // The first is under way, and the others wait for it.
    until(|| endpoint.times(PROMPT) == 1);
    let parts = parts(&user, &program, &path);
    assert_eq!(status_of(&parts, &ids[0]), "running");
    assert_eq!(status_of(&parts, &ids[1]), "waiting");
    program.kill();

    let program = Program::start_with(folder.path(), database, "second", &options);
    assert_eq!(
        user.try_get(&program, &job).unwrap().json()["status"],
        "completed"
    );
    let is_over = |parts: &[Value]| {
        let mut states = parts.iter().map(|part| &part["status"]);
        states.all(|status| status == "done" || status == "failed")
    };
    until(|| is_over(&self::parts(&user, &program, &path)));
    let parts = self::parts(&user, &program, &path);
    assert_eq!(parts.len(), ids.len(), "nothing twice: {parts:?}");
    for id in &ids {
        assert_eq!(status_of(&parts, id), "done", "{parts:?}");
    }
    assert_eq!(
        part_with_id(&parts, &ids[0])["outcome"]["markdown"],
        MINUTES
    );
    for id in &ids[1..] {
        let segments = &part_with_id(&parts, id)["outcome"]["segments"];
        assert_eq!(
            segments.as_array().unwrap().len(),
            transcript.segments.len()
        );
    }
    // What the dead one had begun was asked for once more, and nothing else.
    assert_eq!(endpoint.times(PROMPT), 2);
    for language in ["Spanish", "German"] {
        let times = endpoint.times(&format!("translate it into {language}"));
        assert_eq!(times, 1, "{language}");
    }
    assert_eq!(
        user.try_get(&program, &job).unwrap().json()["status"],
        "completed"
    );
    let log = program.terminate();
    assert!(!log.contains(MINUTES), "texts are not logged");
}

fn parts(user: &User, program: &Program, path: &str) -> Vec<Value> {
    let response = user.try_get(program, path).unwrap().json();
    response["parts"].as_array().unwrap().clone()
}

fn part_with_id<'p>(parts: &'p [Value], id: &Value) -> &'p Value {
    parts.iter().find(|part| part["id"] == *id).unwrap()
}

fn status_of<'p>(parts: &'p [Value], id: &Value) -> &'p str {
    part_with_id(parts, id)["status"].as_str().unwrap()
}

pub fn until(condition: impl Fn() -> bool) {
    let mut waited = Duration::ZERO;
    while !condition() {
        assert!(waited < TIMEOUT, "it does not come");
        std::thread::sleep(Duration::from_millis(50));
        waited += Duration::from_millis(50);
    }
}
