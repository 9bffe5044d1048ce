use axum::body::Body;
use axum::http::{Method, StatusCode, header};
use serde_json::{Value, json};
use slovo_db::texts::samples;

use crate::testing::{
    Answer, Backend, TestServer, TestUser, apply, each_database, with_server, with_server_options,
};
use crate::tests::api::me::support::{complete_next, send_json};

const ON: [&str; 2] = ["--sample", "true"];

/// The caller's jobs.
async fn listed(server: &TestServer, who: &TestUser) -> Vec<Value> {
    let page = server.get_as(who, "/api/v1/jobs").await;
    assert_eq!(page.status, StatusCode::OK, "{}", page.text());
    page.json()["items"].as_array().unwrap().clone()
}

/// The one job that the caller has.
async fn only_job(server: &TestServer, who: &TestUser) -> Value {
    let mut jobs = listed(server, who).await;
    assert_eq!(jobs.len(), 1, "{jobs:?}");
    jobs.remove(0)
}

fn path(job: &Value) -> String {
    format!("/api/v1/jobs/{}", job["my_job_id"].as_str().unwrap())
}

async fn send(server: &TestServer, who: &TestUser, method: Method, path: &str) -> Answer {
    let request = server.request(method, path, who);
    server.send(request.body(Body::empty()).unwrap()).await
}

async fn tour(server: &TestServer, who: &TestUser) -> Value {
    server.get_as(who, "/api/v1/me/tour").await.json()
}

#[apply(each_database!)]
fn the_sample_of_a_new_account_is_read_and_played_like_any_job(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let sample = only_job(&server, &me).await;
        assert_eq!(sample["is_sample"], true);
        assert_eq!(sample["status"], "completed");
        let name = sample["original_filename"].as_str().unwrap();
        assert!(name.starts_with("Зразок:"), "{name}");
        assert_eq!(
            only_job(&server, &me).await["my_job_id"],
            sample["my_job_id"]
        );
        let found = server.get_as(&me, "/api/v1/jobs?status=completed").await;
        assert_eq!(found.json()["items"][0]["my_job_id"], sample["my_job_id"]);

        let text = format!("{}/transcript?times=all", path(&sample));
        let text = server.get_as(&me, &text).await.json();
        assert_eq!(text["segments"][0]["words"][0]["text"], "Сказане");
        assert!(text["speakers"][0]["name"].is_string(), "{text}");
        let media = format!("{}/media", path(&sample));
        let media = server.get_as(&me, &media).await;
        assert_eq!(media.header("content-type"), "audio/mpeg");
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public/demo");
        let sound = std::fs::read(format!("{folder}/slovo-uk.mp3")).unwrap();
        assert_eq!(media.body, sound);
        assert_eq!(server.state.storage.files().await.unwrap().len(), 1);
    });
}

#[apply(each_database!)]
fn the_sample_is_in_the_language_of_the_account_or_the_page(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let preferences = json!({"locale": "en"});
        send_json(
            &server,
            &me,
            Method::PUT,
            "/api/v1/me/preferences",
            &preferences,
        )
        .await;
        assert_eq!(only_job(&server, &me).await["language"], "en");
        let other = server.signup("b@example.com").await;
        let request = server.request(Method::GET, "/api/v1/me/tour", &other);
        let request = request.header(header::COOKIE, "a=b; slovo.locale=en");
        let answer = server.send(request.body(Body::empty()).unwrap()).await;
        let sample = only_job(&server, &other).await;
        let expected = json!({"is_offered": true, "sample": sample["my_job_id"]});
        assert_eq!(answer.json(), expected);
        assert_eq!(sample["language"], "en");
        assert_eq!(sample["model"], "base-q8_0");
    });
}

#[apply(each_database!)]
fn an_invited_users_sample_is_due_but_not_yet_created(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let admin = server.signup("admin@example.com").await;
        let form = json!({"email": "olha@example.com", "fullname": "Ольга", "locale": "en"});
        let invited = server.post_as(&admin, "/api/v1/admin/users", &form).await;
        assert_eq!(invited.status, StatusCode::CREATED, "{}", invited.text());
        let id = invited.json()["user"]["id"].as_str().unwrap().to_owned();
        // It takes no disk space before the user's first request.
        let mut connection = server.state.db.read().await.unwrap();
        assert!(samples::is_due(&mut connection, &id).await.unwrap());
        assert!(server.state.storage.files().await.unwrap().is_empty());
    });
}

#[apply(each_database!)]
fn concurrent_requests_create_only_one_sample(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let (jobs, again, tour) = tokio::join!(
            listed(&server, &me),
            listed(&server, &me),
            tour(&server, &me)
        );
        let sample = only_job(&server, &me).await;
        for job in jobs.iter().chain(&again) {
            assert_eq!(job["my_job_id"], sample["my_job_id"]);
        }
        assert_eq!(tour["sample"], sample["my_job_id"]);
        assert_eq!(server.state.storage.files().await.unwrap().len(), 1);
    });
}

#[apply(each_database!)]
fn a_sample_counts_in_no_totals_and_uses_minutes_only_when_rerun(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let sample = only_job(&server, &me).await;
        let nothing = json!({"total": 0, "pending": 0, "processing": 0, "completed": 0, "failed": 0,
            "cancelled": 0, "processed_seconds": 0.0});
        let minutes_charged = async || {
            let minutes = server.get_as(&me, "/api/v1/me/minutes").await.json();
            minutes["used"].as_f64().unwrap() + minutes["reserved"].as_f64().unwrap()
        };
        assert!(minutes_charged().await.abs() < f64::EPSILON);
        let retry = format!("{}/retry", path(&sample));
        let answer = send(&server, &me, Method::POST, &retry).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        complete_next(&server, "Слово.").await;
        let summary = server.get_as(&me, "/api/v1/jobs/summary").await;
        assert_eq!(summary.json(), nothing);
        assert!(minutes_charged().await > 0.0);
        assert_eq!(only_job(&server, &me).await["versions"], 2);
    });
}

#[apply(each_database!)]
fn a_deleted_sample_does_not_come_back(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let sample = only_job(&server, &me).await;
        let deleted = send(&server, &me, Method::DELETE, &path(&sample)).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert!(listed(&server, &me).await.is_empty());
        let nothing = json!({"is_offered": false, "sample": null});
        assert_eq!(tour(&server, &me).await, nothing);
        assert!(listed(&server, &me).await.is_empty());
    });
}

#[apply(each_database!)]
fn the_tour_ends_only_for_the_user_who_ends_it(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        assert_eq!(tour(&server, &me).await["is_offered"], true);
        let end = "/api/v1/me/tour/end";
        for _ in 0..2 {
            let ended = send(&server, &me, Method::POST, end).await;
            assert_eq!(ended.status, StatusCode::NO_CONTENT);
        }
        assert_eq!(tour(&server, &me).await["is_offered"], false);
        assert_eq!(tour(&server, &other).await["is_offered"], true);
        let stranger = server.post(end, &json!({})).await;
        stranger.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
    });
}

#[apply(each_database!)]
fn a_server_without_samples_creates_none(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        assert!(listed(&server, &me).await.is_empty());
        let nothing = json!({"is_offered": false, "sample": null});
        assert_eq!(tour(&server, &me).await, nothing);
        assert!(server.state.storage.files().await.unwrap().is_empty());
    });
}

#[apply(each_database!)]
fn a_full_disk_delays_the_sample_but_not_the_job_list(backend: Backend) {
    with_server_options(backend, &ON, async |server| {
        let me = server.signup("a@example.com").await;
        server.state.storage.set_full(true);
        assert!(listed(&server, &me).await.is_empty());
        server.state.storage.set_full(false);
        only_job(&server, &me).await;
    });
}
