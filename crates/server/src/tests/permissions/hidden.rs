//! A job that is hidden from its owner is not visible to them in any action; administrators see it.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{Action, actions, call};
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::edits::support::{Page, edit, set_text};
use crate::tests::api::jobs::support::{rest_of, watch};

const NAME: &str = "розмова";

async fn set_visible(server: &TestServer, page: &Page<'_>, visible: u8) {
    let mut transaction = server.state.db.write().await.unwrap();
    let statement = format!(
        "UPDATE synced_jobs SET is_visible_to_user = {visible} WHERE my_job_id = '{}'",
        page.job
    );
    slovo_db::testing::execute(&mut transaction, &statement).await;
    transaction.commit().await.unwrap();
}

fn path(action: &Action, page: &Page<'_>) -> String {
    let id = page.job.to_string();
    let mut path = action.path.clone();
    for name in [
        "{id}",
        "{mark_id}",
        "{share_id}",
        "{analysis_id}",
        "{comment_id}",
        "{annotation_id}",
        "{speaker}",
    ] {
        path = path.replace(name, &id);
    }
    path = path.replace("{format}", "txt");
    assert!(!path.contains('{'), "{path}");
    let is_export = path.ends_with("/export") && action.method == Method::GET;
    path + if is_export { "?format=txt" } else { "" }
}

/// The lists that cover all of the caller's jobs.
async fn lists(
    server: &TestServer,
    who: &TestUser,
    page: &Page<'_>,
) -> Vec<(&'static str, String)> {
    let get = async |path: &'static str| {
        let answer = server.get_as(who, path).await;
        assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
        (path, answer.text())
    };
    let link = json!({"recordings": false});
    let link = server.post_as(who, "/api/v1/me/export", &link).await.json();
    let archive = server.get(link["url"].as_str().unwrap()).await;
    assert_eq!(archive.status, StatusCode::OK);
    let job = page.job.to_string();
    // File names in an archive are not compressed; the job's folder is numbered.
    let archive = String::from_utf8_lossy(&archive.body).contains("jobs/");
    vec![
        get("/api/v1/jobs").await,
        get("/api/v1/me/dashboard").await,
        get("/api/v1/jobs?q=%D1%80%D0%BE%D0%B7").await,
        get("/api/v1/search?q=%D1%80%D0%BE%D0%B7%D0%BC%D0%BE%D0%B2%D0%B0").await,
        get("/api/v1/me/usage-history").await,
        ("the archive", if archive { job } else { String::new() }),
    ]
}

async fn completed(server: &TestServer, who: &TestUser) -> Value {
    let summary = server.get_as(who, "/api/v1/jobs/summary").await;
    summary.json()["completed"].clone()
}

#[apply(each_database!)]
fn a_hidden_job_is_invisible_to_its_owner(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let form = json!({"expires_at": null, "with_media": true, "rights": "edit",
            "edit_without_password": true});
        let share = page.post("/shares", &form).await.json();
        let token = share["url"].as_str().unwrap().rsplit('/').next().unwrap();
        let shared = format!("/api/v1/shared/{token}");
        let opened = server.get(&shared).await.json();
        let media = opened["media_url"].as_str().unwrap().to_owned();
        let link = page.post("/media-link", &Value::Null).await.json();
        let own_media = link["url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&own_media).await.status, StatusCode::OK);
        let noted = page.post("/opened", &Value::Null).await;
        assert_eq!(noted.status, StatusCode::NO_CONTENT);
        set_visible(&server, &page, 0).await;

        let mut tried = 0;
        for action in actions() {
            if action.path.starts_with("/api/v1/jobs/{id}") {
                let path = path(&action, &page);
                let answer = call(&server, &action, &path, Some(&me.access_token)).await;
                let (status, name) = (answer.status, action.name());
                assert_eq!(status, StatusCode::NOT_FOUND, "{name}: {}", answer.text());
                tried += 1;
            }
        }
        assert!(tried > 25, "only {tried} actions of a job");
        for url in [&shared, &media, &own_media] {
            let answer = server.get(url).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let edit = json!({"version": 1, "name": "Олена", "edit": edit(set_text("0", 0, "Ні."))});
        let edited = server.post(&format!("{shared}/edits"), &edit).await;
        edited.is_problem(StatusCode::NOT_FOUND, "not_found");
        for (list, text) in lists(&server, &me, &page).await {
            let id = page.job.to_string();
            assert!(
                !text.contains(NAME) && !text.contains(&id),
                "{list} tells: {text}"
            );
        }
        assert_eq!(completed(&server, &me).await, 0);
        let ids = json!({"jobs": [page.job]});
        for what in ["delete", "retry"] {
            let path = format!("/api/v1/jobs/bulk/{what}");
            let result = server.post_as(&me, &path, &ids).await.json();
            assert_eq!(result["results"][0]["code"], "not_found", "{what}");
        }
        let archive = json!({"jobs": [page.job], "format": "txt"});
        let refused = server.post_as(&me, "/api/v1/exports", &archive).await;
        refused.is_problem(StatusCode::NOT_FOUND, "not_found");
        let analysis = json!({"job_id": page.job});
        let analysis = server
            .post_as(&me, "/api/v1/held-analyses", &analysis)
            .await;
        analysis.is_problem(StatusCode::NOT_FOUND, "not_found");

        // Administrators see it, including its live events.
        for what in ["", "/transcript", "/export?format=txt", "/media"] {
            let response = server.get_as(&admin, &format!("{}{what}", page.path)).await;
            assert_eq!(
                response.status,
                StatusCode::OK,
                "{what}: {}",
                response.text()
            );
        }
        let followed = watch(&server, &admin, &json!({"my_job_id": page.job})).await;
        assert_eq!(rest_of(followed).await[0].0, "state");
        let listed = server.get_as(&admin, "/api/v1/admin/jobs").await.json();
        assert_eq!(listed["items"][0]["is_hidden"], true);

        // Shown again, it is unchanged.
        set_visible(&server, &page, 1).await;
        assert_eq!(server.get(&shared).await.status, StatusCode::OK);
        assert_eq!(server.get_as(&me, &page.path).await.status, StatusCode::OK);
        assert_eq!(completed(&server, &me).await, 1);
        let exported = server.post_as(&me, "/api/v1/exports", &archive).await;
        assert_eq!(exported.status, StatusCode::OK, "{}", exported.text());
        let contents = lists(&server, &me, &page).await;
        assert!(contents[0].1.contains(NAME));
    });
}

#[apply(each_database!)]
fn a_stream_ends_when_its_job_is_hidden(backend: Backend) {
    with_server(backend, async |server| {
        server.signup("admin@example.com").await;
        let me = server.signup("owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let retried = page.post("/retry", &Value::Null).await;
        assert_eq!(retried.status, StatusCode::OK, "{}", retried.text());
        let followed = watch(&server, &me, &json!({"my_job_id": page.job})).await;
        let path = format!("{}/edits/events?version=1&since=0", page.path);
        let request = server.request(Method::GET, &path, &me);
        let edits = server.open(request.body(axum::body::Body::empty()).unwrap());
        let edits = edits.await;
        assert_eq!(edits.status(), StatusCode::OK);
        set_visible(&server, &page, 0).await;
        // Neither stream would end by itself: the job is queued.
        rest_of(followed).await;
        axum::body::to_bytes(edits.into_body(), usize::MAX)
            .await
            .unwrap();
    });
}
