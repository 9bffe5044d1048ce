//! The test mail.

use axum::http::StatusCode;
use serde_json::json;

use crate::testing::{Backend, apply, each_database, with_server};

const PATH: &str = "/api/v1/admin/mail";

#[apply(each_database!)]
fn the_test_mail_goes_to_its_requester_in_the_given_language(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let delivery = server.get_as(&admin, PATH).await.json();
        assert_eq!(delivery["carrier"], "smtp");
        assert_eq!(delivery["place"], "mail.test:25");
        let path = format!("{PATH}/test");
        for (locale, subject) in [("uk", "Пробний"), ("en", "Test")] {
            let answer = server
                .post_as(&admin, &path, &json!({"locale": locale}))
                .await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            let expected = json!({"to": "admin@example.com", "way": delivery, "failure": null});
            assert_eq!(answer.json(), expected);
            let mail = server.last_mail("admin@example.com").await;
            assert_eq!(mail.kind, "test");
            assert!(mail.subject.contains(subject), "{}", mail.subject);
        }
        // The recipient cannot be chosen: there is no such field.
        let form = json!({"locale": "uk", "to": "victim@example.com"});
        let refused = server.post_as(&admin, &path, &form).await;
        assert!(refused.status.is_client_error(), "{}", refused.text());
        let mut connection = server.state.db.read().await.unwrap();
        let query = slovo_db::accounts::audit::Filter::default();
        let entries = slovo_db::accounts::audit::list(&mut connection, &query, None, 10)
            .await
            .unwrap();
        let tests = entries.iter().filter(|entry| entry.action == "mail.test");
        assert_eq!(tests.count(), 2);
    });
}

#[apply(each_database!)]
fn test_mails_are_rate_limited(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let test = async || {
            let path = format!("{PATH}/test");
            server.post_as(&admin, &path, &json!({})).await
        };
        for _ in 0..20 {
            assert_eq!(test().await.status, StatusCode::OK);
        }
        let refused = test().await;
        refused.is_problem(StatusCode::TOO_MANY_REQUESTS, "rate_limited");
        server.clock.advance_seconds(181);
        assert_eq!(test().await.status, StatusCode::OK);
    });
}
