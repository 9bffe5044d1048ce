//! Comments of visitors on lines.

use uuid::Uuid;

use super::*;

fn comment(segment: &str, name: &str, text: &str) -> Value {
    json!({"id": Uuid::new_v4(), "segment": segment, "name": name, "text": text})
}

async fn post_comment(server: &TestServer, link: &str, form: &Value) -> Answer {
    let path = format!("/api/v1/shared/{link}/comments");
    server.post(&path, form).await
}

async fn comments_of(server: &TestServer, link: &str) -> Value {
    let answer = server.get(&format!("/api/v1/shared/{link}/comments")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_not_indexed_or_cached(&answer);
    answer.json()
}

async fn open_to_comments(page: &Page<'_>) -> Value {
    let form = json!({"expires_at": null, "with_media": false, "rights": "comment"});
    share(page, form).await
}

#[apply(each_database!)]
fn the_owner_sees_a_comment_and_visitors_see_the_answer(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю вас."]).await;
        let created = open_to_comments(&page).await;
        let link = token(&created);
        let markup = "<img src=x onerror=alert(1)>";
        let form = comment("1", " Олена\u{202e} ", markup);
        let first = post_comment(&server, link, &form).await;
        assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
        assert_not_indexed_or_cached(&first);
        // A repeated request stores it once.
        assert_eq!(
            post_comment(&server, link, &form).await.json(),
            first.json()
        );
        let all = comments_of(&server, link).await;
        assert_eq!(all.as_array().unwrap().len(), 1);
        assert_eq!(all[0]["name"], "Олена");
        assert_eq!(
            all[0]["text"], markup,
            "it is text, and pages write it as text"
        );
        assert_eq!(all[0]["line"], "Вітаю вас.");
        assert_eq!(all[0]["start"], 4.0);
        let owner_view = page.get("/comments").await;
        assert_eq!(owner_view[0]["share_id"], created["id"]);
        assert_eq!(owner_view[0]["segment"], "1");
        let id = owner_view[0]["id"].as_str().unwrap();
        let path = format!("{}/comments/{id}", page.path);
        let answer = json!({"answer": " Дякую! "});
        let at = format!("{path}/answer");
        let answered = send_json(&server, &me, Method::PUT, &at, &answer).await;
        assert_eq!(answered.status, StatusCode::OK, "{}", answered.text());
        assert_eq!(comments_of(&server, link).await[0]["answer"], "Дякую!");
        let none = json!({"answer": null});
        send_json(&server, &me, Method::PUT, &at, &none).await;
        assert_eq!(comments_of(&server, link).await[0]["answer"], Value::Null);
        // The comment outlives its link, until the owner deletes it.
        let withdraw = format!("{}/shares/{}", page.path, created["id"].as_str().unwrap());
        remove(&server, &me, &withdraw).await;
        assert_eq!(page.get("/comments").await[0]["share_id"], Value::Null);
        let deleted = remove(&server, &me, &path).await;
        assert_eq!(deleted.status, StatusCode::NO_CONTENT);
        assert_eq!(page.get("/comments").await, json!([]));
    });
}

#[apply(each_database!)]
fn a_read_only_link_accepts_no_comments(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = open_to_comments(&page).await;
        let link = token(&created);
        let first = post_comment(&server, link, &comment("0", "Олена", "Так?")).await;
        assert_eq!(first.status, StatusCode::CREATED);
        let read = json!({"with_media": false, "with_confidence": false, "rights": "read"});
        put(&page, &created, "", read).await;
        let path = format!("/api/v1/shared/{link}/comments");
        for answer in [
            server.get(&path).await,
            post_comment(&server, link, &comment("0", "Олена", "Ні?")).await,
        ] {
            answer.is_problem(StatusCode::FORBIDDEN, "comments_not_allowed");
        }
        assert_eq!(page.get("/comments").await.as_array().unwrap().len(), 1);
    });
}

#[apply(each_database!)]
fn comments_cannot_be_seen_or_changed_through_another_link(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let (link, other_link) = (open_to_comments(&page).await, open_to_comments(&page).await);
        let form = comment("0", "Олена", "Лише для нас");
        let first = post_comment(&server, token(&link), &form).await.json();
        assert_eq!(comments_of(&server, token(&other_link)).await, json!([]));
        // The same id through another link neither shows nor changes the comment.
        let conflict = post_comment(&server, token(&other_link), &form).await;
        conflict.is_problem(StatusCode::CONFLICT, "conflict");
        assert!(!conflict.text().contains("Олена"));
        assert_eq!(comments_of(&server, token(&link)).await[0], first);
        // Only the owner can answer or delete it, not another user through a job of their own.
        let stranger = server.signup("b@example.com").await;
        let foreign_page = Page::on(&server, &stranger, &["Вітаю."]).await;
        let id = first["id"].as_str().unwrap();
        for base in [&page.path, &foreign_page.path] {
            let path = format!("{base}/comments/{id}");
            let deletion = remove(&server, &stranger, &path).await;
            deletion.is_problem(StatusCode::NOT_FOUND, "not_found");
            let form = json!({"answer": "x"});
            let path = format!("{path}/answer");
            let answered = send_json(&server, &stranger, Method::PUT, &path, &form).await;
            answered.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        assert_eq!(foreign_page.get("/comments").await, json!([]));
        assert_eq!(comments_of(&server, token(&link)).await[0], first);
    });
}

#[apply(each_database!)]
fn comments_are_limited_in_length_size_and_rate(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = open_to_comments(&page).await;
        let link = token(&created);
        let (name, text) = ("ї".repeat(80), "ї".repeat(2000));
        let longest = post_comment(&server, link, &comment("0", &name, &text)).await;
        assert_eq!(longest.status, StatusCode::CREATED, "{}", longest.text());
        for (form, field, code) in [
            (comment("0", &format!("{name}ї"), "a"), "name", "too_long"),
            (comment("0", " ", "a"), "name", "visitor_name_required"),
            (comment("0", "a", &format!("{text}ї")), "text", "too_long"),
            (comment("0", "a", "\n"), "text", "comment_required"),
            (comment("7", "a", "b"), "segment", "id_invalid"),
        ] {
            let answer = post_comment(&server, link, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        let huge = post_comment(&server, link, &comment("0", "a", &"b".repeat(20_000))).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        let mut last = post_comment(&server, link, &comment("0", "a", "b")).await;
        for _ in 0..60 {
            last = post_comment(&server, link, &comment("0", "a", "b")).await;
        }
        last.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}

#[apply(each_database!)]
fn a_comment_is_refused_if_its_link_was_withdrawn_meanwhile(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = open_to_comments(&page).await;
        let id = created["id"].as_str().unwrap();
        let share: Uuid = id.parse().unwrap();
        let mut comment = slovo_db::texts::share_comments::Comment {
            id: Uuid::new_v4(),
            job_id: page.job,
            share_id: Some(share),
            version: 1,
            segment: "0".to_owned(),
            start: 0.0,
            line: "Добрий день.".to_owned(),
            name: "Олена".to_owned(),
            body: "Так?".to_owned(),
            created_at: server.state.clock.now_ms(),
            answer: None,
            answered_at: None,
        };
        let store = slovo_api::testing::store_comment;
        store(&server.state, share, &comment).await.unwrap();
        remove(&server, &me, &format!("{}/shares/{id}", page.path)).await;
        // The same comment again, and a new one.
        for id in [comment.id, Uuid::new_v4()] {
            comment.id = id;
            let refused = store(&server.state, share, &comment).await.unwrap_err();
            assert_eq!(
                refused.status(),
                StatusCode::NOT_FOUND,
                "{}",
                refused.code()
            );
        }
        assert_eq!(page.get("/comments").await.as_array().unwrap().len(), 1);
    });
}
