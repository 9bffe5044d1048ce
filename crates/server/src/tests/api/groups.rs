//! Tests of tags and folders through the router.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::{job, send_json};

async fn make(server: &TestServer, who: &TestUser, kind: &str, name: &str) -> String {
    let form = json!({"name": name, "color": 2});
    let answer = server.post_as(who, &format!("/api/v1/{kind}"), &form).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn names(server: &TestServer, who: &TestUser, kind: &str) -> Vec<String> {
    let answer = server.get_as(who, &format!("/api/v1/{kind}")).await.json();
    let all = answer.as_array().unwrap().iter();
    all.map(|group| group["name"].as_str().unwrap().to_owned())
        .collect()
}

async fn tag(server: &TestServer, who: &TestUser, jobs: &[Uuid], tag: &str, on: bool) -> Answer {
    let body = json!({"jobs": jobs, "tag": tag, "on": on});
    server.post_as(who, "/api/v1/jobs/bulk/tag", &body).await
}

async fn move_to_folder(
    server: &TestServer,
    who: &TestUser,
    jobs: &[Uuid],
    folder: Option<&str>,
) -> Answer {
    let body = json!({"jobs": jobs, "folder": folder});
    server.post_as(who, "/api/v1/jobs/bulk/folder", &body).await
}

fn codes(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let results = answer.json()["results"].as_array().unwrap().clone();
    results
        .iter()
        .map(|result| result["code"].clone())
        .collect()
}

/// Number of jobs in a list.
async fn count_jobs(server: &TestServer, who: &TestUser, query: &str) -> usize {
    let answer = server.get_as(who, &format!("/api/v1/jobs?{query}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text());
    answer.json()["items"].as_array().unwrap().len()
}

#[apply(each_database!)]
fn jobs_are_organised_by_tags_and_one_folder(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let first = job(&server, &me, "a.mp3", b"x").await;
        let second = job(&server, &me, "b.mp3", b"x").await;
        let work = make(&server, &me, "tags", "<b>робота</b>").await;
        let home = make(&server, &me, "tags", "дім").await;
        let folder = make(&server, &me, "folders", "Клієнт А").await;
        let next = make(&server, &me, "folders", "Клієнт Б").await;
        assert_eq!(names(&server, &me, "tags").await, ["<b>робота</b>", "дім"]);
        let none = [Value::Null, Value::Null];
        assert_eq!(
            codes(&tag(&server, &me, &[first, second], &work, true).await),
            none
        );
        codes(&tag(&server, &me, &[first], &home, true).await);
        assert_eq!(
            codes(&move_to_folder(&server, &me, &[first, second], Some(&folder)).await),
            none
        );
        let moved = move_to_folder(&server, &me, &[second], Some(&next))
            .await
            .json();
        assert_eq!(moved["results"][0]["job"]["folder"], json!(next));
        for (query, count) in [
            (format!("tag={work}"), 2),
            (format!("tag={home}"), 1),
            (format!("folder={folder}"), 1),
            (format!("folder={folder}&tag={work}"), 1),
            (format!("folder={next}&tag={home}"), 0),
            (format!("tag={work}&q=b.mp3"), 1),
            (format!("tag={work}&status=completed"), 0),
            (format!("tag={work}&status=pending"), 2),
            (format!("tag={folder}"), 1),
        ] {
            assert_eq!(count_jobs(&server, &me, &query).await, count, "{query}");
        }
        let query = server.get_as(&me, "/api/v1/jobs?tag=x").await;
        assert_eq!(query.status, StatusCode::BAD_REQUEST);
        codes(&tag(&server, &me, &[first], &home, false).await);
        codes(&move_to_folder(&server, &me, &[first], None).await);
        let path = format!("/api/v1/jobs/{first}");
        let job = server.get_as(&me, &path).await.json();
        assert_eq!(
            (&job["tags"], &job["folder"]),
            (&json!([work]), &Value::Null)
        );
        let deleted = format!("/api/v1/tags/{work}");
        let deleted = send_json(&server, &me, Method::DELETE, &deleted, &Value::Null).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(server.get_as(&me, &path).await.json()["tags"], json!([]));
        assert_eq!(count_jobs(&server, &me, "").await, 2);
    });
}

#[apply(each_database!)]
fn tags_and_folders_are_private_to_their_owner(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let mine = job(&server, &me, "a.mp3", b"x").await;
        let foreign = job(&server, &other, "b.mp3", b"x").await;
        let work = make(&server, &me, "tags", "робота").await;
        let folder = make(&server, &me, "folders", "Клієнт").await;
        codes(&tag(&server, &me, &[mine], &work, true).await);
        assert_eq!(names(&server, &other, "tags").await, [] as [&str; 0]);
        assert_eq!(count_jobs(&server, &other, &format!("tag={work}")).await, 0);
        let not_found = |answer: &Answer| answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        not_found(&tag(&server, &other, &[foreign], &work, true).await);
        not_found(&move_to_folder(&server, &other, &[foreign], Some(&folder)).await);
        // A folder cannot be used as a tag, or a tag as a folder.
        not_found(&tag(&server, &me, &[mine], &folder, true).await);
        not_found(&move_to_folder(&server, &me, &[mine], Some(&work)).await);
        let form = json!({"name": "x", "color": 0});
        for path in [
            format!("/api/v1/tags/{work}"),
            format!("/api/v1/folders/{folder}"),
        ] {
            not_found(&send_json(&server, &other, Method::PUT, &path, &form).await);
            not_found(&send_json(&server, &other, Method::DELETE, &path, &Value::Null).await);
        }
        let crossed = format!("/api/v1/folders/{work}");
        not_found(&send_json(&server, &me, Method::PUT, &crossed, &form).await);
        let missing = json!("not_found");
        let tagged = tag(&server, &me, &[mine, foreign], &work, true).await;
        assert_eq!(codes(&tagged), [Value::Null, missing]);
        let job = server
            .get_as(&other, &format!("/api/v1/jobs/{foreign}"))
            .await;
        assert_eq!(job.json()["tags"], json!([]));
    });
}

#[apply(each_database!)]
fn names_and_numbers_of_groups_are_limited(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "a.mp3", b"x").await;
        let path = "/api/v1/tags";
        for form in [
            json!({"name": " ", "color": 0}),
            json!({"name": "x".repeat(41), "color": 0}),
            json!({"name": "x", "color": 8}),
            json!({"name": "x", "color": -1}),
        ] {
            let refused = server.post_as(&me, path, &form).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        }
        let first = make(&server, &me, "tags", "Tag 0").await;
        let again = server
            .post_as(&me, path, &json!({"name": "tag 0", "color": 1}))
            .await;
        again.is_problem(StatusCode::CONFLICT, "group_name_taken");
        // Only the case of its own name changes: no conflict.
        let own = format!("{path}/{first}");
        let form = json!({"name": "TAG 0", "color": 7});
        let renamed = send_json(&server, &me, Method::PUT, &own, &form).await;
        assert_eq!(
            renamed.json(),
            json!({"id": first, "name": "TAG 0", "color": 7})
        );
        codes(&tag(&server, &me, &[id], &first, true).await);
        for number in 1..100 {
            let tag_id = make(&server, &me, "tags", &format!("Tag {number}")).await;
            let code = codes(&tag(&server, &me, &[id], &tag_id, true).await).remove(0);
            let expected = match number < 20 {
                true => Value::Null,
                false => json!("too_many_tags_of_job"),
            };
            assert_eq!(code, expected, "{number}");
        }
        assert_eq!(
            codes(&tag(&server, &me, &[id], &first, true).await),
            [Value::Null]
        );
        let more = server
            .post_as(&me, path, &json!({"name": "one more", "color": 0}))
            .await;
        more.is_problem(StatusCode::CONFLICT, "too_many_tags");
        make(&server, &me, "folders", "Tag 0").await;
    });
}

#[apply(each_database!)]
fn simultaneous_tagging_keeps_to_the_limit(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job(&server, &me, "a.mp3", b"x").await;
        let mut tags = Vec::new();
        for number in 0..23 {
            tags.push(make(&server, &me, "tags", &format!("Tag {number}")).await);
        }
        for tag_id in &tags[..19] {
            codes(&tag(&server, &me, &[id], tag_id, true).await);
        }
        let jobs = [id];
        let answers = tokio::join!(
            tag(&server, &me, &jobs, &tags[19], true),
            tag(&server, &me, &jobs, &tags[20], true),
            tag(&server, &me, &jobs, &tags[21], true),
            tag(&server, &me, &jobs, &tags[22], true),
        );
        let answers = [answers.0, answers.1, answers.2, answers.3];
        let refused = answers
            .iter()
            .flat_map(codes)
            .filter(|code| *code == json!("too_many_tags_of_job"));
        assert_eq!(refused.count(), 3);
        let path = format!("/api/v1/jobs/{id}");
        let job = server.get_as(&me, &path).await.json();
        assert_eq!(job["tags"].as_array().unwrap().len(), 20);
    });
}
