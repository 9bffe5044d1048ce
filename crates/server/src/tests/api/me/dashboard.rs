//! The texts that the caller is working on, and excerpts of the newest texts.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use uuid::Uuid;

use super::support::job;
use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::edits::support::{Page, complete, segment, talk};
use crate::tests::api::jobs::support::send;

const PATH: &str = "/api/v1/me/dashboard";

/// A page with a text of two speakers whose words at these positions (segment, word) are uncertain.
async fn unsure_text<'a>(
    server: &'a TestServer,
    who: &'a TestUser,
    name: &str,
    unsure: &[(usize, usize)],
) -> Page<'a> {
    let id = job(server, who, name, b"recording").await;
    let mut transcript = talk(&["Добрий вечір усім", "Вітаю у студії"]);
    for (segment, word) in unsure {
        transcript.segments[*segment].words[*word].confidence = 0.2;
    }
    complete(server, &transcript).await;
    Page {
        server,
        who,
        path: format!("/api/v1/jobs/{id}"),
        job: id,
        client: Uuid::new_v4(),
    }
}

async fn dashboard(server: &TestServer, who: &TestUser) -> Value {
    let answer = server.get_as(who, PATH).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()
}

/// The texts to continue with: name of the job, and number of uncertain words.
async fn continued(server: &TestServer, who: &TestUser) -> Vec<(String, Value)> {
    let overview = dashboard(server, who).await;
    let texts = overview["continued"].as_array().unwrap().iter();
    texts
        .map(|text| {
            let name = text["job"]["original_filename"].as_str().unwrap();
            (name.to_owned(), text["unsure"].clone())
        })
        .collect()
}

async fn open(page: &Page<'_>) -> StatusCode {
    page.post("/opened", &Value::Null).await.status
}

async fn execute(server: &TestServer, statement: &str) {
    let mut transaction = server.state.db.write().await.unwrap();
    slovo_db::testing::execute(&mut transaction, statement).await;
    transaction.commit().await.unwrap();
}

#[apply(each_database!)]
fn the_count_of_uncertain_words_follows_edits(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = unsure_text(&server, &me, "a.wav", &[(0, 1), (0, 2), (1, 0)]).await;
        // A text that was never opened is not offered.
        assert_eq!(continued(&server, &me).await, []);
        assert_eq!(open(&page).await, StatusCode::NO_CONTENT);
        let unsure_count = async || continued(&server, &me).await[0].1.clone();
        assert_eq!(unsure_count().await, 3);

        let confirm = json!({"kind": "confirm_words", "segment": segment("0", 0), "words": [1]});
        page.edit(confirm).await;
        assert_eq!(unsure_count().await, 2);
        let text = json!({"kind": "set_text", "segment": segment("1", 0), "text": "Слухаю вас"});
        page.edit(text).await;
        assert_eq!(unsure_count().await, 1);
        // A split segment has the same words.
        let split = json!({"kind": "split", "segment": segment("0", 1), "at": 13,
            "new_segment": Uuid::new_v4()});
        page.edit(split).await;
        assert_eq!(unsure_count().await, 1);
        for more in [1, 2, 3] {
            assert_eq!(page.step("undo").await.status, StatusCode::OK);
            assert_eq!(unsure_count().await, more);
        }
        assert_eq!(page.step("redo").await.status, StatusCode::OK);
        assert_eq!(unsure_count().await, 2);

        // A text from before they were counted is counted now, and later edits update the number.
        execute(&server, "UPDATE transcript_heads SET unsure = NULL").await;
        assert_eq!(unsure_count().await, 2);
        assert_eq!(page.step("undo").await.status, StatusCode::OK);
        assert_eq!(unsure_count().await, 3);
    });
}

#[apply(each_database!)]
fn the_last_three_texts_are_offered_without_deleted_or_hidden_ones(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let mut pages = Vec::new();
        for name in ["1.wav", "2.wav", "3.wav", "4.wav"] {
            server.clock.advance_seconds(1);
            let page = unsure_text(&server, &me, name, &[]).await;
            assert_eq!(open(&page).await, StatusCode::NO_CONTENT);
            pages.push(page);
        }
        let names = async || {
            let texts = continued(&server, &me).await.into_iter();
            texts.map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert_eq!(names().await, ["4.wav", "3.wav", "2.wav"]);
        // Editing counts like opening.
        server.clock.advance_seconds(1);
        let text = json!({"kind": "set_text", "segment": segment("0", 0), "text": "Інше"});
        pages[0].edit(text).await;
        assert_eq!(names().await, ["1.wav", "4.wav", "3.wav"]);
        let deleted = send(&server, &me, Method::DELETE, &pages[3].path).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(names().await, ["1.wav", "3.wav", "2.wav"]);
        let hidden = format!(
            "UPDATE synced_jobs SET is_visible_to_user = 0 WHERE my_job_id = '{}'",
            pages[2].job
        );
        execute(&server, &hidden).await;
        assert_eq!(open(&pages[2]).await, StatusCode::NOT_FOUND);
        assert_eq!(names().await, ["1.wav", "2.wav"]);
        let overview = dashboard(&server, &me).await;
        assert_eq!(overview["recent"].as_array().unwrap().len(), 2);
    });
}

#[apply(each_database!)]
fn the_newest_jobs_are_listed_with_excerpts_and_speakers(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = unsure_text(&server, &me, "a.wav", &[]).await;
        server.clock.advance_seconds(1);
        job(&server, &me, "waits.wav", b"recording").await;
        let overview = dashboard(&server, &me).await;
        let [waiting, finished] = overview["recent"].as_array().unwrap().as_slice() else {
            panic!("{overview}");
        };
        assert_eq!(waiting["job"]["status"], "pending");
        assert_eq!(
            (&waiting["excerpt"], &waiting["speakers"]),
            (&json!(""), &json!([]))
        );
        assert_eq!(finished["excerpt"], "Добрий вечір усім Вітаю у студії");
        let speakers =
            json!([{"id": "SPEAKER_0", "name": null}, {"id": "SPEAKER_1", "name": null}]);
        assert_eq!(finished["speakers"], speakers);

        // Includes edits: a changed segment, and one merged into the previous one.
        let text =
            json!({"kind": "set_text", "segment": segment("1", 0), "text": "у нашій студії"});
        page.edit(text).await;
        let name = json!({"kind": "rename_speaker", "speaker": "SPEAKER_0", "name": "Олена"});
        page.edit(name).await;
        let merge = json!({"kind": "merge", "segment": segment("0", 0), "next": segment("1", 1)});
        page.edit(merge).await;
        let overview = dashboard(&server, &me).await;
        assert_eq!(
            overview["recent"][1]["excerpt"],
            "Добрий вечір усім у нашій студії"
        );
        assert_eq!(overview["recent"][1]["speakers"][0]["name"], "Олена");
    });
}

#[apply(each_database!)]
fn other_users_cannot_see_or_open_a_text(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let page = unsure_text(&server, &me, "a.wav", &[(0, 0)]).await;
        assert_eq!(open(&page).await, StatusCode::NO_CONTENT);
        let other = server.signup("b@example.com").await;
        for who in [&other, &admin] {
            let path = format!("{}/opened", page.path);
            let answer = server.post_as(who, &path, &Value::Null).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
            let overview = dashboard(&server, who).await;
            assert_eq!(overview, json!({"continued": [], "recent": []}));
        }
        let answer = server.get(PATH).await;
        answer.is_problem(StatusCode::UNAUTHORIZED, "unauthorized");
        assert_eq!(continued(&server, &me).await.len(), 1);
    });
}
