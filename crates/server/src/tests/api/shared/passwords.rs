//! Links with a password: nothing is shown without it, or with a grant for another password.

use super::*;

const PASSWORD: &str = "лелека над Россю";

async fn unlock(server: &TestServer, token: &str, password: &str) -> Answer {
    let path = format!("/api/v1/shared/{token}/unlock");
    server.post(&path, &json!({"password": password})).await
}

async fn grant(server: &TestServer, token: &str) -> String {
    let answer = unlock(server, token, PASSWORD).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    answer.json()["grant"].as_str().unwrap().to_owned()
}

async fn locked(page: &Page<'_>) -> Value {
    share(
        page,
        json!({"expires_at": null, "with_media": true, "rights": "comment", "password": PASSWORD}),
    )
    .await
}

#[apply(each_database!)]
fn before_the_password_nothing_is_told(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("secret.owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = locked(&page).await;
        assert_eq!(made["has_password"], true);
        let told = made.to_string();
        assert!(
            !told.contains(PASSWORD) && !told.contains("argon2"),
            "{told}"
        );
        let link = token(&made);
        let comments = format!("/api/v1/shared/{link}/comments");
        for answer in [
            open(&server, link).await,
            open_with(&server, link, "x").await,
            server.get(&comments).await,
            server
                .post(
                    &comments,
                    &json!({"id": page.job, "segment": "0", "name": "a", "text": "b"}),
                )
                .await,
        ] {
            answer.is_problem(StatusCode::FORBIDDEN, "share_password_required");
            assert_unseen(&answer);
            for secret in ["розмова", "Добрий", "secret.owner", &me.user_id] {
                assert!(!answer.text().contains(secret), "tells {secret}");
            }
        }
        let wrong = unlock(&server, link, "лелека над Дніпром").await;
        wrong.is_problem(StatusCode::FORBIDDEN, "share_password_wrong");
        assert_unseen(&wrong);
        // None of these attempts counts as an opening.
        let listed = page.get("/shares").await;
        assert_eq!(listed[0]["opened"], 0);
        let grant = grant(&server, link).await;
        let shown = open_with(&server, link, &grant).await;
        assert_eq!(shown.status, StatusCode::OK, "{}", shown.text());
        let shown = shown.json();
        assert_eq!(shown["transcript"]["segments"][0]["text"], "Добрий день.");
        assert_eq!(shown["grant"], grant, "it is not made longer by using it");
        let media = shown["media_url"].as_str().unwrap();
        assert_eq!(server.get(media).await.status, StatusCode::OK);
        // After six hours the password is required again.
        server.clock.advance_seconds(6 * 60 * 60);
        let over = open_with(&server, link, &grant).await;
        over.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        assert_eq!(server.get(media).await.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn another_password_and_none_end_what_was_granted(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = share(&page, json!({"expires_at": null, "with_media": true})).await;
        let link = token(&made);
        let first = open(&server, link).await.json();
        let (first_grant, first_media) = (&first["grant"], &first["media_url"]);
        let set = put(&page, &made, "/password", json!({"password": PASSWORD})).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(set.json()["has_password"], true);
        // Visitors who opened the link before it had a password need it too.
        let old = open_with(&server, link, first_grant.as_str().unwrap()).await;
        old.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        let silent = server.get(first_media.as_str().unwrap()).await;
        silent.is_problem(StatusCode::NOT_FOUND, "not_found");

        let second_grant = grant(&server, link).await;
        let second = open_with(&server, link, &second_grant).await.json();
        let media = second["media_url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&media).await.status, StatusCode::OK);
        let next = json!({"password": "журавель над Россю"});
        assert_eq!(
            put(&page, &made, "/password", next).await.status,
            StatusCode::OK
        );
        let old = open_with(&server, link, &second_grant).await;
        old.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        for path in [media.clone(), media.replace("/media/", "/waveform/")] {
            let silent = server.get(&path).await;
            silent.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        unlock(&server, link, PASSWORD)
            .await
            .is_problem(StatusCode::FORBIDDEN, "share_password_wrong");

        let open_again = put(&page, &made, "/password", json!({"password": null})).await;
        assert_eq!(open_again.json()["has_password"], false);
        assert_eq!(server.get(&media).await.status, StatusCode::NOT_FOUND);
        let shown = open_with(&server, link, &second_grant).await;
        assert_eq!(shown.status, StatusCode::OK);
        assert_ne!(shown.json()["grant"], second_grant.as_str(), "a new visit");
    });
}

#[apply(each_database!)]
fn a_grant_opens_its_own_link_only(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let (one, other) = (locked(&page).await, locked(&page).await);
        let grant = grant(&server, token(&one)).await;
        let shown = open_with(&server, token(&one), &grant).await.json();
        let replayed = open_with(&server, token(&other), &grant).await;
        replayed.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        // Media tokens and link tokens are not grants, and grants are neither of them.
        let media = shown["media_url"].as_str().unwrap().rsplit('/').next();
        for forged in [media.unwrap(), token(&one), &me.access_token] {
            let answer = open_with(&server, token(&one), forged).await;
            answer.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        }
        let heard = server.get(&format!("/api/v1/shared/media/{grant}")).await;
        heard.is_problem(StatusCode::NOT_FOUND, "not_found");
        // A withdrawn link is gone, with or without a grant, and its password reveals nothing.
        let path = format!("{}/shares/{}", page.path, one["id"].as_str().unwrap());
        remove(&server, &me, &path).await;
        for answer in [
            open_with(&server, token(&one), &grant).await,
            unlock(&server, token(&one), PASSWORD).await,
            unlock(&server, token(&one), "a wrong password").await,
            unlock(&server, "x", PASSWORD).await,
        ] {
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
    });
}

#[apply(each_database!)]
fn guesses_are_limited_for_the_link_and_the_network(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let made = locked(&page).await;
        let path = format!("/api/v1/shared/{}/unlock", token(&made));
        let wrong = json!({"password": "a wrong password"});
        let mut last = server.post_from("192.0.2.1", &path, &wrong).await;
        let mut tries = 1;
        while last.status == StatusCode::FORBIDDEN && tries < 100 {
            last = server.post_from("192.0.2.1", &path, &wrong).await;
            tries += 1;
        }
        last.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        // The correct password is refused too; otherwise the answer would reveal that it is
        // correct.
        let right = json!({"password": PASSWORD});
        let right = server.post_from("192.0.2.1", &path, &right).await;
        right.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        // Other networks are not limited, until together they reach the limit per account.
        let elsewhere = server.post_from("192.0.2.2", &path, &wrong).await;
        elsewhere.is_problem(StatusCode::FORBIDDEN, "share_password_wrong");
        let mut tries = 0;
        let limited = loop {
            let from = format!("198.51.100.{}", tries % 250);
            let answer = server.post_from(&from, &path, &wrong).await;
            tries += 1;
            if answer.status != StatusCode::FORBIDDEN || tries > 300 {
                break answer;
            }
        };
        limited.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
    });
}

#[apply(each_database!)]
fn passwords_have_their_bounds(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let shares = format!("{}/shares", page.path);
        let long = "а".repeat(1025);
        for (password, code) in [
            ("", "password_required"),
            ("1234567", "password_too_short"),
            ("12345678", "password_weak"),
            (long.as_str(), "password_too_long"),
        ] {
            let form = json!({"expires_at": null, "with_media": false, "password": password});
            let answer = server.post_as(&me, &shares, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["code"], code);
        }
        let made = locked(&page).await;
        let huge = unlock(&server, token(&made), &"a".repeat(20_000)).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        let too_long = unlock(&server, token(&made), &long).await;
        too_long.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        // Links of another user cannot be given a password.
        let other = server.signup("b@example.com").await;
        let id = made["id"].as_str().unwrap();
        let theirs = Page::on(&server, &other, &["Вітаю."]).await;
        for path in [
            format!("{shares}/{id}/password"),
            format!("{}/shares/{id}/password", theirs.path),
        ] {
            let form = json!({"password": null});
            let answer = send_json(&server, &other, Method::PUT, &path, &form).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let still = open(&server, token(&made)).await;
        still.is_problem(StatusCode::FORBIDDEN, "share_password_required");
    });
}
