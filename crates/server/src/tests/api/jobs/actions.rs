//! Actions that need no recognition: these servers have no worker, so jobs stay queued.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_test_media::prompts::WELCOME;

use super::support::{events, lite, make_job, path, send, upload};
use crate::testing::{Backend, PASSWORD, TestUser, apply, each_database, with_server};

fn wav() -> Vec<u8> {
    std::fs::read(WELCOME.path()).unwrap()
}

#[apply(each_database!)]
fn a_job_is_created_from_an_upload_once(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let upload = upload(&server, &me, "talk.wav", &wav).await;
        let body = json!({"upload_id": upload, "settings": lite()});
        let answer = server.post_as(&me, "/api/v1/jobs", &body).await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        let mut job = answer.json();
        let id = job["my_job_id"].take();
        assert!((job["duration"].take().as_f64().unwrap() - WELCOME.seconds).abs() < 0.01);
        let settings = job["settings"].take();
        assert_eq!(settings["transcription_type"], "lite");
        assert_eq!(settings["sentence_level_timestamps"], true);
        assert_eq!(
            job,
            json!({
                "my_job_id": null, "original_filename": "talk.wav", "status": "pending",
                "transcription_type": "lite", "created_at": "2026-03-01T12:00:00Z",
                "started_at": null, "finished_at": null, "file_size": wav.len(),
                "content_type": "audio/wav", "duration": null, "language": null, "model": null,
                "settings": null, "audio_track": null, "error": null, "warnings": [],
                "has_video": false, "versions": 0, "has_output": false, "held_parts": 0, "files": [],
                "is_sample": false, "title": null, "tags": [], "folder": null,
                "progress": {"stage": "queued", "percent": 0.0, "seconds_left": null},
            })
        );
        let again = server.post_as(&me, "/api/v1/jobs", &body).await;
        again.is_problem(StatusCode::CONFLICT, "upload_already_used");
        assert!(again.text().contains(id.as_str().unwrap()));
        let other = server.signup("b@example.com").await;
        let foreign = server.post_as(&other, "/api/v1/jobs", &body).await;
        foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
        // The file belongs to the job now, and the cleanup of uploads keeps it.
        server.clock.advance_seconds(30 * 24 * 3600);
        server.state.uploads.sweep().await.unwrap();
        let me = TestUser::from(&server.login("a@example.com", PASSWORD).await.json());
        let path = format!("/api/v1/jobs/{}/media", id.as_str().unwrap());
        assert_eq!(server.get_as(&me, &path).await.body, wav);
    });
}

#[apply(each_database!)]
fn invalid_settings_are_reported_and_create_no_job(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let upload = upload(&server, &me, "talk.wav", &wav()).await;
        let post = |body: Value| {
            let (server, me) = (&server, &me);
            async move { server.post_as(me, "/api/v1/jobs", &body).await }
        };
        for (settings, field, code) in [
            (
                json!({"transcription_type": "lite"}),
                "settings.language_code",
                "lite_only_english",
            ),
            (
                json!({"language_code": "xx"}),
                "settings.language_code",
                "language_unsupported",
            ),
            (
                json!({"diarization": "yes"}),
                "settings.diarization",
                "wrong_type",
            ),
            (
                json!({"overall_classification": true}),
                "settings.classification_labels",
                "labels_required",
            ),
            (json!({"nobody": 1}), "settings", "unknown_field"),
            (
                json!({"url": "https://example.com/a.mp3"}),
                "settings.url",
                "url_invalid",
            ),
            (json!([]), "settings", "wrong_type"),
        ] {
            let answer = post(json!({"upload_id": upload, "settings": settings})).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&field.into(), &code.into()),
                "{settings}"
            );
        }
        let without_upload = post(json!({"settings": lite()})).await;
        without_upload.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        assert_eq!(
            without_upload.json()["errors"][0]["code"],
            "upload_required"
        );
        let unknown = post(json!({"upload_id": "0197f3a0-0000-7000-8000-000000000000"})).await;
        unknown.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(
            server.get_as(&me, "/api/v1/jobs").await.json()["items"],
            json!([])
        );

        let request = server
            .request(Method::POST, "/api/v1/uploads", &me)
            .header("tus-resumable", "1.0.0")
            .header("upload-length", 10_000);
        let open_upload = server.send(request.body(Body::empty()).unwrap()).await;
        let open_upload = open_upload.header("location").rsplit('/').next().unwrap();
        let incomplete = post(json!({"upload_id": open_upload, "settings": lite()})).await;
        incomplete.is_problem(StatusCode::CONFLICT, "upload_incomplete");
    });
}

#[apply(each_database!)]
fn the_list_has_pages_a_search_and_a_filter(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        make_job(&server, &other, "foreign.wav", &wav()).await;
        let names = [
            "Перша.wav",
            "second_50%.wav",
            "third.wav",
            "fourth.wav",
            "fifth.wav",
        ];
        let mut jobs = Vec::new();
        for name in names {
            jobs.push(make_job(&server, &me, name, &wav()).await);
            server.clock.advance_seconds(1);
        }
        let list = async |query: &str| {
            let answer = server.get_as(&me, &format!("/api/v1/jobs?{query}")).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let page = answer.json();
            let items = page["items"].as_array().unwrap();
            let names = items
                .iter()
                .map(|job| job["original_filename"].as_str().unwrap().to_owned());
            (
                names.collect::<Vec<_>>(),
                page["next_cursor"].as_str().map(str::to_owned),
            )
        };
        let (first, cursor) = list("limit=2").await;
        assert_eq!(first, ["fifth.wav", "fourth.wav"]);
        let (second, cursor) = list(&format!("limit=2&cursor={}", cursor.unwrap())).await;
        assert_eq!(second, ["third.wav", "second_50%.wav"]);
        let (third, cursor) = list(&format!("limit=2&cursor={}", cursor.unwrap())).await;
        assert_eq!((third, cursor), (vec!["Перша.wav".to_owned()], None));

        assert_eq!(
            list("q=%D0%9F%D0%95%D0%A0%D0%A8").await.0,
            ["Перша.wav"],
            "in any case"
        );
        assert_eq!(list("q=50%25").await.0, ["second_50%.wav"]);
        assert_eq!(list("q=50%00%25%0A").await.0, ["second_50%.wav"]);
        assert!(
            list("q=%25h%25").await.0.is_empty(),
            "a percent sign is one"
        );
        assert!(list("q=d_5").await.0 == ["second_50%.wav"] && list("q=t_ird").await.0.is_empty());

        send(
            &server,
            &me,
            Method::POST,
            &format!("{}/cancel", path(&jobs[2])),
        )
        .await;
        assert_eq!(list("status=cancelled").await.0, ["third.wav"]);
        assert_eq!(list("status=pending").await.0.len(), 4);
        assert_eq!(list("status=all").await.0.len(), 5);
        for query in ["status=nothing", "cursor=xyz", "limit=a"] {
            let answer = server.get_as(&me, &format!("/api/v1/jobs?{query}")).await;
            answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
        let summary = server.get_as(&me, "/api/v1/jobs/summary").await.json();
        assert_eq!(
            summary,
            json!({"total": 5, "pending": 4, "processing": 0, "completed": 0, "failed": 0,
                "cancelled": 1, "processed_seconds": 0.0})
        );
    });
}

#[apply(each_database!)]
fn jobs_of_other_users_cannot_be_accessed(backend: Backend) {
    with_server(backend, async |server| {
        let (me, other) = (
            server.signup("a@example.com").await,
            server.signup("b@example.com").await,
        );
        let job = make_job(&server, &me, "talk.wav", &wav()).await;
        let path = path(&job);
        let actions = [
            (Method::GET, String::new()),
            (Method::GET, "/events".into()),
            (Method::GET, "/transcript".into()),
            (Method::GET, "/media".into()),
            (Method::GET, "/export?format=txt".into()),
            (Method::POST, "/media-link".into()),
            (Method::POST, "/cancel".into()),
            (Method::POST, "/retry".into()),
            (Method::DELETE, String::new()),
        ];
        for (method, action) in actions {
            let path = format!("{path}{action}");
            let foreign = send(&server, &other, method.clone(), &path).await;
            foreign.is_problem(StatusCode::NOT_FOUND, "not_found");
            let anonymous = axum::http::Request::builder().method(method).uri(&path);
            let answer = server.send(anonymous.body(Body::empty()).unwrap()).await;
            answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        }
        let mut mine = server.get_as(&me, &path).await.json();
        let owner = mine.as_object_mut().unwrap().remove("owner");
        assert_eq!(owner, Some(Value::Null), "it is their own");
        assert_eq!(mine, job, "nothing of it did anything");
        let unknown = "/api/v1/jobs/0197f3a0-0000-7000-8000-000000000000";
        server
            .get_as(&me, unknown)
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        server
            .get_as(&me, "/api/v1/jobs/x")
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn a_waiting_job_is_cancelled_retried_and_deleted(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let job = make_job(&server, &me, "talk.wav", &wav()).await;
        let path = path(&job);
        let act = |method: Method, action: &str| {
            let (server, me, path) = (&server, &me, format!("{path}{action}"));
            async move { send(server, me, method, &path).await }
        };
        let early = act(Method::POST, "/retry").await;
        early.is_problem(StatusCode::CONFLICT, "job_under_way");
        act(Method::GET, "/transcript")
            .await
            .is_problem(StatusCode::CONFLICT, "transcript_not_ready");
        let cancelled = act(Method::POST, "/cancel").await.json();
        assert_eq!(cancelled["status"], "cancelled");
        assert_eq!(cancelled["finished_at"], "2026-03-01T12:00:00Z");
        assert_eq!(cancelled["progress"], json!(null));
        act(Method::POST, "/cancel")
            .await
            .is_problem(StatusCode::CONFLICT, "job_ended");
        // A late reader gets the current state and the end.
        let names: Vec<_> = events(&server, &me, &job)
            .await
            .into_iter()
            .map(|event| event.0)
            .collect();
        assert_eq!(names, ["state", "cancelled"]);
        let again = act(Method::POST, "/retry").await.json();
        assert_eq!(
            (&again["status"], &again["finished_at"]),
            (&"pending".into(), &json!(null))
        );
        let media = server.state.config.data().join("media");
        assert_eq!(std::fs::read_dir(&media).unwrap().count(), 1);
        assert_eq!(act(Method::DELETE, "").await.status, StatusCode::NO_CONTENT);
        act(Method::GET, "")
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!(std::fs::read_dir(&media).unwrap().count(), 0);
    });
}

#[apply(each_database!)]
fn the_recording_is_sent_completely_and_in_ranges(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let job = make_job(&server, &me, "звук \"1\".wav", &wav).await;
        let media = format!("{}/media", path(&job));
        let get = |headers: Vec<(&'static str, String)>| {
            let mut request = server.request(Method::GET, &media, &me);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            server.send(request.body(Body::empty()).unwrap())
        };
        let full = get(Vec::new()).await;
        assert_eq!((full.status, &full.body[..]), (StatusCode::OK, &wav[..]));
        assert_eq!(full.header("content-type"), "audio/wav");
        assert_eq!(full.header("content-length"), wav.len().to_string());
        assert_eq!(full.header("accept-ranges"), "bytes");
        assert_eq!(full.header("x-content-type-options"), "nosniff");
        assert!(full.header("cache-control").starts_with("private"));
        let disposition = full.header("content-disposition");
        assert!(
            disposition.starts_with("inline; filename=\"____ _1_.wav\"; filename*=UTF-8''%D0%B7")
        );
        let etag = full.header("etag").to_owned();

        let part = get(vec![
            ("range", "bytes=10-19".into()),
            ("if-range", etag.clone()),
        ])
        .await;
        assert_eq!(
            (part.status, &part.body[..]),
            (StatusCode::PARTIAL_CONTENT, &wav[10..20])
        );
        assert_eq!(
            part.header("content-range"),
            format!("bytes 10-19/{}", wav.len())
        );
        assert_eq!(part.header("content-length"), "10");
        let tail = get(vec![("range", "bytes=-7".into())]).await;
        assert_eq!(&tail.body[..], &wav[wav.len() - 7..]);
        let beyond = get(vec![("range", format!("bytes={}-", wav.len()))]).await;
        beyond.is_problem(StatusCode::RANGE_NOT_SATISFIABLE, "range_not_satisfiable");
        assert_eq!(
            beyond.header("content-range"),
            format!("bytes */{}", wav.len())
        );
        let other = get(vec![
            ("range", "bytes=0-1".into()),
            ("if-range", "\"x\"".into()),
        ])
        .await;
        assert_eq!(
            (other.status, other.body.len()),
            (StatusCode::OK, wav.len())
        );
        let cached = get(vec![("if-none-match", etag)]).await;
        assert_eq!(
            (cached.status, cached.body.len()),
            (StatusCode::NOT_MODIFIED, 0)
        );
    });
}

#[apply(each_database!)]
fn a_link_plays_one_recording_for_six_hours(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let wav = wav();
        let job = make_job(&server, &me, "a.wav", &wav).await;
        let other = make_job(&server, &me, "b.wav", &wav).await;
        let link = send(
            &server,
            &me,
            Method::POST,
            &format!("{}/media-link", path(&job)),
        )
        .await
        .json();
        assert_eq!(link["expires_at"], "2026-03-01T18:00:00Z");
        let url = link["url"].as_str().unwrap();
        assert_eq!(server.get(url).await.body, wav);
        let token = url.split_once("token=").unwrap().1;
        let elsewhere = server
            .get(&format!("{}/media?token={token}", path(&other)))
            .await;
        elsewhere.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        // The link's token is not an access token, and an access token is not a link.
        let bearer = TestUser {
            access_token: token.to_owned(),
            ..me.clone()
        };
        server
            .get_as(&bearer, &path(&job))
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        let session = server
            .get(&format!("{}/media?token={}", path(&job), me.access_token))
            .await;
        session.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        server.clock.advance_seconds(6 * 3600);
        server
            .get(url)
            .await
            .is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}
