//! Jobs that Temporal drives. The other tests of this program run over it, too: `cargo xtask test
//! temporal` sets `SLOVO_TEMPORAL_URL` for all of them.

use serde_json::json;

use super::analyses::until;
use super::program::Program;
use super::recording_of;
use super::temporal_server::TemporalServer;
use super::user::User;

fn start(folder: &std::path::Path, server: &TemporalServer, run: &str) -> Program {
    let [(_, url)] = &server.variables()[..] else {
        unreachable!("one variable")
    };
    Program::start_with(folder, None, run, &["--temporal", url])
}

fn id_of(job: &str) -> &str {
    job.rsplit('/').next().unwrap()
}

fn status(server: &TemporalServer, job: &str) -> String {
    let found = server.ask(&["workflow", "describe", "--workflow-id", id_of(job)]);
    let status = &found["workflowExecutionInfo"]["status"];
    status.as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_job_is_a_workflow_that_ends_with_it() {
    let Some(mut server) = TemporalServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), &server, "first");
    let user = User::sign_up(&program);
    let preferences = json!({"locale": "en", "mail_on_completion": true});
    let answer = user.put(&program, "/api/v1/me/preferences", &preferences);
    assert_eq!(answer.status, 200, "{}", answer.json());
    let recording = recording_of(folder.path(), 60.0);
    let settings =
        json!({"transcription_type": "full", "language_code": "en", "diarization": true});
    let job = user.job_with(&program, &recording, &settings);
    let transcript = user.transcript(&program, &job);
    assert!(transcript["segments"].as_array().unwrap().len() > 2);
    server.assert_no_running_jobs();
    assert_eq!(status(&server, &job), "WORKFLOW_EXECUTION_STATUS_COMPLETED");
    let history = server.ask(&["workflow", "show", "--workflow-id", id_of(&job)]);
    let text = history.to_string();
    for activity in ["next", "next_message", "take", "tell", "end"] {
        let name = format!("Steps::{activity}\"");
        assert!(text.contains(&name), "{activity}: {text}");
    }
    let account = user.id(&program);
    let fair = format!("\"fairnessKey\":\"{account}\"");
    assert!(text.contains(&fair), "{text}");
    let mails = std::fs::read_dir(program.data().join("outbox")).unwrap();
    assert_eq!(
        mails.count(),
        2,
        "the code of the sign-up, and that the job is finished"
    );
    // Temporal knows ids, and nothing of what they are about.
    for secret in ["user@example.com", "recording.wav", "example.com"] {
        assert!(!text.contains(secret), "{secret}: {text}");
    }

    // What is added to a finished job starts its workflow again.
    let analyses = format!("{job}/analysis");
    let made = user.post(&program, &analyses, &json!({"part": "keywords"}));
    assert_eq!(made.status, 202, "{}", made.json());
    let id = made.json()["id"].clone();
    until(|| {
        let list = user.get(&program, &analyses).json();
        let parts = list["parts"].as_array().unwrap();
        let part = parts.iter().find(|part| part["id"] == id);
        part.is_some_and(|part| part["status"] == "done")
    });
    server.assert_no_running_jobs();
    let runs = format!("WorkflowId = '{}'", id_of(&job));
    let runs = server.ask(&["workflow", "count", "--query", &runs]);
    assert_eq!(runs["count"], "2", "{runs}");

    // The server stops and is killed, Temporal is killed; both go on.
    let second = user.job_with(&program, &recording_of(folder.path(), 130.0), &settings);
    until(|| program.log().matches("window recognised").count() > 3);
    program.kill();
    server.kill();
    server.run();
    let program = start(folder.path(), &server, "second");
    let transcript = user.transcript(&program, &second);
    assert!(transcript["segments"].as_array().unwrap().len() > 5);
    server.assert_no_running_jobs();

    let schedules = server.ask(&["schedule", "list"]).to_string();
    for name in ["sources", "nocodb", "trials", "retention"] {
        assert!(schedules.contains(&format!("-{name}\"")), "{schedules}");
    }
    let rounds = "WorkflowType = 'round' AND ExecutionStatus = 'Completed'";
    until(|| {
        let rounds = server.ask(&["workflow", "count", "--query", rounds]);
        rounds["count"].as_str().is_some_and(|count| count != "0")
    });
    program.terminate();
}

#[test]
fn who_cancels_a_workflow_cancels_its_job_and_the_other_way_round() {
    let Some(server) = TemporalServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let program = start(folder.path(), &server, "only");
    let user = User::sign_up(&program);
    let recording = recording_of(folder.path(), 600.0);
    let settings = json!({"transcription_type": "full", "language_code": "en"});
    let jobs = [(); 2].map(|()| user.job_with(&program, &recording, &settings));
    until(|| {
        jobs.iter()
            .all(|job| status(&server, job).ends_with("RUNNING"))
    });
    let cancel = ["workflow", "cancel", "--workflow-id", id_of(&jobs[0])];
    server.ask(&cancel);
    let ended = user.ended(&program, &jobs[0]);
    assert_eq!(ended["status"], "cancelled", "{ended}");
    until(|| status(&server, &jobs[0]).ends_with("CANCELED"));

    let answer = user.post(&program, &format!("{}/cancel", jobs[1]), &json!({}));
    assert_eq!(answer.status, 200);
    server.assert_no_running_jobs();

    // One that was cancelled can be run again.
    let again = user.post(&program, &format!("{}/retry", jobs[0]), &json!({}));
    assert!([200, 201].contains(&again.status), "{}", again.status);
    until(|| status(&server, &jobs[0]).ends_with("RUNNING"));
    let terminate = ["workflow", "terminate", "--workflow-id", id_of(&jobs[0])];
    server.ask(&terminate);
    program.terminate();
}

#[test]
fn a_temporal_that_cannot_be_used_is_refused_at_start() {
    let Some(server) = TemporalServer::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let variables = server.variables();
    let (name, url) = &variables[0];
    let missing = [(*name, &**url), ("SLOVO_TEMPORAL_NAMESPACE", "elsewhere")];
    let said = Program::refusal(folder.path(), None, &missing);
    assert!(said.contains("has no namespace “elsewhere”"), "{said}");
    let nobody = [(*name, "http://127.0.0.1:9")];
    let said = Program::refusal(folder.path(), None, &nobody);
    assert!(said.contains("correct SLOVO_TEMPORAL_URL"), "{said}");
}
