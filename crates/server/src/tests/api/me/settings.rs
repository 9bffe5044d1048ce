//! Profile and preferences.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use super::support::send_json;
use crate::testing::{Backend, apply, each_database, with_server};

const PROFILE: &str = "/api/v1/me/profile";
const PREFERENCES: &str = "/api/v1/me/preferences";

#[apply(each_database!)]
fn a_profile_is_cleaned_stored_and_cannot_change_the_role(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let set = async |body: Value| send_json(&server, &me, Method::PUT, PROFILE, &body).await;
        let form = json!({"fullname": " Леся Українка ", "usage": "analysis", "terms": true});
        let answer = set(form).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let user = answer.json();
        assert_eq!(user["fullname"], "Леся Українка");
        assert_eq!(user["usage"], "analysis");
        assert_eq!(user["initials"], "ЛУ");
        assert_eq!(server.me(&me).await.json(), user);
        assert_eq!(server.me(&other).await.json()["fullname"], Value::Null);

        for (name, stored) in [
            ("<script>alert(1)</script>", "<script>alert(1)</script>"),
            ("'; DROP TABLE profiles; --", "'; DROP TABLE profiles; --"),
            (
                "Ann\0\r\nBcc: x@example.com\u{7}",
                "Ann  Bcc: x@example.com",
            ),
            ("Ann\u{202e}eeL", "AnneeL"),
            ("Ольга 👩‍🎤", "Ольга 👩‍🎤"),
        ] {
            let answer = set(json!({"fullname": name, "usage": "", "terms": true})).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            assert_eq!(answer.json()["fullname"], stored, "{name:?}");
            assert_eq!(answer.json()["usage"], Value::Null);
        }
        let extra_fields =
            json!({"fullname": "A", "terms": true, "role": "user", "id": "x", "email": "x"});
        let answer = set(extra_fields).await.json();
        assert_eq!(
            (&answer["role"], &answer["id"]),
            (&user["role"], &user["id"])
        );
        assert_eq!(answer["email"], "a@example.com");
    });
}

#[apply(each_database!)]
fn an_invalid_profile_changes_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let before = server.me(&me).await.json();
        for (form, field, code) in [
            (
                json!({"fullname": "", "terms": true}),
                "fullname",
                "fullname_required",
            ),
            (
                json!({"fullname": "\0\u{7} ", "terms": true}),
                "fullname",
                "fullname_required",
            ),
            (
                json!({"fullname": "ї".repeat(201), "terms": true}),
                "fullname",
                "too_long",
            ),
            (
                json!({"fullname": "a".repeat(900_000), "terms": true}),
                "fullname",
                "too_long",
            ),
            (
                json!({"fullname": "A", "usage": "fun", "terms": true}),
                "usage",
                "usage_unknown",
            ),
        ] {
            let answer = send_json(&server, &me, Method::PUT, PROFILE, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            let error = &answer.json()["errors"][0];
            assert_eq!(
                (&error["field"], &error["code"]),
                (&field.into(), &code.into())
            );
        }
        for form in [
            json!({"fullname": 1}),
            json!("Ann"),
            json!({"terms": "yes"}),
        ] {
            let answer = send_json(&server, &me, Method::PUT, PROFILE, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
        let long = json!({"fullname": "a".repeat(1_100_000), "terms": true});
        let answer = send_json(&server, &me, Method::PUT, PROFILE, &long).await;
        answer.is_problem(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large");
        assert_eq!(server.me(&me).await.json(), before);
    });
}

#[apply(each_database!)]
fn terms_accepted_at_signup_stay_accepted(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        assert_eq!(server.me(&me).await.json()["terms_accepted"], true);
        for form in [
            json!({"fullname": "A"}),
            json!({"fullname": "B", "terms": false}),
        ] {
            let answer = send_json(&server, &me, Method::PUT, PROFILE, &form).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            assert_eq!(answer.json()["terms_accepted"], true);
        }
    });
}

#[apply(each_database!)]
fn preferences_start_with_defaults_and_are_per_user(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let other = server.signup("b@example.com").await;
        let defaults = server.get_as(&me, PREFERENCES).await.json();
        assert_eq!(defaults["locale"], "uk");
        assert_eq!(defaults["theme"], "system");
        assert_eq!(defaults["mail_on_completion"], false);
        assert_eq!(server.me(&me).await.json()["locale"], Value::Null);

        let mut changed = defaults.clone();
        changed["locale"] = "en".into();
        changed["theme"] = "dark".into();
        changed["mail_on_completion"] = true.into();
        changed["settings"]["custom_vocabulary"] = "<b>Слово</b>\0".into();
        let set = send_json(&server, &me, Method::PUT, PREFERENCES, &changed).await;
        assert_eq!(set.status, StatusCode::OK, "{}", set.text());
        assert_eq!(set.json(), changed);
        assert_eq!(server.get_as(&me, PREFERENCES).await.json(), changed);
        assert_eq!(server.get_as(&other, PREFERENCES).await.json(), defaults);
        let user = server.me(&me).await.json();
        assert_eq!(
            (&user["locale"], &user["theme"]),
            (&"en".into(), &"dark".into())
        );
    });
}

#[apply(each_database!)]
fn invalid_preferences_change_nothing(backend: Backend) {
    with_server(backend, async |server| {
        let me = server.signup("a@example.com").await;
        let before = server.get_as(&me, PREFERENCES).await.json();
        let changed = |field: &str, value: Value| {
            let mut preferences = before.clone();
            preferences["settings"][field] = value;
            preferences
        };
        for (form, field) in [
            (
                changed("language_code", "xx".into()),
                "settings.language_code",
            ),
            (changed("url", "https://example.com".into()), "settings.url"),
            (
                changed("custom_prompt", "a".repeat(100_000).into()),
                "settings.custom_prompt",
            ),
        ] {
            let answer = send_json(&server, &me, Method::PUT, PREFERENCES, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "validation_failed");
            assert_eq!(answer.json()["errors"][0]["field"], field);
        }
        for form in [
            json!({"locale": "ru"}),
            json!({"theme": 1}),
            json!({"mail_on_completion": "yes"}),
            json!({"settings": "none"}),
            json!("dark"),
        ] {
            let answer = send_json(&server, &me, Method::PUT, PREFERENCES, &form).await;
            answer.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
        assert_eq!(server.get_as(&me, PREFERENCES).await.json(), before);
    });
}
