//! Real recordings, from the upload through recognition to transcript and exports.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_test_media::{hostile, prompts};
use slovo_work::jobs::Driver;
use slovo_work::queues::Queues;

use super::support::{events, lite, make_job, make_job_with, path, send, stop, try_upload, words};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};

/// All events of a job, and the job after its end.
async fn events_and_job(
    server: &TestServer,
    who: &TestUser,
    job: &Value,
) -> (Vec<(String, Value)>, Value) {
    let received = events(server, who, job).await;
    let last = received.last().unwrap().1["job"].clone();
    (received, last)
}

/// Times and texts of segments, which are the same before and after they get ids.
fn content(segments: &[Value]) -> Vec<[Value; 4]> {
    let fields = ["start", "end", "text", "words"];
    let segments = segments.iter();
    segments
        .map(|segment| fields.map(|field| segment[field].clone()))
        .collect()
}

/// The waveform of a finished job, computed during its recognition.
async fn assert_waveform(server: &TestServer, me: &TestUser, job: &Value) {
    let waveform = server
        .get_as(me, &format!("{}/waveform", path(job)))
        .await
        .json();
    let peaks = waveform["peaks"].as_array().unwrap();
    assert!((100..=2000).contains(&peaks.len()), "{}", peaks.len());
    assert!(peaks.iter().any(|peak| peak == 1.0), "made on the way");
    let seconds = waveform["duration"].as_f64().unwrap();
    assert!(
        (seconds - prompts::WELCOME.seconds).abs() < 0.5,
        "{seconds}"
    );
}

#[apply(each_database!)]
fn a_recording_is_recognised_and_its_segments_are_streamed(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let settings = json!({"language_code": "auto"});
        let job = make_job_with(&server, &me, "Вітання.wav", &wav, settings).await;
        let (received, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(received[0].0, "state");
        assert_eq!(
            received.iter().filter(|(name, _)| name == "state").count(),
            1
        );
        assert_eq!(received.last().unwrap().0, "completed", "{ended}");
        assert_eq!(ended["status"], "completed");
        assert_eq!(
            (&ended["language"], &ended["error"]),
            (&"en".into(), &Value::Null)
        );
        assert!(ended["model"].as_str().unwrap().starts_with("base"));

        let transcript = server
            .get_as(&me, &format!("{}/transcript?times=all", path(&job)))
            .await
            .json();
        let segments = transcript["segments"].as_array().unwrap();
        // The segments from the events are those of the final text.
        let mut streamed = received[0].1["segments"].as_array().unwrap().clone();
        for (_, data) in received.iter().filter(|(name, _)| name == "segments") {
            streamed.extend(data["segments"].as_array().unwrap().clone());
        }
        assert_eq!(content(&streamed), content(segments));
        let text: Vec<&str> = segments
            .iter()
            .map(|segment| segment["text"].as_str().unwrap())
            .collect();
        let recognised = words(&text.join(" "));
        let expected = words(prompts::WELCOME.text);
        let found = expected
            .iter()
            .filter(|word| recognised.contains(word))
            .count();
        // Measured with base-q8_0: 13 or 14 of 14 ("Comedian" varies).
        assert!(found * 10 >= expected.len() * 8, "{recognised:?}");
        let timed = segments
            .iter()
            .flat_map(|segment| segment["words"].as_array().unwrap());
        assert!(timed.clone().count() >= 10, "words always come along");
        for word in timed {
            let (start, end) = (
                word["start"].as_f64().unwrap(),
                word["end"].as_f64().unwrap(),
            );
            assert!(0.0 <= start && start <= end && end <= prompts::WELCOME.seconds + 0.5);
        }

        assert_waveform(&server, &me, &job).await;
        for (format, kind) in [
            ("txt", "text/plain"),
            ("srt", "application/x-subrip"),
            ("vtt", "text/vtt"),
            ("ttml", "application/ttml+xml"),
            ("json", "application/json"),
            ("csv", "text/csv"),
            ("md", "text/markdown"),
        ] {
            let answer = server
                .get_as(&me, &format!("{}/export?format={format}", path(&job)))
                .await;
            assert!(answer.header("content-type").starts_with(kind));
            let name = answer.header("content-disposition");
            assert!(
                name.starts_with("attachment") && name.ends_with(&format!(".{format}")),
                "{name}"
            );
            assert!(name.contains("filename*=UTF-8''%D0%92%D1%96"));
            assert!(
                answer.text().to_lowercase().contains("welcome"),
                "{}",
                answer.text()
            );
        }
        let unknown = server
            .get_as(&me, &format!("{}/export?format=odt", path(&job)))
            .await;
        unknown.is_problem(StatusCode::BAD_REQUEST, "unknown_format");
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn silence_gives_a_text_without_words(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let silent = slovo_test_media::flac::silence(8);
        let job = make_job(&server, &me, "quiet.flac", &silent).await;
        let (received, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(received.last().unwrap().0, "completed", "{ended}");
        assert_eq!(ended["warnings"][0]["code"], "no_speech");
        let transcript = server
            .get_as(&me, &format!("{}/transcript", path(&job)))
            .await
            .json();
        assert_eq!(transcript["segments"], json!([]));
        assert!(
            (transcript["duration"].as_f64().unwrap() - 8.0).abs() < 0.3,
            "{transcript}"
        );
        stop(&server).await;
    });
}

#[apply(each_database!)]
fn a_running_job_can_be_cancelled_retried_and_deleted(backend: Backend) {
    with_server(backend, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::ALL.last().unwrap().path()).unwrap();
        let job = make_job(&server, &me, "echo.wav", &wav).await;
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        let until_running = async || {
            while server.state.jobs.live().running_one(id).is_none() {
                tokio::time::sleep(std::time::Duration::from_millis(5)).await;
            }
        };
        until_running().await;
        let cancelled = send(
            &server,
            &me,
            Method::POST,
            &format!("{}/cancel", path(&job)),
        )
        .await;
        assert_eq!(
            cancelled.json()["status"],
            "cancelled",
            "at once, not when the engine is done"
        );
        server.state.jobs.stopped(id).await;
        assert!(server.state.jobs.live().running_one(id).is_none());
        let after = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(
            after["status"], "cancelled",
            "what still came changed nothing"
        );

        let again = send(&server, &me, Method::POST, &format!("{}/retry", path(&job))).await;
        // The worker may have claimed it before the answer was written.
        let status = again.json()["status"].take();
        assert!(status == "pending" || status == "processing", "{status}");
        let (received, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(received.last().unwrap().0, "completed", "{ended}");

        // Repeating a completed job adds a version.
        let first = server
            .get_as(&me, &format!("{}/transcript", path(&job)))
            .await
            .json();
        send(&server, &me, Method::POST, &format!("{}/retry", path(&job))).await;
        let meanwhile = server
            .get_as(&me, &format!("{}/transcript", path(&job)))
            .await
            .json();
        assert_eq!(
            meanwhile, first,
            "the text is there while a new one is made"
        );
        let (_, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(ended["status"], "completed");
        let mut connection = server.state.db.read().await.unwrap();
        let versions = slovo_db::texts::transcripts::versions(&mut connection, id)
            .await
            .unwrap();
        assert_eq!(versions, [1, 2]);
        drop(connection);

        send(&server, &me, Method::POST, &format!("{}/retry", path(&job))).await;
        until_running().await;
        let removed = send(&server, &me, Method::DELETE, &path(&job)).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT);
        assert!(
            server.state.jobs.live().running_one(id).is_none(),
            "stopped before it was removed"
        );
        let media = server.state.config.data().join("media");
        assert_eq!(std::fs::read_dir(media).unwrap().count(), 0);
        stop(&server).await;
    });
}

/// Two processes on one database and one data folder: one serves readers, the other one works.
#[apply(each_database!)]
fn a_run_in_another_process_is_streamed_and_can_be_cancelled(backend: Backend) {
    with_server(backend, async |server| {
        let other = server.another_process();
        other
            .jobs
            .start(other.config.data(), &Queues::all(), Driver::Tables)
            .await
            .unwrap();
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let job = make_job(&server, &me, "a.wav", &wav).await;
        let (received, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(received.last().unwrap().0, "completed", "{ended}");
        assert_eq!(server.state.jobs.live().running(), 0, "it did not run here");
        let mut streamed = received[0].1["segments"].as_array().unwrap().clone();
        for (_, data) in received.iter().filter(|(name, _)| name == "segments") {
            streamed.extend(data["segments"].as_array().unwrap().clone());
        }
        let transcript = format!("{}/transcript?times=all", path(&job));
        let transcript = server.get_as(&me, &transcript).await.json();
        let read = transcript["segments"].as_array().unwrap();
        assert_eq!(content(&streamed), content(read));

        let long = std::fs::read(prompts::ALL.last().unwrap().path()).unwrap();
        let job = make_job(&server, &me, "b.wav", &long).await;
        let id = job["my_job_id"].as_str().unwrap().parse().unwrap();
        while other.jobs.live().running_one(id).is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let cancel = format!("{}/cancel", path(&job));
        let cancelled = send(&server, &me, Method::POST, &cancel).await;
        assert_eq!(cancelled.json()["status"], "cancelled");
        while other.jobs.live().running_one(id).is_some() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        let after = server.get_as(&me, &path(&job)).await.json();
        assert_eq!(after["status"], "cancelled");
        other.shutdown.cancel();
        other.tasks.close();
        other.tasks.wait().await;
    });
}

#[apply(each_database!)]
fn a_job_without_its_model_names_it_and_can_be_retried(backend: Backend) {
    let empty = tempfile::tempdir().unwrap();
    let options = ["--models", empty.path().to_str().unwrap()];
    crate::testing::with_server_options(backend, &options, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let wav = std::fs::read(prompts::WELCOME.path()).unwrap();
        let job = make_job(&server, &me, "a.wav", &wav).await;
        let (received, ended) = events_and_job(&server, &me, &job).await;
        assert_eq!(received.last().unwrap().0, "failed");
        assert_eq!(
            ended["status"], "error",
            "somebody must do something about it"
        );
        assert_eq!(ended["error"]["code"], "model_missing");
        assert!(
            !ended["error"]["params"]["model"]
                .as_str()
                .unwrap()
                .is_empty()
        );
        let list = server.get_as(&me, "/api/v1/jobs?status=error").await.json();
        assert_eq!(list["items"].as_array().unwrap().len(), 1);
        let again = send(&server, &me, Method::POST, &format!("{}/retry", path(&job))).await;
        assert_eq!(again.json()["error"], Value::Null);
        stop(&server).await;
    });
}

/// Hostile files result in a problem that names the cause, or in a failed job; refused files are
/// deleted.
// On one database: it plays no part.
#[test]
fn hostile_files_are_refused_or_fail_and_leave_no_files() {
    with_server(Backend::Sqlite, async |server| {
        server.start_work().await;
        let me = server.signup("a@example.com").await;
        let folder = tempfile::tempdir().unwrap();
        let media = server.state.config.data().join("media");
        for file in hostile::all(9, folder.path()) {
            let answer = try_upload(&server, &me, file.name, &file.bytes).await;
            if answer.status.is_client_error() {
                let document = answer.json();
                assert!(!answer.code().is_empty());
                if answer.status == StatusCode::UNSUPPORTED_MEDIA_TYPE {
                    let error = &document["errors"][0];
                    assert!(
                        error["code"].as_str().unwrap().starts_with("content_"),
                        "{document}"
                    );
                }
            } else {
                assert_eq!(
                    answer.status,
                    StatusCode::CREATED,
                    "{}: {}",
                    file.name,
                    answer.text()
                );
                let upload = answer.header("location").rsplit('/').next().unwrap();
                let body = json!({"upload_id": upload, "settings": lite()});
                let created = server.post_as(&me, "/api/v1/jobs", &body).await;
                assert_eq!(
                    created.status,
                    StatusCode::CREATED,
                    "{}: {}",
                    file.name,
                    created.text()
                );
                let job = created.json();
                let (_, ended) = events_and_job(&server, &me, &job).await;
                let status = ended["status"].as_str().unwrap();
                assert!(
                    ["completed", "error"].contains(&status),
                    "{}: {ended}",
                    file.name
                );
                if status == "error" {
                    assert!(!ended["error"]["code"].as_str().unwrap().is_empty());
                }
                let removed = send(&server, &me, Method::DELETE, &path(&job)).await;
                assert_eq!(removed.status, StatusCode::NO_CONTENT);
            }
            assert_eq!(
                std::fs::read_dir(&media).unwrap().count(),
                0,
                "{} left a file",
                file.name
            );
        }
        stop(&server).await;
    });
}
