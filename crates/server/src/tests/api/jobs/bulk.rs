//! Operations on several jobs.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::{complete_next, job};

async fn run_bulk(
    server: &TestServer,
    who: &TestUser,
    action: &str,
    ids: &[Uuid],
) -> Vec<(Uuid, Value)> {
    let path = format!("/api/v1/jobs/bulk/{action}");
    let answer = server.post_as(who, &path, &json!({"jobs": ids})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let results = answer.json()["results"].as_array().unwrap().clone();
    let code = |result: &Value| {
        (
            result["id"].as_str().unwrap().parse().unwrap(),
            result["code"].clone(),
        )
    };
    results.iter().map(code).collect()
}

#[apply(each_database!)]
fn own_jobs_are_deleted_and_foreign_ones_are_not_found(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let first = job(&server, &me, "a.mp3", b"x").await;
        let second = job(&server, &me, "b.mp3", b"x").await;
        let foreign = job(&server, &other, "c.mp3", b"x").await;
        let results = run_bulk(&server, &me, "delete", &[first, foreign, second, first]).await;
        let missing = json!("not_found");
        let expected = [
            (first, Value::Null),
            (foreign, missing.clone()),
            (second, Value::Null),
        ];
        assert_eq!(results, expected);
        assert_eq!(
            run_bulk(&server, &me, "delete", &[first]).await,
            [(first, missing)]
        );
        let remaining = server
            .get_as(&other, &format!("/api/v1/jobs/{foreign}"))
            .await;
        assert_eq!(remaining.status, 200);
        assert_eq!(
            server.get_as(&me, "/api/v1/jobs").await.json()["items"],
            json!([])
        );
    });
}

#[apply(each_database!)]
fn only_ended_jobs_are_retried(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let ended = job(&server, &me, "a.mp3", b"x").await;
        complete_next(&server, "Слово.").await;
        let waiting = job(&server, &me, "b.mp3", b"x").await;
        let results = run_bulk(&server, &me, "retry", &[ended, waiting]).await;
        assert_eq!(
            results,
            [(ended, Value::Null), (waiting, json!("job_under_way"))]
        );
        let again = server.get_as(&me, &format!("/api/v1/jobs/{ended}")).await;
        assert_eq!(again.json()["status"], "pending");
    });
}

#[apply(each_database!)]
fn too_many_jobs_are_refused_and_nothing_happens(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "a.mp3", b"x").await;
        let ids: Vec<Uuid> = (0..101).map(|_| id).collect();
        for action in ["delete", "retry"] {
            let path = format!("/api/v1/jobs/bulk/{action}");
            let answer = server.post_as(&me, &path, &json!({"jobs": ids})).await;
            assert_eq!(answer.status, 422);
            assert_eq!(answer.json()["code"], "too_many_jobs");
        }
        assert_eq!(
            server
                .get_as(&me, &format!("/api/v1/jobs/{id}"))
                .await
                .status,
            200
        );
        assert_eq!(run_bulk(&server, &me, "delete", &[]).await, []);
    });
}
