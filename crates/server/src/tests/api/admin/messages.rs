//! Tests of contact messages and newsletter addresses.

use axum::body::Body;
use axum::http::{Method, StatusCode};
use serde_json::{Value, json};
use slovo_db::site::{contact, newsletter};
use slovo_rules::locale::Locale;
use uuid::Uuid;

use crate::testing::{Answer, Backend, TestServer, TestUser, apply, each_database, with_server};
use crate::tests::api::me::support::send_json;

const MESSAGES: &str = "/api/v1/admin/contact-messages";

async fn insert_message(server: &TestServer, number: u128, text: &str) -> Uuid {
    let message = contact::Message {
        id: Uuid::from_u128(number),
        first_name: "=1+1".to_owned(),
        last_name: "О’Ніл, \"мол.\"".to_owned(),
        email: "writer@example.com".to_owned(),
        message: text.to_owned(),
        locale: Locale::Uk,
        created_at: server.state.clock.now_ms(),
        mailed_at: None,
        handled_at: None,
    };
    let mut transaction = server.state.db.write().await.unwrap();
    contact::insert(&mut transaction, &message, None)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    message.id
}

async fn handle(server: &TestServer, who: &TestUser, id: Uuid, form: &Value) -> Answer {
    let path = format!("{MESSAGES}/{id}/handled");
    send_json(server, who, Method::PUT, &path, form).await
}

async fn delete(server: &TestServer, who: &TestUser, id: Uuid) -> Answer {
    let request = server.request(Method::DELETE, &format!("{MESSAGES}/{id}"), who);
    server.send(request.body(Body::empty()).unwrap()).await
}

#[apply(each_database!)]
fn messages_are_handled_and_deleted_without_logging_the_writer(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        let id = insert_message(&server, 1, "Перший\nрядок").await;
        insert_message(&server, 2, "Другий").await;
        for refused in [
            handle(&server, &me, id, &json!({"handled": true})).await,
            delete(&server, &me, id).await,
        ] {
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
        for form in [
            json!({}),
            json!({"handled": "yes"}),
            json!({"handled": true, "x": 1}),
        ] {
            let refused = handle(&server, &admin, id, &form).await;
            refused.is_problem(StatusCode::UNPROCESSABLE_ENTITY, "unexpected_json");
        }
        let handled = handle(&server, &admin, id, &json!({"handled": true}))
            .await
            .json();
        assert_eq!(handled["handled_at"], "2026-03-01T12:00:00Z");
        server.clock.advance_seconds(1);
        let again = handle(&server, &admin, id, &json!({"handled": true}))
            .await
            .json();
        assert_eq!(again["handled_at"], "2026-03-01T12:00:00Z");
        let page = server.get_as(&admin, MESSAGES).await.json();
        assert_eq!((&page["total"], &page["open"]), (&json!(2), &json!(1)));
        let undone = handle(&server, &admin, id, &json!({"handled": false}))
            .await
            .json();
        assert_eq!(undone["handled_at"], Value::Null);
        assert_eq!(
            delete(&server, &admin, id).await.status,
            StatusCode::NO_CONTENT
        );
        delete(&server, &admin, id)
            .await
            .is_problem(StatusCode::NOT_FOUND, "not_found");
        let missing = handle(&server, &admin, id, &json!({"handled": true})).await;
        missing.is_problem(StatusCode::NOT_FOUND, "not_found");
        let page = server.get_as(&admin, MESSAGES).await.json();
        assert_eq!((&page["total"], &page["open"]), (&json!(1), &json!(1)));

        let log = server.get_as(&admin, "/api/v1/admin/audit").await;
        assert_eq!(log.json()["items"].as_array().unwrap().len(), 3);
        assert_eq!(log.json()["items"][0]["action"], "contact_message.delete");
        for secret in ["writer", "Перший", "Ніл"] {
            assert!(!log.text().contains(secret), "{secret}");
        }
    });
}

#[apply(each_database!)]
fn csv_exports_contain_no_formulas(backend: Backend) {
    with_server(backend, async |server| {
        let admin = server.signup("admin@example.com").await;
        let me = server.signup("a@example.com").await;
        insert_message(&server, 1, "@SUM(A1)\nдва").await;
        let id = Uuid::from_u128(7);
        let subscription = newsletter::SubscriptionRequest {
            id,
            email: "+x@example.com",
            locale: Locale::En,
            now: server.state.clock.now_ms(),
        };
        let mut transaction = server.state.db.write().await.unwrap();
        newsletter::subscribe(&mut transaction, &subscription)
            .await
            .unwrap();
        newsletter::unsubscribe(&mut transaction, id, subscription.now + 1000)
            .await
            .unwrap();
        transaction.commit().await.unwrap();
        for (path, name, expected) in [
            (
                format!("{MESSAGES}/export"),
                "messages",
                "\u{feff}\"created_at\",\"first_name\",\"last_name\",\"email\",\"locale\",\
                \"message\",\"mailed_at\",\"handled_at\"\r\n\
                \"2026-03-01T12:00:00Z\",\"'=1+1\",\"О’Ніл, \"\"мол.\"\"\",\"writer@example.com\",\
                \"uk\",\"'@SUM(A1)\nдва\",\"\",\"\"\r\n",
            ),
            (
                "/api/v1/admin/newsletter/export".to_owned(),
                "newsletter",
                "\u{feff}\"created_at\",\"email\",\"locale\",\"confirmed_at\",\"left_at\"\r\n\
                \"2026-03-01T12:00:00Z\",\"'+x@example.com\",\"en\",\"\",\
                \"2026-03-01T12:00:01Z\"\r\n",
            ),
        ] {
            let answer = server.get_as(&admin, &path).await;
            assert_eq!(answer.text(), expected);
            let disposition = format!("attachment; filename=\"slovo-{name}-2026-03-01.csv\"");
            assert_eq!(answer.header("content-disposition"), disposition);
            let refused = server.get_as(&me, &path).await;
            refused.is_problem(StatusCode::FORBIDDEN, "forbidden");
        }
    });
}
