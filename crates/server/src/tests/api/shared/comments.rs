//! Comments of visitors on lines.

use uuid::Uuid;

use super::*;

fn comment(segment: &str, name: &str, text: &str) -> Value {
    json!({"id": Uuid::new_v4(), "segment": segment, "name": name, "text": text})
}

async fn say(server: &TestServer, link: &str, form: &Value) -> Answer {
    let path = format!("/api/v1/shared/{link}/comments");
    server.post(&path, form).await
}

async fn said(server: &TestServer, link: &str) -> Value {
    let answer = server.get(&format!("/api/v1/shared/{link}/comments")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_unseen(&answer);
    answer.json()
}

async fn open_to_comments(page: &Page<'_>) -> Value {
    let form = json!({"expires_at": null, "with_media": false, "rights": "comment"});
    share(page, form).await
}

#[apply(each_database!)]
fn a_comment_reaches_the_owner_and_an_answer_comes_back(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день.", "Вітаю вас."]).await;
        let made = open_to_comments(&page).await;
        let link = token(&made);
        let markup = "<img src=x onerror=alert(1)>";
        let form = comment("1", " Олена\u{202e} ", markup);
        let first = say(&server, link, &form).await;
        assert_eq!(first.status, StatusCode::CREATED, "{}", first.text());
        assert_unseen(&first);
        // A repeated request stores it once.
        assert_eq!(say(&server, link, &form).await.json(), first.json());
        let all = said(&server, link).await;
        assert_eq!(all.as_array().unwrap().len(), 1);
        assert_eq!(all[0]["name"], "Олена");
        assert_eq!(
            all[0]["text"], markup,
            "it is text, and pages write it as text"
        );
        assert_eq!(all[0]["line"], "Вітаю вас.");
        assert_eq!(all[0]["start"], 4.0);
        let seen = page.get("/comments").await;
        assert_eq!(seen[0]["share_id"], made["id"]);
        assert_eq!(seen[0]["segment"], "1");
        let id = seen[0]["id"].as_str().unwrap();
        let path = format!("{}/comments/{id}", page.path);
        let answer = json!({"answer": " Дякую! "});
        let at = format!("{path}/answer");
        let done = send_json(&server, &me, Method::PUT, &at, &answer).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text());
        assert_eq!(said(&server, link).await[0]["answer"], "Дякую!");
        let none = json!({"answer": null});
        send_json(&server, &me, Method::PUT, &at, &none).await;
        assert_eq!(said(&server, link).await[0]["answer"], Value::Null);
        // The comment outlives its link, until the owner deletes it.
        let withdraw = format!("{}/shares/{}", page.path, made["id"].as_str().unwrap());
        remove(&server, &me, &withdraw).await;
        assert_eq!(page.get("/comments").await[0]["share_id"], Value::Null);
        let gone = remove(&server, &me, &path).await;
        assert_eq!(gone.status, StatusCode::NO_CONTENT);
        assert_eq!(page.get("/comments").await, json!([]));
    });
}

#[apply(each_database!)]
fn a_link_to_read_takes_no_comments(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = open_to_comments(&page).await;
        let link = token(&made);
        let first = say(&server, link, &comment("0", "Олена", "Так?")).await;
        assert_eq!(first.status, StatusCode::CREATED);
        let read = json!({"with_media": false, "with_confidence": false, "rights": "read"});
        put(&page, &made, "", read).await;
        let path = format!("/api/v1/shared/{link}/comments");
        for answer in [
            server.get(&path).await,
            say(&server, link, &comment("0", "Олена", "Ні?")).await,
        ] {
            answer.is_problem(StatusCode::FORBIDDEN, "comments_not_allowed");
        }
        assert_eq!(page.get("/comments").await.as_array().unwrap().len(), 1);
    });
}

#[apply(each_database!)]
fn comments_of_one_link_are_not_seen_or_touched_by_another(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let (one, other) = (open_to_comments(&page).await, open_to_comments(&page).await);
        let form = comment("0", "Олена", "Лише для нас");
        let first = say(&server, token(&one), &form).await.json();
        assert_eq!(said(&server, token(&other)).await, json!([]));
        // The same id through another link neither shows nor changes the comment.
        let taken = say(&server, token(&other), &form).await;
        taken.is_problem(StatusCode::CONFLICT, "conflict");
        assert!(!taken.text().contains("Олена"));
        assert_eq!(said(&server, token(&one)).await[0], first);
        // Only the owner can answer or delete it, not another user through a job of their own.
        let stranger = server.signup("b@example.com").await;
        let theirs = Page::on(&server, &stranger, &["Вітаю."]).await;
        let id = first["id"].as_str().unwrap();
        for base in [&page.path, &theirs.path] {
            let path = format!("{base}/comments/{id}");
            let gone = remove(&server, &stranger, &path).await;
            gone.is_problem(StatusCode::NOT_FOUND, "not_found");
            let form = json!({"answer": "x"});
            let path = format!("{path}/answer");
            let answered = send_json(&server, &stranger, Method::PUT, &path, &form).await;
            answered.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        assert_eq!(theirs.get("/comments").await, json!([]));
        assert_eq!(said(&server, token(&one)).await[0], first);
    });
}

#[apply(each_database!)]
fn comments_have_their_bounds(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = open_to_comments(&page).await;
        let link = token(&made);
        let (name, text) = ("ї".repeat(80), "ї".repeat(2000));
        let whole = say(&server, link, &comment("0", &name, &text)).await;
        assert_eq!(whole.status, StatusCode::CREATED, "{}", whole.text());
        for (form, field, code) in [
            (comment("0", &format!("{name}ї"), "a"), "name", "too_long"),
            (comment("0", " ", "a"), "name", "visitor_name_required"),
            (comment("0", "a", &format!("{text}ї")), "text", "too_long"),
            (comment("0", "a", "\n"), "text", "comment_required"),
            (comment("7", "a", "b"), "segment", "id_invalid"),
        ] {
            let answer = say(&server, link, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&json!(field), &json!(code))
            );
        }
        let huge = say(&server, link, &comment("0", "a", &"b".repeat(20_000))).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        let mut last = say(&server, link, &comment("0", "a", "b")).await;
        for _ in 0..60 {
            last = say(&server, link, &comment("0", "a", "b")).await;
        }
        last.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}

#[apply(each_database!)]
fn a_link_that_is_withdrawn_while_a_comment_comes_takes_none(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = open_to_comments(&page).await;
        let id = made["id"].as_str().unwrap();
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
