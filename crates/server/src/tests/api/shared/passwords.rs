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

async fn locked_link(page: &Page<'_>) -> Value {
    share(
        page,
        json!({"expires_at": null, "with_media": true, "rights": "comment", "password": PASSWORD}),
    )
    .await
}

#[apply(each_database!)]
fn nothing_is_revealed_without_the_password(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("secret.owner@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = locked_link(&page).await;
        assert_eq!(created["has_password"], true);
        let text = created.to_string();
        assert!(
            !text.contains(PASSWORD) && !text.contains("argon2"),
            "{text}"
        );
        let link = token(&created);
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
            assert_not_indexed_or_cached(&answer);
            for secret in ["розмова", "Добрий", "secret.owner", &me.user_id] {
                assert!(!answer.text().contains(secret), "tells {secret}");
            }
        }
        let wrong = unlock(&server, link, "лелека над Дніпром").await;
        wrong.is_problem(StatusCode::FORBIDDEN, "share_password_wrong");
        assert_not_indexed_or_cached(&wrong);
        // None of these attempts counts as an opening.
        let listed = page.get("/shares").await;
        assert_eq!(listed[0]["opened"], 0);
        let grant = grant(&server, link).await;
        let shared = open_with(&server, link, &grant).await;
        assert_eq!(shared.status, StatusCode::OK, "{}", shared.text());
        let shared = shared.json();
        assert_eq!(shared["transcript"]["segments"][0]["text"], "Добрий день.");
        assert_eq!(shared["grant"], grant, "it is not made longer by using it");
        let media = shared["media_url"].as_str().unwrap();
        assert_eq!(server.get(media).await.status, StatusCode::OK);
        // After six hours the password is required again.
        server.clock.advance_seconds(6 * 60 * 60);
        let expired = open_with(&server, link, &grant).await;
        expired.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        assert_eq!(server.get(media).await.status, StatusCode::NOT_FOUND);
    });
}

#[apply(each_database!)]
fn changing_or_removing_the_password_ends_grants(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = share(&page, json!({"expires_at": null, "with_media": true})).await;
        let link = token(&created);
        let first = open(&server, link).await.json();
        let (first_grant, first_media) = (&first["grant"], &first["media_url"]);
        let set = put(&page, &created, "/password", json!({"password": PASSWORD})).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(set.json()["has_password"], true);
        // Visitors who opened the link before it had a password need it too.
        let old = open_with(&server, link, first_grant.as_str().unwrap()).await;
        old.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        let media_answer = server.get(first_media.as_str().unwrap()).await;
        media_answer.is_problem(StatusCode::NOT_FOUND, "not_found");

        let second_grant = grant(&server, link).await;
        let second = open_with(&server, link, &second_grant).await.json();
        let media = second["media_url"].as_str().unwrap().to_owned();
        assert_eq!(server.get(&media).await.status, StatusCode::OK);
        let next = json!({"password": "журавель над Россю"});
        assert_eq!(
            put(&page, &created, "/password", next).await.status,
            StatusCode::OK
        );
        let old = open_with(&server, link, &second_grant).await;
        old.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        for path in [media.clone(), media.replace("/media/", "/waveform/")] {
            let media_answer = server.get(&path).await;
            media_answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        unlock(&server, link, PASSWORD)
            .await
            .is_problem(StatusCode::FORBIDDEN, "share_password_wrong");

        let open_again = put(&page, &created, "/password", json!({"password": null})).await;
        assert_eq!(open_again.json()["has_password"], false);
        assert_eq!(server.get(&media).await.status, StatusCode::NOT_FOUND);
        let reopened = open_with(&server, link, &second_grant).await;
        assert_eq!(reopened.status, StatusCode::OK);
        assert_ne!(
            reopened.json()["grant"],
            second_grant.as_str(),
            "a new visit"
        );
    });
}

#[apply(each_database!)]
fn a_grant_opens_only_its_own_link(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let (link, other_link) = (locked_link(&page).await, locked_link(&page).await);
        let grant = grant(&server, token(&link)).await;
        let shared = open_with(&server, token(&link), &grant).await.json();
        let replayed = open_with(&server, token(&other_link), &grant).await;
        replayed.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        // Media tokens and link tokens are not grants, and grants are neither of them.
        let media = shared["media_url"].as_str().unwrap().rsplit('/').next();
        for forged in [media.unwrap(), token(&link), &me.access_token] {
            let answer = open_with(&server, token(&link), forged).await;
            answer.is_problem(StatusCode::FORBIDDEN, "share_password_required");
        }
        let media_answer = server.get(&format!("/api/v1/shared/media/{grant}")).await;
        media_answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        // A withdrawn link is gone, with or without a grant, and its password reveals nothing.
        let path = format!("{}/shares/{}", page.path, link["id"].as_str().unwrap());
        remove(&server, &me, &path).await;
        for answer in [
            open_with(&server, token(&link), &grant).await,
            unlock(&server, token(&link), PASSWORD).await,
            unlock(&server, token(&link), "a wrong password").await,
            unlock(&server, "x", PASSWORD).await,
        ] {
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
    });
}

#[apply(each_database!)]
fn password_guesses_are_limited_per_link_and_network(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let page = Page::on(&server, &me, &["Добрий день."]).await;
        let created = locked_link(&page).await;
        let path = format!("/api/v1/shared/{}/unlock", token(&created));
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
        let correct = json!({"password": PASSWORD});
        let correct = server.post_from("192.0.2.1", &path, &correct).await;
        correct.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        // Other networks are not limited, until together they reach the limit per account.
        let other_network = server.post_from("192.0.2.2", &path, &wrong).await;
        other_network.is_problem(StatusCode::FORBIDDEN, "share_password_wrong");
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
fn link_passwords_are_validated_and_set_only_by_the_owner(backend: Backend) {
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
        let created = locked_link(&page).await;
        let huge = unlock(&server, token(&created), &"a".repeat(20_000)).await;
        huge.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        let too_long = unlock(&server, token(&created), &long).await;
        too_long.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
        // Links of another user cannot be given a password.
        let other = server.signup("b@example.com").await;
        let id = created["id"].as_str().unwrap();
        let foreign_page = Page::on(&server, &other, &["Вітаю."]).await;
        for path in [
            format!("{shares}/{id}/password"),
            format!("{}/shares/{id}/password", foreign_page.path),
        ] {
            let form = json!({"password": null});
            let answer = send_json(&server, &other, Method::PUT, &path, &form).await;
            answer.is_problem(StatusCode::NOT_FOUND, "not_found");
        }
        let unchanged = open(&server, token(&created)).await;
        unchanged.is_problem(StatusCode::FORBIDDEN, "share_password_required");
    });
}
