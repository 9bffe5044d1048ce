//! Operations on several jobs.

use serde_json::{Value, json};
use uuid::Uuid;

use crate::testing::{Backend, Signed, TestServer, apply, each_database, with_server};
use crate::tests::api::me::support::{complete_next, job};

async fn all(server: &TestServer, who: &Signed, what: &str, ids: &[Uuid]) -> Vec<(Uuid, Value)> {
    let path = format!("/api/v1/jobs/bulk/{what}");
    let answer = server.post_as(who, &path, &json!({"jobs": ids})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let results = answer.json()["results"].as_array().unwrap().clone();
    let code = |one: &Value| {
        (
            one["id"].as_str().unwrap().parse().unwrap(),
            one["code"].clone(),
        )
    };
    results.iter().map(code).collect()
}

#[apply(each_database!)]
fn each_is_deleted_and_those_that_are_not_ones_own_are_not_found(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let one = job(&server, &me, "a.mp3", b"x").await;
        let two = job(&server, &me, "b.mp3", b"x").await;
        let foreign = job(&server, &other, "c.mp3", b"x").await;
        let done = all(&server, &me, "delete", &[one, foreign, two, one]).await;
        let missing = json!("not_found");
        let expected = [
            (one, Value::Null),
            (foreign, missing.clone()),
            (two, Value::Null),
        ];
        assert_eq!(done, expected);
        assert_eq!(all(&server, &me, "delete", &[one]).await, [(one, missing)]);
        let left = server
            .get_as(&other, &format!("/api/v1/jobs/{foreign}"))
            .await;
        assert_eq!(left.status, 200);
        assert_eq!(
            server.get_as(&me, "/api/v1/jobs").await.json()["items"],
            json!([])
        );
    });
}

#[apply(each_database!)]
fn those_that_have_ended_are_begun_again(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let ended = job(&server, &me, "a.mp3", b"x").await;
        complete_next(&server, "Слово.").await;
        let waiting = job(&server, &me, "b.mp3", b"x").await;
        let done = all(&server, &me, "retry", &[ended, waiting]).await;
        assert_eq!(
            done,
            [(ended, Value::Null), (waiting, json!("job_under_way"))]
        );
        let again = server.get_as(&me, &format!("/api/v1/jobs/{ended}")).await;
        assert_eq!(again.json()["status"], "pending");
    });
}

#[apply(each_database!)]
fn too_many_are_refused_and_nothing_happens(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let kept = job(&server, &me, "a.mp3", b"x").await;
        let ids: Vec<Uuid> = (0..101).map(|_| kept).collect();
        for what in ["delete", "retry"] {
            let path = format!("/api/v1/jobs/bulk/{what}");
            let answer = server.post_as(&me, &path, &json!({"jobs": ids})).await;
            assert_eq!(answer.status, 422);
            assert_eq!(answer.json()["code"], "too_many_jobs");
        }
        assert_eq!(
            server
                .get_as(&me, &format!("/api/v1/jobs/{kept}"))
                .await
                .status,
            200
        );
        assert_eq!(all(&server, &me, "delete", &[]).await, []);
    });
}
