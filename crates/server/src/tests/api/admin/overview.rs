//! Tests of the statistics for administrators.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::testing::{Backend, PASSWORD, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::{block, complete_next, job};

const PATH: &str = "/api/v1/admin/overview";

async fn overview(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let answer = server.get_as(who, &format!("{PATH}{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

#[apply(each_database!)]
fn an_empty_server_has_statistics_too(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let all = overview(&server, &admin, "?days=3").await;
        let expected = json!({"users": 1, "users_active": 1, "users_blocked": 0, "jobs": 0,
            "jobs_today": 0, "jobs_week": 0});
        assert_eq!(all["totals"], expected);
        let expected = json!({"day": "2026-02-27", "completed": 0, "failed": 0, "cancelled": 0,
            "under_way": 0, "minutes": 0.0, "words": 0, "waited_median": null,
            "waited_p95": null, "queue_peak": 0});
        assert_eq!(all["days"][0], expected);
        assert_eq!(all["days"][2]["day"], "2026-03-01");
        let expected = json!({"waiting": 0, "running": 0, "downloads": 0, "oldest": null});
        assert_eq!(all["queue"], expected);
        assert_eq!(
            (&all["failures"], &all["workers"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(all["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(all["uptime"], 0);
        assert_eq!(
            overview(&server, &admin, "").await["days"]
                .as_array()
                .unwrap()
                .len(),
            30
        );
    });
}

#[apply(each_database!)]
fn jobs_are_counted_by_days_in_the_readers_time_zone(backend: Backend) {
    with_server(backend, async |server| {
        // 12:00 in UTC.
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        for _ in 0..3 {
            job(&server, &me, "a.wav", b"recording").await;
        }
        server.clock.advance_seconds(5);
        complete_next(&server, "Слово за слово складається розмова").await;
        block(&server, &me).await;
        let all = overview(&server, &admin, "?days=2").await;
        let day = &all["days"][1];
        assert_eq!(day["day"], "2026-03-01");
        assert_eq!((&day["completed"], &day["words"]), (&json!(1), &json!(5)));
        assert_eq!(day["minutes"], 0.03);
        assert_eq!(day["queue_peak"], 3);
        assert_eq!(
            (&day["waited_median"], &day["waited_p95"]),
            (&json!(5.0), &json!(5.0))
        );
        let statuses = ["completed", "failed", "cancelled", "under_way"];
        let jobs: i64 = statuses
            .iter()
            .map(|status| day[status].as_i64().unwrap())
            .sum();
        assert_eq!(jobs, 3);
        assert_eq!(all["totals"]["users_blocked"], 1);
        assert_eq!(all["totals"]["jobs_today"], 3);

        // Where it is already the next day, no jobs were made today, but some in the last seven
        // days.
        server.clock.advance_seconds(60 * 60);
        let session = server.login("admin@example.com", PASSWORD).await.json();
        let admin = TestUser::from(&session);
        let ahead = overview(&server, &admin, "?days=2&offset=660").await;
        assert_eq!(ahead["days"][1]["day"], "2026-03-02");
        assert_eq!(ahead["days"][0]["completed"], 1);
        assert_eq!(ahead["totals"]["jobs_today"], 0);
        assert_eq!(ahead["totals"]["jobs_week"], 3);
        assert_eq!(ahead["uptime"], 3605);
    });
}

#[apply(each_database!)]
fn invalid_statistics_queries_are_refused(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        for query in [
            "?offset=841",
            "?offset=-841",
            "?offset=x",
            "?days=-1",
            "?offset=9223372036854775807",
        ] {
            let answer = server.get_as(&admin, &format!("{PATH}{query}")).await;
            answer.is_problem(StatusCode::BAD_REQUEST, "malformed_query");
        }
        let most = overview(&server, &admin, "?days=4000000000&offset=-840").await;
        assert_eq!(most["days"].as_array().unwrap().len(), 366);
        let me = server.signup("a@example.com").await;
        let refused = server.get_as(&me, PATH).await;
        refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
    });
}

#[apply(each_database!)]
fn workers_are_listed_while_alive_and_marked_silent_afterwards(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        server.start_work().await;
        let worker = async || {
            let all = overview(&server, &admin, "?days=1").await;
            all["workers"].as_array().unwrap().first().cloned()
        };
        let living = loop {
            match worker().await {
                Some(worker) => break worker,
                None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
            }
        };
        assert_eq!(living["pid"], std::process::id());
        assert_eq!(
            (&living["silent"], &living["running"]),
            (&json!(false), &json!(0))
        );
        assert_eq!(living["seen_at"], "2026-03-01T12:00:00Z");
        server.clock.advance_seconds(46);
        assert_eq!(worker().await.unwrap()["silent"], true);
        // A worker that shuts down in order is not reported as missing.
        server.state.shutdown.cancel();
        server.state.tasks.close();
        server.state.tasks.wait().await;
        assert_eq!(worker().await, None);
    });
}
