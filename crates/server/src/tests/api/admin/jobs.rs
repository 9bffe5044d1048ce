//! What administrators can see of all jobs, and do with them.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::accounts::roles;
use uuid::Uuid;

use crate::testing::{
    Answer, Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server,
};
use crate::tests::api::me::support::{complete_next, job, send_json};

const PATH: &str = "/api/v1/admin/jobs";

async fn find_jobs(server: &TestServer, admin: &TestUser, query: &str) -> Vec<Value> {
    let answer = server.get_as(admin, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["items"].as_array().unwrap().clone()
}

async fn act(server: &TestServer, who: &TestUser, id: Uuid, action: &str) -> Answer {
    let path = format!("{PATH}/{id}/{action}");
    server.post_as(who, &path, &Value::Null).await
}

/// (action, target's id, target's name, before, after), the newest first.
async fn log(server: &TestServer, admin: &TestUser) -> Vec<[Value; 5]> {
    let page = server.get_as(admin, "/api/v1/admin/audit").await.json();
    let items = page["items"].as_array().unwrap().iter();
    let fields = ["action", "target_id", "target_name", "before", "after"];
    items
        .map(|entry| fields.map(|field| entry[field].clone()))
        .collect()
}

#[apply(each_database!)]
fn jobs_of_all_users_are_listed_and_searched(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let name = json!({"fullname": "Ольга Кобилянська", "terms": true});
        send_json(&server, &me, Method::PUT, "/api/v1/me/profile", &name).await;
        let own = job(&server, &admin, "Own.wav", b"x").await;
        server.clock.advance_seconds(1);
        let other = job(&server, &me, "Їжак.wav", b"x").await;
        let all = find_jobs(&server, &admin, "").await;
        assert_eq!(all.len(), 2);
        assert_eq!(all[0]["job"]["my_job_id"], other.to_string());
        let owner = json!({"id": me.user_id, "email": "olha@example.com",
            "fullname": "Ольга Кобилянська"});
        assert_eq!(all[0]["owner"], owner);
        assert_eq!(all[1]["owner"]["fullname"], Value::Null);
        let part = &own.to_string()[3..20];
        for (query, expected) in [
            ("?search=%D0%87%D0%96%D0%B0%D0%BA".to_owned(), vec![other]),
            (format!("?search={part}"), vec![own]),
            (format!("?search={}", part.to_uppercase()), vec![own]),
            ("?search=%25".to_owned(), vec![]),
            ("?search=%00".to_owned(), vec![other, own]),
            ("?search=wav'--".to_owned(), vec![]),
        ] {
            let found = find_jobs(&server, &admin, &query).await;
            let ids: Vec<_> = found
                .iter()
                .map(|item| item["job"]["my_job_id"].clone())
                .collect();
            let expected: Vec<_> = expected.iter().map(|id| json!(id)).collect();
            assert_eq!(ids, expected, "{query}");
        }
        let refused = server.get_as(&me, PATH).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
    });
}

#[apply(each_database!)]
fn jobs_are_filtered_by_user_status_and_day(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let own = job(&server, &admin, "own.wav", b"x").await;
        server.clock.advance_seconds(24 * 3600);
        let admin = TestUser::from(&server.login("admin@example.com", PASSWORD).await.json());
        let other = job(&server, &me, "other.wav", b"x").await;
        act(&server, &admin, own, "cancel").await;
        for (query, expected) in [
            ("?user=OLHA", vec![other]),
            ("?user=example.com", vec![other, own]),
            ("?user=%25", vec![]),
            ("?user=%00", vec![other, own]),
            ("?user=olha&search=own", vec![]),
            ("?status=cancelled", vec![own]),
            ("?status=pending&user=admin", vec![]),
            ("?status=all&from=2026-03-02", vec![other]),
            ("?to=2026-03-01", vec![own]),
            ("?from=2026-03-03", vec![]),
        ] {
            let found = find_jobs(&server, &admin, query).await;
            let ids: Vec<_> = found
                .iter()
                .map(|item| item["job"]["my_job_id"].clone())
                .collect();
            let expected: Vec<_> = expected.iter().map(|id| json!(id)).collect();
            assert_eq!(ids, expected, "{query}");
        }
        for query in ["?status=x", "?from=yesterday", "?to=2026-02-31"] {
            let refused = server.get_as(&admin, &format!("{PATH}{query}")).await;
            refused.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
    });
}

#[apply(each_database!)]
fn an_administrator_deletes_a_job_with_its_recording(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let id = job(&server, &me, "secret-name.wav", b"x").await;
        let media = async || {
            let mut connection = server.state.db.read().await.unwrap();
            let found = slovo_db::jobs::find_any(&mut connection, id).await.unwrap();
            found.map(|job| server.state.storage.media(job.media_id))
        };
        let file = media().await.unwrap();
        assert!(file.exists());
        let delete = async |who: &TestUser, id: Uuid| {
            let path = format!("{PATH}/{id}");
            let request = server.request(Method::DELETE, &path, who);
            server.send(request.body(Body::empty()).unwrap()).await
        };
        let refused = delete(&me, id).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        assert_eq!(delete(&admin, id).await.status, StatusCode::NO_CONTENT);
        let twice = delete(&admin, id).await;
        twice.is_problem(StatusCode::NOT_FOUND, "not_found");
        assert_eq!((media().await, file.exists()), (None, false));
        let mine = server.get_as(&me, "/api/v1/jobs").await.json();
        assert_eq!(mine["items"], json!([]));
        let expected = [
            json!("job.delete"),
            json!(id),
            json!("olha@example.com"),
            json!({"status": "pending"}),
            json!({"status": null}),
        ];
        assert_eq!(log(&server, &admin).await, [expected]);
    });
}

#[apply(each_database!)]
fn at_most_a_hundred_jobs_are_listed(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        for number in 0..101 {
            job(&server, &admin, &format!("{number}.wav"), b"x").await;
            server.clock.advance_seconds(1);
        }
        let all = find_jobs(&server, &admin, "").await;
        assert_eq!(all.len(), 100);
        assert_eq!(all[0]["job"]["original_filename"], "100.wav");
        assert_eq!(find_jobs(&server, &admin, "?search=0.wav").await.len(), 11);
    });
}

#[apply(each_database!)]
fn cancelling_and_retrying_jobs_by_an_administrator_is_audited(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let id = job(&server, &me, "secret-name.wav", b"x").await;
        let early = act(&server, &admin, id, "retry").await;
        early.is_problem(StatusCode::CONFLICT, "job_under_way");
        let cancelled = act(&server, &admin, id, "cancel").await;
        assert_eq!(cancelled.json()["status"], "cancelled");
        let twice = act(&server, &admin, id, "cancel").await;
        twice.is_problem(StatusCode::CONFLICT, "job_ended");
        server.clock.advance_seconds(1);
        let again = act(&server, &admin, id, "retry").await;
        assert_eq!(again.json()["status"], "pending", "{}", again.text());
        let target = |action: &str, before: &str, after: &str| {
            [
                json!(action),
                json!(id),
                json!("olha@example.com"),
                json!({"status": before}),
                json!({"status": after}),
            ]
        };
        let expected = [
            target("job.retry", "cancelled", "pending"),
            target("job.cancel", "pending", "cancelled"),
        ];
        let log = log(&server, &admin).await;
        assert_eq!(log, expected);

        for action in ["cancel", "retry"] {
            let refused = act(&server, &me, id, action).await;
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
            let missing = act(&server, &admin, Uuid::from_u128(9), action).await;
            missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
    });
}

/// The data of another user's job that an administrator can read.
const READ: [&str; 7] = [
    "",
    "/transcript",
    "/waveform",
    "/analysis",
    "/export?format=txt",
    "/events",
    "/media",
];

#[apply(each_database!)]
fn administrators_can_read_any_job_but_not_change_it(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let stranger = server.signup("stranger@example.com").await;
        let id = job(&server, &me, "a.wav", b"recording").await;
        complete_next(&server, "Слово").await;
        let path = format!("/api/v1/jobs/{id}");
        let own = server.get_as(&me, &path).await.json();
        assert_eq!(own["owner"], Value::Null);
        let opened = server.get_as(&admin, &path).await.json();
        let owner = json!({"id": me.user_id, "email": "olha@example.com", "fullname": null});
        assert_eq!(
            (&opened["owner"], &opened["status"]),
            (&owner, &own["status"])
        );
        for suffix in READ {
            let path = format!("{path}{suffix}");
            let answer = server.get_as(&admin, &path).await;
            // This recording has no sound, so it has no waveform.
            let expected = if suffix == "/waveform" {
                StatusCode::CONFLICT
            } else {
                StatusCode::OK
            };
            assert_eq!(answer.status, expected, "{suffix}: {}", answer.text());
            let hidden = server.get_as(&stranger, &path).await;
            hidden.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let link = format!("{path}/media-link");
        let hidden = server.post_as(&stranger, &link, &Value::Null).await;
        hidden.is_problem(StatusCode::NOT_FOUND, "not_found");
        let link = server.post_as(&admin, &link, &Value::Null).await;
        let link = link.json()["url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&link).await.text(), "recording");

        for (method, suffix) in [
            (Method::DELETE, ""),
            (Method::POST, "/retry"),
            (Method::POST, "/cancel"),
            (Method::POST, "/resync"),
            (Method::GET, "/shares"),
            (Method::GET, "/assistant"),
            (Method::DELETE, "/assistant"),
            (Method::GET, "/edits?version=1"),
            (Method::GET, "/history"),
        ] {
            let request = server.request(method.clone(), &format!("{path}{suffix}"), &admin);
            let answer = server.send(request.body(Body::empty()).unwrap()).await;
            assert_eq!(
                answer.status,
                StatusCode::NOT_FOUND,
                "{method} {suffix}: {}",
                answer.text()
            );
        }

        // After losing the role, an administrator can no longer read or hear anything.
        let mut transaction = server.state.db.write().await.unwrap();
        let now = server.state.clock.now_ms();
        roles::grant_admin(&mut transaction, &me.user_id, now)
            .await
            .unwrap();
        roles::revoke_admin(&mut transaction, &admin.user_id)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        for suffix in READ {
            let hidden = server.get_as(&admin, &format!("{path}{suffix}")).await;
            hidden.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        server
            .get(&link)
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
    });
}

#[apply(each_database!)]
fn reading_another_users_job_is_audited_once_an_hour(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("olha@example.com").await;
        let own = job(&server, &admin, "own.wav", b"x").await;
        let id = job(&server, &me, "secret-name.wav", b"x").await;
        let read = async |who: &TestUser, id: Uuid, suffix: &str| {
            let path = format!("/api/v1/jobs/{id}{suffix}");
            server.get_as(who, &path).await;
        };
        read(&admin, own, "").await;
        assert_eq!(
            log(&server, &admin).await.len(),
            0,
            "one's own is one's own"
        );
        tokio::join!(
            read(&admin, id, ""),
            read(&admin, id, "/transcript"),
            read(&admin, id, "/waveform"),
            read(&admin, id, "/analysis")
        );
        let nothing = Value::Null;
        let email = json!("olha@example.com");
        let expected = [
            json!("job.open"),
            json!(id),
            email,
            nothing.clone(),
            nothing,
        ];
        assert_eq!(log(&server, &admin).await, [expected]);
        // Sessions outlive their access tokens.
        let later = async |seconds: i64| {
            server.clock.advance_seconds(seconds);
            let session = server.login("admin@example.com", PASSWORD).await;
            TestUser::from(&session.json())
        };
        let admin = later(3599).await;
        read(&admin, id, "").await;
        assert_eq!(log(&server, &admin).await.len(), 1);
        let admin = later(1).await;
        read(&admin, id, "/export?format=txt").await;
        assert_eq!(log(&server, &admin).await.len(), 2);
    });
}
