use axum::http::Method;
use serde_json::{Value, json};
use slovo_transcripts::search::{ChangingJobs, index_waiting};
use uuid::Uuid;

use crate::testing::{Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::jobs::support::send;
use crate::tests::api::me::support::{complete_next, job, send_json};

async fn job_with_text(server: &TestServer, who: &TestUser, name: &str, sentence: &str) -> Uuid {
    let id = job(server, who, name, b"x").await;
    complete_next(server, sentence).await;
    server.clock.advance_seconds(1);
    id
}

/// Updates the index, as the server does in the background after a pause.
pub(crate) async fn index(server: &TestServer) {
    let mut unsettled = ChangingJobs::default();
    for _ in 0..2 {
        index_waiting(&server.state.db, &server.state.shutdown, &mut unsettled)
            .await
            .unwrap();
    }
}

async fn search(server: &TestServer, who: &TestUser, query: &str) -> Value {
    let answer = server.get_as(who, &format!("/api/v1/search?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn names(page: &Value) -> Vec<&str> {
    let items = page["items"].as_array().unwrap().iter();
    items
        .map(|item| item["job"]["original_filename"].as_str().unwrap())
        .collect()
}

#[apply(each_database!)]
fn names_and_texts_are_found_with_the_positions_of_matches(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        job_with_text(&server, &me, "Розмова про музей.mp3", "Ні слова про нього.").await;
        let id = job_with_text(&server, &me, "b.mp3", "У п’ятницю музей зачинено.").await;
        job_with_text(&server, &other, "Музей.mp3", "Музей.").await;
        index(&server).await;
        let page = search(&server, &me, "q=%D0%BC%D1%83%D0%B7%D0%B5%D0%B9").await;
        assert_eq!(names(&page), ["Розмова про музей.mp3", "b.mp3"]);
        assert_eq!(page["items"][0]["name_ranges"], json!([[12, 17]]));
        assert_eq!(page["items"][0]["hit_count"], 0);
        let hit = json!({"segment_id": "0", "start": 0.0, "speaker": null,
            "speaker_ranges": [], "language": "uk", "text": "У п’ятницю музей зачинено.",
            "ranges": [[11, 16]]});
        assert_eq!(page["items"][1]["hits"], json!([hit]));
        assert_eq!(page["next_cursor"], Value::Null);
        // П'ЯТ
        let page = search(&server, &me, "q=%D0%9F'%D0%AF%D0%A2").await;
        assert_eq!(page["items"][0]["job"]["my_job_id"], json!(id));
        assert_eq!(page["items"][0]["hits"][0]["ranges"], json!([[2, 6]]));
        for nothing in ["q=", "q=%22%20*%20-", "q=%00", "q=7531"] {
            assert_eq!(names(&search(&server, &me, nothing).await), [] as [&str; 0]);
        }
    });
}

#[apply(each_database!)]
fn words_match_other_forms_and_quoted_words_match_exactly(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let text = "Ми говорили про будинки.";
        job_with_text(&server, &me, "a.mp3", text).await;
        index(&server).await;
        // будинок говорити
        let forms = "%D0%B1%D1%83%D0%B4%D0%B8%D0%BD%D0%BE%D0%BA%20\
                     %D0%B3%D0%BE%D0%B2%D0%BE%D1%80%D0%B8%D1%82%D0%B8";
        let page = search(&server, &me, &format!("q={forms}")).await;
        assert_eq!(
            page["items"][0]["hits"][0]["ranges"],
            json!([[3, 11], [16, 23]])
        );
        // "будинок"
        let exact = "q=%22%D0%B1%D1%83%D0%B4%D0%B8%D0%BD%D0%BE%D0%BA%22";
        assert_eq!(names(&search(&server, &me, exact).await), [] as [&str; 0]);
    });
}

#[apply(each_database!)]
fn all_matches_in_a_job_are_listed_for_its_owner_only(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let id = job_with_text(&server, &me, "a.mp3", "Слово за словом.").await;
        index(&server).await;
        // слова
        let path =
            |rest: &str| format!("/api/v1/search/{id}?q=%D1%81%D0%BB%D0%BE%D0%B2%D0%B0{rest}");
        let answer = server.get_as(&me, &path("")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let hit = json!({"segment_id": "0", "start": 0.0, "speaker": null, "speaker_ranges": [],
            "language": "uk", "text": "Слово за словом.", "ranges": [[0, 5], [9, 15]]});
        let page = json!({"items": [hit], "count": 1, "next_cursor": null});
        assert_eq!(answer.json(), page);
        let answer = server.get_as(&me, &path("&cursor=1")).await;
        assert_eq!(
            answer.json(),
            json!({"items": [], "count": 1, "next_cursor": null})
        );
        let nothing = server
            .get_as(&me, &format!("/api/v1/search/{id}?q=%22"))
            .await;
        assert_eq!(
            nothing.json(),
            json!({"items": [], "count": 0, "next_cursor": null})
        );
        let answer = server.get_as(&me, &path("&cursor=-1")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["code"].clone()),
            (400, json!("malformed_query"))
        );
        assert_eq!(server.get_as(&other, &path("")).await.status, 404);
        assert_eq!(server.get(&path("")).await.status, 401);
        let unknown = Uuid::from_u128(7);
        let answer = server
            .get_as(&me, &format!("/api/v1/search/{unknown}?q=a"))
            .await;
        assert_eq!(answer.status, 404);
    });
}

#[apply(each_database!)]
fn hidden_jobs_are_not_found_and_leave_no_gap_in_pages(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        for number in 0..4 {
            job_with_text(&server, &me, &format!("{number}.mp3"), "Слово.").await;
        }
        index(&server).await;
        let hide = async |which: &str| {
            let statement = format!(
                "UPDATE synced_jobs SET is_visible_to_user = 0 WHERE original_filename {which}"
            );
            let mut transaction = server.state.db.write().await.unwrap();
            slovo_db::testing::execute(&mut transaction, &statement).await;
            transaction.commit().await.unwrap();
        };
        hide("IN ('3.mp3', '2.mp3')").await;
        // By name and by text: слово
        for word in ["mp3", "%D1%81%D0%BB%D0%BE%D0%B2%D0%BE"] {
            let first = search(&server, &me, &format!("q={word}&limit=1")).await;
            assert_eq!(names(&first), ["1.mp3"]);
            let cursor = first["next_cursor"].as_str().unwrap();
            let query = format!("q={word}&limit=1&cursor={cursor}");
            let second = search(&server, &me, &query).await;
            assert_eq!(names(&second), ["0.mp3"]);
            assert_eq!(second["next_cursor"], Value::Null);
        }
        hide("LIKE '%.mp3'").await;
        let nothing = search(&server, &me, "q=mp3").await;
        assert_eq!(names(&nothing), [] as [&str; 0]);
        assert_eq!(nothing["next_cursor"], Value::Null);
    });
}

/// Number of the caller's jobs with a word, once the index is up to date.
async fn count_found(server: &TestServer, who: &TestUser, word: &str) -> usize {
    index(server).await;
    let word: String = word.bytes().map(|byte| format!("%{byte:02X}")).collect();
    names(&search(server, who, &format!("q={word}")).await).len()
}

#[apply(each_database!)]
fn jobs_are_found_by_their_current_tags_by_the_owner_only(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let id = job_with_text(&server, &me, "a.mp3", "Добрий день.").await;
        let other_id = job_with_text(&server, &other, "b.mp3", "Добрий день.").await;
        let form = json!({"name": "Будинки й сади", "color": 1});
        let created = server.post_as(&me, "/api/v1/tags", &form).await.json();
        let tag = created["id"].as_str().unwrap();
        let set_tag = async |job: Uuid, on: bool| {
            let body = json!({"jobs": [job], "tag": tag, "on": on});
            let tagged = server.post_as(&me, "/api/v1/jobs/bulk/tag", &body).await;
            assert_eq!(tagged.status, 200, "{}", tagged.text());
        };
        set_tag(id, true).await;
        set_tag(other_id, true).await;
        // Another word form, a prefix, and together with a word of the text.
        for words in ["будинок", "буд", "САДИ день", "будинки сади"] {
            assert_eq!(count_found(&server, &me, words).await, 1, "{words}");
            assert_eq!(count_found(&server, &other, words).await, 0, "{words}");
        }
        // Visitors of a shared link do not see tags.
        let shares = format!("/api/v1/jobs/{id}/shares");
        let share = json!({"with_media": false});
        let share = server.post_as(&me, &shares, &share).await.json();
        let token = share["url"].as_str().unwrap().rsplit('/').next().unwrap();
        let shared = server.get(&format!("/api/v1/shared/{token}")).await;
        assert_eq!(shared.status, 200, "{}", shared.text());
        assert!(!shared.text().contains("Будинки"));
        let path = format!("/api/v1/tags/{tag}");
        let renamed = json!({"name": "Пасіка", "color": 1});
        send_json(&server, &me, Method::PUT, &path, &renamed).await;
        assert_eq!(count_found(&server, &me, "будинок").await, 0);
        assert_eq!(count_found(&server, &me, "пасіка").await, 1);
        set_tag(id, false).await;
        assert_eq!(count_found(&server, &me, "пасіка").await, 0);
        set_tag(id, true).await;
        assert_eq!(count_found(&server, &me, "пасіка").await, 1);
        send_json(&server, &me, Method::DELETE, &path, &Value::Null).await;
        assert_eq!(count_found(&server, &me, "пасіка").await, 0);
        assert_eq!(count_found(&server, &me, "день").await, 1);
    });
}

#[apply(each_database!)]
fn pages_follow_each_other_without_gaps(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        for number in 0..5 {
            job_with_text(&server, &me, &format!("{number}.mp3"), "Слово.").await;
        }
        index(&server).await;
        let mut all = Vec::new();
        let mut query = "q=mp3&limit=2".to_owned();
        loop {
            let page = search(&server, &me, &query).await;
            all.extend(names(&page).into_iter().map(str::to_owned));
            let Some(cursor) = page["next_cursor"].as_str() else {
                break;
            };
            query = format!("q=mp3&limit=2&cursor={cursor}");
        }
        assert_eq!(all, ["4.mp3", "3.mp3", "2.mp3", "1.mp3", "0.mp3"]);
        let answer = server.get_as(&me, "/api/v1/search?q=a&cursor=-1").await;
        assert_eq!(answer.status, 400);
        assert_eq!(answer.json()["code"], "malformed_query");
        assert_eq!(server.get("/api/v1/search?q=a").await.status, 401);
    });
}

#[apply(each_database!)]
fn deleted_jobs_are_no_longer_found(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let id = job_with_text(&server, &me, "a.mp3", "Слово.").await;
        index(&server).await;
        assert_eq!(names(&search(&server, &me, "q=mp3").await), ["a.mp3"]);
        let path = format!("/api/v1/jobs/{id}");
        assert_eq!(send(&server, &me, Method::DELETE, &path).await.status, 204);
        assert_eq!(names(&search(&server, &me, "q=mp3").await), [] as [&str; 0]);
    });
}
